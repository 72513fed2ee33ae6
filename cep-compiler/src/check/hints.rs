//! Mistakes that rustc would find too, in words about events: what Rust makes of them points into code that the user has not written.
use super::types::Ty;
use super::walk::{ON_OPTION, Walk, bare, single, unparenthesised};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::Function;
use crate::schema::Schema;
use crate::slices::{any, find};
use proc_macro2::Ident;
use syn::{Expr, Lit, Member, Pat, UnOp};

impl Walk<'_> {
    /// A method of `Option` on an attribute that is never NULL, or on one that stands for its value here.
    pub(super) fn misused_option(
        &self,
        m: &syn::ExprMethodCall,
        written: Option<&Expr>,
        ty: Ty,
        d: &mut Diagnostics,
    ) -> bool {
        if !ty.is_primitive() {
            return false;
        }
        let nullable = match &*m.receiver {
            Expr::Field(f) => self.nullable(f),
            e => {
                let read = single(e).and_then(|n| find(&self.folds, |f| f.name == *n));
                read.map(|f| self.filter.pass.folds.borrow()[f.fold.0].result.nullable)
            }
        };
        let Some(nullable) = nullable else { return false };
        let (text, method) = (super::text(written.unwrap_or(&m.receiver)), &m.method);
        if any(&ON_OPTION, |n| method == n) && !nullable {
            d.error(
                Code::UnlikeTypes,
                method.span(),
                format!("`{text}` is never NULL: it is {}", ty.describe()),
            )
            .help(format!("`{method}` is for what may be NULL; read `{text}` itself"));
            return true;
        }
        let of_option = [
            "unwrap",
            "expect",
            "unwrap_or_default",
            "unwrap_or_else",
            "is_none_or",
            "map",
            "map_or_else",
            "and_then",
        ];
        if nullable && any(&of_option, |n| method == n) {
            d.error(
                Code::UnlikeTypes,
                method.span(),
                format!("`{text}` is the value here, {}, and has no `{method}`", ty.describe()),
            )
            .note("a condition that reads a NULL is false")
            .help(format!("read `{text}` itself, or `{text}.unwrap_or(…)`, `.is_some_and(…)`, `.map_or(…)`, `.is_none()`"));
            return true;
        }
        false
    }

    /// Whether `x.attr` may be NULL; `None` if it is no attribute.
    pub(super) fn nullable(&self, f: &syn::ExprField) -> Option<bool> {
        let (name, Member::Named(attribute)) = (bare(&f.base)?, &f.member) else { return None };
        let read = find(&self.reads, |r| r.name == *name)?;
        find(&read.attributes, |a| a.name == *attribute).map(|a| a.nullable)
    }

    /// `x.attr == None`, `x.attr == Some(3)`: an attribute stands for its value.
    pub(super) fn compared_option(
        &self,
        l: &Expr,
        left: Ty,
        r: &Expr,
        right: Ty,
        d: &mut Diagnostics,
    ) -> bool {
        for (this, ty, other) in [(l, left, r), (r, right, l)] {
            let Expr::Field(f) = this else { continue };
            let text = super::text(this);
            let (what, help) = match unparenthesised(other) {
                Expr::Path(p) if p.path.is_ident("None") => ("None", format!("ask `{text}.is_none()`")),
                Expr::Call(c) if single(&c.func).is_some_and(|n| n == "Some") => {
                    ("Some(…)", format!("compare with the value: `{text} == {}`", super::text(&c.args)))
                }
                _ => continue,
            };
            if ty.is_primitive() && self.nullable(f).is_some() {
                d.error(
                    Code::UnlikeTypes,
                    Loc { first: Loc::of(l).first, last: Loc::of(r).last },
                    format!("`{text}` is the value here, {}, and `{what}` is an `Option`", ty.describe()),
                )
                .note("a condition that reads a NULL is false")
                .help(help);
                return true;
            }
        }
        false
    }

    /// `matches!(x.attr, Some(3))`, `if let Some(v) = x.attr`: an attribute stands for its value.
    pub(super) fn option_pattern(&self, value: &Expr, ty: Ty, pattern: &Pat, d: &mut Diagnostics) {
        let Expr::Field(f) = unparenthesised(value) else { return };
        if !ty.is_primitive() || self.nullable(f).is_none() {
            return;
        }
        let Some(at) = names_option(pattern) else { return };
        let text = super::text(value);
        d.error(
            Code::UnlikeTypes,
            at,
            format!("`{text}` is the value here, {}, and this is a pattern of an `Option`", ty.describe()),
        )
        .note("a condition that reads a NULL is false")
        .help(format!("match the value, `matches!({text}, 1 | 2)`, or ask `{text}.is_some_and(|v| …)`, `{text}.is_none()`"));
    }
}

