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
        FormulaKind::Aggregate { inner, variable, fields, .. } => {
            let types = collect(inner, names)?;
            names.declare(f, &variable.to_string(), fields)?;
            Ok(types)
        }
        FormulaKind::Project { inner, variable, attributes, .. } => {
            let types = collect(inner, names)?;
            let Some(v) = names.var(&variable.to_string()) else {
                return invalid(format!("the variable `{variable}` of `project`"));
            };
            let list: Vec<String> = attributes.iter().map(ToString::to_string).collect();
            let kept = match names.projected.remove(&v) {
                Some(before) => before.into_iter().filter(|a| list.contains(a)).collect(),
                None => list,
            };
            names.projected.insert(v, kept);
            Ok(types)
        }
        FormulaKind::Iterate { inner, .. }
        | FormulaKind::Filter { inner, .. }
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

/// A selected variable.
#[derive(Clone, Debug)]
pub(crate) struct Selected {
    pub(crate) var: Var,
    pub(crate) name: String,
    /// Of a computed event, only these attributes come out.
    pub(crate) attributes: Option<Vec<String>>,
}

/// The selected variables.
pub(crate) fn selected(clauses: &Clauses, f: &Formula, names: &Names<'_>) -> Result<Vec<Selected>> {
    let mut list: Vec<(String, Option<String>)> = Vec::new();
    match clauses.output.as_ref().map(|c| &c.value) {
        None => {
            let mut all = Vec::new();
            by_default(f, false, &mut all);
            list.extend(all.into_iter().map(|x| (x, None)));
        }
        Some(Output::Select(items)) => {
            let one = |a: &proc_macro2::Ident| a.to_string();
            list.extend(items.iter().map(|i| (one(&i.variable), i.attribute.as_ref().map(one))));
        }
        Some(Output::SelectNone | Output::Detect | Output::Summarize(_)) => {}
    }
    let mut found: Vec<Selected> = Vec::new();
    for (name, attribute) in list {
        let Some(var) = names.var(&name) else {
            return invalid(format!("the selected variable `{name}`"));
        };
        match (found.iter_mut().find(|s| s.var == var), attribute) {
            (Some(Selected { attributes: Some(list), .. }), Some(a)) => list.push(a),
            (Some(before), None) => before.attributes = None,
            (Some(_), Some(_)) => {}
            (None, attribute) => found.push(Selected { var, name, attributes: attribute.map(|a| vec![a]) }),
        }
    }
    for s in &mut found {
        if let Some(kept) = names.projected.get(&s.var) {
            match &mut s.attributes {
                Some(list) => list.retain(|a| kept.contains(a)),
                None => s.attributes = Some(kept.clone()),
            }
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
        FormulaKind::Aggregate { inner, variable, .. } => {
            by_default(inner, under, into);
            into.push(variable.to_string());
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
        Node::As { inner, .. }
        | Node::Filter { inner, .. }
        | Node::Select { inner, .. }
        | Node::Aggregate { inner, .. } => {
            clock(inner, None, time, found);
        }
    }
}
