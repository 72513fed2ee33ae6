//! The entry points; they only forward to `cep-compiler`.
