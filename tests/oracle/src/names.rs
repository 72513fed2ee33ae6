//! The variables of a pattern: which there are, what they hold, which are selected by default.
use crate::expr::Var;
use crate::formula::{Node, Window};
use crate::model::{Result, invalid, unsupported};
use crate::resolve::Names;
use cep_compiler::ast::{Clauses, Formula, FormulaKind, Negation, Output};

/// Adds the variables of a formula; gives the event types in it.
pub(crate) fn collect(f: &Formula, names: &mut Names<'_>) -> Result<Vec<bool>> {
    let none = vec![false; names.declaration.types.len()];
    match &f.kind {
        FormulaKind::Type(name) => {
            let name = name.to_string();
            let Some(t) = names.declaration.type_index(&name) else {
                return invalid(format!("the event type `{name}`"));
            };
            let mut types = none;
            types[t] = true;
            add(&name, &types, names);
            Ok(types)
        }
        FormulaKind::As { inner, variable } => {
            let types = collect(inner, names)?;
            let name = variable.to_string();
            if names.declaration.type_index(&name).is_some() {
                return unsupported("a variable named as an event type");
            }
            add(&name, &types, names);
            Ok(types)
        }
        FormulaKind::Sequence { left, gap, right } => {
            let (a, b) = (collect(left, names)?, collect(right, names)?);
            negated(&gap.negations, names)?;
            Ok(union(&a, &b))
        }
        FormulaKind::TrailingNot { left, negations } => {
            let a = collect(left, names)?;
            negated(negations, names)?;
            Ok(a)
        }
        FormulaKind::Or { parts, .. } | FormulaKind::All { parts, .. } => {
            parts.iter().try_fold(none, |a, p| Ok(union(&a, &collect(p, names)?)))
        }
        FormulaKind::Without { inner, excluded, .. } => {
            collect(excluded, names)?;
            collect(inner, names)
        }
        FormulaKind::Iterate { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Within { inner, .. } => collect(inner, names),
    }
}

fn negated(list: &[Negation], names: &mut Names<'_>) -> Result<()> {
    list.iter().try_for_each(|n| collect(&n.formula, names).map(drop))
}

fn add(name: &str, types: &[bool], names: &mut Names<'_>) {
    match names.var(name) {
        Some(v) => names.types[v] = union(&names.types[v], types),
        None => {
            names.vars.push(name.to_owned());
            names.types.push(types.to_vec());
        }
    }
}

fn union(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}

/// The selected variables.
pub(crate) fn selected(clauses: &Clauses, f: &Formula, names: &Names<'_>) -> Result<Vec<(Var, String)>> {
    let mut list = Vec::new();
    match clauses.output.as_ref().map(|c| &c.value) {
        None => by_default(f, false, &mut list),
        Some(Output::Select(items)) => list.extend(items.iter().map(|i| i.variable.to_string())),
        Some(Output::SelectNone | Output::Detect) => {}
        Some(Output::Summarize(_)) => return unsupported("`summarize`"),
    }
    let mut found: Vec<(Var, String)> = Vec::new();
    for name in list {
        match names.var(&name) {
            Some(v) if found.iter().any(|(w, _)| *w == v) => {}
            Some(v) => found.push((v, name)),
            None => return invalid(format!("the selected variable `{name}`")),
        }
    }
    Ok(found)
}

/// Every `as` variable, and the type name of each atom that lies under no `as`.
fn by_default(f: &Formula, under: bool, into: &mut Vec<String>) {
    match &f.kind {
        FormulaKind::Type(name) if !under => into.push(name.to_string()),
        FormulaKind::Type(_) => {}
        FormulaKind::As { inner, variable } => {
            into.push(variable.to_string());
            by_default(inner, true, into);
        }
        FormulaKind::Sequence { left, right, .. } => {
            by_default(left, under, into);
            by_default(right, under, into);
        }
        FormulaKind::Or { parts, .. } | FormulaKind::All { parts, .. } => {
            parts.iter().for_each(|p| by_default(p, under, into));
        }
        FormulaKind::TrailingNot { left: inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Iterate { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Within { inner, .. } => by_default(inner, under, into),
    }
}

/// The machine's clock: the attribute of an `of attr` window, else `#[event(time)]` where a window is in time.
pub(crate) fn clock(
    n: &Node,
    window: Option<&Window>,
    time: &[Option<usize>],
    found: &mut Option<Vec<Option<usize>>>,
) {
    match window {
        Some(Window::Of(_, index)) => *found = Some(index.clone()),
        Some(Window::Time(_)) if found.is_none() => *found = Some(time.to_vec()),
        _ => {}
    }
    match n {
        Node::Atom { .. } => {}
        Node::Sequence { left, right, negations, .. } => {
            clock(left, None, time, found);
            clock(right, None, time, found);
            negations.iter().for_each(|n| clock(&n.formula, None, time, found));
        }
        Node::Or(parts) | Node::All(parts) => parts.iter().for_each(|p| clock(p, None, time, found)),
        Node::Without { inner, excluded } => {
            clock(inner, None, time, found);
            clock(excluded, None, time, found);
        }
        Node::Within { inner, bound } => clock(inner, Some(bound), time, found),
        Node::Iterate(i) => clock(&i.inner, None, time, found),
        Node::As { inner, .. } | Node::Filter { inner, .. } | Node::Select { inner, .. } => {
            clock(inner, None, time, found);
        }
    }
}
