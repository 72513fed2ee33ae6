//! The walk over one conjunct: resolves names, infers types, refuses what a filter may not do, and decides what is cheap.
use super::filter::{Scope, known, parameter};
use super::types::{
    Ty, is_assignment, is_bitwise, is_comparison, is_shift, literal, parameter_kind, primitive, remedy,
};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{AttributeId, Read};
use crate::nearest::{list, nearest};
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Member, Pat, Stmt, UnOp};

/// Methods in front of which an attribute is the `Option` itself and not its value.
pub(crate) const ON_OPTION: [&str; 5] = ["is_none", "is_some", "is_some_and", "map_or", "unwrap_or"];
/// Functions that read a whole variable's events.
const AGGREGATES: [&str; 14] = [
    "sum",
    "count",
    "min",
    "max",
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
];

pub(crate) struct Walk<'a> {
    scope: &'a Scope<'a>,
    pub(crate) reads: Vec<Read>,
    pub(crate) parameters: BTreeSet<usize>,
    pub(crate) opened: Vec<(usize, AttributeId)>,
    pub(crate) cheap: bool,
    locals: Vec<String>,
    closures: usize,
}

/// The arguments of `matches!`.
pub(crate) struct Matches {
    pub(crate) value: Expr,
    pub(crate) pattern: Pat,
    pub(crate) guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(syn::Token![if]) {
            input.parse::<syn::Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Matches { value, pattern, guard })
    }
}

impl<'a> Walk<'a> {
    pub(crate) fn new(scope: &'a Scope<'a>) -> Self {
        Walk {
            scope,
            reads: Vec::new(),
            parameters: BTreeSet::new(),
            opened: Vec::new(),
            cheap: true,
            locals: Vec::new(),
            closures: 0,
        }
    }

    pub(crate) fn expr(&mut self, e: &Expr, d: &mut Diagnostics) -> Ty {
        match e {
            Expr::Paren(p) => self.expr(&p.expr, d),
            Expr::Group(g) => self.expr(&g.expr, d),
            Expr::Lit(l) => literal(&l.lit),
            Expr::Path(p) => match p.path.get_ident() {
                Some(name) if p.qself.is_none() => self.name(name, d),
                _ => Ty::Constant,
            },
            Expr::Field(f) => {
                if let (Some(name), Member::Named(attribute)) = (bare(&f.base), &f.member)
                    && let Some(ty) = self.attribute(name, attribute, true, d)
                {
                    return ty;
                }
                if let Expr::Call(c) = &*f.base
                    && let Some(ty) = self.of_iteration(c, d)
                {
                    return ty;
                }
                self.expr(&f.base, d);
                self.costly()
            }
            Expr::MethodCall(m) => self.method(m, d),
            Expr::Call(c) => self.call(c, d),
            Expr::Unary(u) => {
                let ty = self.expr(&u.expr, d);
                match u.op {
                    UnOp::Not(_) => {
                        if !matches!(ty, Ty::Bool | Ty::Int(_)) {
                            self.cheap = false;
                        }
                        ty
                    }
                    UnOp::Neg(_) => {
                        let literal = matches!(unparenthesised(&u.expr), Expr::Lit(_));
                        if !(literal || matches!(ty, Ty::Float(_))) {
                            self.cheap = false;
                        }
                        ty
                    }
                    _ => self.costly(),
                }
            }
            Expr::Binary(b) => self.binary(b, d),
            Expr::Cast(c) => {
                let from = self.expr(&c.expr, d);
                self.cheap &= from.is_primitive();
                Ty::of(&parameter_kind(&c.ty))
            }
            Expr::Macro(m) => self.macro_call(&m.mac, d),
            Expr::Reference(r) => {
                self.expr(&r.expr, d);
                if r.mutability.is_some() {
                    self.refuse(e, "a filter cannot change anything, so `&mut` has no use in it", d);
                }
                self.costly()
            }
            Expr::Index(i) => {
                self.expr(&i.expr, d);
                self.expr(&i.index, d);
                self.costly()
            }
            Expr::Tuple(t) => {
                t.elems.iter().for_each(|x| _ = self.expr(x, d));
                self.costly()
            }
            Expr::Array(a) => {
                a.elems.iter().for_each(|x| _ = self.expr(x, d));
                self.costly()
            }
            Expr::Range(r) => {
                [&r.start, &r.end].into_iter().flatten().for_each(|x| _ = self.expr(x, d));
                self.costly()
            }
            Expr::Repeat(r) => {
                self.expr(&r.expr, d);
                self.costly()
            }
            Expr::Struct(s) => {
                s.fields.iter().for_each(|f| _ = self.expr(&f.expr, d));
                self.costly()
            }
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Let(_) => self.block_like(e, d),
            Expr::Closure(c) => self.closure(c, d),
            Expr::Assign(_) => self.refuse(e, "a filter cannot assign: it only looks at events", d),
            Expr::Return(_) => self.refuse(e, "`return` has no meaning in a filter", d),
            Expr::Try(_) => {
                self.refuse(e, "`?` has no meaning in a filter: there is nothing to return from", d)
            }
            Expr::Await(_) | Expr::Async(_) => self.refuse(e, "a filter cannot wait", d),
            Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::Break(_) | Expr::Continue(_) => {
                self.refuse(e, "a filter cannot loop", d)
            }
            Expr::Unsafe(_) => self.refuse(e, "`unsafe` is not allowed in a filter", d),
            Expr::Yield(_) | Expr::Const(_) | Expr::TryBlock(_) => {
                self.refuse(e, "this has no meaning in a filter", d)
            }
            _ => self.costly(),
        }
    }

