//! Values with their Rust types, and Rust's operators on them.
use crate::model::{Error, Result, Ty, Value, invalid, unsupported};
use std::cmp::Ordering;

/// A value inside a filter. An integer without a type is a literal (or wider than 64 bits).
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum V {
    Int(i128, Option<Ty>),
    F32(f32),
    F64(f64),
    FloatLiteral(f64),
    Bool(bool),
    Str(String),
    Char(char),
}

impl V {
    /// A value of a declared type; `None` is NULL.
    pub(crate) fn typed(value: &Value, ty: Ty) -> Result<Option<V>> {
        Ok(Some(match (value, ty) {
            (Value::Null, _) => return Ok(None),
            (Value::Int(i), _) if ty.range().is_some_and(|(lo, hi)| (lo..=hi).contains(i)) => {
                V::Int(*i, Some(ty))
            }
            #[allow(clippy::cast_possible_truncation, reason = "declared as f32")]
            (Value::Float(f), Ty::F32) => V::F32(*f as f32),
            (Value::Float(f), Ty::F64) => V::F64(*f),
            (Value::Bool(b), Ty::Bool) => V::Bool(*b),
            (Value::Char(c), Ty::Char) => V::Char(*c),
            (Value::Str(s), Ty::Str | Ty::String) => V::Str(s.clone()),
            _ => return invalid(format!("{value:?} as a value of type {}", ty.name())),
        }))
    }

    pub(crate) fn bool(&self) -> Result<bool> {
        match self {
            V::Bool(b) => Ok(*b),
            other => invalid(format!("{other:?} where a condition belongs")),
        }
    }
}

pub(crate) fn panic<T>(what: &str) -> Result<T> {
    Err(Error::Panic(what.to_owned()))
}

/// An integer result, checked against the type of the operands.
pub(crate) fn int(i: Option<i128>, ty: Option<Ty>) -> Result<V> {
    match (i, ty.and_then(Ty::range)) {
        (None, _) => panic("arithmetic overflow or division by zero"),
        (Some(i), Some((lo, hi))) if !(lo..=hi).contains(&i) => panic("arithmetic overflow"),
        (Some(i), _) => Ok(V::Int(i, ty)),
    }
}

/// Brings two operands to one type: a literal takes the other's.
fn unify(a: V, b: V) -> Result<(V, V)> {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the rounding of a literal to the other operand's type"
    )]
    Ok(match (a, b) {
        (V::Int(x, None), V::Int(y, t)) => (V::Int(x, t), V::Int(y, t)),
        (V::Int(x, t), V::Int(y, None)) => (V::Int(x, t), V::Int(y, t)),
        (V::FloatLiteral(x), V::F32(y)) => (V::F32(x as f32), V::F32(y)),
        (V::F32(x), V::FloatLiteral(y)) => (V::F32(x), V::F32(y as f32)),
        (V::FloatLiteral(x), V::F64(y)) => (V::F64(x), V::F64(y)),
        (V::F64(x), V::FloatLiteral(y)) => (V::F64(x), V::F64(y)),
        pair => pair,
    })
}

/// `a op b` for everything but `&&` and `||`.
pub(crate) fn binary(op: &str, a: V, b: V) -> Result<V> {
    if ["==", "!=", "<", "<=", ">", ">="].contains(&op) {
        return compare(op, a, b);
    }
    match unify(a, b)? {
        (V::Int(x, _), V::Int(y, _)) if op == "<<" || op == ">>" => shift(op, x, y),
        (V::Int(x, s), V::Int(y, t)) if s == t => match op {
            "+" => int(x.checked_add(y), s),
            "-" => int(x.checked_sub(y), s),
            "*" => int(x.checked_mul(y), s),
            "/" => int(x.checked_div(y), s),
            // `MIN % -1` overflows in Rust although the remainder is 0.
            "%" if y == -1 && s.and_then(Ty::range).is_some_and(|(lo, _)| lo == x) => panic("overflow"),
            "%" => int(x.checked_rem(y), s),
            "&" => Ok(V::Int(x & y, s)),
            "|" => Ok(V::Int(x | y, s)),
            "^" => Ok(V::Int(x ^ y, s)),
            _ => unsupported(format!("the operator `{op}`")),
        },
        (V::F64(x), V::F64(y)) => float(op, x, y).map(V::F64),
        (V::FloatLiteral(x), V::FloatLiteral(y)) => float(op, x, y).map(V::FloatLiteral),
        (V::F32(x), V::F32(y)) => {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "one operation in f64 and one rounding is the f32 one"
            )]
            let r = float(op, x.into(), y.into())? as f32;
            Ok(V::F32(r))
        }
        (V::Bool(x), V::Bool(y)) => Ok(V::Bool(match op {
            "&" => x & y,
            "|" => x | y,
            "^" => x ^ y,
            _ => return unsupported(format!("`{op}` on bool")),
        })),
        (x, y) => invalid(format!("`{x:?} {op} {y:?}`: unlike types")),
    }
}

fn shift(op: &str, x: i128, y: i128) -> Result<V> {
    unsupported(format!("the shift {x} {op} {y}"))
}

fn float(op: &str, x: f64, y: f64) -> Result<f64> {
    Ok(match op {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" => x / y,
        "%" => x % y,
        _ => return unsupported(format!("`{op}` on floats")),
    })
}

