//! The automaton as a drawing: DOT for Graphviz, Mermaid for pages.
use super::{Register, Rma, Skip};
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
        for n in self.graph.node_indices().filter(|n| self.graph[*n].skip == Skip::Any) {
            let _ = writeln!(out, "  {0} -> {0} [label=\"any\" style=dashed];", n.index());
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
        for n in self.graph.node_indices().filter(|n| self.graph[*n].skip == Skip::Any) {
            let _ = writeln!(out, "  s{0} --> s{0}: any", n.index());
        }
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
        label
    }

    fn edge_label(&self, e: EdgeIndex, pattern: &Pattern) -> String {
        let t = &self.graph[e];
        let mut label = pattern.schema.types[t.ty.0].name.to_string();
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
