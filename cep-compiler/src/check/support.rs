//! What the language has and this version does not compile yet: an error at its own tokens, never a wrong answer.
use crate::ast::{Clauses, Formula, FormulaKind, Operator, Output, Within};
use crate::diagnostic::{Code, Diagnostics, Loc};

fn refuse(at: Loc, what: &str, instead: &str, diagnostics: &mut Diagnostics) {
    diagnostics.error(Code::NotSupported, at, format!("{what} not supported yet")).help(instead);
}

const USE: &str = "so far a formula is made of event types, `as`, `;`, parentheses and `filter`";

/// Reports every construct of a formula that cannot be compiled yet.
pub(crate) fn formula(f: &Formula, diagnostics: &mut Diagnostics) {
    match &f.kind {
        FormulaKind::Type(_) => {}
        FormulaKind::As { inner, variable } => {
            if atoms(inner) > 1 {
                refuse(
                    variable.span().into(),
                    "a variable over a group of events is",
                    "name each event type with `as`",
                    diagnostics,
                );
            }
            formula(inner, diagnostics);
        }
        FormulaKind::Sequence { left, gap, right } => {
            formula(left, diagnostics);
            for n in &gap.negations {
                refuse(n.word, "`not` is", USE, diagnostics);
            }
            match gap.operator {
                Operator::Any => {}
                Operator::Strict => {
                    refuse(gap.operator_loc, "`:` (no gap) is", "use `;` (any gap)", diagnostics)
                }
                Operator::Next => {
                    refuse(
                        gap.operator_loc,
                        "`->` (skip till next match) is",
                        "use `;` (any gap)",
                        diagnostics,
                    );
                }
            }
            formula(right, diagnostics);
        }
        FormulaKind::TrailingNot { left, negations } => {
            formula(left, diagnostics);
            for n in negations {
                refuse(n.word, "`not` is", USE, diagnostics);
            }
        }
        FormulaKind::Or { parts, words } => {
            for word in words {
                refuse(*word, "`or` is", "write one pattern per branch", diagnostics);
            }
            parts.iter().for_each(|b| formula(b, diagnostics));
        }
        FormulaKind::Iterate { inner, operator_loc, .. } => {
            formula(inner, diagnostics);
            refuse(*operator_loc, "an iteration is", USE, diagnostics);
        }
        FormulaKind::All { parts, word } => {
            refuse(*word, "`all` is", USE, diagnostics);
            parts.iter().for_each(|p| formula(p, diagnostics));
        }
        FormulaKind::Without { inner, word, .. } => {
            formula(inner, diagnostics);
            refuse(*word, "`without` is", USE, diagnostics);
        }
        FormulaKind::Filter { inner, .. } => formula(inner, diagnostics),
        FormulaKind::Aggregate { inner, word, .. } => {
            formula(inner, diagnostics);
            refuse(*word, "`agg` is", USE, diagnostics);
        }
        FormulaKind::Project { inner, word, .. } => {
            formula(inner, diagnostics);
            refuse(*word, "`project` is", "name the attributes in `select`: `select x.a, x.b`", diagnostics);
        }
        FormulaKind::Select { inner, word, .. } => {
            formula(inner, diagnostics);
            refuse(*word, "`select` inside parentheses is", "use the `select` clause", diagnostics);
        }
        FormulaKind::Within { inner, word, .. } => {
            formula(inner, diagnostics);
            refuse(*word, "`within` inside parentheses is", "use the `within` clause", diagnostics);
        }
    }
}

/// Reports every clause that cannot be compiled yet.
pub(crate) fn clauses(c: &Clauses, diagnostics: &mut Diagnostics) {
    let events = "so far a window counts events: `within 100 events`";
    if let Some(w) = &c.within {
        match &w.value {
            Within::Events { of_partition: false, .. } => {}
            Within::Events { of_partition: true, .. } => {
                refuse(w.loc, "`of its partition` is", events, diagnostics)
            }
            Within::Time(_) => refuse(w.loc, "a window in time is", events, diagnostics),
            Within::Of { .. } => refuse(w.loc, "a window on a clock of its own is", events, diagnostics),
            Within::Window(_) => refuse(w.loc, "`within window` is", events, diagnostics),
        }
    }
    let later = "leave the clause out";
    let words = [
        (
            c.partition.as_ref().map(|c| c.loc),
            "`partition by` is",
            "compare the keys in a filter: `filter x.id == y.id`",
        ),
        (c.strategy.as_ref().map(|c| c.loc), "`strategy` is", later),
        (c.skip.as_ref().map(|c| c.loc), "`skip` is", later),
        (c.consume.as_ref().map(|c| c.loc), "`consume` is", later),
        (c.limit.as_ref().map(|c| c.loc), "`limit` is", "take as many matches as you want: `.take(n)`"),
        (c.timeouts.as_ref().map(|c| c.loc), "`timeouts` is", later),
        (c.capacity.as_ref().map(|c| c.loc), "`capacity` is", "a window of events needs none: leave it out"),
    ];
    for (loc, what, instead) in words {
        if let Some(loc) = loc {
            refuse(loc, what, instead, diagnostics);
        }
    }
    if let Some(o) = &c.output
        && let Output::Summarize(_) = o.value
    {
        refuse(o.loc, "`summarize` is", "use `select` and fold over the matches", diagnostics);
    }
}

/// How many event types a formula names.
pub(crate) fn atoms(f: &Formula) -> usize {
    match &f.kind {
        FormulaKind::Type(_) => 1,
        FormulaKind::As { inner, .. }
        | FormulaKind::Iterate { inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Within { inner, .. } => atoms(inner),
        FormulaKind::TrailingNot { left, .. } => atoms(left),
        FormulaKind::Sequence { left, right, .. } => atoms(left) + atoms(right),
        FormulaKind::Or { parts, .. } | FormulaKind::All { parts, .. } => parts.iter().map(atoms).sum(),
    }
}
