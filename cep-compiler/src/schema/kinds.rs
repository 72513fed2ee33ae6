//! The kinds of attributes and their names.
use super::{Int, Kind};

const fn int(signed: bool, bits: u8, size: bool) -> Kind {
    Kind::Int(Int { signed, bits, size })
}

/// Every kind but arrays as a schema has it; in front those that are primitive types, [`PRIMITIVES`] of them.
static KINDS: [(&str, Kind); 20] = [
    ("bool", Kind::Bool),
    ("char", Kind::Char),
    ("f32", Kind::Float(32)),
    ("f64", Kind::Float(64)),
    ("u8", int(false, 8, false)),
    ("u16", int(false, 16, false)),
    ("u32", int(false, 32, false)),
    ("u64", int(false, 64, false)),
    ("u128", int(false, 128, false)),
    ("usize", int(false, 64, true)),
    ("i8", int(true, 8, false)),
    ("i16", int(true, 16, false)),
    ("i32", int(true, 32, false)),
    ("i64", int(true, 64, false)),
    ("i128", int(true, 128, false)),
    ("isize", int(true, 64, true)),
    ("str", Kind::Str),
    ("string", Kind::String),
    ("text", Kind::Text),
    ("opaque", Kind::Opaque),
];
const PRIMITIVES: usize = 16;

fn named(name: &str, kinds: &[(&str, Kind)]) -> Option<Kind> {
    for (known, kind) in kinds {
        if *known == name {
            return Some(kind.clone());
        }
    }
    None
}

/// The kind of a primitive number, `bool` or `char`, by its name.
pub(crate) fn primitive(name: &str) -> Option<Kind> {
    named(name, &KINDS[..PRIMITIVES])
}

/// The kind by the name that it has in a schema.
pub(super) fn written(name: &str) -> Option<Kind> {
    named(name, &KINDS)
}

impl Kind {
    /// Its name in a schema; empty for an array.
    pub(super) fn written(&self) -> &'static str {
        for (name, kind) in &KINDS {
            if kind == self {
                return name;
            }
        }
        ""
    }

    /// The primitive type that it is, if it is one: `u8`.
    pub(crate) fn primitive(&self) -> Option<&'static str> {
        match self {
            Kind::Int(_) | Kind::Float(_) | Kind::Bool | Kind::Char => Some(self.written()),
            _ => None,
        }
    }
}
