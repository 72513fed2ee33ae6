//! What a filter's Rust shows of misunderstandings between the two languages.
use super::{
    report::Reporter,
    rust::{Embedded, Outcome, reason},
    text::text,
};
use crate::{
    ast::Condition,
    diagnostic::{Code, Loc},
    lex::{Lexeme, Range},
};
use syn::Expr;

/// The condition behind a `filter`, if it is one.
pub(super) fn read(
    embedded: Embedded<Expr>,
    word: Range,
    lexemes: &[Lexeme],
    reporter: &mut Reporter<'_>,
) -> Option<Condition> {
    let range = embedded.range;
    match embedded.outcome {
        Outcome::Read(expr) => {
            let before = reporter.count();
            spine(&expr, range.start, reporter);
            let loc = reporter.loc(range);
            (reporter.count() == before).then(|| Condition { expr: *expr, loc })
        }
        Outcome::Missing => {
            reporter
                .error(Code::Syntax, word, "expected a condition behind `filter`")
                .help("write a Rust expression, as in `A as a filter a.value > 3`");
            None
        }
        Outcome::TooLong => {
            reporter
                .error(
                    Code::TooDeep,
                    word,
                    "this condition is longer or nests deeper than the compiler follows",
                )
                .help("move it into a function and call that, or split it into several `filter`s");
            None
        }
        Outcome::Failed { struct_literal: true, .. } => {
            let c = text(lexemes, range);
            reporter
                .error(Code::Syntax, range, "in a condition, a name with `{…}` behind it is a struct literal")
                .note("the condition is the longest Rust expression from here")
                .help(format!("`{c}`: put the formula in parentheses and the count behind them, `(A as a filter a.v > LIMIT){{2}}`"));
            None
        }
        Outcome::Failed { error, .. } => {
            let text = reason(&error);
            // syn knows no token for an end; the last one of the condition is the nearest.
            let at = if text.starts_with("unexpected end of input") {
                Loc::from(reporter.loc(range).last)
            } else {
                Loc::from(error.span())
            };
            reporter
                .error_at(Code::Syntax, range.start, at, format!("in this filter: {text}"))
                .note(
                    "a condition is a Rust expression; it ends at `;`, `:`, `->` or a word such as `within`",
                )
                .help(if counts_all(lexemes, range) {
                    "`count(*)` counts the matches, in `summarize`; in a filter name the variable: `count(x)`"
                } else {
                    "write a boolean expression, as in `a.value > 3 && a.id == b.id`"
                });
            None
        }
    }
}

/// `count(*)` stands there.
fn counts_all(lexemes: &[Lexeme], range: Range) -> bool {
    text(lexemes, range).replace(' ', "").contains("count(*)")
}

/// The outermost operators, where a word of the language can have been taken for one of Rust. What stands deeper cannot, and is the
/// checks' business.
fn spine(expr: &Expr, key: usize, reporter: &mut Reporter<'_>) {
    let mut todo = vec![expr];
    while let Some(e) = todo.pop() {
        match e {
            Expr::Binary(b) => todo.extend([&*b.right, &*b.left]),
            Expr::Unary(u) => todo.push(&u.expr),
            Expr::Cast(c) => {
                if let Some(name) = variable_like(&c.ty) {
                    reporter
                        .error_at(
                            Code::Syntax,
                            key,
                            Loc::of(c.as_token).to(Loc::of(&c.ty)),
                            "in a filter `as` is Rust's cast",
                        )
                        .note(format!("this reads as a cast to a type `{name}`"))
                        .help(format!(
                            "write `as {name}` directly behind the event type, in front of `filter`"
                        ));
                }
                todo.push(&c.expr);
            }
            Expr::Try(t) => {
                reporter
                    .error_at(Code::Impure, key, Loc::of(t.question_token), "in a filter `?` is Rust's operator, which returns early")
                    .note("a condition is a value, it has nothing to return from")
                    .help("for an optional element write `?` directly behind the event type or a group: `(A filter a.v > 3)? ; B`");
            }
            _ => {}
        }
    }
}

/// A type that looks like a variable: one lower-case word that is no primitive type.
fn variable_like(ty: &syn::Type) -> Option<&syn::Ident> {
    const PRIMITIVE: &[&str] = &[
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f16", "f32",
        "f64", "f128", "bool", "char", "str",
    ];
    let syn::Type::Path(p) = ty else { return None };
    let name = p.path.get_ident()?;
    let word = name.to_string();
    (word.starts_with(char::is_lowercase) && !PRIMITIVE.contains(&word.as_str())).then_some(name)
}
