//! The item under `#[derive(Event)]`, checked: what its event types and attributes are.
//!
//! Nothing here stops at the first mistake: a bad option counts as not given, a bad variant as one without attributes, so that the
//! rest of the output is still there and no second wave of errors follows.
use super::bounce::macro_path;
use super::classify::{argument, bare, kind, without_self};
use super::fields::fields;
use super::options::{Options, Place, options};
use super::{Attribute, Kind};
use crate::code::code;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::lex::plain;
use crate::slices::{any, each};
use crate::syntax::{self, made, trees};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Fields, GenericArgument, GenericParam, Generics, Item, Type, Visibility};

/// An event type definition.
pub(super) struct Definition<'a> {
    pub(super) name: &'a Ident,
    pub(super) visibility: &'a Visibility,
    pub(super) generics: &'a Generics,
    /// The path of the facade.
    pub(super) root: TokenStream,
    pub(super) is_enum: bool,
    /// `#[event(copy)]` on a struct: it is its own record.
    pub(super) whole: bool,
    pub(super) types: Vec<TypeDefinition<'a>>,
}

/// One event type.
pub(super) struct TypeDefinition<'a> {
    /// As used in patterns.
    pub(super) name: Ident,
    /// The variant, or the struct.
    pub(super) ident: &'a Ident,
    pub(super) body: Body<'a>,
}

pub(super) enum Body<'a> {
    Fields {
        fields: Vec<Field<'a>>,
        /// The name of the record.
        record: Ident,
    },
    /// A struct that derives `Event` itself, and the path of its schema macro.
    Payload { ty: Box<Type>, path: TokenStream },
}

/// A field that is an attribute.
pub(super) struct Field<'a> {
    pub(super) attribute: Attribute,
    pub(super) ty: Type,
    pub(super) visibility: &'a Visibility,
    pub(super) docs: Vec<&'a syn::Attribute>,
}

/// Reads the item; `None` if it is nothing that can be an event at all.
pub(super) fn definition<'a>(item: &'a Item, report: &mut Diagnostics) -> Option<Definition<'a>> {
    match item {
        Item::Enum(item) => Some(of_enum(item, report)),
        Item::Struct(item) => Some(of_struct(item, report)),
        item => {
            report
                .error(Code::Derive, Loc::of(item), "only an enum or a struct can be an event")
                .help("an enum has one variant for each event type, a struct is one event type");
            None
        }
    }
}

fn of_enum<'a>(item: &'a syn::ItemEnum, report: &mut Diagnostics) -> Definition<'a> {
    let (name, visibility, generics) = (&item.ident, &item.vis, &item.generics);
    let given = options(&item.attrs, Place::Enum, report);
    if item.variants.is_empty() {
        report
            .error(Code::Derive, Loc::of(name), "an enum without variants has no events")
            .help("give it one variant for each event type");
    }
    let mut types = Vec::new();
    for i in 0..item.variants.len() {
        types.push(variant(&item.variants[i], visibility, &Of { name, generics }, report));
    }
    unique(&each(&types, |t| &t.name), "event types", report);
    Definition { name, visibility, generics, root: root(&given), is_enum: true, whole: false, types }
}

fn of_struct<'a>(item: &'a syn::ItemStruct, report: &mut Diagnostics) -> Definition<'a> {
    let (name, visibility, generics) = (&item.ident, &item.vis, &item.generics);
    let given = options(&item.attrs, Place::Struct, report);
    if let Fields::Unnamed(fields) = &item.fields {
        report
            .error(Code::Derive, Loc::of(fields), "the attributes of an event need names")
            .help(format!("`struct {name} {{ value: … }}`"));
    }
    let mut whole = false;
    if let Some(at) = given.copy {
        if let Some(record) = &given.record {
            report
                .error(
                    Code::Derive,
                    Loc { first: at, last: record.span() },
                    "`copy` makes the struct its own record, so there is none to rename",
                )
                .help("leave out `copy` or `record`");
        }
        whole = true;
        if let Some(lifetime) = first_lifetime(generics) {
            whole = false;
            report
                .error(
                    Code::Derive,
                    at,
                    format!("a struct with the lifetime `{lifetime}` cannot be its own record"),
                )
                .note("a record outlives the event")
                .help("without `copy`, its record has every attribute that does not borrow");
        }
    }
    let fields = fields(&item.fields, None, &Of { name, generics }, report);
    let root = root(&given);
    let record = given.record.unwrap_or_else(|| made(format_args!("{}Record", name.unraw()), name.span()));
    let ty = TypeDefinition {
        name: given.name.unwrap_or_else(|| plain(name.clone())),
        ident: name,
        body: Body::Fields { fields, record },
    };
    Definition { name, visibility, generics, root, is_enum: false, whole, types: vec![ty] }
}

