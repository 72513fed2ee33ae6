//! The conditions of a predicate window: what they read, and what they may not do.
//!
//! Done on tokens, so that it reaches into the arguments of `matches!`. Types are compared by rustc, at the user's own tokens.
use crate::check::ON_OPTION;
use crate::check::nested::absent;
use crate::code::code;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::predicate::{Condition, Of, Read};
use crate::schema::Schema;
use crate::schema::joined::spelled;
use crate::slices::{any, position};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr};

/// What names mean in the conditions of one window.
pub(super) struct Scope<'a> {
    pub(super) schema: &'a Schema,
    pub(super) types: &'a [usize],
    /// What is read of elements that are gone.
    pub(super) kept: Vec<Vec<usize>>,
    pub(super) remembers: bool,
}

impl Scope<'_> {
    /// An attribute's number in each event type; `None`: reported, or no attribute at all.
    pub(super) fn attribute(&self, name: &Ident, d: &mut Diagnostics) -> Option<Vec<usize>> {
        let mut out = Vec::new();
        let mut lacking = Vec::new();
        for t in self.types {
            let of = &self.schema.types[*t];
            match position(&of.attributes, |a| a.name == *name) {
                Some(n) => out.push(n),
                None => lacking.push(of.name.to_string()),
            }
        }
        if lacking.is_empty() {
            return Some(out);
        }
        if out.is_empty() {
            let e = d.error(
                Code::UnknownAttribute,
                name.span(),
                format!("`{}` has no attribute `{name}`", self.schema.name),
            );
            if let Some(why) = self.types.first().and_then(|t| absent(&self.schema.types[*t], name)) {
                e.note(why);
            }
            e.help_among(name, self.names(), "it has {}");
        } else {
            d.error(Code::UnknownAttribute, name.span(), format!("not every event type has `{name}`"))
                .note_names("{} has none", lacking)
                .help(format!("name the event type that the window is about: `on {}::…`", self.schema.name));
        }
        None
    }

    fn is_attribute(&self, name: &Ident) -> bool {
        any(self.types, |t| any(&self.schema.types[*t].attributes, |a| a.name == *name))
    }

    fn names(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for t in self.types {
            for a in &self.schema.types[*t].attributes {
                let name = spelled(&a.name.to_string());
                if !all.contains(&name) && !a.is_ours() {
                    all.push(name);
                }
            }
        }
        all
    }

    /// It may be NULL in one of the event types.
    pub(super) fn nullable(&self, attribute: &[usize]) -> bool {
        self.types.iter().zip(attribute).any(|(t, a)| self.schema.types[*t].attributes[*a].nullable)
    }

    /// It can be kept in all of them.
    pub(super) fn is_kept(&self, attribute: &[usize]) -> bool {
        self.types.iter().zip(attribute).all(|(t, a)| self.schema.types[*t].attributes[*a].kept)
    }

    /// Splits and resolves a condition; `None`: reported.
    pub(super) fn condition(&mut self, e: &Expr, d: &mut Diagnostics) -> Option<Condition> {
        match e {
            Expr::Paren(p) if is_split(&p.expr) => self.condition(&p.expr, d),
            Expr::Group(g) => self.condition(&g.expr, d),
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                let (l, r) = (self.condition(&b.left, d), self.condition(&b.right, d));
                Some(Condition::And(Box::new(l?), Box::new(r?)))
            }
            Expr::Binary(b) if matches!(b.op, BinOp::Or(_)) => {
                let (l, r) = (self.condition(&b.left, d), self.condition(&b.right, d));
                Some(Condition::Or(Box::new(l?), Box::new(r?)))
            }
            e => {
                let before = d.list().len();
                let mut reads = Vec::new();
                let tokens = e.to_token_stream();
                impure(&tokens, d);
                let binds =
                    matches!(e, Expr::Match(_) | Expr::If(_) | Expr::Block(_)) || has_binding(&tokens);
                let tokens = self.rewrite(tokens, binds, &mut reads, d);
                (d.list().len() == before).then_some(Condition::Leaf(tokens, reads))
            }
        }
    }

    fn rewrite(
        &mut self,
        tokens: TokenStream,
        binds: bool,
        reads: &mut Vec<Read>,
        d: &mut Diagnostics,
    ) -> TokenStream {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out = TokenStream::new();
        let mut i = 0;
        while let Some(token) = all.get(i) {
            match token {
                TokenTree::Group(g) => {
                    // what `matches!` binds is no attribute
                    let in_macro = i > 0 && is_punct(all.get(i - 1), '!');
                    let mut new =
                        Group::new(g.delimiter(), self.rewrite(g.stream(), binds || in_macro, reads, d));
                    new.set_span(g.span());
                    out.extend([TokenTree::Group(new)]);
                    i += 1;
                }
                TokenTree::Ident(name) => {
                    let (read, used) = self.ident(name, &all, i, binds, reads, d);
                    match read {
                        Some(read) => out.extend(read),
                        None => out.extend([token.clone()]),
                    }
                    i += used;
                }
                _ => {
                    out.extend([token.clone()]);
                    i += 1;
                }
            }
        }
        out
    }

    /// What the identifier at `i` stands for, and how many tokens that takes.
    fn ident(
        &mut self,
        name: &Ident,
        all: &[TokenTree],
        i: usize,
        binds: bool,
        reads: &mut Vec<Read>,
        d: &mut Diagnostics,
    ) -> (Option<TokenStream>, usize) {
        let before = i.checked_sub(1).and_then(|k| all.get(k));
        let member = is_punct(before, '.') && !is_punct(i.checked_sub(2).and_then(|k| all.get(k)), '.');
        let path = is_punct(before, ':') && is_punct(i.checked_sub(2).and_then(|k| all.get(k)), ':')
            || is_punct(all.get(i + 1), ':') && is_punct(all.get(i + 2), ':');
        let called =
            matches!(all.get(i + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
        // `Point { x: 3 }`
        let labels = is_punct(all.get(i + 1), ':') && !is_punct(all.get(i + 2), ':');
        let negates = is_punct(all.get(i + 1), '!') && !is_punct(all.get(i + 2), '=');
        if member || path || called || labels || negates || is_punct(before, '\'') {
            return (None, 1);
        }
        let of = match &*name.to_string() {
            "first" => Of::First,
            "last" => Of::Last,
            "prev" => Of::Previous,
            "len" => {
                return (Some(self.read(Of::Length, Vec::new(), name, false, reads)), 1);
            }
            _ => Of::Element,
        };
        if of != Of::Element && is_punct(all.get(i + 1), '.') {
            let (attribute, used) = self.longest(all, i + 2);
            let Some(attribute) = &attribute else { return (None, 1) };
            let used = used + 2;
            let Some(number) = self.attribute(attribute, d) else { return (None, used) };
            if !self.is_kept(&number) {
                d.error(
                    Code::NotKept,
                    attribute.span(),
                    format!("`{attribute}` cannot be kept after its event"),
                )
                .help(format!("`{name}` is an event that is gone: read attributes of it that are `Copy`"));
                return (None, used);
            }
            if !self.kept.contains(&number) {
                self.kept.push(number.clone());
            }
            self.remembers |= of == Of::Previous;
            let option = on_option(all, i + used);
            return (Some(self.read(of, number, attribute, option, reads)), used);
        }
        let (whole, used) = self.longest(all, i);
        if let Some(name) = whole.filter(|whole| used > 1 || self.is_attribute(whole)) {
            let Some(number) = self.attribute(&name, d) else { return (None, used) };
            let option = on_option(all, i + used) && self.nullable(&number);
            return (Some(self.read(Of::Element, number, &name, option, reads)), used);
        }
        let text = name.to_string();
        let keyword = [
            "true", "false", "as", "if", "else", "match", "in", "move", "ref", "mut", "self", "crate",
            "super", "let", "dyn",
        ];
        if !binds
            && text.starts_with(|c: char| c.is_lowercase())
            && !keyword.contains(&&*text)
            && crate::check::primitive(&text).is_none()
        {
            let _ = self.attribute(name, d);
        }
        (None, 1)
    }

    /// The attribute that the names from token `i` on are, and how many tokens it has.
    fn longest(&self, all: &[TokenTree], i: usize) -> (Option<Ident>, usize) {
        let mut path: Vec<Ident> = Vec::new();
        while let Some(TokenTree::Ident(name)) = all.get(i + 2 * path.len()) {
            path.push(name.clone());
            if !is_punct(all.get(i + 2 * path.len() - 1), '.') {
                break;
            }
        }
        // a method
        if path.len() > 1
            && matches!(all.get(i + 2 * path.len() - 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis)
        {
            path.pop();
        }
        let (n, name) = crate::check::nested::longest(self.schema, &path);
        (name, (2 * n).saturating_sub(1))
    }

    fn read(
        &self,
        of: Of,
        attribute: Vec<usize>,
        at: &Ident,
        as_option: bool,
        reads: &mut Vec<Read>,
    ) -> TokenStream {
        let nullable = self.nullable(&attribute);
        let known = position(reads, |r| r.of == of && r.attribute == attribute && r.as_option == as_option);
        let n = known.unwrap_or(reads.len());
        let mut local = Ident::new(&format!("__cep_read_{n}"), Span::mixed_site());
        if known.is_none() {
            reads.push(Read { local: local.clone(), of, attribute, nullable, as_option });
        }
        local.set_span(Span::mixed_site().located_at(at.span()));
        (if of == Of::Length { code!([| local] #local) } else { code!([| local] (*#local)) }).tokens()
    }
}

fn is_split(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_split(&p.expr),
        Expr::Group(g) => is_split(&g.expr),
        Expr::Binary(b) => matches!(b.op, BinOp::And(_) | BinOp::Or(_)),
        _ => false,
    }
}

fn is_punct(t: Option<&TokenTree>, c: char) -> bool {
    matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// `.is_none()` and its like follow.
fn on_option(all: &[TokenTree], at: usize) -> bool {
    is_punct(all.get(at), '.')
        && matches!(all.get(at + 1), Some(TokenTree::Ident(m)) if any(&ON_OPTION, |n| m == n))
}

/// Something in it may bind names: bars of a closure, `match`, `let`.
fn has_binding(tokens: &TokenStream) -> bool {
    let mut before = None;
    for t in tokens.clone() {
        let found = match &t {
            TokenTree::Punct(p) => {
                p.as_char() == '|' && before != Some('|') && p.spacing() == proc_macro2::Spacing::Alone
            }
            TokenTree::Ident(i) => i == "match" || i == "let",
            TokenTree::Group(g) => has_binding(&g.stream()),
            TokenTree::Literal(_) => false,
        };
        if found {
            return true;
        }
        before = match &t {
            TokenTree::Punct(p) => Some(p.as_char()),
            _ => None,
        };
    }
    false
}

/// What a condition may not do.
fn impure(tokens: &TokenStream, d: &mut Diagnostics) {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (i, t) in all.iter().enumerate() {
        let why = match t {
            TokenTree::Group(g) => {
                impure(&g.stream(), d);
                continue;
            }
            TokenTree::Ident(name) => match &*name.to_string() {
                "return" | "await" | "unsafe" | "loop" | "while" | "for" | "break" | "continue" | "yield"
                | "mut" => {
                    format!("`{name}` has no meaning in a condition")
                }
                text if is_punct(all.get(i + 1), '!')
                    && matches!(all.get(i + 2), Some(TokenTree::Group(_)))
                    && text != "matches" =>
                {
                    format!("the macro `{name}!` cannot be used in a condition")
                }
                _ => continue,
            },
            TokenTree::Punct(p) if p.as_char() == '?' => "`?` has no meaning in a condition".to_string(),
            TokenTree::Punct(p) if p.as_char() == '=' => {
                let compares = |k: Option<usize>| {
                    k.is_some_and(|k| ['=', '!', '<', '>', '.'].iter().any(|c| is_punct(all.get(k), *c)))
                };
                let lets = any(&all, |t| matches!(t, TokenTree::Ident(i) if i == "let"));
                if compares(i.checked_sub(1))
                    || is_punct(all.get(i + 1), '=')
                    || is_punct(all.get(i + 1), '>')
                    || lets
                {
                    continue;
                }
                "a condition cannot assign: it only looks at events".to_string()
            }
            _ => continue,
        };
        d.error(Code::Impure, Loc::of(t), why).help(
            "a condition is an expression over attributes; put anything longer into a function and call it",
        );
    }
}
