//! What a type's spelling tells: the kind of an attribute, and whether it can be kept. No more can be known, and no more is needed: what
//! the spelling leaves open is taken to be `Copy`, and rustc checks that.
use super::Kind;
use super::read::primitive;
use crate::slices::any;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
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
    for p in &generics.params {
        match p {
            GenericParam::Lifetime(l) => borrows |= mentions_lifetime(ty, &l.lifetime.ident),
            GenericParam::Type(t) => generic |= mentions(ty, &t.ident),
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
        PathArguments::AngleBracketed(a) if a.args.len() == 1 => a.args.first(),
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
            let plain = path.path.segments.len() == 1 && segment.arguments.is_empty();
            if (plain || path.path.segments.iter().any(|s| s.ident == "primitive"))
                && let Some(kind) = primitive(&word)
            {
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
        Type::Tuple(t) => t.elems.iter().all(copy),
        Type::Reference(r) => r.mutability.is_none(),
        Type::Slice(_) | Type::TraitObject(_) | Type::ImplTrait(_) => false,
        _ => true,
    }
}

/// Does the name stand anywhere in this syntax?
pub(super) fn mentions(syntax: &impl ToTokens, name: &Ident) -> bool {
    anywhere(syntax.to_token_stream(), &mut |before, t| {
        !matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == '\'')
            && matches!(t, TokenTree::Ident(i) if i == name)
    })
}

/// Does the lifetime stand anywhere in this syntax? Its name comes without the quote.
pub(super) fn mentions_lifetime(syntax: &impl ToTokens, name: &Ident) -> bool {
    anywhere(syntax.to_token_stream(), &mut |before, t| {
        matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == '\'')
            && matches!(t, TokenTree::Ident(i) if i == name)
    })
}

fn anywhere(tokens: TokenStream, f: &mut dyn FnMut(Option<&TokenTree>, &TokenTree) -> bool) -> bool {
    let mut before = None;
    for t in tokens {
        let found = match &t {
            TokenTree::Group(g) => anywhere(g.stream(), f),
            t => f(before.as_ref(), t),
        };
        if found {
            return true;
        }
        before = Some(t);
    }
    false
}

/// Spells out `Self`, which means another type inside a view or a record. `this` is the type with its arguments.
pub(super) fn without_self(tokens: TokenStream, this: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut from = tokens.into_iter().peekable();
    while let Some(t) = from.next() {
        match t {
            TokenTree::Ident(i) if i == "Self" => {
                let path = matches!(from.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                out.extend(if path { quote!(<#this>) } else { this.clone() });
            }
            TokenTree::Group(g) => {
                let mut inner = proc_macro2::Group::new(g.delimiter(), without_self(g.stream(), this));
                inner.set_span(g.span());
                out.extend([TokenTree::Group(inner)]);
            }
            t => out.extend([t]),
        }
    }
    out
}
