//! The fields of an event type: which are attributes, and what holds of each.
use super::Attribute;
use super::Kind;
use super::classify::{Keep, Spelling, classify};
use super::definition::{Field, Of, spelled_out, unique};
use super::options::{Options, Place, options};
use crate::diagnostic::{Code, Diagnostics};
use crate::slices::{each, pick};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Fields, Type, Visibility};

/// Reads the fields. `visibility` is that of a variant's fields, which have none of their own.
pub(super) fn fields<'a>(
    fields: &'a Fields,
    visibility: Option<&'a Visibility>,
    of: &Of<'_>,
    report: &mut Diagnostics,
) -> Vec<Field<'a>> {
    let mut list: Vec<Field> = Vec::new();
    let mut clock: Option<&Ident> = None;
    // the fields of a tuple were refused already
    let Fields::Named(fields) = fields else { return list };
    for i in 0..fields.named.len() {
        let f = &fields.named[i];
        let Some(name) = &f.ident else { continue };
        let given = options(&f.attrs, Place::Field, report);
        if let Some(skip) = given.skip {
            if given.says_more() {
                report
                    .error(
                        Code::Derive,
                        skip,
                        format!("`{name}` is skipped, so nothing else can be said of it"),
                    )
                    .help("leave out `skip`, or the other options");
            }
            continue;
        }
        let attribute = attribute(name, &f.ty, given, &mut clock, of, report);
        list.push(Field {
            attribute,
            ty: spelled_out(&f.ty, of),
            visibility: visibility.unwrap_or(&f.vis),
            docs: pick(&f.attrs, |a| a.path().is_ident("doc").then_some(a)),
        });
    }
    unique(&each(&list, |f| &f.attribute.name), "attributes", report);
    list
}

/// The attribute that a field is; `clock` is the time of the event type as far as it was read.
fn attribute<'a>(
    field: &'a Ident,
    ty: &Type,
    given: Options,
    clock: &mut Option<&'a Ident>,
    of: &Of<'_>,
    report: &mut Diagnostics,
) -> Attribute {
    let spelling = classify(ty, of.generics);
    let before = report.list().len();
    let keep = kept(field, ty, &spelling, &given, report);
    // what was refused is not asked of rustc as well
    let sound = report.list().len() == before;
    let mut time = None;
    if let Some((at, unit)) = given.time {
        if is_clock(field, at, &spelling, &given, report) {
            time = Some(unit);
        }
        if let Some(first) = clock {
            report
                .error(Code::Derive, at, format!("`{first}` is the time of this event type already"))
                .help("an event type has one time: leave the other `time` out");
        } else {
            *clock = Some(field);
        }
    }
    Attribute {
        name: given.name.unwrap_or_else(|| crate::lex::plain(field.clone())),
        field: field.clone(),
        kind: spelling.kind,
        nullable: spelling.nullable,
        length: spelling.length,
        null_elements: spelling.null_elements,
        kept: keep == Keep::Yes,
        time,
        key: sound && given.key.is_some(),
        ord: sound && given.ord.is_some(),
    }
}

/// Is the attribute kept, after its options?
fn kept(field: &Ident, ty: &Type, spelling: &Spelling, given: &Options, report: &mut Diagnostics) -> Keep {
    if let (Some(copy), Some(_)) = (given.copy, given.no_copy) {
        report
            .error(Code::Derive, copy, format!("`{field}` is both `copy` and `no_copy`"))
            .help("`copy` keeps an attribute after its event is gone, `no_copy` reads it in filters only");
    }
    let floats = match &spelling.kind {
        Kind::Array(element) => matches!(**element, Kind::Float(_)),
        kind => matches!(kind, Kind::Float(_)),
    };
    let declared = [(given.key, "key", "equality that is an equivalence"), (given.ord, "ord", "total order")];
    for (at, word, law) in declared {
        let Some(at) = at else { continue };
        if floats {
            report
                .error(Code::Derive, at, format!("`{field}` cannot be `{word}`: floats have no {law}"))
                .note("NaN is neither equal to, nor less or greater than anything")
                .help(format!("leave out `{word}`: comparisons of floats are known to the compiler"));
        } else if given.no_copy.is_some() {
            report
                .error(Code::Derive, at, format!("`{field}` is both `{word}` and `no_copy`"))
                .help(format!("`{word}` declares the type to be `Copy`"));
        } else if spelling.keep == Keep::NotCopy {
            let text = ty.to_token_stream();
            report
                .error(Code::Derive, at, format!("`{field}` cannot be `{word}`: `{text}` is not `Copy`"))
                .help("use an id, a `&'static str`, or `cep::Text<N>`, a `Copy` text of at most N bytes");
        }
    }
    let asked = given.copy.or(given.key).or(given.ord);
    match (spelling.keep, asked) {
        (Keep::Borrows, Some(at)) => {
            report
                .error(
                    Code::Derive,
                    at,
                    format!("`{field}` borrows from its event, so it cannot be kept after it"),
                )
                .help("use an id, a `&'static str`, or `cep::Text<N>`, a `Copy` text of at most N bytes");
            Keep::Borrows
        }
        _ if given.no_copy.is_some() => Keep::NotCopy,
        (Keep::NotCopy, _) if given.copy.is_none() => Keep::NotCopy,
        (_, Some(_)) => Keep::Yes,
        (keep, None) => keep,
    }
}

/// Can the attribute be the clock?
fn is_clock(
    field: &Ident,
    at: proc_macro2::Span,
    spelling: &Spelling,
    given: &Options,
    report: &mut Diagnostics,
) -> bool {
    let error = if !matches!(spelling.kind, Kind::Int(_)) {
        Some((
            "its type is not an integer",
            "expected an integer type by its own name, `u64` or `i64`; behind an alias it is not seen",
        ))
    } else if spelling.nullable {
        Some(("it is an `Option`", "every event of the type must have a time"))
    } else if given.no_copy.is_some() {
        Some(("it is `no_copy`", "the machine keeps the time of an event"))
    } else {
        None
    };
    if let Some((why, help)) = error {
        report.error(Code::Derive, at, format!("`{field}` cannot be the time: {why}")).help(help);
    }
    error.is_none()
}
