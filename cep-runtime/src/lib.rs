//! What emitted machines run on.
#![no_std]
#![forbid(unsafe_code)]
