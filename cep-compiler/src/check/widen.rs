//! Comparisons of aggregates: with any integer if they are integers, with any float if they are floats, and exactly.
use super::types::Ty;
use super::walk::unparenthesised;
use crate::code::{Piece, code};
use crate::schema::Int;
use proc_macro2::{Ident, Span};
use syn::{Expr, ExprBinary, Lit, UnOp};

/// Makes both sides the narrowest type that holds both; whether there was something to do.
pub(super) fn widen(b: &mut ExprBinary, left: Ty, right: Ty) -> bool {
    if left == right {
        return false;
    }
    let (l, r, op) = (&*b.left, &*b.right, &b.op);
    let wide = match (left, right) {
        (Ty::Int(Some(x)), Ty::Int(Some(y))) if narrow(x) && narrow(y) => "i128",
        (Ty::Int(Some(x)), Ty::Int(Some(y))) if !x.signed && !y.signed => "u128",
        (Ty::Int(Some(x)), Ty::Int(Some(_))) => {
            // no type holds both: what is negative is below everything that is not
            let both =
                code!([| l, op, r] ((#l) as ::core::primitive::u128) #op ((#r) as ::core::primitive::u128));
            let whole = if x.signed {
                code!([both | l, op] (if (#l) < 0 { -1 #op 0 } else { #both }) == true)
            } else {
                code!([both | r, op] (if (#r) < 0 { 0 #op -1 } else { #both }) == true)
            };
            return rewritten(b, whole);
        }
        // a literal that the other side's type cannot be
        (Ty::Int(Some(x)), Ty::Int(None)) if narrow(x) && !holds(x, r) => "i128",
        (Ty::Int(None), Ty::Int(Some(x))) if narrow(x) && !holds(x, l) => "i128",
        (Ty::Float(Some(_)), Ty::Float(Some(_))) => "f64",
        _ => return false,
    };
    let wide = Ident::new(wide, Span::call_site());
    let whole =
        code!([| l, wide, op, r] ((#l) as ::core::primitive::#wide) #op ((#r) as ::core::primitive::#wide));
    rewritten(b, whole)
}

fn rewritten(b: &mut ExprBinary, whole: Piece) -> bool {
    if let Expr::Binary(new) = super::parsed(whole) {
        *b = new;
    }
    true
}

/// `i128` holds all of it.
fn narrow(i: Int) -> bool {
    i.signed || i.bits < 128
}

/// Whether an integer literal, with a sign or without, is a value of the type. What is no literal has the type anyway.
pub(super) fn holds(i: Int, e: &Expr) -> bool {
    let (negative, e) = match unparenthesised(e) {
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => (true, unparenthesised(&u.expr)),
        e => (false, e),
    };
    let Expr::Lit(l) = e else { return true };
    let Lit::Int(l) = &l.lit else { return true };
    let Ok(size) = l.base10_parse::<u128>() else { return true };
    let bits = u32::from(i.bits) - u32::from(i.signed);
    let highest = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
    match (negative, i.signed) {
        (true, true) => size <= highest + 1,
        (true, false) => size == 0,
        (false, _) => size <= highest,
    }
}
