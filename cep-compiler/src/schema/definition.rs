//! The item under `#[derive(Event)]`, checked: what its event types and attributes are.
//!
//! Nothing here stops at the first mistake: a bad option counts as not given, a bad variant as one without attributes, so that the
//! rest of the output is still there and no second wave of errors follows.
use super::classify::{argument, bare, kind, without_self};
use super::fields::fields;
use super::options::{Options, Place, options};
use super::{Attribute, Kind};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::lex::plain;
use crate::slices::{any, each};
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
            let mut types = Vec::new();
            for v in &item.variants {
                types.push(variant(v, &item.vis, &this, report));
            }
            unique(&each(&types, |t| t.name.clone()), "event types", report);
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
                    .error(
                        Code::Derive,
                        loc,
                        "`copy` makes the struct its own record, so there is none to rename",
                    )
                    .help("leave out `copy` or `record`");
            }
            if let (Some(at), Some(lifetime)) = (given.copy, item.generics.lifetimes().next()) {
                report
                    .error(
                        Code::Derive,
                        at,
                        format!(
                            "a struct with the lifetime `{}` cannot be its own record",
                            lifetime.lifetime
                        ),
                    )
                    .note("a record outlives the event")
                    .help("without `copy`, its record has every attribute that does not borrow");
            }
            let this = Of { name: &item.ident, generics: &item.generics };
            let fields = fields(&item.fields, None, &this, report);
            let record = given.record.clone().unwrap_or_else(|| format_ident!("{}Record", item.ident));
            let name = given.name.clone().unwrap_or_else(|| plain(item.ident.clone()));
            let types = vec![TypeDefinition {
                name,
                ident: item.ident.clone(),
                body: Body::Fields { fields, record },
            }];
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
pub(super) struct Of<'a> {
    pub(super) name: &'a Ident,
    pub(super) generics: &'a Generics,
}

fn root(given: &Options) -> TokenStream {
    given.root.clone().unwrap_or_else(|| quote!(::cep))
}

fn variant(
    v: &syn::Variant,
    visibility: &Visibility,
    of: &Of<'_>,
    report: &mut Diagnostics,
) -> TypeDefinition {
    let ident = v.ident.clone();
    if let Fields::Unnamed(held) = &v.fields
        && let Some(first) = held.unnamed.first()
    {
        let given = options(&v.attrs, Place::Holder, report);
        let name = given.name.unwrap_or_else(|| plain(ident.clone()));
        for f in &held.unnamed {
            for a in &f.attrs {
                if a.path().is_ident("event") {
                    report
                        .error(Code::Derive, Loc::of(a), "the held struct describes its attributes itself")
                        .help("put `#[event(…)]` on the fields of that struct, or on the variant");
                }
            }
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
            None => Body::Fields {
                fields: Vec::new(),
                record: format_ident!("{}{}", of.name, ident, span = ident.span()),
            },
        };
        return TypeDefinition { name, ident, body };
    }
    let given = options(&v.attrs, Place::Variant, report);
    let fields = fields(&v.fields, Some(visibility), of, report);
    // at the variant's place: a clash of names is reported there
    let record = given.record.unwrap_or_else(|| format_ident!("{}{}", of.name, ident, span = ident.span()));
    TypeDefinition {
        name: given.name.unwrap_or_else(|| plain(ident.clone())),
        ident,
        body: Body::Fields { fields, record },
    }
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
    let parameter = |p: &syn::TypePath| {
        for t in of.generics.type_params() {
            if p.path.is_ident(&t.ident) {
                return true;
            }
        }
        false
    };
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
pub(super) fn spelled_out(ty: &Type, of: &Of<'_>) -> Type {
    let (name, (_, arguments, _)) = (of.name, of.generics.split_for_impl());
    let tokens = without_self(ty.to_token_stream(), &quote!(#name #arguments));
    syn::parse2(tokens).unwrap_or_else(|_| ty.clone())
}

/// Every name at most once.
pub(super) fn unique(names: &[Ident], what: &str, report: &mut Diagnostics) {
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
