//! The item under `#[derive(Event)]`, checked: what its event types and attributes are.
//!
//! Nothing here stops at the first mistake: a bad option counts as not given, a bad variant as one without attributes, so that the
//! rest of the output is still there and no second wave of errors follows.
use super::classify::{Keep, Spelling, argument, bare, classify, kind, without_self};
use super::options::{Options, Place, options};
use super::{Attribute, Kind};
use crate::diagnostic::{Code, Diagnostics, Loc};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Fields, GenericArgument, Generics, Item, Type, Visibility};

/// An event type definition.
pub(super) struct Definition {
    pub(super) name: Ident,
    pub(super) visibility: Visibility,
    pub(super) generics: Generics,
    /// The path of the facade.
    pub(super) root: TokenStream,
    pub(super) is_enum: bool,
    /// `#[event(copy)]` on a struct: it is its own record.
    pub(super) whole: bool,
    pub(super) types: Vec<TypeDefinition>,
}

/// One event type.
pub(super) struct TypeDefinition {
    /// As used in patterns.
    pub(super) name: Ident,
    /// The variant, or the struct.
    pub(super) ident: Ident,
    pub(super) body: Body,
}

pub(super) enum Body {
    Fields {
        fields: Vec<Field>,
        /// The name of the record.
        record: Ident,
    },
    /// A struct that derives `Event` itself, and the path of its schema macro.
    Payload { ty: Box<Type>, path: TokenStream },
}

/// A field that is an attribute.
pub(super) struct Field {
    pub(super) attribute: Attribute,
    pub(super) ty: Type,
    pub(super) visibility: Visibility,
    pub(super) docs: Vec<syn::Attribute>,
}

/// Reads the item; `None` if it is nothing that can be an event at all.
pub(super) fn definition(item: Item, report: &mut Diagnostics) -> Option<Definition> {
    match item {
        Item::Enum(item) => {
            let given = options(&item.attrs, Place::Enum, report);
            if item.variants.is_empty() {
                report
                    .error(Code::Derive, Loc::of(&item.ident), "an enum without variants has no events")
                    .help("give it one variant for each event type");
            }
            let this = Of { name: &item.ident, generics: &item.generics };
            let types: Vec<_> =
                item.variants.iter().map(|v| variant(v, &item.vis, &this, report)).collect();
            unique(types.iter().map(|t| &t.name), "event types", report);
            let root = root(&given);
            let (name, visibility, generics) = (item.ident, item.vis, item.generics);
            Some(Definition { name, visibility, generics, root, is_enum: true, whole: false, types })
        }
        Item::Struct(item) => {
            let given = options(&item.attrs, Place::Struct, report);
            if let Fields::Unnamed(fields) = &item.fields {
                report
                    .error(Code::Derive, Loc::of(fields), "the attributes of an event need names")
                    .help(format!("`struct {} {{ value: … }}`", item.ident));
            }
            if let (Some(at), Some(record)) = (given.copy, &given.record) {
                let mut loc = Loc::from(at);
                loc.last = record.span();
                report
                    .error(Code::Derive, loc, "`copy` makes the struct its own record, so there is none to rename")
                    .help("leave out `copy` or `record`");
            }
            if let (Some(at), Some(lifetime)) = (given.copy, item.generics.lifetimes().next()) {
                report
                    .error(Code::Derive, at, format!("a struct with the lifetime `{}` cannot be its own record", lifetime.lifetime))
                    .note("a record outlives the event")
                    .help("without `copy`, its record has every attribute that does not borrow");
            }
            let this = Of { name: &item.ident, generics: &item.generics };
            let fields = fields(&item.fields, None, &this, report);
            let record = given.record.clone().unwrap_or_else(|| format_ident!("{}Record", item.ident));
            let name = given.name.clone().unwrap_or_else(|| item.ident.clone());
            let types = vec![TypeDefinition { name, ident: item.ident.clone(), body: Body::Fields { fields, record } }];
            let whole = given.copy.is_some() && item.generics.lifetimes().next().is_none();
            let root = root(&given);
            let (name, visibility, generics) = (item.ident, item.vis, item.generics);
            Some(Definition { name, visibility, generics, root, is_enum: false, whole, types })
        }
        item => {
            report
                .error(Code::Derive, Loc::of(&item), "only an enum or a struct can be an event")
                .help("an enum has one variant for each event type, a struct is one event type");
            None
        }
    }
}

/// The type that a field belongs to.
struct Of<'a> {
    name: &'a Ident,
    generics: &'a Generics,
}

fn root(given: &Options) -> TokenStream {
    given.root.clone().unwrap_or_else(|| quote!(::cep))
}

fn variant(v: &syn::Variant, visibility: &Visibility, of: &Of<'_>, report: &mut Diagnostics) -> TypeDefinition {
    let ident = v.ident.clone();
    if let Fields::Unnamed(held) = &v.fields
        && let Some(first) = held.unnamed.first()
    {
        let given = options(&v.attrs, Place::Holder, report);
        let name = given.name.unwrap_or_else(|| ident.clone());
        for a in held.unnamed.iter().flat_map(|f| &f.attrs).filter(|a| a.path().is_ident("event")) {
            report
                .error(Code::Derive, Loc::of(a), "the held struct describes its attributes itself")
                .help("put `#[event(…)]` on the fields of that struct, or on the variant");
        }
        let payload = match held.unnamed.len() {
            1 => payload(&first.ty, &ident, of, report),
            _ => {
                report
                    .error(Code::Derive, Loc::of(held), format!("the attributes of `{ident}` need names"))
                    .note("a variant of an event has named fields, no fields, or holds one struct that derives `Event`")
                    .help(format!("`{ident} {{ first: …, second: … }}`"));
                None
            }
        };
        let body = match payload {
            Some((ty, path)) => Body::Payload { ty: Box::new(ty), path },
            None => Body::Fields { fields: Vec::new(), record: format_ident!("{}{}", of.name, ident, span = ident.span()) },
        };
        return TypeDefinition { name, ident, body };
    }
    let given = options(&v.attrs, Place::Variant, report);
    let fields = fields(&v.fields, Some(visibility), of, report);
    // at the variant's place: a clash of names is reported there
    let record = given.record.unwrap_or_else(|| format_ident!("{}{}", of.name, ident, span = ident.span()));
    TypeDefinition { name: given.name.unwrap_or_else(|| ident.clone()), ident, body: Body::Fields { fields, record } }
}

