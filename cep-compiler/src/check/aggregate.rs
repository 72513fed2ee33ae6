//! `agg`, `project`, and the folds behind them and behind the aggregates of filters.
use super::lower::{Binds, Held, Lowering, Part};
use super::types::Ty;
use crate::ast::{self, Argument};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{
    Aggregate, AggregateField, AggregateId, AtomId, AttributeId, Fold, FoldId, Function, LoopId,
    ReadAttribute, TypeId,
};
use crate::nearest::list;
use crate::slices::{any, each, position};
use proc_macro2::{Ident, TokenStream};

/// A fold as written, its variable looked up.
pub(crate) struct Written<'a> {
    pub(crate) function: Function,
    pub(crate) some: bool,
    pub(crate) monoid: Option<TokenStream>,
    /// The variable's events.
    pub(crate) atoms: Vec<AtomId>,
    pub(crate) aggregates: Vec<AggregateId>,
    pub(crate) projected: Option<Vec<Ident>>,
    /// There may be none.
    pub(crate) empty: bool,
    pub(crate) variable: &'a Ident,
    pub(crate) attribute: Option<&'a Ident>,
    pub(crate) loops: Vec<LoopId>,
    /// The function's name, for messages.
    pub(crate) word: &'a Ident,
    /// The whole call.
    pub(crate) loc: Loc,
    pub(crate) text: String,
}

/// Checks types and gives the register, a new one if none folds the same. `None`: reported.
pub(crate) fn fold(pass: &Lowering<'_>, w: Written<'_>, d: &mut Diagnostics) -> Option<FoldId> {
    let attribute = match w.attribute {
        Some(a) => Some(attribute(pass, &w, a, d)?),
        None => None,
    };
    let word = w.word;
    let result = match &attribute {
        None if w.function == Function::Count && !w.some => {
            w.function.result(false, &crate::schema::Kind::Opaque, false, w.empty)
        }
        None => {
            let (x, help) = (w.variable, if w.function == Function::Count { "count" } else { "" });
            let e = d.error(
                Code::WholeVariable,
                w.loc,
                format!("`{word}` folds the values of an attribute, and `{x}` is a variable"),
            );
            match help {
                "" => e.help(format!("write `{word}({x}.attribute)`")),
                _ => e.help(format!("write `{word}({x}.attribute)`, or `count({x})` for the events")),
            };
            return None;
        }
        Some(a) => {
            let ty = Ty::of(&a.kind);
            if w.function.is_numeric() && !matches!(ty, Ty::Int(_) | Ty::Float(_)) {
                d.error(
                    Code::UnlikeTypes,
                    w.loc,
                    format!("`{word}` of something that is no number: {}", ty.describe()),
                )
                .help("aggregate an integer or a float attribute");
                return None;
            }
            if w.function.is_logical() && ty != Ty::Bool {
                d.error(
                    Code::UnlikeTypes,
                    w.loc,
                    format!("`{word}` of something that is no truth value: {}", ty.describe()),
                )
                .help("aggregate a `bool` attribute");
                return None;
            }
            w.function.result(w.some, &a.kind, a.nullable, w.empty)
        }
    };
    let name = |a: &Option<ReadAttribute>| a.as_ref().map(|a| a.name.to_string());
    let monoid = |m: &Option<TokenStream>| m.as_ref().map(ToString::to_string);
    let mut folds = pass.folds.borrow_mut();
    let known = position(&folds, |f| {
        f.function == w.function
            && f.some == w.some
            && f.atoms == w.atoms
            && f.aggregates == w.aggregates
            && f.loops == w.loops
            && f.result == result
            && name(&f.attribute) == name(&attribute)
            && monoid(&f.monoid) == monoid(&w.monoid)
    });
    Some(FoldId(known.unwrap_or_else(|| {
        folds.push(Fold {
            function: w.function,
            some: w.some,
            monoid: w.monoid,
            atoms: w.atoms,
            aggregates: w.aggregates,
            attribute,
            loops: w.loops,
            result,
            text: w.text,
        });
        folds.len() - 1
    })))
}