/// Where a pattern says `Some(…)` or `None`.
fn names_option(pattern: &Pat) -> Option<Loc> {
    match pattern {
        Pat::TupleStruct(t) if t.path.is_ident("Some") => Some(Loc::of(t)),
        Pat::Ident(i) if i.ident == "None" => Some(Loc::of(i)),
        Pat::Path(p) if p.path.is_ident("None") => Some(Loc::of(p)),
        Pat::Or(o) => {
            let mut i = 0;
            while let Some(case) = o.cases.get(i) {
                let found = names_option(case);
                if found.is_some() {
                    return found;
                }
                i += 1;
            }
            None
        }
        Pat::Paren(p) => names_option(&p.pat),
        Pat::Guard(g) => names_option(&g.pat),
        _ => None,
    }
}

/// An unsigned integer compared with a negative literal.
pub(super) fn never_negative(l: &Expr, left: Ty, r: &Expr, right: Ty, d: &mut Diagnostics) -> bool {
    for (this, ty, other) in [(l, left, r), (r, right, l)] {
        let (Ty::Int(Some(i)), Expr::Unary(u)) = (ty, unparenthesised(other)) else { continue };
        let negative = matches!(u.op, UnOp::Neg(_))
            && matches!(unparenthesised(&u.expr), Expr::Lit(x) if matches!(x.lit, Lit::Int(_)));
        if negative && !i.signed {
            let (text, number) = (super::text(this), super::text(other));
            d.error(
                Code::UnlikeTypes,
                Loc { first: Loc::of(l).first, last: Loc::of(r).last },
                format!("`{text}` is {}, which is never as low as `{number}`", ty.describe()),
            )
            .help(format!("leave the condition out, or compare as a signed number: `i64::from({text})`"));
            return true;
        }
    }
    false
}

/// `count()`: an aggregate of nothing is no condition's business; anything else without one argument is a function of the user's.
pub(super) fn folds_nothing(
    f: &Ident,
    call: &syn::ExprCall,
    schema: &Schema,
    d: &mut Diagnostics,
) -> Option<Ty> {
    let (function, some) = Function::named(&f.to_string())?;
    if !call.args.is_empty() {
        return None;
    }
    let attribute =
        schema.types.iter().find_map(|t| t.attributes.first()).map_or("value".into(), |a| a.name.to_string());
    let argument = if function == Function::Count && !some { "x".into() } else { format!("x.{attribute}") };
    d.error(Code::Syntax, Loc::of(call), format!("`{f}()` folds nothing"))
        .note("a filter's aggregate is over the events of one variable")
        .help(format!("name the variable: `{f}({argument})`"));
    Some(Ty::Unknown)
}

/// `let Some(v) = x.attr && v > 3`: each operand of `&&` is a condition of its own, so nothing can be bound for the next one.
pub(super) fn has_let(conjuncts: &[&Expr], d: &mut Diagnostics) -> bool {
    for e in conjuncts {
        if let Expr::Let(l) = e {
            d.error(Code::Impure, Loc::of(l), "a filter is a condition, and `let` is none")
                .note("every operand of `&&` is a condition of its own, so a name bound in one is unknown in the next")
                .help("an attribute that may be NULL stands for its value: write `x.attr > 3`; or `matches!(…)`, `.is_some_and(|v| …)`");
            return true;
        }
    }
    false
}

/// What a user's own macro hands over in an invisible group, `$k` for instance, in parentheses where they matter: rustc does not see the groups
/// in what a procedural macro gives back, so `$k * 2` would be read as `1 + 2 * 2`.
pub(super) fn grouped(g: &syn::ExprGroup) -> Expr {
    let inner = (*g.expr).clone();
    match inner {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Field(_)
        | Expr::MethodCall(_)
        | Expr::Call(_)
        | Expr::Paren(_)
        | Expr::Index(_)
        | Expr::Macro(_)
        | Expr::Tuple(_)
        | Expr::Array(_) => inner,
        _ => Expr::Paren(syn::ExprParen {
            attrs: Vec::new(),
            paren_token: syn::token::Paren::default(),
            expr: Box::new(inner),
        }),
    }
}