/// A comparison; integers of different types compare exactly (an aggregate with anything).
pub(crate) fn compare(op: &str, a: V, b: V) -> Result<V> {
    let order = match unify(a, b)? {
        (V::Int(x, _), V::Int(y, _)) => Some(x.cmp(&y)),
        (V::F32(x), V::F32(y)) => x.partial_cmp(&y),
        (V::F64(x), V::F64(y)) | (V::FloatLiteral(x), V::FloatLiteral(y)) => x.partial_cmp(&y),
        (V::F64(x), V::F32(y)) => x.partial_cmp(&f64::from(y)),
        (V::F32(x), V::F64(y)) => f64::from(x).partial_cmp(&y),
        (V::Bool(x), V::Bool(y)) => Some(x.cmp(&y)),
        (V::Char(x), V::Char(y)) => Some(x.cmp(&y)),
        (V::Str(x), V::Str(y)) => Some(x.cmp(&y)),
        (x, y) => return invalid(format!("`{x:?} {op} {y:?}`: unlike types")),
    };
    Ok(V::Bool(match op {
        "==" => order == Some(Ordering::Equal),
        "!=" => order != Some(Ordering::Equal),
        "<" => order == Some(Ordering::Less),
        "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ">" => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }))
}

/// `-a`, `!a`
pub(crate) fn unary(op: char, a: V) -> Result<V> {
    match (op, a) {
        ('-', V::Int(x, t)) => int(x.checked_neg(), t),
        ('-', V::F32(x)) => Ok(V::F32(-x)),
        ('-', V::F64(x)) => Ok(V::F64(-x)),
        ('-', V::FloatLiteral(x)) => Ok(V::FloatLiteral(-x)),
        ('!', V::Bool(x)) => Ok(V::Bool(!x)),
        (op, a) => unsupported(format!("`{op}{a:?}`")),
    }
}

/// `a as ty`; no type: 128 bits.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "these are the casts the user wrote"
)]
pub(crate) fn cast(a: V, ty: Option<Ty>) -> Result<V> {
    let whole = match &a {
        V::Int(x, _) => *x,
        V::Bool(b) => i128::from(*b),
        V::Char(c) => i128::from(u32::from(*c)),
        V::F32(f) => *f as i128,
        V::F64(f) | V::FloatLiteral(f) => *f as i128,
        V::Str(_) => return invalid("a cast of a text"),
    };
    let float = match &a {
        V::F32(f) => f64::from(*f),
        V::F64(f) | V::FloatLiteral(f) => *f,
        _ => whole as f64,
    };
    let is_float = matches!(a, V::F32(_) | V::F64(_) | V::FloatLiteral(_));
    let Some(ty) = ty else { return Ok(V::Int(whole, None)) };
    Ok(match (ty, ty.range()) {
        (Ty::F64, _) => V::F64(float),
        (Ty::F32, _) if is_float => V::F32(float as f32),
        (Ty::F32, _) => V::F32(whole as f32),
        (_, Some((lo, hi))) if is_float => V::Int(whole.clamp(lo, hi), Some(ty)),
        (_, Some((lo, hi))) => V::Int((whole - lo).rem_euclid(hi - lo + 1) + lo, Some(ty)),
        (Ty::Char, _) => V::Char(char::from(whole as u8)),
        _ => return invalid(format!("a cast to {}", ty.name())),
    })
}

/// Methods without a closure.
pub(crate) fn method(name: &str, a: V, args: Vec<V>) -> Result<V> {
    Ok(match (name, a, args.into_iter().next()) {
        ("abs", V::Int(x, t), None) => return int(x.checked_abs(), t),
        ("abs", V::F32(x), None) => V::F32(x.abs()),
        ("abs", V::F64(x), None) => V::F64(x.abs()),
        ("sqrt", V::F32(x), None) => V::F32(x.sqrt()),
        ("sqrt", V::F64(x), None) => V::F64(x.sqrt()),
        ("is_nan", V::F32(x), None) => V::Bool(x.is_nan()),
        ("is_nan", V::F64(x), None) => V::Bool(x.is_nan()),
        ("len", V::Str(s), None) => V::Int(i128::try_from(s.len()).unwrap_or(i128::MAX), Some(Ty::U64)),
        ("is_empty", V::Str(s), None) => V::Bool(s.is_empty()),
        ("as_str" | "clone", a, None) => a,
        ("starts_with", V::Str(s), Some(p)) => V::Bool(text(&s, &p, |s, p| s.starts_with(p))?),
        ("ends_with", V::Str(s), Some(p)) => V::Bool(text(&s, &p, |s, p| s.ends_with(p))?),
        ("contains", V::Str(s), Some(p)) => V::Bool(text(&s, &p, |s, p| s.contains(p))?),
        ("eq", a, Some(b)) => return compare("==", a, b),
        ("ne", a, Some(b)) => return compare("!=", a, b),
        ("min" | "max", a, Some(b)) => {
            let (a, b) = unify(a, b)?;
            let pick = |first: bool| if first { a.clone() } else { b.clone() };
            let less = compare("<", a.clone(), b.clone())?.bool()?;
            match (&a, &b) {
                // Rust's float `min` and `max` prefer the operand that is a number.
                (V::F64(x), V::F64(y)) if x.is_nan() || y.is_nan() => pick(y.is_nan()),
                (V::F32(x), V::F32(y)) if x.is_nan() || y.is_nan() => pick(y.is_nan()),
                _ if name == "min" => pick(less),
                _ => pick(!less),
            }
        }
        (name, a, _) => return unsupported(format!("`{a:?}.{name}(…)`")),
    })
}

fn text(s: &str, p: &V, f: impl Fn(&str, &str) -> bool) -> Result<bool> {
    match p {
        V::Str(p) => Ok(f(s, p)),
        V::Char(c) => Ok(f(s, c.encode_utf8(&mut [0; 4]))),
        other => unsupported(format!("a search for {other:?}")),
    }
}