    fn costly(&mut self) -> Ty {
        self.cheap = false;
        Ty::Unknown
    }

    fn refuse(&mut self, at: &Expr, message: &str, d: &mut Diagnostics) -> Ty {
        d.error(Code::Impure, Loc::of(at), message)
            .help("a filter is a condition over attributes; put anything longer into a function and call it");
        Ty::Unknown
    }

    /// A name on its own.
    fn name(&mut self, name: &Ident, d: &mut Diagnostics) -> Ty {
        if self.locals.iter().any(|l| name == l) {
            return self.costly();
        }
        if let Some(i) = self.scope.names.parameters.iter().position(|p| p.name == *name) {
            self.parameters.insert(i);
            let ty = parameter(self.scope, i);
            self.cheap &= ty.is_primitive();
            return ty;
        }
        if self.scope.names.find(name).is_some() {
            d.error(
                Code::WholeVariable,
                name.span(),
                format!("`{name}` is a variable, and a filter reads its attributes"),
            )
            .note("an event is not kept whole: a machine keeps the attributes that it needs")
            .help(format!("write `{name}.attribute`, `{name}.position()` or `{name}.time()`"));
            return Ty::Unknown;
        }
        if is_constant(name) {
            return Ty::Constant;
        }
        self.unknown(name, d);
        Ty::Unknown
    }

