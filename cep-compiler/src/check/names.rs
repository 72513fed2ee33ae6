//! Which event types and variables a formula has: the first pass, before any filter is read.
use crate::ast::{Formula, FormulaKind, Parameter};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{TypeId, Variable, VariableId};
use crate::schema::Schema;
use crate::slices::{any, each, position};
use proc_macro2::Ident;

const BOTH: &str = "an event type's name is a variable too: it holds all events of that type in the match";

/// The names of a pattern.
pub(crate) struct Names<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) parameters: &'a [Parameter],
    pub(crate) variables: Vec<Variable>,
}

impl<'a> Names<'a> {
    /// Walks the formula from left to right. `None` if an event type is unknown: then nothing else can be said for sure.
    pub(crate) fn collect(
        formula: &Formula,
        schema: &'a Schema,
        parameters: &'a [Parameter],
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let mut names = Names { schema, parameters, variables: Vec::new() };
        for (i, p) in parameters.iter().enumerate() {
            if any(&parameters[..i], |q| q.name == p.name) {
                diagnostics
                    .error(
                        Code::BoundTwice,
                        p.name.span(),
                        format!("the parameter `{}` is declared twice", p.name),
                    )
                    .help("give each parameter a name of its own");
            }
        }
        let before = diagnostics.list().len();
        names.walk(formula, diagnostics);
        // a type that is missing hides what its variable has
        let unknown = any(&diagnostics.list()[before..], |d| d.code == Code::UnknownType);
        (!unknown).then_some(names)
    }

    pub(crate) fn find(&self, name: &Ident) -> Option<VariableId> {
        position(&self.variables, |v| v.name == *name).map(VariableId)
    }

    pub(crate) fn find_type(&self, name: &Ident) -> Option<TypeId> {
        position(&self.schema.types, |t| t.name == *name).map(TypeId)
    }

    fn walk(&mut self, f: &Formula, diagnostics: &mut Diagnostics) {
        match &f.kind {
            FormulaKind::Type(name) => self.event_type(name, diagnostics),
            FormulaKind::As { inner, variable } => {
                self.walk(inner, diagnostics);
                self.bind(variable, false, diagnostics);
            }
            FormulaKind::Aggregate { inner, variable, .. } => {
                self.walk(inner, diagnostics);
                self.bind(variable, true, diagnostics);
            }
            FormulaKind::Sequence { left, right, .. } => {
                self.walk(left, diagnostics);
                self.walk(right, diagnostics);
            }
            FormulaKind::Or { parts, .. } => {
                for p in parts {
                    self.walk(p, diagnostics);
                }
            }
            FormulaKind::Iterate { inner, .. }
            | FormulaKind::Filter { inner, .. }
            | FormulaKind::Project { inner, .. }
            | FormulaKind::Select { inner, .. }
            | FormulaKind::Within { inner, .. } => self.walk(inner, diagnostics),
            // refused before
            _ => {}
        }
    }

    fn event_type(&mut self, name: &Ident, diagnostics: &mut Diagnostics) {
        if self.find_type(name).is_none() {
            unknown_type(name, self.schema, diagnostics);
            return;
        }
        match self.find(name) {
            None => self.variables.push(Variable { name: name.clone(), is_type: true, is_computed: false }),
            Some(v) if !self.variables[v.0].is_type => clash(name, diagnostics),
            Some(_) => {}
        }
    }

    fn bind(&mut self, name: &Ident, is_computed: bool, diagnostics: &mut Diagnostics) {
        if any(self.parameters, |p| p.name == *name) {
            diagnostics
                .error(
                    Code::BoundTwice,
                    name.span(),
                    format!("`{name}` is a parameter of this pattern and a variable"),
                )
                .help("give the variable another name");
            return;
        }
        match self.find(name) {
            None => self.variables.push(Variable { name: name.clone(), is_type: false, is_computed }),
            Some(v) if self.variables[v.0].is_type => clash(name, diagnostics),
            Some(v) if self.variables[v.0].is_computed != is_computed => {
                diagnostics
                    .error(Code::NotSupported, name.span(), format!("`{name}` is both an aggregate and a variable of events, which is not supported yet"))
                    .help("name them apart");
            }
            // in another branch of an `or` this is right; `lower` knows
            Some(_) => {}
        }
    }
}

fn clash(name: &Ident, diagnostics: &mut Diagnostics) {
    diagnostics
        .error(Code::BoundTwice, name.span(), format!("`{name}` is a variable and an event type"))
        .note(BOTH)
        .help("give the variable another name");
}

pub(crate) fn unknown_type(name: &Ident, schema: &Schema, diagnostics: &mut Diagnostics) {
    diagnostics
        .error(
            Code::UnknownType,
            Loc::from(name.span()),
            format!("`{}` has no event type `{name}`", schema.name),
        )
        .help_among(name, each(&schema.types, |t| t.name.to_string()), "its event types are {}");
}
