//! The automaton as a drawing: DOT for Graphviz, Mermaid for pages.
use super::literal::{Argument, Automaton, Conjunction, Formula, Predicate};
use super::{Register, Rma};
use crate::check::text;
use crate::hir::Pattern;
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use std::fmt::Write as _;

impl Rma {
    /// Graphviz source.
    #[must_use]
    pub fn to_dot(&self, pattern: &Pattern) -> String {
        let mut out = format!("digraph \"{}\" {{\n  rankdir=LR;\n", pattern.name);
        for n in self.graph.node_indices() {
            let shape = if self.graph[n].accepting { "doublecircle" } else { "circle" };
            let label = quoted(&self.node_label(n, pattern));
            let _ = writeln!(out, "  {} [shape={shape} label=\"{label}\"];", n.index());
        }
        for e in self.graph.edge_references() {
            let label = quoted(&self.edge_label(e.id(), pattern));
            let _ = writeln!(out, "  {} -> {} [label=\"{label}\"];", e.source().index(), e.target().index());
        }
        out.push_str("}\n");
        out
    }

    /// A Mermaid state diagram.
    #[must_use]
    pub fn to_mermaid(&self, pattern: &Pattern) -> String {
        let mut out = String::from("stateDiagram-v2\n  direction LR\n");
        for n in self.graph.node_indices() {
            let _ = writeln!(out, "  s{}: {}", n.index(), escaped(&self.node_label(n, pattern)));
        }
        let _ = writeln!(out, "  [*] --> s{}", self.start.index());
        for e in self.graph.edge_references() {
            let label = escaped(&self.edge_label(e.id(), pattern));
            let _ = writeln!(out, "  s{} --> s{}: {label}", e.source().index(), e.target().index());
        }
        for n in self.graph.node_indices().filter(|n| self.graph[*n].accepting) {
            let _ = writeln!(out, "  s{} --> [*]", n.index());
        }
        out
    }

    fn node_label(&self, n: NodeIndex, pattern: &Pattern) -> String {
        let p = &self.graph[n];
        let Some(atom) = p.atom else { return "start".into() };
        let mut label = pattern.event_type(atom).name.to_string();
        if !p.writes.is_empty() {
            let all: Vec<String> = p.writes.iter().map(|r| register(*r, pattern)).collect();
            let _ = write!(label, " write {}", all.join(", "));
        }
        if !p.folds.is_empty() {
            let all: Vec<&str> = p.folds.iter().map(|f| &*pattern.fold(*f).text).collect();
            let _ = write!(label, " fold {}", all.join(", "));
        }
        label
    }

    fn edge_label(&self, e: EdgeIndex, pattern: &Pattern) -> String {
        let t = &self.graph[e];
        let mut label = String::from(if t.strict { ": " } else { "" });
        label.push_str(&pattern.schema.types[t.ty.0].name.to_string());
        if t.repeats.is_some() {
            label.push_str(" again");
        }
        for g in &t.guards {
            let parts: Vec<String> =
                pattern.conjuncts[g.conjunct.0].disjuncts.iter().map(|d| text(&d.expr)).collect();
            let _ = write!(label, " & {}", parts.join(" || "));
        }
        if let Some((_, to)) = self.graph.edge_endpoints(e) {
            let marks: Vec<String> =
                self.graph[to].marks.iter().map(|v| pattern.variables[v.0].name.to_string()).collect();
            let _ = write!(label, " / {}", if marks.is_empty() { "-".into() } else { marks.join(", ") });
        }
        label
    }
}

impl Automaton {
    /// Graphviz source. A transition reads `formula / write registers / marks`, what a skip or an unmarked event gives is `-`.
    #[must_use]
    pub fn to_dot(&self, name: &str) -> String {
        let mut out = format!("digraph \"{name}\" {{\n  rankdir=LR;\n");
        for (i, s) in self.states.iter().enumerate() {
            let shape = if s.accepting { "doublecircle" } else { "circle" };
            let _ = writeln!(out, "  {i} [shape={shape} label=\"{}\"];", quoted(&s.name));
        }
        for t in &self.transitions {
            let label = quoted(&self.label(t));
            let _ = writeln!(out, "  {} -> {} [label=\"{label}\"];", t.from.0, t.to.0);
        }
        out.push_str("}\n");
        out
    }

    /// A Mermaid state diagram.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        let mut out = String::from("stateDiagram-v2\n  direction LR\n");
        for (i, s) in self.states.iter().enumerate() {
            let _ = writeln!(out, "  s{i}: {}", escaped(&s.name));
        }
        let _ = writeln!(out, "  [*] --> s{}", self.start.0);
        for t in &self.transitions {
            let _ = writeln!(out, "  s{} --> s{}: {}", t.from.0, t.to.0, escaped(&self.label(t)));
        }
        for (i, _) in self.states.iter().enumerate().filter(|(_, s)| s.accepting) {
            let _ = writeln!(out, "  s{i} --> [*]");
        }
        out
    }

    fn label(&self, t: &super::literal::Transition) -> String {
        let mut label = self.formula(&t.formula);
        if !t.writes.is_empty() {
            let all: Vec<&str> = t.writes.iter().map(|r| self.registers[r.0].as_str()).collect();
            let _ = write!(label, " / write {}", all.join(", "));
        }
        let marks: Vec<&str> = t.output.marks.iter().map(|v| self.names.variables[v.0].as_str()).collect();
        let taken = if t.output.taken { "•" } else { "-" };
        let _ = write!(label, " / {}", if marks.is_empty() { taken.into() } else { marks.join(", ") });
        label
    }

    fn formula(&self, f: &Formula) -> String {
        let not = |c: &Conjunction| match c.len() {
            1 => format!("!{}", self.conjunction(c)),
            _ => format!("!({})", self.conjunction(c)),
        };
        let mut parts: Vec<String> = f.none.iter().map(not).collect();
        if !f.all.is_empty() || parts.is_empty() {
            parts.insert(0, self.conjunction(&f.all));
        }
        parts.join(" & ")
    }

    fn conjunction(&self, c: &Conjunction) -> String {
        let predicate = |p: &Predicate| match p {
            Predicate::Type(t) => self.names.types[t.0].clone(),
            Predicate::Holds { condition, arguments } => {
                let of: Vec<&str> = arguments
                    .iter()
                    .map(|a| match a {
                        Argument::Current => "~",
                        Argument::Register(r) => self.registers[r.0].as_str(),
                    })
                    .collect();
                format!("[{}]({})", self.names.conditions[condition.0], of.join(", "))
            }
        };
        let all: Vec<String> = c.iter().map(predicate).collect();
        if all.is_empty() { "TRUE".into() } else { all.join(" & ") }
    }
}

fn register(r: Register, pattern: &Pattern) -> String {
    let name = |v: crate::hir::VariableId| {
        (!pattern.variables[v.0].is_type).then(|| pattern.variables[v.0].name.to_string())
    };
    let atom = &pattern.atoms[r.atom.0];
    let variable = atom
        .variables
        .iter()
        .find_map(|v| name(*v))
        .unwrap_or_else(|| pattern.event_type(r.atom).name.to_string());
    match r.attribute {
        Some(a) => format!("{variable}.{}", pattern.attribute(r.atom, a).name),
        None => format!("{variable}.position()"),
    }
}

fn quoted(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Mermaid ends a label at `:` and `;` and has no escapes for them.
fn escaped(label: &str) -> String {
    label.replace("::", ".").replace(':', "").replace(';', ",").replace('"', "'")
}