    fn unknown(&self, name: &Ident, d: &mut Diagnostics) {
        let n = &self.scope.names;
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
    fn attribute(&mut self, name: &Ident, attribute: &Ident, value: bool, d: &mut Diagnostics) -> Option<Ty> {
        if self.locals.iter().any(|l| name == l)
            || self.scope.names.parameters.iter().any(|p| p.name == *name)
        {
            return None;
        }
        let Some(read) = self.variable(name, d) else {
            if self.scope.names.find(name).is_some() || !is_constant(name) || name.to_string().len() == 1 {
                return Some(Ty::Unknown);
            }
            return None;
        };
        let atom = self.reads[read].atom;
        let ty = self.scope.names.atoms[atom.0].ty;
        let event = &self.scope.names.schema.types[ty.0];
        let Some(i) = event.attributes.iter().position(|a| a.name == *attribute) else {
            let all: Vec<String> = event.attributes.iter().map(|a| a.name.to_string()).collect();
            let others: Vec<String> = self
                .scope
                .names
                .schema
                .types
                .iter()
                .filter(|t| t.attributes.iter().any(|a| a.name == *attribute))
                .map(|t| t.name.to_string())
                .collect();
            let e = d.error(
                Code::UnknownAttribute,
                attribute.span(),
                format!("the event type `{}` has no attribute `{attribute}`", event.name),
            );
            if !others.is_empty() {
                e.note(format!("{} has one", list(others.iter().map(String::as_str))));
            }
            match nearest(&attribute.to_string(), all.iter().map(String::as_str)) {
                Some(near) => e.help(format!("did you mean `{near}`?")),
                None => e.help(format!("its attributes: {}", list(all.iter().map(String::as_str)))),
            };
            return Some(Ty::Unknown);
        };
        let id = AttributeId(i);
        let entry = &mut self.reads[read];
        if !entry.attributes.iter().any(|(a, _)| *a == id) {
            entry.attributes.push((id, Loc { first: name.span(), last: attribute.span() }));
        }
        if value && event.attributes[i].nullable && !self.opened.contains(&(read, id)) {
            self.opened.push((read, id));
        }
        Some(known(self.scope, atom, i))
    }

    /// The read of a variable, or `None` with (for something that is a variable, or looks like one) an error.
    fn variable(&mut self, name: &Ident, d: &mut Diagnostics) -> Option<usize> {
        if self.closures > 0 && self.scope.names.find(name).is_some() {
            d.error(
                Code::Impure,
                name.span(),
                format!("a closure in a filter cannot capture the variable `{name}`"),
            )
            .note("each variable is one argument of the condition, and a closure would hide when it is read")
            .help("write the condition without a closure, or put it into a function that takes both values");
            return None;
        }
        let Some(v) = self.scope.names.find(name) else {
            if !is_constant(name) || name.to_string().len() == 1 {
                self.unknown(name, d);
            }
            return None;
        };
        let atoms = self.scope.atoms_of(v.0);
        match atoms[..] {
            [] => {
                d.error(Code::NotBound, name.span(), format!("`{name}` is not bound here"))
                    .note(format!("a filter sees the variables of the formula it follows and those to its left; `{name}` is bound further right"))
                    .help(format!("move the condition behind the part that binds `{name}`"));
                None
            }
            [atom] => {
                let at = self.reads.iter().position(|r| r.name == *name);
                Some(at.unwrap_or_else(|| {
                    self.reads.push(Read { name: name.clone(), atom, attributes: Vec::new(), time: false });
                    self.reads.len() - 1
                }))
            }
            _ => {
                d.error(
                    Code::NotSupported,
                    name.span(),
                    format!(
                        "`{name}` holds {} events here, which is not supported yet in a filter",
                        atoms.len()
                    ),
                )
                .help(format!("name each of them: `{name} as a ; {name} as b`"));
                None
            }
        }
    }

    fn method(&mut self, m: &syn::ExprMethodCall, d: &mut Diagnostics) -> Ty {
        let option = ON_OPTION.iter().any(|n| m.method == n);
        // `x.position()`, `x.time()`
        if let Some(name) = bare(&m.receiver)
            && self.scope.names.find(name).is_some()
            && !self.locals.iter().any(|l| name == l)
        {
            return self.own_method(name, m, d);
        }
        let mut ty = Ty::Unknown;
        if let (true, Expr::Field(f)) = (option, &*m.receiver)
            && let (Some(name), Member::Named(attribute)) = (bare(&f.base), &f.member)
            && let Some(known) = self.attribute(name, attribute, false, d)
        {
            ty = known;
        } else {
            self.expr(&m.receiver, d);
        }
        for a in &m.args {
            self.expr(a, d);
        }
        if option && m.args.is_empty() {
            return Ty::Bool;
        }
        self.cheap = false;
        match &*m.method.to_string() {
            "unwrap_or" => ty,
            "is_some_and" | "is_empty" | "starts_with" | "ends_with" | "contains" | "is_nan"
            | "is_finite" => Ty::Bool,
            _ => Ty::Unknown,
        }
    }

    fn own_method(&mut self, name: &Ident, m: &syn::ExprMethodCall, d: &mut Diagnostics) -> Ty {
        let Some(read) = self.variable(name, d) else { return Ty::Unknown };
        if m.method == "position" && m.args.is_empty() {
            return Ty::of(&primitive("u64").unwrap_or(crate::schema::Kind::Opaque));
        }
        let atom = self.reads[read].atom;
        let event = &self.scope.names.schema.types[self.scope.names.atoms[atom.0].ty.0];
        if m.method == "time" && m.args.is_empty() {
            if let Some(i) = event.attributes.iter().position(|a| a.time.is_some()) {
                let at = AttributeId(i);
                let entry = &mut self.reads[read];
                entry.time = true;
                if !entry.attributes.iter().any(|(a, _)| *a == at) {
                    entry.attributes.push((at, Loc { first: name.span(), last: m.method.span() }));
                }
                return known(self.scope, atom, i);
            }
            d.error(Code::NoClock, m.method.span(), format!("the event type `{}` has no time", event.name))
                .help("mark the attribute that carries the timestamp: `#[event(time)]`");
            return Ty::Unknown;
        }
        d.error(
            Code::UnknownAttribute,
            m.method.span(),
            format!("a variable has no method `{}`", m.method),
        )
        .help(format!("a variable has `{name}.position()` and `{name}.time()`; attributes are read without parentheses"));
        Ty::Unknown
    }

    fn call(&mut self, c: &syn::ExprCall, d: &mut Diagnostics) -> Ty {
        if let Some(ty) = self.of_iteration(c, d) {
            return ty;
        }
        if let (Some(f), [argument]) = (single(&c.func), &c.args.iter().collect::<Vec<_>>()[..])
            && AGGREGATES.iter().any(|a| f == a)
            && self.is_of_variable(argument)
        {
            d.error(Code::NotSupported, f.span(), format!("the aggregate `{f}` is not supported yet"))
                .help("compare the attributes of single events");
            return Ty::Unknown;
        }
        if single(&c.func).is_none() {
            self.expr(&c.func, d);
        }
        for a in &c.args {
            self.expr(a, d);
        }
        self.costly()
    }

    /// `prev(b)`, `first(b)`, `last(b)`: nothing is iterated yet, so all three are out of place.
    fn of_iteration(&mut self, c: &syn::ExprCall, d: &mut Diagnostics) -> Option<Ty> {
        let f = single(&c.func)?;
        if !["prev", "first", "last"].iter().any(|n| f == n) || c.args.len() != 1 {
            return None;
        }
        let of = single(c.args.first()?)?;
        self.scope.names.find(of)?;
        let e = d.error(
            Code::NotIterated,
            f.span(),
            format!("`{f}({of})` needs an iteration that binds `{of}`, and `{of}` is bound once"),
        );
        e.help(format!("`{of}` is one event here: read `{of}.attribute`"));
        Some(Ty::Unknown)
    }

    fn is_of_variable(&self, e: &Expr) -> bool {
        let name = match unparenthesised(e) {
            Expr::Field(f) => single(&f.base),
            e => single(e),
        };
        name.is_some_and(|n| self.scope.names.find(n).is_some())
    }

    fn binary(&mut self, b: &syn::ExprBinary, d: &mut Diagnostics) -> Ty {
        if is_assignment(&b.op) {
            return self.refuse(
                &Expr::Binary(b.clone()),
                "a filter cannot assign: it only looks at events",
                d,
            );
        }
        let before = d.list().len();
        let left = self.expr(&b.left, d);
        let right = self.expr(&b.right, d);
        let sound = d.list().len() == before;
        if matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) {
            for (side, ty) in [(&b.left, left), (&b.right, right)] {
                if sound && !ty.may_be_bool() {
                    d.error(
                        Code::NotBoolean,
                        Loc::of(side),
                        format!("expected a condition, found {}", ty.describe()),
                    )
                    .help("compare it with something");
                }
            }
            return Ty::Bool;
        }
        if sound && !is_shift(&b.op) && !left.fits(right) {
            let what = if is_comparison(&b.op) { "compares" } else { "computes with" };
            d.error(
                Code::UnlikeTypes,
                Loc::of(b),
                format!("this {what} {} and {}", left.describe(), right.describe()),
            )
            .help(remedy((&b.left, left), (&b.right, right)));
        }
        let joined = left.join(right);
        if is_comparison(&b.op) {
            // a constant's type is not known, but next to a primitive it can only be that
            self.cheap &= joined.is_primitive() && left != Ty::Unknown && right != Ty::Unknown;
            return Ty::Bool;
        }
        let floats = matches!(joined, Ty::Float(_)) && left != Ty::Unknown && right != Ty::Unknown;
        let bits =
            is_bitwise(&b.op) && matches!((left, right), (Ty::Int(_) | Ty::Bool, Ty::Int(_) | Ty::Bool));
        if !(floats || bits) {
            self.cheap = false;
        }
        if is_shift(&b.op) { left } else { joined }
    }