fn first_lifetime(generics: &Generics) -> Option<&syn::Lifetime> {
    for i in 0..generics.params.len() {
        if let GenericParam::Lifetime(l) = &generics.params[i] {
            return Some(&l.lifetime);
        }
    }
    None
}

/// The type that a field belongs to.
pub(super) struct Of<'a> {
    pub(super) name: &'a Ident,
    pub(super) generics: &'a Generics,
}

fn root(given: &Options) -> TokenStream {
    match &given.root {
        Some(root) => root.clone(),
        None => code!([] ::cep).tokens(),
    }
}

fn variant<'a>(
    v: &'a syn::Variant,
    visibility: &'a Visibility,
    of: &Of<'_>,
    report: &mut Diagnostics,
) -> TypeDefinition<'a> {
    let ident = &v.ident;
    // at the variant's place: a clash of names is reported there
    let record = made(format_args!("{}{}", of.name.unraw(), ident.unraw()), ident.span());
    let (given, body) = match &v.fields {
        Fields::Unnamed(held) if !held.unnamed.is_empty() => {
            let given = options(&v.attrs, Place::Holder, report);
            let body = match holder(held, ident, of, report) {
                Some((ty, path)) => Body::Payload { ty: Box::new(ty), path },
                None => Body::Fields { fields: Vec::new(), record },
            };
            (given, body)
        }
        _ => {
            let given = options(&v.attrs, Place::Variant, report);
            let fields = fields(&v.fields, Some(visibility), of, report);
            let record = given.record.clone().unwrap_or(record);
            (given, Body::Fields { fields, record })
        }
    };
    TypeDefinition { name: given.name.unwrap_or_else(|| plain(ident.clone())), ident, body }
}

/// The struct that a variant holds.
fn holder(
    held: &syn::FieldsUnnamed,
    variant: &Ident,
    of: &Of<'_>,
    report: &mut Diagnostics,
) -> Option<(Type, TokenStream)> {
    for i in 0..held.unnamed.len() {
        for a in &held.unnamed[i].attrs {
            if a.path().is_ident("event") {
                report
                    .error(Code::Derive, Loc::of(a), "the held struct describes its attributes itself")
                    .help("put `#[event(…)]` on the fields of that struct, or on the variant");
            }
        }
    }
    if held.unnamed.len() == 1 {
        return payload(&held.unnamed[0].ty, variant, of, report);
    }
    report
        .error(Code::Derive, Loc::of(held), format!("the attributes of `{variant}` need names"))
        .note("a variant of an event has named fields, no fields, or holds one struct that derives `Event`")
        .help(format!("`{variant} {{ first: …, second: … }}`"));
    None
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
                    Some(GenericArgument::Type(t)) if any(&["Box", "Rc", "Arc"], |w| segment.ident == w) => {
                        inner = t
                    }
                    _ => break,
                }
            }
            _ => break,
        }
    }
    let inner = bare(inner);
    match inner {
        Type::Path(p)
            if p.qself.is_none() && kind(inner) == Kind::Opaque && !is_parameter(&p.path, of.generics) =>
        {
            let path = p.path.to_token_stream();
            Some((spelled_out(inner, of), macro_path(&path).unwrap_or(path)))
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

fn is_parameter(path: &syn::Path, generics: &Generics) -> bool {
    for i in 0..generics.params.len() {
        if let GenericParam::Type(t) = &generics.params[i]
            && path.is_ident(&t.ident)
        {
            return true;
        }
    }
    false
}

/// The type without `Self`.
pub(super) fn spelled_out(ty: &Type, of: &Of<'_>) -> Type {
    let (name, (_, arguments, _)) = (of.name, of.generics.split_for_impl());
    let this = code!([| name, arguments] #name #arguments);
    let front = code!([this] <#this>);
    let tokens = without_self(ty.to_token_stream(), &trees(this.tokens()), &trees(front.tokens()));
    syntax::ty(tokens).unwrap_or_else(|_| ty.clone())
}

/// Every name at most once.
pub(super) fn unique(names: &[&Ident], what: &str, report: &mut Diagnostics) {
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            report
                .error(Code::Derive, name.span(), format!("two {what} are called `{name}`"))
                .help("give one of them another `#[event(name = \"…\")]`");
        }
    }
}
