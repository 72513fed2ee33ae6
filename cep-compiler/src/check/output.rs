//! What comes out: the fields of a match.
use super::lower::{Binds, Held, Lowering};
use super::names::Names;
use crate::ast::{self, Output as Written};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{AtomId, Field, Output, Shape, TypeId, VariableId};
use crate::lex::is_keyword;
use crate::slices::{all, any, each, find, pick, position};
use proc_macro2::{Ident, Span};

/// The pattern as far as the output needs it.
struct Source<'a> {
    names: &'a Names<'a>,
    pass: &'a Lowering<'a>,
    binds: &'a Binds,
}

/// Resolves the output clause; without one, every `as` variable and the type name of each atom that is under no `as`.
pub(crate) fn output(
    pattern: &ast::Pattern,
    pass: &Lowering<'_>,
    binds: &Binds,
    d: &mut Diagnostics,
) -> Option<Output> {
    let before = d.list().len();
    let source = Source { names: pass.names, pass, binds };
    let mut output = match pattern.clauses.output.as_ref().map(|o| &o.value) {
        Some(Written::Detect) => Output::Detect,
        Some(Written::SelectNone) => Output::SelectNone,
        Some(Written::Select(items)) => Output::Select(source.chosen(items, d)),
        None => Output::Select(source.default()),
        Some(Written::Summarize(columns)) => {
            Output::Summarize(super::summarize::columns(pass, binds, columns, source.default(), d))
        }
    };
    if let Output::Select(fields) = &mut output {
        if d.list().len() == before {
            source.projected(fields, d);
        }
        clashes(fields, pass, d);
    }
    (d.list().len() == before).then_some(output)
}

impl Source<'_> {
    fn default(&self) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for (i, atom) in self.pass.atoms.iter().enumerate() {
            let mut shown = Vec::new();
            if self.pass.under_as.contains(&AtomId(i)) {
                for v in &atom.variables {
                    if !self.names.variables[v.0].is_type {
                        shown.push(*v);
                    }
                }
            } else {
                shown.extend(self.names.find(&self.names.schema.types[atom.ty.0].name));
            }
            for &v in &shown {
                if !any(&fields, |f| f.variable == v)
                    && let Some(held) = self.binds.get(&v.0)
                {
                    fields.push(self.field(v, held));
                }
            }
        }
        for a in &self.pass.aggregates {
            if !any(&fields, |f| f.variable == a.variable)
                && let Some(held) = self.binds.get(&a.variable.0)
            {
                fields.push(self.field(a.variable, held));
            }
        }
        fields
    }

    fn chosen(&self, items: &[ast::SelectItem], d: &mut Diagnostics) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let mut named: Vec<VariableId> = Vec::new();
        for item in items {
            let name = &item.variable;
            let Some((v, held)) = self.names.find(name).and_then(|v| Some((v, self.binds.get(&v.0)?))) else {
                self.unknown(name, d);
                continue;
            };
            let wanted = match &item.attribute {
                Some(a) => match self.attribute(held, name, a, d) {
                    Some(a) => Some(a),
                    None => continue,
                },
                None => None,
            };
            let before = position(&fields, |f| f.variable == v).map(|i| &mut fields[i]);
            match (before, wanted) {
                (None, wanted) => {
                    let mut f = self.field(v, held);
                    if let Some(a) = wanted {
                        f.attributes = Some(vec![a]);
                        named.push(v);
                    }
                    fields.push(f);
                }
                (Some(Field { attributes: Some(all), .. }), Some(a))
                    if named.contains(&v) && !all.contains(&a) =>
                {
                    all.push(a);
                }
                _ => {
                    d.error(Code::FieldClash, name.span(), format!("`{name}` is selected twice"))
                        .help("name it once");
                }
            }
        }
        fields
    }

    /// Of the attributes that a `project` leaves, those that can be kept are shown.
    fn projected(&self, fields: &mut [Field], d: &mut Diagnostics) {
        let schema = self.names.schema;
        for f in fields.iter_mut() {
            let Some(left) = f.attributes.as_mut().filter(|_| f.aggregates.is_empty()) else { continue };
            let mut types = each(&f.atoms, |a| self.pass.atoms[a.0].ty);
            crate::sorted::unique(&mut types);
            let found = |t: &TypeId, n: &Ident| find(&schema.types[t.0].attributes, |x| x.name == *n);
            left.retain(|n| all(&types, |t| found(t, n).is_none_or(|x| x.kept)));
            let like = |n: &Ident| {
                let Some(first) = types.first().and_then(|t| found(t, n)) else { return false };
                let same = |t: &TypeId| {
                    found(t, n).is_some_and(|x| x.kind == first.kind && x.nullable == first.nullable)
                };
                all(&types, same)
            };
            if let Some(unlike) = find(left, |n| !like(n)) {
                d.error(
                    Code::NotSupported,
                    f.name.span(),
                    format!("`{}` has several event types, and `{unlike}` is not alike on all of them, which is not supported yet", f.name),
                )
                .help("leave the `project` out, or name the event types apart");
            }
        }
    }

    fn unknown(&self, name: &Ident, d: &mut Diagnostics) {
        d.error(Code::UnknownVariable, name.span(), format!("`{name}` is no variable of this pattern"))
            .help_among(
                name,
                each(self.binds.as_slice(), |(v, _)| self.names.variables[*v].name.to_string()),
                "its variables are {}",
            );
    }

    /// The event types of what a variable holds.
    fn types(&self, held: &Held) -> Vec<TypeId> {
        let mut types = each(&held.atoms, |a| self.pass.atoms[a.0].ty);
        crate::sorted::unique(&mut types);
        types
    }

    fn attribute(&self, held: &Held, name: &Ident, a: &Ident, d: &mut Diagnostics) -> Option<Ident> {
        if super::aggregate::is_hidden(held.projected.as_deref(), name, a, d) {
            return None;
        }
        if !held.aggregates.is_empty() {
            let loc = Loc { first: name.span(), last: a.span() };
            return super::aggregate::computed_attribute(self.pass, &held.aggregates, name, a, loc, d)
                .map(|_| a.clone());
        }
        let types = self.types(held);
        let schema = self.names.schema;
        let found = pick(&types, |t| find(&schema.types[t.0].attributes, |x| x.name == *a));
        let loc = Loc { first: name.span(), last: a.span() };
        if found.is_empty() {
            d.error(Code::UnknownAttribute, a.span(), super::resolve::lacking(schema, &types, a)).help_among(
                a,
                schema.attribute_names(&types),
                "its attributes: {}",
            );
            return None;
        }
        if found.len() < types.len()
            || any(&found, |x| x.kind != found[0].kind || x.nullable != found[0].nullable)
        {
            d.error(Code::NotSupported, loc, format!("`{name}` has several event types, and `{a}` is not alike on all of them, which is not supported yet"))
                .help(format!("select the whole variable: `select {name}`"));
            return None;
        }
        if any(&found, |x| !x.kept) {
            not_kept(loc, &format!("{name}.{a}"), "the match holds it", d);
            return None;
        }
        Some(a.clone())
    }

    fn field(&self, v: VariableId, held: &Held) -> Field {
        let variable = &self.names.variables[v.0];
        let shape = match (held.least, held.most) {
            (1, 1) => Shape::One,
            (0, 1) => Shape::Optional,
            _ => Shape::Bag,
        };
        Field {
            name: field_name(&variable.name, variable.is_type),
            variable: v,
            atoms: held.atoms.clone(),
            aggregates: held.aggregates.clone(),
            shape,
            attributes: held.projected.clone(),
        }
    }
}