    fn macro_call(&mut self, mac: &syn::Macro, d: &mut Diagnostics) -> Ty {
        self.cheap = false;
        if mac.path.segments.last().is_none_or(|s| s.ident != "matches") {
            d.error(
                Code::Impure,
                Loc::of(&mac.path),
                format!("the macro `{}!` cannot be used in a filter", super::text(&mac.path)),
            )
            .note("the compiler cannot see which attributes a macro reads")
            .help("`matches!` can; put anything else into a function");
            return Ty::Unknown;
        }
        match mac.parse_body::<Matches>() {
            Ok(m) => {
                self.expr(&m.value, d);
                let n = self.locals.len();
                self.bind(&m.pattern, d);
                if let Some(g) = &m.guard {
                    self.expr(g, d);
                }
                self.locals.truncate(n);
            }
            Err(e) => {
                d.error(Code::Syntax, e.span(), format!("in `matches!`: {e}"))
                    .help("write `matches!(x.kind, Kind::A | Kind::B)`");
            }
        }
        Ty::Bool
    }

    fn closure(&mut self, c: &syn::ExprClosure, d: &mut Diagnostics) -> Ty {
        let n = self.locals.len();
        for p in &c.inputs {
            self.bind(p, d);
        }
        self.closures += 1;
        self.expr(&c.body, d);
        self.closures -= 1;
        self.locals.truncate(n);
        self.costly()
    }

