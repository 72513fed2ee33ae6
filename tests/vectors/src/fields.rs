//! The fields of a pattern's matches, from what the user wrote (language reference 3.5).
use cep_compiler::ast::{Clauses, Formula, FormulaKind, Output, Pattern, Within};
use std::collections::BTreeMap;

/// What comes out of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outputs {
    /// Matches with these fields; none under `select none`.
    Matches(Vec<Field>),
    /// `detect`
    Detect,
    /// `summarize`: the record's attributes.
    Summarize(Vec<String>),
}

/// A field of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The variable, as the vectors name it.
    pub variable: String,
    /// The field: of a type name its snake case.
    pub name: String,
    /// It holds exactly one event in every match: a record. Otherwise an `Option` or a bag, both with `iter`.
    pub one: bool,
    /// Of computed events, their attributes that come out.
    pub computed: Option<Vec<String>>,
}

/// How many events a variable holds in a match: at least and at most, up to 2.
type Range = (u8, u8);
type Counts = BTreeMap<String, Range>;

/// What comes out of a pattern.
#[must_use]
pub fn outputs(pattern: &Pattern) -> Outputs {
    let counts = counts(&pattern.formula);
    let mut made = BTreeMap::new();
    computed(&pattern.formula, &mut made);
    let field = |variable: &str, is_type: bool| Field {
        variable: variable.to_owned(),
        name: if is_type { snake(variable) } else { variable.to_owned() },
        one: counts.get(variable) == Some(&(1, 1)),
        computed: made.get(variable).cloned(),
    };
    let mut types = Vec::new();
    names(&pattern.formula, &mut types);
    let mut fields: Vec<Field> = Vec::new();
    let mut add = |f: Field| {
        if fields.iter().all(|g| g.variable != f.variable) {
            fields.push(f);
        }
    };
    match pattern.clauses.output.as_ref().map(|c| &c.value) {
        Some(Output::Detect) => return Outputs::Detect,
        Some(Output::Summarize(fields)) => {
            return Outputs::Summarize(fields.iter().map(|f| f.name.to_string()).collect());
        }
        Some(Output::SelectNone) => {}
        Some(Output::Select(items)) => {
            for i in items {
                let variable = i.variable.to_string();
                let mut f = field(&variable, types.contains(&variable));
                let parts = items.iter().filter(|j| j.variable == i.variable).all(|j| j.attribute.is_some());
                if let (Some(all), true) = (&mut f.computed, parts) {
                    let chosen = |a: &String| {
                        items
                            .iter()
                            .any(|j| j.variable == i.variable && j.attribute.as_ref().is_some_and(|j| j == a))
                    };
                    all.retain(chosen);
                }
                add(f);
            }
        }
        None => {
            let mut chosen = Vec::new();
            by_default(&pattern.formula, false, &mut chosen);
            chosen.retain(|(variable, _)| counts.get(variable).is_some_and(|(_, most)| *most > 0));
            chosen.into_iter().for_each(|(variable, is_type)| add(field(&variable, is_type)));
        }
    }
    Outputs::Matches(fields)
}

/// There is a `not` at the end: matches come at entries of their own.
#[must_use]
pub fn trailing_not(pattern: &Pattern) -> bool {
    matches!(pattern.formula.kind, FormulaKind::TrailingNot { .. })
}

/// The attribute that is the machine's clock, where it has one of its own.
#[must_use]
pub fn clock(clauses: &Clauses) -> Option<String> {
    match &clauses.within.as_ref()?.value {
        Within::Of { attribute, .. } => Some(attribute.to_string()),
        _ => None,
    }
}

fn merge(a: Counts, b: &Counts, join: impl Fn(Range, Range) -> Range) -> Counts {
    let mut out = Counts::new();
    for name in a.keys().chain(b.keys()) {
        let at = |c: &Counts| c.get(name).copied().unwrap_or((0, 0));
        out.insert(name.clone(), join(at(&a), at(b)));
    }
    out
}

fn plus(a: Range, b: Range) -> Range {
    ((a.0 + b.0).min(2), (a.1 + b.1).min(2))
}

