//! Test vectors in the format of `tests/semantics/README.md`.
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`format`](mod@format) | a line of JSON | a [`Vector`] |
//! | [`events`](mod@events) | `events_decl` | the oracle's declaration, the compiler's schema, values for the oracle and as Rust expressions |
//! | [`compare`](mod@compare) | a vector and an [`Answer`] | whether the answer is the expected one |
//! | [`agree`](mod@agree) | a vector | what the oracle makes of it |
//! | [`compile`](mod@compile) | a vector | what the compiler says of it, in process |
//! | [`fields`](mod@fields) | a pattern | the fields of its matches |
//! | [`window`](mod@window) | a vector of a window | what its model makes of it; whether a compiled one answers right |
//! | [`values`](mod@values) | attributes of computed events | texts that compare |
//! | [`held`](mod@held) | an attribute of a machine's output | the oracle's value, and the type's name |
//! | [`drive`](mod@drive) | window items | Rust text that runs them |
//! | [`generate`](mod@generate) | directories | one Rust module with a test per vector |
//!
//! A build script needs two calls:
//!
//! ```no_run
//! let directories = cep_vectors::directories(&["../semantics"]);
//! let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo")).join("vectors.rs");
//! let report = cep_vectors::generate(&directories, &out).expect("vectors");
//! ```
//!
//! and a test file one line: `include!(concat!(env!("OUT_DIR"), "/vectors.rs"));`
pub mod agree;
pub mod compare;
pub mod compile;
pub mod drive;
pub mod events;
pub mod fields;
pub mod format;
pub mod generate;
pub mod held;
pub mod values;
pub mod window;

pub use agree::{Agreement, agree};
pub use cep_windows::order::Found;
pub use compare::{Answer, Delivered, compare, same};
pub use compile::{Verdict, compile};
pub use events::Events;
pub use format::{Error, Vector, read};
pub use generate::{Report, directories, generate};
pub use held::Held;
pub use window::WindowAnswer;
