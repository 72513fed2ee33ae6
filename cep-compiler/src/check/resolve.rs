//! What the names in a condition mean: attributes of variables, `prev(b)`, `first(b)`, `last(b)`, aggregates.
use super::filter::Meaning;
use super::lower::bindings;
use super::types::Ty;
use super::walk::{Walk, bare, is_constant, single, unparenthesised};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{AtomId, AttributeId, Fold, Function, LoopId, Read, ReadAttribute, Region, TypeId};
use crate::nearest::{list, nearest};
use crate::schema::Int;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{Expr, Member};

/// Aggregates that only `agg` will bring.
const LATER: [&str; 14] = [
    "sum",
    "avg",
    "range",
    "product",
    "var",
    "stddev",
    "any",
    "every",
    "sum_some",
    "avg_some",
    "count_some",
    "min_some",
    "max_some",
    "fold",
];

impl Walk<'_> {
    pub(super) fn unknown(&self, name: &Ident, d: &mut Diagnostics) {
        let n = self.filter.pass.names;
        let all: Vec<String> = n
            .variables
            .iter()
            .map(|v| v.name.to_string())
            .chain(n.parameters.iter().map(|p| p.name.to_string()))
            .collect();
        let e = d.error(
            Code::UnknownVariable,
            name.span(),
            format!("`{name}` is no variable and no parameter of this pattern"),
        );
        match nearest(&name.to_string(), all.iter().map(String::as_str)) {
            Some(near) => e.help(format!("did you mean `{near}`?")),
            None => e.help(format!("there are {}", list(all.iter().map(String::as_str)))),
        };
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
        if self.locals.iter().any(|l| name == l) || names.parameters.iter().any(|p| p.name == *name) {
            return None;
        }
        let Some(read) = self.variable(name, d) else {
            if names.find(name).is_some() || !is_constant(name) || name.to_string().len() == 1 {
                return Some(Ty::Unknown);
            }
            return None;
        };
        let loc = Loc { first: name.span(), last: attribute.span() };
        let atoms = self.reads[read].atoms.clone();
        let Some(found) = self.find_attribute(&atoms, attribute, loc, d) else { return Some(Ty::Unknown) };
        let ty = Ty::of(&found.kind);
        let nullable = found.nullable;
        let entry = &mut self.reads[read];
        let at = match entry.attributes.iter().position(|a| a.name == found.name) {
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

    /// An attribute of a variable that these atoms hold.
    fn find_attribute(
        &self,
        atoms: &[AtomId],
        name: &Ident,
        loc: Loc,
        d: &mut Diagnostics,
    ) -> Option<ReadAttribute> {
        let names = self.filter.pass.names;
        let mut types: Vec<TypeId> = atoms.iter().map(|a| self.filter.pass.atoms[a.0].ty).collect();
        crate::sorted::unique(&mut types);
        let of: Vec<(TypeId, AttributeId)> = types
            .iter()
            .filter_map(|t| {
                let all = &names.schema.types[t.0].attributes;
                Some((*t, AttributeId(all.iter().position(|a| a.name == *name)?)))
            })
            .collect();
        let at = |(t, a): &(TypeId, AttributeId)| &names.schema.types[t.0].attributes[a.0];
        let Some(first) = of.first().map(&at) else {
            self.no_attribute(&types, name, d);
            return None;
        };
        if let Some(other) = of.iter().map(&at).find(|a| a.kind != first.kind) {
            d.error(
                Code::UnlikeTypes,
                loc,
                format!(
                    "`{name}` is {} on one event type of this variable and {} on another",
                    Ty::of(&first.kind).describe(),
                    Ty::of(&other.kind).describe()
                ),
            )
            .help("name the event types apart: `(A as a or B as b)`");
            return None;
        }
        Some(ReadAttribute {
            name: name.clone(),
            nullable: of.len() < types.len() || of.iter().any(|x| at(x).nullable),
            kind: first.kind.clone(),
            of,
            loc,
        })
    }

    fn no_attribute(&self, types: &[TypeId], attribute: &Ident, d: &mut Diagnostics) {
        let schema = self.filter.pass.names.schema;
        let event = types.first().map(|t| &schema.types[t.0]);
        let all: Vec<String> = types
            .iter()
            .flat_map(|t| &schema.types[t.0].attributes)
            .map(|a| a.name.to_string())
            .fold(Vec::new(), |mut all, a| {
                if !all.contains(&a) {
                    all.push(a);
                }
                all
            });
        let others: Vec<String> = schema
            .types
            .iter()
            .filter(|t| t.attributes.iter().any(|a| a.name == *attribute))
            .map(|t| t.name.to_string())
            .collect();
        let of = event.map_or(String::new(), |e| e.name.to_string());
        let message = if types.len() > 1 {
            let names: Vec<String> = types.iter().map(|t| schema.types[t.0].name.to_string()).collect();
            format!(
                "none of the event types {} has an attribute `{attribute}`",
                list(names.iter().map(String::as_str))
            )
        } else {
            format!("the event type `{of}` has no attribute `{attribute}`")
        };
        let e = d.error(Code::UnknownAttribute, attribute.span(), message);
        if !others.is_empty() {
            e.note(format!("{} has one", list(others.iter().map(String::as_str))));
        }
        match nearest(&attribute.to_string(), all.iter().map(String::as_str)) {
            Some(near) => e.help(format!("did you mean `{near}`?")),
            None if all.is_empty() => e.help(format!("`{of}` has no attributes at all")),
            None => e.help(format!("its attributes: {}", list(all.iter().map(String::as_str)))),
        };
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
        for a in &self.reads[read].atoms {
            let event = &schema.types[self.filter.pass.atoms[a.0].ty.0];
            let Some(time) = event.attributes.iter().find(|a| a.time.is_some()) else {
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
        if let Some(i) = self.reads.iter().position(|r| r.name == *name) {
            if self.closures > 0 {
                self.meaning(name, d)?;
            }
            return Some(i);
        }
        let m = self.meaning(name, d)?;
        let (always, part) = (!m.inside && m.held.least > 0, m.held.part);
        let (atoms, inside, region) = (m.held.atoms.clone(), m.inside, Region::All(m.loops));
        let i = self.read(name.clone(), atoms, inside, region);
        self.reads[i].always = always;
        self.reads[i].part = part;
        Some(i)
    }

    fn read(&mut self, name: Ident, atoms: Vec<AtomId>, inside: bool, region: Region) -> usize {
        if let Some(i) = self.reads.iter().position(|r| r.name == name) {
            return i;
        }
        self.reads.push(Read {
            name,
            atoms,
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
        let (Some(f), Some(argument), 1) = (single(&c.func), c.args.first(), c.args.len()) else {
            return true;
        };
        let Some(of) = bare(argument) else { return true };
        if !["prev", "first", "last"].iter().any(|n| f == n) || self.filter.pass.names.find(of).is_none() {
            return true;
        }
        let (f, of) = (f.clone(), of.clone());
        let Some(m) = self.meaning_or_bodies(&of, d) else { return false };
        let (atoms, inside, loops, iterated) = m;
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
        self.read(name.clone(), atoms, inside, region);
        *e = syn::parse_quote!(#name);
        true
    }

    /// `f(prev(b))`: an event as a whole.
    pub(super) fn whole_of_iteration(&self, c: &syn::ExprCall, d: &mut Diagnostics) -> bool {
        let (Some(f), Some(of), 1) = (single(&c.func), c.args.first().and_then(bare), c.args.len()) else {
            return false;
        };
        if !["prev", "first", "last"].iter().any(|n| f == n) || self.filter.pass.names.find(of).is_none() {
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

    /// Atoms, inside, loops, and whether more than one event may be meant.
    fn meaning_or_bodies(
        &self,
        of: &Ident,
        d: &mut Diagnostics,
    ) -> Option<(Vec<AtomId>, bool, Vec<LoopId>, bool)> {
        let m = self.meaning(of, d)?;
        Some((m.held.atoms.clone(), m.inside, m.loops, m.held.most > 1))
    }

    /// An aggregate: `count(b)`, `max(b.v)`. It becomes a name of its own.
    pub(super) fn fold(&mut self, e: &mut Expr, d: &mut Diagnostics) -> Option<Ty> {
        let Expr::Call(c) = &*e else { return None };
        let (f, argument) = (single(&c.func)?.clone(), c.args.first().filter(|_| c.args.len() == 1)?);
        let (of, attribute) = match unparenthesised(argument) {
            Expr::Field(x) => match &x.member {
                Member::Named(n) => (bare(&x.base)?.clone(), Some(n.clone())),
                Member::Unnamed(_) => return None,
            },
            e => (bare(e)?.clone(), None),
        };
        self.filter.pass.names.find(&of)?;
        let word = f.to_string();
        if LATER.contains(&&*word) {
            d.error(Code::NotSupported, f.span(), format!("the aggregate `{f}` is not supported yet"))
                .help("`count`, `min`, `max`, `first` and `last` are");
            return Some(Ty::Unknown);
        }
        let function = match (&*word, &attribute) {
            ("count", None) => Function::Count,
            ("count", Some(a)) => {
                d.error(
                    Code::NotSupported,
                    Loc::of(argument),
                    "`count` of an attribute is not supported yet",
                )
                .help(format!("`count({of})` counts the events of `{of}`, whether or not `{a}` is NULL"));
                return Some(Ty::Unknown);
            }
            ("min", Some(_)) => Function::Min,
            ("max", Some(_)) => Function::Max,
            ("first", Some(_)) => Function::First,
            ("last", Some(_)) => Function::Last,
            _ => return None,
        };
        let Some(m) = self.meaning(&of, d) else { return Some(Ty::Unknown) };
        let (atoms, inside, iterated) = (m.held.atoms.clone(), m.inside, m.held.most > 1);
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
        let loc = Loc::of(c);
        let attribute = match attribute.filter(|_| function != Function::Count) {
            Some(a) => match self.find_attribute(&atoms, &a, loc, d) {
                Some(a) => Some(a),
                None => return Some(Ty::Unknown),
            },
            None => None,
        };
        let ty = match &attribute {
            None => Ty::Int(Some(Int { signed: false, bits: 64, size: false })),
            Some(a) => Ty::of(&a.kind),
        };
        if matches!(function, Function::Min | Function::Max) && !matches!(ty, Ty::Int(_) | Ty::Float(_)) {
            d.error(
                Code::UnlikeTypes,
                loc,
                format!("`{word}` of something that is no number: {}", ty.describe()),
            )
            .help("aggregate an integer or a float attribute");
            return Some(Ty::Unknown);
        }
        let text = super::text(c);
        let name = match self.folds.iter().position(|f| f.text == text) {
            Some(i) => {
                self.open_fold(i);
                self.folds[i].name.clone()
            }
            None => {
                let name = format_ident!("__{word}_{}", self.folds.len(), span = f.span());
                self.folds.push(Fold { name: name.clone(), text, function, atoms, inside, loops, attribute });
                self.open_fold(self.folds.len() - 1);
                name
            }
        };
        *e = syn::parse_quote!(#name);
        Some(ty)
    }

    fn open_fold(&mut self, i: usize) {
        if self.folds[i].function != Function::Count && !self.opened_folds.contains(&i) {
            self.opened_folds.push(i);
        }
    }
}
