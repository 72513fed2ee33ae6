//! Which event types and variables a formula has: the first pass, before any filter is read.
use crate::ast::{Formula, FormulaKind, Parameter};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{Atom, AtomId, TypeId, Variable, VariableId};
use crate::nearest::{list, nearest};
use crate::schema::Schema;
use proc_macro2::Ident;

/// The atoms and variables of a formula.
pub(crate) struct Names<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) parameters: &'a [Parameter],
    pub(crate) atoms: Vec<Atom>,
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
        let mut names = Names { schema, parameters, atoms: Vec::new(), variables: Vec::new() };
        for (i, p) in parameters.iter().enumerate() {
            if parameters[..i].iter().any(|q| q.name == p.name) {
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
        let unknown = diagnostics.list()[before..].iter().any(|d| d.code == Code::UnknownType);
        (!unknown).then_some(names)
    }

    pub(crate) fn find(&self, name: &Ident) -> Option<VariableId> {
        self.variables.iter().position(|v| v.name == *name).map(VariableId)
    }

    fn walk(&mut self, f: &Formula, diagnostics: &mut Diagnostics) {
        match &f.kind {
            FormulaKind::Type(name) => self.atom(name, diagnostics),
            FormulaKind::As { inner, variable } => {
                let first = self.atoms.len();
                self.walk(inner, diagnostics);
                self.bind(variable, first, diagnostics);
            }
            FormulaKind::Sequence { left, right, .. } => {
                self.walk(left, diagnostics);
                self.walk(right, diagnostics);
            }
            FormulaKind::Filter { inner, .. } => self.walk(inner, diagnostics),
            // refused before
            _ => {}
        }
    }

    fn atom(&mut self, name: &Ident, diagnostics: &mut Diagnostics) {
        let Some(ty) = self.schema.types.iter().position(|t| t.name == *name) else {
            unknown_type(name, self.schema, diagnostics);
            return;
        };
        let id = AtomId(self.atoms.len());
        let variable = match self.variables.iter().position(|v| v.is_type && v.name == *name) {
            Some(v) => v,
            None => {
                if self.find(name).is_some() {
                    diagnostics
                        .error(Code::BoundTwice, name.span(), format!("`{name}` is a variable and an event type"))
                        .note("an event type's name is a variable too: it holds all events of that type in the match")
                        .help("give the variable another name");
                }
                self.variables.push(Variable { name: name.clone(), is_type: true, atoms: Vec::new() });
                self.variables.len() - 1
            }
        };
        self.variables[variable].atoms.push(id);
        self.atoms.push(Atom {
            ty: TypeId(ty),
            variables: vec![VariableId(variable)],
            loc: name.span().into(),
        });
    }

    fn bind(&mut self, name: &Ident, first: usize, diagnostics: &mut Diagnostics) {
        if self.parameters.iter().any(|p| p.name == *name) {
            diagnostics
                .error(
                    Code::BoundTwice,
                    name.span(),
                    format!("`{name}` is a parameter of this pattern and a variable"),
                )
                .help("give the variable another name");
            return;
        }
        if let Some(old) = self.find(name) {
            let old = &self.variables[old.0];
            if old.is_type {
                diagnostics
                    .error(Code::BoundTwice, name.span(), format!("`{name}` is a variable and an event type"))
                    .note("an event type's name is a variable too: it holds all events of that type in the match")
                    .help("give the variable another name");
            } else {
                diagnostics
                    .error(Code::BoundTwice, name.span(), format!("the variable `{name}` is bound twice in a sequence"))
                    .note("a variable bound twice would hold both events, and `filter` could not tell them apart")
                    .help(format!("use two names, `{name}1` and `{name}2`, or one group: `(… ; …) as {name}`"));
            }
            return;
        }
        let atoms: Vec<AtomId> = (first..self.atoms.len()).map(AtomId).collect();
        let id = VariableId(self.variables.len());
        for a in &atoms {
            self.atoms[a.0].variables.push(id);
        }
        self.variables.push(Variable { name: name.clone(), is_type: false, atoms });
    }
}

pub(crate) fn unknown_type(name: &Ident, schema: &Schema, diagnostics: &mut Diagnostics) {
    let types = || schema.types.iter().map(|t| t.name.to_string()).collect::<Vec<_>>();
    let all = types();
    let d = diagnostics.error(
        Code::UnknownType,
        Loc::from(name.span()),
        format!("`{}` has no event type `{name}`", schema.name),
    );
    match nearest(&name.to_string(), all.iter().map(String::as_str)) {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None => d.help(format!("its event types are {}", list(all.iter().map(String::as_str)))),
    };
}
