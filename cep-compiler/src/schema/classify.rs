//! What a type's spelling tells: the kind of an attribute, and whether it can be kept. No more can be known, and no more is needed: what
//! the spelling leaves open is taken to be `Copy`, and rustc checks that.
use super::Kind;
use super::kinds::primitive;
use crate::slices::any;
use crate::syntax::{only, trees};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, GenericParam, Generics, PathArguments, PathSegment, Type, TypePath};

/// What is known of a type.
pub(super) struct Spelling {
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    /// Of an array.
    pub(super) length: Option<u64>,
    pub(super) null_elements: bool,
    pub(super) keep: Keep,
}

/// Can a value of the type outlive its event?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keep {
    /// As far as its spelling goes.
    Yes,
    /// It mentions a type parameter, which need not be `Copy`.
    Generic,
    /// It is not `Copy`.
    NotCopy,
    /// It mentions a lifetime of the event type.
    Borrows,
}

/// Spellings that are never `Copy`.
const NOT_COPY: [&str; 18] = [
    "String",
    "Vec",
    "Box",
    "Rc",
    "Arc",
    "VecDeque",
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "RefCell",
    "Mutex",
    "OsString",
    "PathBuf",
    "CString",
    "str",
];

/// Reads a type's spelling.
pub(super) fn classify(ty: &Type, generics: &Generics) -> Spelling {
    let (kind, nullable) = match option(ty) {
        Some(inner) => (kind(inner), true),
        None => (kind(ty), false),
    };
    let (length, null_elements) = match bare(option(ty).unwrap_or(ty)) {
        Type::Array(a) => (length(&a.len), option(&a.elem).is_some()),
        _ => (None, false),
    };
    let (mut borrows, mut generic) = (false, false);
    for i in 0..generics.params.len() {
        let p = &generics.params[i];
        match p {
            GenericParam::Lifetime(_) => borrows |= mentions_parameter(ty, p),
            GenericParam::Type(_) => generic |= mentions_parameter(ty, p),
            GenericParam::Const(_) => {}
        }
    }
    let keep = if borrows {
        Keep::Borrows
    } else if !copy(ty) {
        Keep::NotCopy
    } else if generic {
        Keep::Generic
    } else {
        Keep::Yes
    };
    Spelling { kind, nullable, length, null_elements, keep }
}

/// A number of elements that is written as one.
fn length(of: &syn::Expr) -> Option<u64> {
    match of {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().ok(),
        syn::Expr::Group(g) => length(&g.expr),
        syn::Expr::Paren(p) => length(&p.expr),
        _ => None,
    }
}

/// Without the invisible groups of a user's macro, and without parentheses.
pub(super) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(g) => bare(&g.elem),
        Type::Paren(p) => bare(&p.elem),
        ty => ty,
    }
}

fn last(path: &TypePath) -> Option<&PathSegment> {
    if path.qself.is_some() { None } else { path.path.segments.last() }
}

/// The only argument in angle brackets.
pub(super) fn argument(segment: &PathSegment) -> Option<&GenericArgument> {
    match &segment.arguments {
        PathArguments::AngleBracketed(a) => only(&a.args),
        _ => None,
    }
}

/// The type inside an `Option`.
pub(super) fn option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = bare(ty) else { return None };
    let segment = last(path).filter(|s| s.ident == "Option")?;
    match argument(segment)? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// The kind of a type that is no `Option`.
pub(super) fn kind(ty: &Type) -> Kind {
    match bare(ty) {
        Type::Path(path) => {
            let Some(segment) = last(path) else { return Kind::Opaque };
            let word = segment.ident.to_string();
            let segments = &path.path.segments;
            let mut plain = segments.len() == 1 && segment.arguments.is_empty();
            for i in 0..segments.len() {
                plain |= segments[i].ident == "primitive";
            }
            if plain && let Some(kind) = primitive(&word) {
                return kind;
            }
            match (word.as_str(), argument(segment)) {
                ("String", None) => Kind::String,
                ("Text", Some(GenericArgument::Type(_) | GenericArgument::Const(_))) => Kind::Text,
                _ => Kind::Opaque,
            }
        }
        Type::Array(a) => match kind(option(&a.elem).unwrap_or(&a.elem)) {
            element @ (Kind::Int(_) | Kind::Float(_)) => Kind::Array(Box::new(element)),
            _ => Kind::Opaque,
        },
        Type::Reference(r) => match bare(&r.elem) {
            Type::Path(p) if r.mutability.is_none() && p.path.is_ident("str") => Kind::Str,
            _ => Kind::Opaque,
        },
        _ => Kind::Opaque,
    }
}

/// `Copy`, unless the spelling says otherwise.
fn copy(ty: &Type) -> bool {
    match bare(ty) {
        Type::Path(path) => {
            if let Some(inner) = option(ty) {
                return copy(inner);
            }
            last(path).is_none_or(|s| !any(&NOT_COPY, |n| s.ident == n))
        }
        Type::Array(a) => copy(&a.elem),
        Type::Tuple(t) => {
            for i in 0..t.elems.len() {
                if !copy(&t.elems[i]) {
                    return false;
                }
            }
            true
        }
        Type::Reference(r) => r.mutability.is_none(),
        Type::Slice(_) | Type::TraitObject(_) | Type::ImplTrait(_) => false,
        _ => true,
    }
}

/// Does the parameter stand anywhere in this syntax?
pub(super) fn mentions_parameter(syntax: &dyn ToTokens, parameter: &GenericParam) -> bool {
    let (name, lifetime) = match parameter {
        GenericParam::Lifetime(l) => (&l.lifetime.ident, true),
        GenericParam::Type(t) => (&t.ident, false),
        GenericParam::Const(c) => (&c.ident, false),
    };
    mentions(syntax.to_token_stream(), name, lifetime)
}

fn mentions(tokens: TokenStream, name: &Ident, lifetime: bool) -> bool {
    let mut quoted = false;
    for t in tokens {
        let found = match &t {
            TokenTree::Group(g) => mentions(g.stream(), name, lifetime),
            TokenTree::Ident(i) => quoted == lifetime && i == name,
            _ => false,
        };
        if found {
            return true;
        }
        quoted = matches!(&t, TokenTree::Punct(p) if p.as_char() == '\'');
    }
    false
}

/// Spells out `Self`, which means another type inside a view or a record. `this` is the type with its arguments, `front` the same in
/// front of `::`.
pub(super) fn without_self(tokens: TokenStream, this: &[TokenTree], front: &[TokenTree]) -> TokenStream {
    let (tokens, mut out) = (trees(tokens), Vec::new());
    for (i, t) in tokens.iter().enumerate() {
        match t {
            TokenTree::Ident(name) if name == "Self" => {
                let path = matches!(tokens.get(i + 1), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                out.extend_from_slice(if path { front } else { this });
            }
            TokenTree::Group(g) => {
                let mut inner = Group::new(g.delimiter(), without_self(g.stream(), this, front));
                inner.set_span(g.span());
                out.push(inner.into());
            }
            t => out.push(t.clone()),
        }
    }
    out.into_iter().collect()
}