    fn block_like(&mut self, e: &Expr, d: &mut Diagnostics) -> Ty {
        self.cheap = false;
        let n = self.locals.len();
        let mut ty = Ty::Unknown;
        match e {
            Expr::If(i) => {
                self.expr(&i.cond, d);
                ty = self.block(&i.then_branch, d);
                self.locals.truncate(n);
                if let Some((_, other)) = &i.else_branch {
                    self.expr(other, d);
                }
            }
            Expr::Match(m) => {
                self.expr(&m.expr, d);
                for arm in &m.arms {
                    let k = self.locals.len();
                    self.bind(&arm.pat, d);
                    if let Pat::Guard(g) = &arm.pat {
                        self.expr(&g.guard, d);
                    }
                    self.expr(&arm.body, d);
                    self.locals.truncate(k);
                }
            }
            Expr::Block(b) => ty = self.block(&b.block, d),
            Expr::Let(l) => {
                // stays in scope for the branch of its `if`, which cuts the locals off again
                self.expr(&l.expr, d);
                self.bind(&l.pat, d);
                return Ty::Bool;
            }
            _ => {}
        }
        self.locals.truncate(n);
        ty
    }

    fn block(&mut self, block: &syn::Block, d: &mut Diagnostics) -> Ty {
        let n = self.locals.len();
        let mut ty = Ty::Unknown;
        for s in &block.stmts {
            ty = Ty::Unknown;
            match s {
                Stmt::Local(l) => {
                    if let Some(init) = &l.init {
                        self.expr(&init.expr, d);
                        if let Some((_, other)) = &init.diverge {
                            self.expr(other, d);
                        }
                    }
                    self.bind(&l.pat, d);
                }
                Stmt::Expr(e, None) => ty = self.expr(e, d),
                Stmt::Expr(e, Some(_)) => _ = self.expr(e, d),
                Stmt::Macro(m) => ty = self.macro_call(&m.mac, d),
                Stmt::Item(i) => {
                    d.error(Code::Impure, Loc::of(i), "a filter cannot define items")
                        .help("put it in front of the `cep!` call");
                }
            }
        }
        self.locals.truncate(n);
        ty
    }