fn attribute(
    pass: &Lowering<'_>,
    w: &Written<'_>,
    name: &Ident,
    d: &mut Diagnostics,
) -> Option<ReadAttribute> {
    if is_hidden(w.projected.as_deref(), w.variable, name, d) {
        return None;
    }
    if w.aggregates.is_empty() {
        super::resolve::find_attribute(pass, &w.atoms, name, w.loc, d)
    } else {
        computed_attribute(pass, &w.aggregates, w.variable, name, w.loc, d)
    }
}

/// `project` has taken the attribute away: reported.
pub(crate) fn is_hidden(projected: Option<&[Ident]>, x: &Ident, a: &Ident, d: &mut Diagnostics) -> bool {
    let whole = crate::schema::joined::head(a);
    let Some(left) = projected.filter(|left| !left.contains(a) && !left.contains(&whole)) else {
        return false;
    };
    let all = each(left, ToString::to_string);
    d.error(
        Code::UnknownAttribute,
        a.span(),
        format!("`{a}` cannot be read through `{x}` any more: a `project` in front of this leaves it out"),
    )
    .help(format!("add `{a}` to that `project`; it leaves {}", list(&all)));
    true
}

/// An attribute of the computed events of these aggregates.
pub(crate) fn computed_attribute(
    pass: &Lowering<'_>,
    aggregates: &[AggregateId],
    variable: &Ident,
    name: &Ident,
    loc: Loc,
    d: &mut Diagnostics,
) -> Option<ReadAttribute> {
    let mut computed = Vec::new();
    let mut all: Vec<String> = Vec::new();
    for id in aggregates {
        let fields = &pass.aggregates[id.0].fields;
        for (i, f) in fields.iter().enumerate() {
            if f.name == *name {
                computed.push((*id, i));
            }
            let text = f.name.to_string();
            if !all.contains(&text) {
                all.push(text);
            }
        }
    }
    let folds = pass.folds.borrow();
    let result = |(id, i): &(AggregateId, usize)| &folds[pass.aggregates[id.0].fields[*i].fold.0].result;
    let Some(first) = computed.first().map(&result) else {
        d.error(
            Code::UnknownAttribute,
            name.span(),
            format!("the aggregate `{variable}` has no attribute `{name}`"),
        )
        .help_among(name, all, "its attributes: {}");
        return None;
    };
    if let Some(other) = computed.iter().map(&result).find(|r| r.kind != first.kind) {
        d.error(
            Code::UnlikeTypes,
            loc,
            format!(
                "`{name}` is {} in one `agg {variable}` and {} in another",
                Ty::of(&first.kind).describe(),
                Ty::of(&other.kind).describe()
            ),
        )
        .help("name the aggregates apart");
        return None;
    }
    Some(ReadAttribute {
        name: name.clone(),
        of: Vec::<(TypeId, AttributeId)>::new(),
        nullable: computed.len() < aggregates.len() || any(&computed, |x| result(x).nullable),
        kind: first.kind.clone(),
        computed,
        loc,
    })
}

