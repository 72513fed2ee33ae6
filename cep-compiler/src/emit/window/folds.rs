//! The folds of a window: their monoids, nested into one, and what comes out.
use super::{Field, Names, primitive};
use crate::code::{Piece, Pieces, code, numbered_pieces};
use crate::emit::names::our;
use crate::hir::{Function, window::Fold};
use crate::slices::all;

/// The monoid of one fold over values of type `value` (without `Option`).
pub(super) fn monoid(f: &Fold, value: Piece, names: &Names) -> Piece {
    let p = names.p;
    let plain = crate::emit::monoid::of(f.function, f.monoid.as_ref(), value, p);
    // a monoid of the user's over `Option` takes it as it is
    if f.nullable && f.function != Function::User {
        crate::emit::monoid::over_null(plain, f.some, f.function.gives_option(&f.input), p)
    } else {
        plain
    }
}

/// All of them as one monoid.
pub(super) fn nested(monoids: Pieces, names: &Names) -> Piece {
    let (p, mut n) = (names.p, monoids.len());
    if n == 0 {
        return code!([p] #p::Count<()>);
    }
    n -= 1;
    let mut out = monoids.get(n);
    while n > 0 {
        n -= 1;
        let first = monoids.get(n);
        out = code!([p, first, out] #p::Pair<#first, #out>);
    }
    out
}

/// The input of the nested monoid, from one expression for each.
pub(super) fn input(values: Pieces) -> Piece {
    let mut n = values.len();
    if n == 0 {
        return code!([]());
    }
    n -= 1;
    let mut out = values.get(n);
    while n > 0 {
        n -= 1;
        let first = values.get(n);
        out = code!([first, out] (#first, #out));
    }
    out
}

/// A pattern that binds the results of the nested monoid, and a local for each.
pub(super) fn results(n: usize) -> (Piece, Pieces) {
    let locals = numbered_pieces(n, |i| our(format_args!("fold_{i}")));
    (input(locals), locals)
}

/// A fold's value as the record shows it.
pub(super) fn shown(f: &Fold, result: Piece) -> Piece {
    let gives_option =
        f.function != Function::User && (f.nullable && !f.some || f.function.gives_option(&f.input));
    if gives_option && !f.output_nullable {
        code!([result] match #result {
            ::core::option::Option::Some(value) => value,
            ::core::option::Option::None => ::core::unreachable!("a window is never empty"),
        })
    } else {
        Piece::of(&result)
    }
}

/// The field that a fold becomes.
pub(super) fn field(f: &Fold, value: Piece, names: &Names) -> Field {
    let p = names.p;
    let ty = match (&f.output, f.function) {
        (_, Function::User) => {
            let own = monoid(f, value, names);
            code!([own, p] <#own as #p::Monoid>::Output)
        }
        (kind, _) => primitive(kind).unwrap_or(value),
    };
    let ty = if f.output_nullable { code!([ty] ::core::option::Option<#ty>) } else { ty };
    let name = if f.function == Function::User {
        f.monoid.as_ref().map_or_else(String::new, |m| format!("fold {}", crate::check::text(m)))
    } else {
        function_name(f)
    };
    Field {
        name: f.name.clone(),
        ty,
        doc: format!("`{name}`{}", if f.output_nullable { ", if it has a value." } else { "." }),
        kind: f.output.clone(),
        nullable: f.output_nullable,
        length: None,
        null_elements: false,
        time: None,
    }
}

/// As written.
pub(super) fn function_name(f: &Fold) -> String {
    let name = f.function.name();
    if f.some { format!("{name}_some") } else { name.into() }
}

/// The state of at least one value is smaller than that of any, for each of them: the runtime's `Held`.
pub(super) fn all_of_something(folds: &[Fold]) -> bool {
    all(folds, |f| !f.nullable && matches!(f.function, Function::Min | Function::Max | Function::Range))
}

/// Every one can take its oldest value back.
pub(super) fn all_have_inverses(folds: &[Fold]) -> bool {
    all(folds, |f| f.function.has_inverse(&f.input))
}
