//! What comes out: the fields of a match.
use super::names::Names;
use crate::ast::{self, Output as Written};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{AttributeId, Field, Output, VariableId};
use crate::nearest::{list, nearest};
use proc_macro2::{Ident, Span};

/// Resolves the output clause; without one, every `as` variable and the type name of each atom that is under no `as`.
pub(crate) fn output(pattern: &ast::Pattern, names: &Names<'_>, d: &mut Diagnostics) -> Option<Output> {
    let before = d.list().len();
    let output = match pattern.clauses.output.as_ref().map(|o| &o.value) {
        Some(Written::Detect) => Output::Detect,
        Some(Written::SelectNone) => Output::SelectNone,
        Some(Written::Select(items)) => Output::Select(chosen(items, names, d)),
        None => Output::Select(default(names, d)),
        // refused by `support`
        Some(Written::Summarize(_)) => return None,
    };
    if let Output::Select(fields) = &output {
        clashes(fields, names, d);
    }
    (d.list().len() == before).then_some(output)
}

fn default(names: &Names<'_>, d: &mut Diagnostics) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut seen: Vec<VariableId> = Vec::new();
    for atom in &names.atoms {
        let named: Vec<VariableId> =
            atom.variables.iter().copied().filter(|v| !names.variables[v.0].is_type).collect();
        let shown = if named.is_empty() { atom.variables.clone() } else { named };
        for v in shown {
            if seen.contains(&v) {
                continue;
            }
            seen.push(v);
            if let Some(f) = field(v, &names.variables[v.0].name.clone(), atom.loc, names, d) {
                fields.push(f);
            }
        }
    }
    fields
}

fn chosen(items: &[ast::SelectItem], names: &Names<'_>, d: &mut Diagnostics) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for item in items {
        let name = &item.variable;
        let Some(v) = names.find(name) else {
            let all: Vec<String> = names.variables.iter().map(|v| v.name.to_string()).collect();
            let e = d.error(
                Code::UnknownVariable,
                name.span(),
                format!("`{name}` is no variable of this pattern"),
            );
            match nearest(&name.to_string(), all.iter().map(String::as_str)) {
                Some(near) => e.help(format!("did you mean `{near}`?")),
                None => e.help(format!("its variables are {}", list(all.iter().map(String::as_str)))),
            };
            continue;
        };
        let wanted = match &item.attribute {
            Some(a) => match attribute(v, name, a, names, d) {
                Some(a) => Some(a),
                None => continue,
            },
            None => None,
        };
        match (fields.iter_mut().find(|f| f.variable == v), wanted) {
            (None, wanted) => {
                if let Some(mut f) = field(v, name, name.span().into(), names, d) {
                    f.attributes = wanted.map(|a| vec![a]);
                    fields.push(f);
                }
            }
            (Some(Field { attributes: Some(all), .. }), Some(a)) if !all.contains(&a) => all.push(a),
            _ => {
                d.error(Code::FieldClash, name.span(), format!("`{name}` is selected twice"))
                    .help("name it once");
            }
        }
    }
    fields
}

fn attribute(
    v: VariableId,
    name: &Ident,
    a: &Ident,
    names: &Names<'_>,
    d: &mut Diagnostics,
) -> Option<AttributeId> {
    let atom = *names.variables[v.0].atoms.first()?;
    let event = &names.schema.types[names.atoms[atom.0].ty.0];
    let Some(i) = event.attributes.iter().position(|x| x.name == *a) else {
        let all: Vec<String> = event.attributes.iter().map(|a| a.name.to_string()).collect();
        let e = d.error(
            Code::UnknownAttribute,
            a.span(),
            format!("the event type `{}` has no attribute `{a}`", event.name),
        );
        match nearest(&a.to_string(), all.iter().map(String::as_str)) {
            Some(near) => e.help(format!("did you mean `{near}`?")),
            None => e.help(format!("its attributes: {}", list(all.iter().map(String::as_str)))),
        };
        return None;
    };
    if !event.attributes[i].kept {
        not_kept(Loc { first: name.span(), last: a.span() }, &format!("{name}.{a}"), "the match holds it", d);
        return None;
    }
    Some(AttributeId(i))
}

/// An attribute is needed when its event is gone.
pub(crate) fn not_kept(at: Loc, what: &str, why: &str, d: &mut Diagnostics) {
    d.error(Code::NotKept, at, format!("`{what}` cannot be kept after its event is gone"))
        .note(format!("{why}, and an event is borrowed only while `push` runs; a machine allocates nothing, so it keeps attributes by copying them"))
        .help("use an id, `&'static str` or `cep::Text<N>`; if the type is `Copy`, mark the field `#[event(copy)]`");
}

fn field(v: VariableId, name: &Ident, loc: Loc, names: &Names<'_>, d: &mut Diagnostics) -> Option<Field> {
    let variable = &names.variables[v.0];
    let [atom] = variable.atoms[..] else {
        // `A as a ; A`: the plain `A` would also hold a's event; two names are the remedy for both
        d.error(
            Code::NotSupported,
            loc,
            format!(
                "`{}` holds {} events of a match, which is not supported yet in `select`",
                variable.name,
                variable.atoms.len()
            ),
        )
        .note("an event type's name stands for all events of that type in the match")
        .help(format!("name each of them: `{name} as a ; {name} as b`"));
        return None;
    };
    Some(Field { name: field_name(name, variable.is_type), variable: v, atom, attributes: None })
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
    if syn::parse_str::<Ident>(text).is_ok() { Ident::new(text, span) } else { Ident::new_raw(text, span) }
}

fn clashes(fields: &[Field], names: &Names<'_>, d: &mut Diagnostics) {
    for (i, f) in fields.iter().enumerate() {
        if let Some(other) = fields[..i].iter().find(|g| g.name == f.name) {
            let (a, b) = (&names.variables[other.variable.0], &names.variables[f.variable.0]);
            let at = names.atoms[f.atom.0].loc;
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