impl Lowering<'_> {
    /// `φ agg m { … }`, φ lowered.
    pub(super) fn aggregate(
        &mut self,
        part: &mut Part,
        variable: &Ident,
        fields: &[ast::Aggregate],
        loc: Loc,
        d: &mut Diagnostics,
    ) {
        let Some(v) = self.names.find(variable) else { return };
        let mut out: Vec<AggregateField> = Vec::new();
        for f in fields {
            if any(&out, |other| other.name == f.name) {
                d.error(
                    Code::BoundTwice,
                    f.name.span(),
                    format!("the attribute `{}` is defined twice", f.name),
                )
                .help("give each attribute of an aggregate a name of its own");
                continue;
            }
            if let Some((_, at)) = f.overflow {
                d.error(Code::Overflow, at, "an `agg` needs no choice about overflow")
                    .note("its sums and counts are wider than what they add, and a product that does not fit is NULL")
                    .help("leave it out; `summarize` needs one where the number of results has no small bound");
                continue;
            }
            if let Some(fold) = self.field(part, f, d) {
                out.push(AggregateField { name: f.name.clone(), fold });
            }
        }
        if part.binds.contains_key(&v.0) {
            // a variable of events was reported where the name was collected
            if self.names.variables[v.0].is_computed {
                super::lower::bound_twice(variable, d);
            }
            return;
        }
        self.met.insert(v.0);
        let id = AggregateId(self.aggregates.len());
        let (scope, nullable) = (part.scope.clone(), part.is_nullable());
        self.aggregates.push(Aggregate { variable: v, scope, nullable, fields: out, loc });
        let held = Held {
            aggregates: vec![id],
            least: u32::from(!nullable),
            most: 1,
            definite: true,
            part: self.here(),
            ..Held::default()
        };
        part.binds.insert(v.0, held);
    }

    /// `name: sum(x.attr)`
    fn field(&self, part: &Part, f: &ast::Aggregate, d: &mut Diagnostics) -> Option<FoldId> {
        let (function, some) = function(&f.function, f.monoid.is_some(), d)?;
        let (variable, attribute) = match &f.argument {
            Argument::Results => {
                d.error(
                    Code::WholeVariable,
                    f.argument_loc,
                    "`*` stands for the results, and an `agg` folds the events of one",
                )
                .help(format!(
                    "write `{}` of a variable: `count(x)`; `summarize` has `count(*)`",
                    f.function
                ));
                return None;
            }
            Argument::Variable(x) => (x, None),
            Argument::Attribute { variable, attribute } => (variable, Some(attribute)),
        };
        let held = self.bound_in(&part.binds, variable, d)?;
        let written = Written {
            function,
            some,
            monoid: f.monoid.clone(),
            atoms: held.atoms.clone(),
            aggregates: held.aggregates.clone(),
            projected: held.projected.clone(),
            empty: held.least == 0,
            variable,
            attribute,
            loops: part.scope.loops.clone(),
            word: &f.function,
            loc: Loc { first: f.function.span(), last: f.argument_loc.last },
            text: super::text(ast::Aggregate { overflow: None, ..f.clone() }.call()),
        };
        fold(self, written, d)
    }

    /// What a variable holds in a formula that has to bind it.
    fn bound_in<'b>(&self, binds: &'b Binds, name: &Ident, d: &mut Diagnostics) -> Option<&'b Held> {
        let found = self.names.find(name);
        if let Some(held) = found.and_then(|v| binds.get(&v.0)) {
            return Some(held);
        }
        let all = each(binds.as_slice(), |(v, _)| self.names.variables[*v].name.to_string());
        if found.is_some() {
            d.error(
                Code::NotBound,
                name.span(),
                format!("`{name}` is not bound in the formula in front of this"),
            )
            .note("a suffix speaks of the formula to its left, up to the parenthesis that it stands in")
            .help_names("it binds {}", all);
        } else {
            d.error(Code::UnknownVariable, name.span(), format!("`{name}` is no variable of this pattern"))
                .help_among(name, all, "the formula in front of it binds {}");
        }
        None
    }

    /// `φ project x(a, b)`, φ lowered.
    pub(super) fn attributes(
        &mut self,
        part: &mut Part,
        variable: &Ident,
        keep: &[Ident],
        d: &mut Diagnostics,
    ) {
        let Some(held) = self.bound_in(&part.binds, variable, d).cloned() else { return };
        let mut left: Vec<Ident> = Vec::new();
        for a in keep {
            if left.contains(a) {
                d.error(Code::FieldClash, a.span(), format!("`{a}` is named twice")).help("name it once");
                continue;
            }
            if is_hidden(held.projected.as_deref(), variable, a, d) {
                continue;
            }
            let loc = Loc::from(a.span());
            let known = if held.aggregates.is_empty() {
                super::resolve::find_attribute(self, &held.atoms, a, loc, d)
            } else {
                computed_attribute(self, &held.aggregates, variable, a, loc, d)
            };
            if known.is_some() {
                left.push(a.clone());
            }
        }
        if let Some(held) = self.names.find(variable).and_then(|v| part.binds.get_mut(&v.0)) {
            held.projected = Some(left);
        }
    }
}

/// The function that a word names. `None`: reported.
pub(crate) fn function(word: &Ident, monoid: bool, d: &mut Diagnostics) -> Option<(Function, bool)> {
    if monoid {
        return Some((Function::User, false));
    }
    let found = Function::named(&word.to_string());
    if found.is_none() {
        d.error(Code::UnknownVariable, word.span(), format!("there is no aggregate `{word}`")).help_among(
            word,
            each(&Function::NAMED, |(n, _)| (*n).to_string()),
            "there are {}, each also as `…_some` (without NULLs), and `fold MyMonoid(x.attribute)`",
        );
    }
    found
}
