//! What the language has and this version does not compile yet: an error at its own tokens, never a wrong answer.
use crate::ast::{Clauses, Formula, FormulaKind, Operator, Within};
use crate::diagnostic::{Code, Diagnostics, Loc};

fn refuse(at: Loc, what: &str, instead: &str, diagnostics: &mut Diagnostics) {
    diagnostics.error(Code::NotSupported, at, format!("{what} not supported yet")).help(instead);
}

const USE: &str =
    "so far a formula is made of event types, `as`, `;`, `:`, `or`, `+`, `*`, `?`, parentheses and `filter`";

/// Reports every construct of a formula that cannot be compiled yet.
pub(crate) fn formula(f: &Formula, diagnostics: &mut Diagnostics) {
    match &f.kind {
        FormulaKind::Type(_) => {}
        FormulaKind::As { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Select { inner, .. } => {
            formula(inner, diagnostics);
        }
        FormulaKind::Within { inner, bound, word } => {
            formula(inner, diagnostics);
            within(bound, *word, diagnostics);
        }
        FormulaKind::Sequence { left, gap, right } => {
            formula(left, diagnostics);
            for n in &gap.negations {
                refuse(n.word, "`not` is", USE, diagnostics);
            }
            if gap.operator == Operator::Next {
                refuse(gap.operator_loc, "`->` (skip till next match) is", "use `;` (any gap)", diagnostics);
            }
            formula(right, diagnostics);
        }
        FormulaKind::TrailingNot { left, negations } => {
            formula(left, diagnostics);
            for n in negations {
                refuse(n.word, "`not` is", USE, diagnostics);
            }
        }
        FormulaKind::Or { parts, .. } => {
            for p in parts {
                formula(p, diagnostics);
            }
        }
        FormulaKind::Iterate { inner, operator_loc, operator, minimum, maximum } => {
            formula(inner, diagnostics);
            if *operator == Operator::Next {
                refuse(
                    *operator_loc,
                    "an iteration with `->` is",
                    "use `+` (any gap) or `:+` (no gap)",
                    diagnostics,
                );
            } else if *minimum > 1 || maximum.is_some_and(|m| m != 1) {
                refuse(
                    *operator_loc,
                    "a counted iteration is",
                    "use `+`, `*` or `?`, and `filter count(x) …`",
                    diagnostics,
                );
            }
        }
        FormulaKind::All { parts, word } => {
            refuse(*word, "`all` is", USE, diagnostics);
            for p in parts {
                formula(p, diagnostics);
            }
        }
        FormulaKind::Without { inner, word, .. } => {
            formula(inner, diagnostics);
            refuse(*word, "`without` is", USE, diagnostics);
        }
        FormulaKind::Aggregate { inner, .. } | FormulaKind::Project { inner, .. } => {
            formula(inner, diagnostics);
        }
    }
}

/// Reports every clause that cannot be compiled yet.
pub(crate) fn clauses(c: &Clauses, diagnostics: &mut Diagnostics) {
    let later = "leave the clause out";
    let words = [
        (c.strategy.as_ref().map(|c| c.loc), "`strategy` is"),
        (c.skip.as_ref().map(|c| c.loc), "`skip` is"),
        (c.timeouts.as_ref().map(|c| c.loc), "`timeouts` is"),
    ];
    for (loc, what) in &words {
        if let Some(loc) = *loc {
            refuse(loc, what, later, diagnostics);
        }
    }
}

/// Windows that cannot be compiled yet.
pub(crate) fn within(w: &Within, loc: Loc, diagnostics: &mut Diagnostics) {
    if let Within::Window(_) = w {
        refuse(
            loc,
            "`within window` of a part of a pattern is",
            "write it as the clause of the whole pattern, behind the formula",
            diagnostics,
        );
    }
}