    /// The names that a Rust pattern binds become locals; one that hides a variable or parameter is an error.
    fn bind(&mut self, pat: &Pat, d: &mut Diagnostics) {
        let mut names = Vec::new();
        bound(pat, &mut names);
        for name in names {
            let n = &self.scope.names;
            if n.find(name).is_some() || n.parameters.iter().any(|p| p.name == *name) {
                d.error(
                    Code::Shadow,
                    name.span(),
                    format!("`{name}` hides a variable or parameter of the pattern"),
                )
                .help("give it another name");
            }
            self.locals.push(name.to_string());
        }
    }
}

/// The names a Rust pattern binds; upper-case ones are constants.
fn bound<'p>(pat: &'p Pat, out: &mut Vec<&'p Ident>) {
    match pat {
        Pat::Ident(i) => {
            if !is_constant(&i.ident) {
                out.push(&i.ident);
            }
            if let Some((_, p)) = &i.subpat {
                bound(p, out);
            }
        }
        Pat::Guard(g) => bound(&g.pat, out),
        Pat::Or(o) => o.cases.iter().for_each(|p| bound(p, out)),
        Pat::Paren(p) => bound(&p.pat, out),
        Pat::Reference(r) => bound(&r.pat, out),
        Pat::Slice(s) => s.elems.iter().for_each(|p| bound(p, out)),
        Pat::Struct(s) => s.fields.iter().for_each(|f| bound(&f.pat, out)),
        Pat::Tuple(t) => t.elems.iter().for_each(|p| bound(p, out)),
        Pat::TupleStruct(t) => t.elems.iter().for_each(|p| bound(p, out)),
        Pat::Type(t) => bound(&t.pat, out),
        _ => {}
    }
}

/// Upper case at the front: a constant, a type or a variant by Rust's conventions, and so never a slip for a variable.
fn is_constant(name: &Ident) -> bool {
    name.to_string().trim_start_matches("r#").starts_with(char::is_uppercase)
}

/// The identifier that an expression consists of.
pub(crate) fn single(e: &Expr) -> Option<&Ident> {
    match unparenthesised(e) {
        Expr::Path(p) if p.qself.is_none() && p.attrs.is_empty() => p.path.get_ident(),
        _ => None,
    }
}

/// The same without looking through parentheses: emission finds `x.attr` as three neighbouring tokens.
fn bare(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) if p.qself.is_none() && p.attrs.is_empty() => p.path.get_ident(),
        _ => None,
    }
}

fn unparenthesised(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => unparenthesised(&p.expr),
        Expr::Group(g) => unparenthesised(&g.expr),
        e => e,
    }
}
