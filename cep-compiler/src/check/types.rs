//! What is known of the types in a filter. Less than rustc knows, and never more: what is not recognised is compared with anything.
use crate::ast::Parameter;
use crate::schema::{Int, Kind, primitive};
use syn::{BinOp, Expr, Lit};

/// The type of an expression, as far as spellings tell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ty {
    /// An integer; `None` for a literal without a suffix.
    Int(Option<Int>),
    /// A float of 32 or 64 bits; `None` for a literal without a suffix.
    Float(Option<u8>),
    Bool,
    Char,
    Str,
    String,
    Text,
    /// A path to a constant: reading it costs nothing, its type is rustc's business.
    Constant,
    Unknown,
}

impl Ty {
    pub(crate) fn of(kind: &Kind) -> Ty {
        match kind {
            Kind::Int(i) => Ty::Int(Some(*i)),
            Kind::Float(bits) => Ty::Float(Some(*bits)),
            Kind::Bool => Ty::Bool,
            Kind::Char => Ty::Char,
            Kind::Str => Ty::Str,
            Kind::String => Ty::String,
            Kind::Text => Ty::Text,
            Kind::Array(_) | Kind::Opaque => Ty::Unknown,
        }
    }

    /// Comparing it runs no code of the user's, cannot panic and costs a few instructions.
    pub(crate) fn is_primitive(self) -> bool {
        !matches!(self, Ty::Constant | Ty::Unknown)
    }

    pub(crate) fn may_be_bool(self) -> bool {
        matches!(self, Ty::Bool | Ty::Constant | Ty::Unknown)
    }

    fn is_text(self) -> bool {
        matches!(self, Ty::Str | Ty::String | Ty::Text)
    }

    /// In words, for a message.
    pub(crate) fn describe(self) -> String {
        match self {
            Ty::Int(Some(i)) => format!("`{}`", int_name(i)),
            Ty::Int(None) => "an integer".into(),
            Ty::Float(Some(bits)) => format!("`f{bits}`"),
            Ty::Float(None) => "a float".into(),
            Ty::Bool => "`bool`".into(),
            Ty::Char => "`char`".into(),
            Ty::Str => "`&str`".into(),
            Ty::String => "`String`".into(),
            Ty::Text => "`Text`".into(),
            Ty::Constant | Ty::Unknown => "of another type".into(),
        }
    }

    /// Whether Rust accepts a comparison or arithmetic between the two.
    pub(crate) fn fits(self, other: Ty) -> bool {
        match (self, other) {
            (Ty::Constant | Ty::Unknown, _) | (_, Ty::Constant | Ty::Unknown) => true,
            (Ty::Int(a), Ty::Int(b)) => a.is_none() || b.is_none() || a == b,
            (Ty::Float(a), Ty::Float(b)) => a.is_none() || b.is_none() || a == b,
            (a, b) if a.is_text() && b.is_text() => true,
            (a, b) => a == b,
        }
    }

    /// The type of `self op other` where the two fit.
    pub(crate) fn join(self, other: Ty) -> Ty {
        match (self, other) {
            (Ty::Int(None) | Ty::Float(None) | Ty::Constant, b) => b,
            (a, _) => a,
        }
    }
}

/// `u8`
pub(super) fn int_name(i: Int) -> &'static str {
    Kind::Int(i).primitive().unwrap_or_default()
}

/// What a parameter's type is known to be.
pub(crate) fn parameter_kind(ty: &syn::Type) -> Kind {
    match ty {
        syn::Type::Group(g) => parameter_kind(&g.elem),
        syn::Type::Paren(p) => parameter_kind(&p.elem),
        syn::Type::Path(p) if p.qself.is_none() => {
            p.path.get_ident().and_then(|i| primitive(&i.to_string())).unwrap_or(Kind::Opaque)
        }
        syn::Type::Reference(r) if matches!(&*r.elem, syn::Type::Path(p) if p.path.is_ident("str")) => {
            Kind::Str
        }
        _ => Kind::Opaque,
    }
}

/// The type of a parameter.
pub(crate) fn parameter(p: &Parameter) -> Ty {
    Ty::of(&parameter_kind(&p.ty))
}

/// The type of a literal.
pub(crate) fn literal(lit: &Lit) -> Ty {
    match lit {
        Lit::Int(i) => match primitive(i.suffix()) {
            Some(Kind::Int(k)) => Ty::Int(Some(k)),
            Some(Kind::Float(b)) => Ty::Float(Some(b)),
            _ => Ty::Int(None),
        },
        Lit::Float(f) => match primitive(f.suffix()) {
            Some(Kind::Float(b)) => Ty::Float(Some(b)),
            _ => Ty::Float(None),
        },
        Lit::Bool(_) => Ty::Bool,
        Lit::Char(_) => Ty::Char,
        Lit::Str(_) => Ty::Str,
        Lit::Byte(_) => Ty::Int(Some(Int { signed: false, bits: 8, size: false })),
        _ => Ty::Unknown,
    }
}

pub(crate) fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

pub(crate) fn is_assignment(op: &BinOp) -> bool {
    use BinOp as B;
    matches!(
        op,
        B::AddAssign(_)
            | B::SubAssign(_)
            | B::MulAssign(_)
            | B::DivAssign(_)
            | B::RemAssign(_)
            | B::BitXorAssign(_)
            | B::BitAndAssign(_)
            | B::BitOrAssign(_)
            | B::ShlAssign(_)
            | B::ShrAssign(_)
    )
}

pub(crate) fn is_shift(op: &BinOp) -> bool {
    matches!(op, BinOp::Shl(_) | BinOp::Shr(_))
}

pub(crate) fn is_bitwise(op: &BinOp) -> bool {
    matches!(op, BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_))
}

/// How to make the two sides alike, in the user's own words where that is short.
pub(crate) fn remedy(left: (&Expr, Ty), right: (&Expr, Ty)) -> String {
    let text = |e: &Expr| super::text(e);
    for (this, other) in [(left, right), (right, left)] {
        match (this.1, other.1) {
            (Ty::Int(None), Ty::Float(_)) => return format!("write `{}.0`", text(this.0)),
            (Ty::Float(None), Ty::Int(_)) => {
                return format!("compare as floats: `{} as f64`", text(other.0));
            }
            _ => {}
        }
    }
    match (left.1, right.1) {
        (Ty::Int(_), Ty::Float(Some(b))) => format!("convert one side: `{} as f{b}`", text(left.0)),
        (Ty::Float(Some(b)), Ty::Int(_)) => format!("convert one side: `{} as f{b}`", text(right.0)),
        (Ty::Int(Some(a)), Ty::Int(Some(b))) => {
            let wide = if a.bits >= b.bits { (a, right.0) } else { (b, left.0) };
            format!("convert one side: `{} as {}`", text(wide.1), int_name(wide.0))
        }
        (Ty::Float(_), Ty::Float(_)) => {
            let narrow = if left.1 == Ty::Float(Some(32)) { left.0 } else { right.0 };
            format!("convert one side: `f64::from({})`", text(narrow))
        }
        (Ty::Bool, _) => format!("it is a condition itself: write `{0}` or `!{0}`", text(left.0)),
        (_, Ty::Bool) => format!("it is a condition itself: write `{0}` or `!{0}`", text(right.0)),
        _ => "compare values of one type".into(),
    }
}