/// An attribute is needed when its event is gone.
pub(crate) fn not_kept(at: Loc, what: &str, why: &str, d: &mut Diagnostics) {
    d.error(Code::NotKept, at, format!("`{what}` cannot be kept after its event is gone"))
        .note(format!("{why}, and an event is borrowed only while `push` runs; a machine allocates nothing, so it keeps attributes by copying them"))
        .help("use an id, `&'static str` or `cep::Text<N>`; if the type is `Copy`, mark the field `#[event(copy)]`");
}

/// A type name's field is its snake case.
pub(crate) fn field_name(name: &Ident, is_type: bool) -> Ident {
    if !is_type {
        return name.clone();
    }
    let mut out = String::new();
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    let letters: Vec<char> = text.chars().collect();
    for (i, c) in letters.iter().enumerate() {
        let starts_word = c.is_uppercase()
            && i > 0
            && letters[i - 1] != '_'
            && (!letters[i - 1].is_uppercase() || letters.get(i + 1).is_some_and(|n| n.is_lowercase()));
        if starts_word {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    identifier(&out, name.span())
}

/// An identifier, raw where the word is one of Rust's.
fn identifier(text: &str, span: Span) -> Ident {
    if is_keyword(text) { Ident::new_raw(text, span) } else { Ident::new(text, span) }
}

fn clashes(fields: &[Field], pass: &Lowering<'_>, d: &mut Diagnostics) {
    let names = pass.names;
    for (i, f) in fields.iter().enumerate() {
        if let Some(other) = find(&fields[..i], |g| g.name == f.name) {
            let (a, b) = (&names.variables[other.variable.0], &names.variables[f.variable.0]);
            let at = f.atoms.last().map_or(Loc::from(f.name.span()), |a: &AtomId| pass.atoms[a.0].loc);
            d.error(
                Code::FieldClash,
                at,
                format!("`{}` and `{}` would both be the field `{}` of a match", a.name, b.name, f.name),
            )
            .help("give one of them another name with `as`");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_name_becomes_snake_case() {
        for (name, field) in
            [("T", "t"), ("OrderFilled", "order_filled"), ("HTTPGet", "http_get"), ("Type", "r#type")]
        {
            assert_eq!(field_name(&Ident::new(name, Span::call_site()), true).to_string(), field);
        }
    }
}
