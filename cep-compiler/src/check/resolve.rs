//! What the names in a condition mean: attributes of variables, `prev(b)`, `first(b)`, `last(b)`, aggregates.
use super::aggregate;
use super::filter::Meaning;
use super::lower::{Lowering, bindings};
use super::types::Ty;
use super::walk::{Walk, bare, is_constant, single, unparenthesised};
use crate::code::code;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{
    AggregateId, AtomId, AttributeId, FoldRead, Function, LoopId, Read, ReadAttribute, Region, TypeId,
};
use crate::nearest::list;
use crate::schema::Kind;
use crate::slices::{all, any, each, find, pick, position};
use crate::syntax::only;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{Expr, Member};

impl Walk<'_> {
    pub(super) fn unknown(&self, name: &Ident, d: &mut Diagnostics) {
        let n = self.filter.pass.names;
        let mut all = each(&n.variables, |v| v.name.to_string());
        all.append(&mut each(n.parameters, |p| p.name.to_string()));
        d.error(
            Code::UnknownVariable,
            name.span(),
            format!("`{name}` is no variable and no parameter of this pattern"),
        )
        .help_among(name, all, "there are {}");
    }

    /// `x.attr`. `None` if `x` is no variable but may be something else that has fields.
    pub(super) fn attribute(
        &mut self,
        name: &Ident,
        attribute: &Ident,
        value: bool,
        d: &mut Diagnostics,
    ) -> Option<Ty> {
        let names = self.filter.pass.names;
        if any(&self.locals, |l| name == l) || any(names.parameters, |p| p.name == *name) {
            return None;
        }
        let Some(read) = self.variable(name, d) else {
            if names.find(name).is_some() || !is_constant(name) || name.to_string().len() == 1 {
                return Some(Ty::Unknown);
            }
            return None;
        };
        let loc = Loc { first: name.span(), last: attribute.span() };
        if !self.timing && self.hidden(name, attribute, d) {
            return Some(Ty::Unknown);
        }
        let (atoms, computed) = (self.reads[read].atoms.clone(), self.reads[read].computed.clone());
        let pass = self.filter.pass;
        let found = if computed.is_empty() {
            find_attribute(pass, &atoms, attribute, loc, d)
        } else {
            let found = aggregate::computed_attribute(pass, &computed, name, attribute, loc, d);
            let user = |f: &crate::hir::FoldId| pass.folds.borrow()[f.0].function == Function::User;
            let all = found.iter().flat_map(|a| &a.computed);
            // lowering a user's monoid runs code of the user's
            if all.map(|(g, i)| pass.aggregates[g.0].fields[*i].fold).any(|f| user(&f)) {
                self.cheap = false;
            }
            found
        };
        let Some(found) = found else { return Some(Ty::Unknown) };
        let ty = Ty::of(&found.kind);
        let nullable = found.nullable;
        let entry = &mut self.reads[read];
        let at = match position(&entry.attributes, |a| a.name == found.name) {
            Some(i) => i,
            None => {
                entry.attributes.push(found);
                entry.attributes.len() - 1
            }
        };
        if value && nullable && !self.opened.contains(&(read, at)) {
            self.opened.push((read, at));
        }
        Some(ty)
    }

    /// The attribute that `x.time()` stands for.
    pub(super) fn time_attribute(
        &self,
        read: usize,
        name: &Ident,
        at: Span,
        d: &mut Diagnostics,
    ) -> Option<Ident> {
        let schema = self.filter.pass.names.schema;
        let mut found: Option<Ident> = None;
        if !self.reads[read].computed.is_empty() {
            d.error(Code::NotSupported, at, "the time of a computed event is not supported yet")
                .help(format!("aggregate it: `agg {name} {{ until: last(x.time_attribute), … }}`"));
            return None;
        }
        for a in &self.reads[read].atoms {
            let event = &schema.types[self.filter.pass.atoms[a.0].ty.0];
            let Some(time) = find(&event.attributes, |a| a.time.is_some()) else {
                d.error(Code::NoClock, at, format!("the event type `{}` has no time", event.name))
                    .help("mark the attribute that carries the timestamp: `#[event(time)]`");
                return None;
            };
            if found.as_ref().is_some_and(|f| *f != time.name) {
                d.error(
                    Code::NoClock,
                    at,
                    format!("the time has several names on the event types of `{name}`"),
                )
                .help("give it one name: `#[event(name = \"…\")]`");
                return None;
            }
            found = Some(time.name.clone());
        }
        found
    }

    /// What a variable means here, with an error if it means nothing.
    fn meaning(&self, name: &Ident, d: &mut Diagnostics) -> Option<Meaning<'_>> {
        let names = self.filter.pass.names;
        if self.closures > 0 && names.find(name).is_some() {
            d.error(
                Code::Impure,
                name.span(),
                format!("a closure in a filter cannot capture the variable `{name}`"),
            )
            .note("each variable is one argument of the condition, and a closure would hide when it is read")
            .help("write the condition without a closure, or put it into a function that takes both values");
            return None;
        }
        let Some(v) = names.find(name) else {
            if !is_constant(name) || name.to_string().len() == 1 {
                self.unknown(name, d);
            }
            return None;
        };
        match self.filter.meaning(v.0) {
            Some(Ok(m)) => Some(m),
            Some(Err(branch)) => {
                d.error(Code::NotBound, name.span(), format!("`{name}` is not bound here on every way"))
                    .note(format!("{branch} does not bind `{name}`"))
                    .help("put the condition into the branch that binds it, or bind it in every branch");
                None
            }
            None => {
                let pass = self.filter.pass;
                let (why, help) = if pass.dropped.contains(&v.0) {
                    (
                        format!("the `select` of the parentheses that bind `{name}` drops it"),
                        format!("add `{name}` to that `select`, or put the condition in front of it"),
                    )
                } else if pass.met.contains(&v.0) {
                    (
                        format!("`{name}` is bound in another branch of the `or`"),
                        "put the condition behind the part that it is about".to_string(),
                    )
                } else {
                    (
                        format!(
                            "a filter sees the variables of the formula it follows and those to its left; `{name}` is bound further right"
                        ),
                        format!("move the condition behind the part that binds `{name}`"),
                    )
                };
                d.error(Code::NotBound, name.span(), format!("`{name}` is not bound here"))
                    .note(why)
                    .help(help);
                None
            }
        }
    }

    /// The read of a variable, or `None` with (for something that is a variable, or looks like one) an error.
    pub(super) fn variable(&mut self, name: &Ident, d: &mut Diagnostics) -> Option<usize> {
        if let Some(i) = position(&self.reads, |r| r.name == *name) {
            if self.closures > 0 {
                self.meaning(name, d)?;
            }
            return Some(i);
        }
        let m = self.meaning(name, d)?;
        let (always, part) = (!m.inside && m.held.least > 0, m.held.part);
        let computed = m.held.aggregates.clone();
        // whether a computed event is there, its part tells
        let always = always && computed.is_empty();
        let (atoms, inside, region) = (m.held.atoms.clone(), m.inside, Region::All(m.loops));
        let i = self.read(name.clone(), atoms, computed, inside, region);
        self.reads[i].always = always;
        self.reads[i].part = part;
        Some(i)
    }

    fn read(
        &mut self,
        name: Ident,
        atoms: Vec<AtomId>,
        computed: Vec<AggregateId>,
        inside: bool,
        region: Region,
    ) -> usize {
        if let Some(i) = position(&self.reads, |r| r.name == name) {
            return i;
        }
        self.reads.push(Read {
            name,
            atoms,
            computed,
            inside,
            always: false,
            part: 0,
            region,
            attributes: Vec::new(),
            position: false,
        });
        self.reads.len() - 1
    }

    /// The innermost iteration around the filter in whose body a variable is bound, and how often.
    fn iteration_of(&self, name: &Ident) -> Option<(LoopId, u32)> {
        let layers = self.filter.pass.layers.iter().rev();
        layers.filter_map(|l| Some((l.id?, bindings(l.body, name)))).find(|(_, n)| *n > 0)
    }

    /// `prev(b)`, `first(b)` or `last(b)` becomes a name of its own. `false`: it is one of them, and wrong.
    pub(super) fn of_iteration(&mut self, e: &mut Expr, d: &mut Diagnostics) -> bool {
        let Expr::Call(c) = &*e else { return true };
        let (Some(f), Some(argument)) = (single(&c.func), only(&c.args)) else {
            return true;
        };
        let Some(of) = bare(argument) else { return true };
        if !any(&["prev", "first", "last"], |n| f == n) || self.filter.pass.names.find(of).is_none() {
            return true;
        }
        let (f, of) = (f.clone(), of.clone());
        let Some(m) = self.meaning_or_bodies(&of, d) else { return false };
        let Bodies { atoms, computed, inside, loops, iterated } = m;
        let word = f.to_string();
        let around = self.iteration_of(&of);
        let region = if word != "prev" && iterated {
            if word == "first" { Region::First(loops) } else { Region::Last(loops) }
        } else {
            match around {
                Some((id, 1)) if word == "prev" => Region::Previous(id),
                Some((id, 1)) if word == "first" => Region::FirstBefore(id),
                Some((_, 1)) => {
                    d.error(
                        Code::NotIterated,
                        f.span(),
                        format!("`last({of})` inside the iteration that binds `{of}`"),
                    )
                    .help(format!("did you mean `prev({of})`, the one of the repetition before?"));
                    return false;
                }
                Some(_) => {
                    d.error(
                        Code::NotIterated,
                        f.span(),
                        format!("`{word}({of})` needs an iteration that binds `{of}` once in each repetition, and this one binds it more often"),
                    )
                    .help(format!("name the event that you mean: a variable of its own inside of `{of}`"));
                    return false;
                }
                None if iterated => {
                    d.error(
                        Code::NotIterated,
                        f.span(),
                        format!("`prev({of})` outside the iteration that binds `{of}`"),
                    )
                    .note("it is the event of the repetition before, so it is read inside the iteration")
                    .help(format!(
                        "put the condition into the iteration: `(… as {of} filter …)+`, or read `first({of})` or `last({of})`"
                    ));
                    return false;
                }
                None => {
                    d.error(
                        Code::NotIterated,
                        f.span(),
                        format!(
                            "`{word}({of})` needs an iteration that binds `{of}`, and `{of}` is bound once"
                        ),
                    )
                    .help(format!("`{of}` is one event here: read `{of}.attribute`"));
                    return false;
                }
            }
        };
        let name = Ident::new(&format!("__{word}_{}", of.to_string().trim_start_matches("r#")), f.span());
        self.read(name.clone(), atoms, computed, inside, region);
        *e = super::parsed(code!([| name] #name));
        true
    }

    /// `f(prev(b))`: an event as a whole.
    pub(super) fn whole_of_iteration(&self, c: &syn::ExprCall, d: &mut Diagnostics) -> bool {
        let (Some(f), Some(of)) = (single(&c.func), only(&c.args).and_then(bare)) else {
            return false;
        };
        if !any(&["prev", "first", "last"], |n| f == n) || self.filter.pass.names.find(of).is_none() {
            return false;
        }
        d.error(
            Code::WholeVariable,
            Loc::of(c),
            format!("`{f}({of})` is an event, and a filter reads its attributes"),
        )
        .note("an event is not kept whole: a machine keeps the attributes that it needs")
        .help(format!("write `{f}({of}).attribute` or `{f}({of}).position()`"));
        true
    }

    /// The events of a variable, which may be several.
    fn meaning_or_bodies(&self, of: &Ident, d: &mut Diagnostics) -> Option<Bodies> {
        let m = self.meaning(of, d)?;
        Some(Bodies {
            atoms: m.held.atoms.clone(),
            computed: m.held.aggregates.clone(),
            inside: m.inside,
            loops: m.loops,
            iterated: m.held.most > 1,
        })
    }

    /// A `project` has taken the attribute away: reported.
    fn hidden(&self, name: &Ident, attribute: &Ident, d: &mut Diagnostics) -> bool {
        let n = self.filter.pass.names;
        // `prev(b)` and the like stand as names of their own
        let text = name.to_string();
        let mut plain = None;
        for prefix in &["__prev_", "__first_", "__last_"] {
            plain = plain.or(text.strip_prefix(prefix));
        }
        let Some(v) = position(&n.variables, |v| v.name == *plain.unwrap_or(&text)) else {
            return false;
        };
        match self.filter.meaning(v) {
            Some(Ok(m)) => {
                aggregate::is_hidden(m.held.projected.as_deref(), &n.variables[v].name, attribute, d)
            }
            _ => false,
        }
    }

    /// An aggregate: `count(b)`, `sum(b.v)`. It becomes a name of its own.
    pub(super) fn fold(&mut self, e: &mut Expr, d: &mut Diagnostics) -> Option<Ty> {
        let Expr::Call(c) = &*e else { return None };
        let f = single(&c.func)?.clone();
        let Some(argument) = only(&c.args) else {
            return super::hints::folds_nothing(&f, c, self.filter.pass.names.schema, d);
        };
        let mut argument = unparenthesised(argument).clone();
        super::nested::join(&mut argument, self.filter.pass.names.schema);
        let (of, attribute) = match &argument {
            Expr::Field(x) => match &x.member {
                Member::Named(n) => (bare(&x.base)?.clone(), Some(n.clone())),
                Member::Unnamed(_) => return None,
            },
            e => (bare(e)?.clone(), None),
        };
        self.filter.pass.names.find(&of)?;
        let (function, some) = Function::named(&f.to_string())?;
        // `first(b)` and `last(b)` are events
        if attribute.is_none() && (some || function != Function::Count) {
            return None;
        }
        let Some(m) = self.meaning(&of, d) else { return Some(Ty::Unknown) };
        let (inside, iterated) = (m.inside, m.held.most > 1);
        let (atoms, aggregates) = (m.held.atoms.clone(), m.held.aggregates.clone());
        let (projected, empty) = (m.held.projected.clone(), m.held.least == 0);
        let mut loops = m.loops;
        if !(inside && iterated) {
            // over the repetitions so far of the iteration that binds it
            if let Some(at) =
                loops.iter().rposition(|l| self.iteration_of(&of).is_some_and(|(id, _)| id == *l))
            {
                loops.truncate(at);
            }
        }
        self.summaries |= inside;
        let text = super::text(c);
        let written = aggregate::Written {
            function,
            some,
            monoid: None,
            atoms,
            aggregates,
            projected,
            empty,
            variable: &of,
            attribute: attribute.as_ref(),
            loops,
            word: &f,
            loc: Loc::of(c),
            text,
        };
        let Some(id) = aggregate::fold(self.filter.pass, written, d) else { return Some(Ty::Unknown) };
        let result = self.filter.pass.folds.borrow()[id.0].result.clone();
        let option = result.optional && self.as_option;
        let at = match position(&self.folds, |read| read.fold == id && read.option == option) {
            Some(at) => at,
            None => {
                let name = format_ident!("__{f}_{}", self.folds.len(), span = f.span());
                self.folds.push(FoldRead { name, fold: id, option });
                self.folds.len() - 1
            }
        };
        if result.optional && !option && !self.opened_folds.contains(&at) {
            self.opened_folds.push(at);
        }
        let name = &self.folds[at].name;
        *e = super::parsed(code!([| name] #name));
        Some(Ty::of(&result.kind))
    }
}

/// What `prev(b)`, `first(b)`, `last(b)` choose from.
struct Bodies {
    atoms: Vec<AtomId>,
    computed: Vec<AggregateId>,
    inside: bool,
    loops: Vec<LoopId>,
    iterated: bool,
}

/// An attribute of a variable that these atoms hold.
pub(super) fn find_attribute(
    pass: &Lowering<'_>,
    atoms: &[AtomId],
    name: &Ident,
    loc: Loc,
    d: &mut Diagnostics,
) -> Option<ReadAttribute> {
    let names = pass.names;
    let mut types = each(atoms, |a| pass.atoms[a.0].ty);
    crate::sorted::unique(&mut types);
    let of = pick(&types, |t| Some((*t, names.schema.types[t.0].attribute(name)?)));
    let at = |(t, a): &(TypeId, AttributeId)| &names.schema.types[t.0].attributes[a.0];
    let Some(first) = of.first().map(&at) else {
        no_attribute(pass, &types, name, d);
        return None;
    };
    if let Some(other) = find(&of, |x| at(x).kind != first.kind).map(&at) {
        unlike(name, &first.kind, &other.kind, loc, d);
        return None;
    }
    Some(ReadAttribute {
        name: name.clone(),
        nullable: of.len() < types.len() || any(&of, |x| at(x).nullable),
        kind: first.kind.clone(),
        of,
        computed: Vec::new(),
        loc,
    })
}

/// An attribute that is of two types.
pub(super) fn unlike(name: &Ident, one: &Kind, other: &Kind, loc: Loc, d: &mut Diagnostics) {
    let (one, other) = (Ty::of(one).describe(), Ty::of(other).describe());
    d.error(
        Code::UnlikeTypes,
        loc,
        format!("`{name}` is {one} on one event type of this variable and {other} on another"),
    )
    .help("name the event types apart: `(A as a or B as b)`");
}

/// The expression reads this attribute of this variable.
pub(super) fn mentions(expr: &Expr, variable: &Ident, attribute: &Ident) -> bool {
    fn within(tokens: TokenStream, names: [&Ident; 2]) -> bool {
        // how much of `variable . attribute` was just read
        let mut met = 0;
        for token in tokens {
            met = match token {
                TokenTree::Group(g) => {
                    if within(g.stream(), names) {
                        return true;
                    }
                    0
                }
                TokenTree::Ident(name) if met == 2 && name == *names[1] => return true,
                TokenTree::Ident(name) => usize::from(name == *names[0]),
                TokenTree::Punct(p) if met == 1 && p.as_char() == '.' => 2,
                _ => 0,
            };
        }
        false
    }
    within(expr.to_token_stream(), [variable, attribute])
}

fn no_attribute(pass: &Lowering<'_>, types: &[TypeId], attribute: &Ident, d: &mut Diagnostics) {
    let schema = pass.names.schema;
    let e = d.error(Code::UnknownAttribute, attribute.span(), lacking(schema, types, attribute));
    if any(&schema.types, |t| t.attribute(attribute).is_some()) {
        e.note_names(
            "{} has one",
            pick(&schema.types, |t| t.attribute(attribute).is_some().then(|| t.name.to_string())),
        );
    }
    if all(types, |t| schema.types[t.0].attributes.is_empty()) {
        e.help(format!("`{}` has no attributes at all", schema.name_of(types)));
    } else {
        e.help_among(attribute, schema.attribute_names(types), "its attributes: {}");
    }
}

/// That none of these event types has the attribute.
pub(super) fn lacking(schema: &crate::schema::Schema, types: &[TypeId], attribute: &Ident) -> String {
    match types {
        [_, _, ..] => {
            let names = each(types, |t| schema.types[t.0].name.to_string());
            format!("none of the event types {} has an attribute `{attribute}`", list(&names))
        }
        _ => format!("the event type `{}` has no attribute `{attribute}`", schema.name_of(types)),
    }
}