fn either(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn counts(f: &Formula) -> Counts {
    match &f.kind {
        FormulaKind::Type(name) => [(name.to_string(), (1, 1))].into(),
        FormulaKind::As { inner, variable } => {
            let mut all = counts(inner);
            all.insert(variable.to_string(), size(inner));
            all
        }
        FormulaKind::Sequence { left, right, .. } => merge(counts(left), &counts(right), plus),
        FormulaKind::All { parts, .. } => {
            parts.iter().fold(Counts::new(), |all, p| merge(all, &counts(p), plus))
        }
        FormulaKind::Or { parts, .. } => {
            let mut parts = parts.iter().map(counts);
            let first = parts.next().unwrap_or_default();
            parts.fold(first, |all, p| merge(all, &p, either))
        }
        FormulaKind::Iterate { inner, minimum, maximum, .. } => {
            counts(inner).into_iter().map(|(x, r)| (x, times(r, *minimum, *maximum))).collect()
        }
        FormulaKind::Select { inner, variables, .. } => {
            let kept = |x: &String| variables.iter().any(|v| v == x);
            counts(inner).into_iter().filter(|(x, _)| kept(x)).collect()
        }
        FormulaKind::Aggregate { inner, variable, .. } => {
            let mut all = counts(inner);
            let one = (u8::from(!nullable(inner)), 1);
            let before = all.get(&variable.to_string()).copied().unwrap_or((0, 0));
            all.insert(variable.to_string(), plus(before, one));
            all
        }
        FormulaKind::TrailingNot { left: inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Within { inner, .. } => counts(inner),
    }
}

/// It may match no event at all.
fn nullable(f: &Formula) -> bool {
    match &f.kind {
        FormulaKind::Type(_) => false,
        FormulaKind::Sequence { left, right, .. } => nullable(left) && nullable(right),
        FormulaKind::Or { parts, .. } => parts.iter().any(nullable),
        FormulaKind::All { parts, .. } => parts.iter().all(nullable),
        FormulaKind::Iterate { inner, minimum, .. } => *minimum == 0 || nullable(inner),
        FormulaKind::TrailingNot { left: inner, .. }
        | FormulaKind::As { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Within { inner, .. } => nullable(inner),
    }
}

/// The attributes of each variable of computed events.
fn computed(f: &Formula, into: &mut BTreeMap<String, Vec<String>>) {
    match &f.kind {
        FormulaKind::Type(_) => {}
        FormulaKind::Sequence { left, right, .. } => {
            computed(left, into);
            computed(right, into);
        }
        FormulaKind::Or { parts, .. } | FormulaKind::All { parts, .. } => {
            parts.iter().for_each(|p| computed(p, into));
        }
        FormulaKind::Aggregate { inner, variable, fields, .. } => {
            computed(inner, into);
            let all = into.entry(variable.to_string()).or_default();
            for a in fields {
                if all.iter().all(|name| a.name != name) {
                    all.push(a.name.to_string());
                }
            }
        }
        FormulaKind::Project { inner, variable, attributes, .. } => {
            computed(inner, into);
            if let Some(all) = into.get_mut(&variable.to_string()) {
                all.retain(|name| attributes.iter().any(|a| a == name));
            }
        }
        FormulaKind::TrailingNot { left: inner, .. }
        | FormulaKind::As { inner, .. }
        | FormulaKind::Iterate { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Within { inner, .. } => computed(inner, into),
    }
}

/// How many events a formula keeps.
fn size(f: &Formula) -> Range {
    match &f.kind {
        FormulaKind::Type(_) => (1, 1),
        FormulaKind::Sequence { left, right, .. } => plus(size(left), size(right)),
        FormulaKind::All { parts, .. } => parts.iter().map(size).fold((0, 0), plus),
        FormulaKind::Or { parts, .. } => parts.iter().map(size).reduce(either).unwrap_or((0, 0)),
        FormulaKind::Iterate { inner, minimum, maximum, .. } => times(size(inner), *minimum, *maximum),
        // which of its events are dropped is not counted
        FormulaKind::Select { .. } => (0, 2),
        FormulaKind::TrailingNot { left: inner, .. }
        | FormulaKind::As { inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Within { inner, .. } => size(inner),
    }
}

fn times(r: Range, minimum: u32, maximum: Option<u32>) -> Range {
    let by = |n: u8, times: u32| u8::try_from((u32::from(n)).saturating_mul(times).min(2)).unwrap_or(2);
    (by(r.0, minimum), by(r.1, maximum.unwrap_or(u32::MAX)))
}

/// The event types that a formula names.
fn names(f: &Formula, into: &mut Vec<String>) {
    match &f.kind {
        FormulaKind::Type(name) => into.push(name.to_string()),
        FormulaKind::Sequence { left, right, .. } => {
            names(left, into);
            names(right, into);
        }
        FormulaKind::Or { parts, .. } | FormulaKind::All { parts, .. } => {
            parts.iter().for_each(|p| names(p, into));
        }
        FormulaKind::TrailingNot { left: inner, .. }
        | FormulaKind::As { inner, .. }
        | FormulaKind::Iterate { inner, .. }
        | FormulaKind::Select { inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Aggregate { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Within { inner, .. } => names(inner, into),
    }
}

/// Every `as` and `agg` variable, and the type name of each atom that lies under no `as`.
fn by_default(f: &Formula, under: bool, into: &mut Vec<(String, bool)>) {
    match &f.kind {
        FormulaKind::Type(name) if !under => into.push((name.to_string(), true)),
        FormulaKind::Type(_) => {}
        FormulaKind::As { inner, variable } => {
            into.push((variable.to_string(), false));
            by_default(inner, true, into);
        }
        FormulaKind::Aggregate { inner, variable, .. } => {
            by_default(inner, under, into);
            into.push((variable.to_string(), false));
        }
        FormulaKind::Sequence { left, right, .. } => {
            by_default(left, under, into);
            by_default(right, under, into);
        }
        FormulaKind::Or { parts, .. } | FormulaKind::All { parts, .. } => {
            parts.iter().for_each(|p| by_default(p, under, into));
        }
        FormulaKind::Select { inner, variables, .. } => {
            let mut all = Vec::new();
            by_default(inner, under, &mut all);
            // a type name may be bound elsewhere too; whether it is, the whole pattern tells
            into.extend(all.into_iter().filter(|(x, is_type)| *is_type || variables.iter().any(|v| v == x)));
        }
        FormulaKind::TrailingNot { left: inner, .. }
        | FormulaKind::Iterate { inner, .. }
        | FormulaKind::Without { inner, .. }
        | FormulaKind::Filter { inner, .. }
        | FormulaKind::Project { inner, .. }
        | FormulaKind::Within { inner, .. } => by_default(inner, under, into),
    }
}

/// A type name's field.
fn snake(text: &str) -> String {
    let letters: Vec<char> = text.trim_start_matches("r#").chars().collect();
    let mut out = String::new();
    for (i, c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|b| letters[b]);
        let next_is_small = letters.get(i + 1).is_some_and(|n| n.is_lowercase());
        if c.is_uppercase() && before.is_some_and(|b| b != '_' && (!b.is_uppercase() || next_is_small)) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    if syn::parse_str::<proc_macro2::Ident>(&out).is_ok() { out } else { format!("r#{out}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut d = cep_compiler::diagnostic::Diagnostics::default();
        let tokens = format!("pattern P on E = {text};").parse().expect("tokens");
        let mut file = cep_compiler::parse::parse(tokens, &mut d);
        let Some(cep_compiler::ast::Item::Pattern(p)) = file.items.pop() else { panic!("{:?}", d.list()) };
        match outputs(&p) {
            Outputs::Matches(fields) => {
                let one = |f: &Field| format!("{}{}", f.name, if f.one { "" } else { "*" });
                fields.iter().map(one).collect::<Vec<_>>().join(" ")
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn which_fields_and_how_many_events() {
        assert_eq!(shown("A as a ; OrderFilled within 9 events"), "a order_filled");
        assert_eq!(shown("A ; A within 9 events"), "a*");
        assert_eq!(shown("A? ; B+ ; (C or D as d)"), "a* b* c* d*");
        assert_eq!(shown("(A or B) as x"), "x");
        assert_eq!(shown("(A ; B) as x"), "x*");
        assert_eq!(shown("(A as a or B as a) ; C{2} ; D{1}"), "a c* d");
        assert_eq!(shown("A as a ; Type select a, Type"), "a r#type");
        assert_eq!(shown("A ; B select none"), "");
        assert_eq!(shown("A ; B detect"), "Detect");
        assert_eq!(shown("A as a ; not B within 1 s"), "a");
        assert_eq!(shown("A+ as a agg m { n: count(a) }"), "a* m");
        assert_eq!(shown("(A as a agg m { n: count(a) })+ ; B agg k { n: sum(m.n) }"), "a* m* b k");
        assert_eq!(shown("(A as a agg m { n: count(a) })? ; B select m.n"), "m*");
        assert_eq!(shown("A summarize { n: count(*) }"), "Summarize([\"n\"])");
    }
}
