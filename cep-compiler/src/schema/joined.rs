//! Attributes of an attribute: `m.hot.value` of a match `m`, whose `hot` is the record of an event.
//!
//! A schema is flat. What is one level down stands in it under one name, made of the names on the way; parsing makes the same name of
//! `hot.value` wherever an attribute may stand, so that nothing between has to know of levels. Messages show it with its dots again.
use proc_macro2::Ident;

/// In front of the names.
const FRONT: &str = "__in__";
/// Between them.
const BETWEEN: &str = "__";

/// One name for several; the name itself where it is the only one.
#[must_use]
pub fn joined(path: &[Ident]) -> Option<Ident> {
    let last = path.last()?;
    if path.len() == 1 {
        return Some(last.clone());
    }
    let mut name = String::from(FRONT);
    for (i, part) in path.iter().enumerate() {
        if i > 0 {
            name.push_str(BETWEEN);
        }
        let part = part.to_string();
        let part = part.trim_start_matches("r#");
        name.push_str(part.strip_prefix(FRONT).unwrap_or(part));
    }
    Some(Ident::new(&name, last.span()))
}

/// Is it one name for several?
#[must_use]
pub fn is_joined(name: &Ident) -> bool {
    name.to_string().starts_with(FRONT)
}

/// The first of the names: the attribute itself.
#[must_use]
pub fn head(name: &Ident) -> Ident {
    let text = name.to_string();
    let Some(path) = text.strip_prefix(FRONT) else { return name.clone() };
    Ident::new(path.split(BETWEEN).next().unwrap_or(path), name.span())
}

/// As the name of a field: `hot_value`.
#[must_use]
pub fn flat(name: &Ident) -> Ident {
    match name.to_string().strip_prefix(FRONT) {
        Some(path) => Ident::new(&path.replace(BETWEEN, "_"), name.span()),
        None => name.clone(),
    }
}

/// A text with the names as they are written: `hot.value`.
#[must_use]
pub fn spelled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(FRONT) {
        let end = after.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(after.len());
        out.push_str(before);
        out.push_str(&after[..end].replace(BETWEEN, "."));
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    #[test]
    fn names_and_back() {
        let (hot, id, m) = (format_ident!("hot"), format_ident!("r#type"), format_ident!("m"));
        assert_eq!(joined(std::slice::from_ref(&hot)), Some(hot.clone()));
        let one = joined(&[hot, id]).expect("a name");
        assert_eq!(one, "__in__hot__type");
        let deep = joined(&[m, one.clone()]).expect("a name");
        assert_eq!(deep, "__in__m__hot__type");
        assert!(is_joined(&deep) && !is_joined(&head(&deep)));
        assert_eq!((head(&deep).to_string(), flat(&one).to_string()), ("m".into(), "hot_type".into()));
        assert_eq!(spelled("no `__in__m__hot__type`, but `__in__a__b`"), "no `m.hot.type`, but `a.b`");
    }
}