/// The held struct behind `&`, `Box`, `Rc` and `Arc`, and the path of its schema macro: the same without generic arguments.
fn payload(ty: &Type, variant: &Ident, of: &Of<'_>, report: &mut Diagnostics) -> Option<(Type, TokenStream)> {
    let mut inner = ty;
    loop {
        match bare(inner) {
            Type::Reference(r) => inner = &r.elem,
            Type::Path(p) if p.qself.is_none() => {
                let segment = p.path.segments.last()?;
                match argument(segment) {
                    Some(GenericArgument::Type(t)) if ["Box", "Rc", "Arc"].iter().any(|w| segment.ident == w) => inner = t,
                    _ => break,
                }
            }
            _ => break,
        }
    }
    let inner = bare(inner);
    let parameter = |p: &syn::TypePath| of.generics.type_params().any(|t| p.path.is_ident(&t.ident));
    match inner {
        Type::Path(p) if p.qself.is_none() && kind(inner) == Kind::Opaque && !parameter(p) => {
            let mut path = p.path.clone();
            for segment in &mut path.segments {
                segment.arguments = syn::PathArguments::None;
            }
            Some((spelled_out(inner, of), path.into_token_stream()))
        }
        _ => {
            let text = inner.to_token_stream().to_string();
            report
                .error(Code::Derive, Loc::of(ty), format!("`{variant}` holds `{text}`, which is no struct that derives `Event`"))
                .note("a variant of an event has named fields, no fields, or holds one struct that derives `Event`")
                .help(format!("give the attribute a name: `{variant} {{ value: {text} }}`"));
            None
        }
    }
}

/// The type without `Self`.
fn spelled_out(ty: &Type, of: &Of<'_>) -> Type {
    let (name, (_, arguments, _)) = (of.name, of.generics.split_for_impl());
    let tokens = without_self(ty.to_token_stream(), &quote!(#name #arguments));
    syn::parse2(tokens).unwrap_or_else(|_| ty.clone())
}

fn fields(fields: &Fields, visibility: Option<&Visibility>, of: &Of<'_>, report: &mut Diagnostics) -> Vec<Field> {
    let mut list: Vec<Field> = Vec::new();
    let mut clock: Option<Ident> = None;
    for f in fields {
        // the fields of a tuple were refused already
        let Some(field) = f.ident.clone() else { continue };
        let given = options(&f.attrs, Place::Field, report);
        if let Some(skip) = given.skip {
            let others = [given.copy, given.no_copy, given.key, given.ord, given.time.map(|t| t.0), given.name.map(|n| n.span())];
            if others.iter().any(Option::is_some) {
                report
                    .error(Code::Derive, skip, format!("`{field}` is skipped, so nothing else can be said of it"))
                    .help("leave out `skip`, or the other options");
            }
            continue;
        }
        let mut spelling = classify(&f.ty, of.generics);
        spelling.keep = kept(&field, &f.ty, &spelling, &given, report);
        let time = given.time.filter(|t| is_clock(&field, t.0, &spelling, &given, report)).map(|t| t.1);
        if let (Some((at, _)), Some(first)) = (given.time, &clock) {
            report
                .error(Code::Derive, at, format!("`{first}` is the time of this event type already"))
                .help("an event type has one time: leave the other `time` out");
        } else if given.time.is_some() {
            clock = Some(field.clone());
        }
        let attribute = Attribute {
            name: given.name.unwrap_or_else(|| field.clone()),
            field,
            kind: spelling.kind,
            nullable: spelling.nullable,
            kept: spelling.keep == Keep::Yes,
            time,
            key: given.key.is_some(),
            ord: given.ord.is_some(),
        };
        list.push(Field {
            attribute,
            ty: spelled_out(&f.ty, of),
            visibility: visibility.unwrap_or(&f.vis).clone(),
            docs: f.attrs.iter().filter(|a| a.path().is_ident("doc")).cloned().collect(),
        });
    }
    unique(list.iter().map(|f| &f.attribute.name), "attributes", report);
    list
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
                .error(Code::Derive, at, format!("`{field}` borrows from its event, so it cannot be kept after it"))
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
        Some(("its type is not an integer", "expected an integer type by its own name, `u64` or `i64`; behind an alias it is not seen"))
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

/// Every name at most once.
fn unique<'a>(names: impl Iterator<Item = &'a Ident>, what: &str, report: &mut Diagnostics) {
    let mut seen: Vec<&Ident> = Vec::new();
    for name in names {
        if seen.contains(&name) {
            report
                .error(Code::Derive, name.span(), format!("two {what} are called `{name}`"))
                .help("give one of them another `#[event(name = \"…\")]`");
        }
        seen.push(name);
    }
}
