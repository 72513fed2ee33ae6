//! The walk over one conjunct: resolves names, infers types, refuses what a filter may not do, and decides what is cheap.
//!
//! The expression is changed on the way where the language has more than Rust: `prev(b)` and aggregates become names of their own, which
//! the generated guard defines, and an aggregate is compared as the widest type of its kind.
use super::filter::Filter;
use super::hints::never_negative;
use super::types::{
    Ty, is_assignment, is_bitwise, is_comparison, is_shift, literal, parameter, parameter_kind, remedy,
};
use super::widen::widen;
use crate::code::code;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::{FoldRead, Read};
use crate::schema::primitive;
use crate::slices::{any, position};
use crate::sorted::Set;
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Member, Pat, Stmt, UnOp};

/// Methods in front of which an attribute is the `Option` itself and not its value.
pub(crate) const ON_OPTION: [&str; 5] = ["is_none", "is_some", "is_some_and", "map_or", "unwrap_or"];

pub(crate) struct Walk<'a> {
    pub(super) filter: &'a Filter<'a>,
    pub(crate) reads: Vec<Read>,
    pub(crate) folds: Vec<FoldRead>,
    pub(crate) parameters: Set<usize>,
    /// Of the disjunct at hand.
    pub(crate) opened: Vec<(usize, usize)>,
    /// Of the disjunct at hand.
    pub(crate) opened_folds: Vec<usize>,
    /// An aggregate at hand is the `Option` itself.
    pub(super) as_option: bool,
    /// It reads an aggregate over its own formula.
    pub(crate) summaries: bool,
    pub(crate) cheap: bool,
    pub(super) locals: Vec<String>,
    pub(super) closures: usize,
    /// The attribute at hand stands for `x.time()`, which no `project` takes away.
    pub(super) timing: bool,
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
    pub(crate) fn new(filter: &'a Filter<'a>) -> Self {
        Walk {
            filter,
            reads: Vec::new(),
            folds: Vec::new(),
            parameters: Set::new(),
            opened: Vec::new(),
            opened_folds: Vec::new(),
            as_option: false,
            summaries: false,
            cheap: true,
            locals: Vec::new(),
            closures: 0,
            timing: false,
        }
    }

    pub(crate) fn expr(&mut self, e: &mut Expr, d: &mut Diagnostics) -> Ty {
        if let Some(ty) = self.fold(e, d) {
            return ty;
        }
        match e {
            Expr::Paren(p) => self.expr(&mut p.expr, d),
            Expr::Group(g) => {
                let ty = self.expr(&mut g.expr, d);
                *e = super::hints::grouped(g);
                ty
            }
            Expr::Lit(l) => literal(&l.lit),
            Expr::Path(p) => match p.path.get_ident() {
                Some(name) if p.qself.is_none() => self.name(&name.clone(), d),
                _ => Ty::Constant,
            },
            Expr::Field(_) => {
                super::nested::join(e, self.filter.pass.names.schema);
                let Expr::Field(f) = e else { return Ty::Unknown };
                if !self.of_iteration(&mut f.base, d) {
                    return Ty::Unknown;
                }
                if let (Some(name), Member::Named(attribute)) = (bare(&f.base), &f.member)
                    && let Some(ty) = self.attribute(name, attribute, true, d)
                {
                    return ty;
                }
                self.expr(&mut f.base, d);
                self.costly()
            }
            Expr::MethodCall(_) => self.method(e, d),
            Expr::Call(c) if self.whole_of_iteration(c, d) => Ty::Unknown,
            Expr::Call(c) => {
                match single(&c.func) {
                    // a parameter may be a function; any other name is rustc's business
                    Some(f) if !self.is_parameter(f) => {}
                    _ => _ = self.expr(&mut c.func, d),
                }
                self.all(&mut c.args, d);
                self.costly()
            }
            Expr::Unary(u) => {
                let ty = self.expr(&mut u.expr, d);
                let literal = matches!(unparenthesised(&u.expr), Expr::Lit(_));
                match u.op {
                    UnOp::Not(_) => self.cheap &= matches!(ty, Ty::Bool | Ty::Int(_)),
                    UnOp::Neg(_) => self.cheap &= literal || matches!(ty, Ty::Float(_)),
                    _ => return self.costly(),
                }
                ty
            }
            Expr::Binary(b) => self.binary(b, d),
            Expr::Cast(c) => {
                let from = self.expr(&mut c.expr, d);
                self.cheap &= from.is_primitive();
                Ty::of(&parameter_kind(&c.ty))
            }
            Expr::Macro(m) => self.macro_call(&mut m.mac, d),
            Expr::Reference(r) => {
                self.expr(&mut r.expr, d);
                if r.mutability.is_some() {
                    return self.refuse(
                        Loc::of(&*r),
                        "a filter cannot change anything, so `&mut` has no use in it",
                        d,
                    );
                }
                self.costly()
            }
            Expr::Index(i) => {
                self.expr(&mut i.expr, d);
                self.expr(&mut i.index, d);
                self.costly()
            }
            Expr::Tuple(t) => {
                self.all(&mut t.elems, d);
                self.costly()
            }
            Expr::Array(a) => {
                self.all(&mut a.elems, d);
                self.costly()
            }
            Expr::Range(r) => {
                if let Some(start) = &mut r.start {
                    self.expr(start, d);
                }
                if let Some(end) = &mut r.end {
                    self.expr(end, d);
                }
                self.costly()
            }
            Expr::Repeat(r) => {
                self.expr(&mut r.expr, d);
                self.costly()
            }
            Expr::Struct(s) => {
                for i in 0..s.fields.len() {
                    self.expr(&mut s.fields[i].expr, d);
                }
                self.costly()
            }
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Let(_) => self.block_like(e, d),
            Expr::Closure(c) => self.closure(c, d),
            _ => self.refused(e, d),
        }
    }

    fn all(&mut self, list: &mut Punctuated<Expr, syn::Token![,]>, d: &mut Diagnostics) {
        for i in 0..list.len() {
            self.expr(&mut list[i], d);
        }
    }

    /// What a filter may not do.
    fn refused(&mut self, e: &Expr, d: &mut Diagnostics) -> Ty {
        let why = match e {
            Expr::Assign(_) => "a filter cannot assign: it only looks at events",
            Expr::Return(_) => "`return` has no meaning in a filter",
            Expr::Try(_) => "`?` has no meaning in a filter: there is nothing to return from",
            Expr::Await(_) | Expr::Async(_) => "a filter cannot wait",
            Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::Break(_) | Expr::Continue(_) => {
                "a filter cannot loop"
            }
            Expr::Unsafe(_) => "`unsafe` is not allowed in a filter",
            Expr::Yield(_) | Expr::Const(_) | Expr::TryBlock(_) => "this has no meaning in a filter",
            _ => return self.costly(),
        };
        self.refuse(Loc::of(e), why, d)
    }

    pub(super) fn costly(&mut self) -> Ty {
        self.cheap = false;
        Ty::Unknown
    }

    fn refuse(&mut self, at: Loc, message: &str, d: &mut Diagnostics) -> Ty {
        d.error(Code::Impure, at, message)
            .help("a filter is a condition over attributes; put anything longer into a function and call it");
        Ty::Unknown
    }

    fn is_parameter(&self, name: &Ident) -> bool {
        any(self.filter.pass.names.parameters, |p| p.name == *name)
    }

    /// A name on its own.
    fn name(&mut self, name: &Ident, d: &mut Diagnostics) -> Ty {
        if any(&self.locals, |l| name == l) {
            return self.costly();
        }
        let names = self.filter.pass.names;
        if let Some(i) = position(names.parameters, |p| p.name == *name) {
            self.parameters.insert(i);
            let ty = parameter(&names.parameters[i]);
            self.cheap &= ty.is_primitive();
            return ty;
        }
        if names.find(name).is_some() || any(&self.reads, |r| r.name == *name) {
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

    fn method(&mut self, e: &mut Expr, d: &mut Diagnostics) -> Ty {
        let Expr::MethodCall(m) = e else { return Ty::Unknown };
        super::nested::join(&mut m.receiver, self.filter.pass.names.schema);
        if !self.of_iteration(&mut m.receiver, d) {
            return Ty::Unknown;
        }
        let option = any(&ON_OPTION, |n| m.method == n);
        // `x.position()`, `x.time()`
        if let Some(name) = bare(&m.receiver)
            && (self.filter.pass.names.find(name).is_some() || any(&self.reads, |r| r.name == *name))
            && !any(&self.locals, |l| name == l)
        {
            let name = name.clone();
            return self.own_method(&name, e, d);
        }
        let mut known = None;
        if let (true, Expr::Field(f)) = (option, &mut *m.receiver) {
            if !self.of_iteration(&mut f.base, d) {
                return Ty::Unknown;
            }
            if let (Some(name), Member::Named(attribute)) = (bare(&f.base), &f.member) {
                known = self.attribute(name, attribute, false, d);
            }
        }
        let written = option.then(|| m.receiver.clone());
        let ty = match known {
            Some(known) => known,
            None => {
                self.as_option = option && matches!(*m.receiver, Expr::Call(_));
                let ty = self.expr(&mut m.receiver, d);
                self.as_option = false;
                ty
            }
        };
        if self.misused_option(m, written.as_deref(), ty, d) {
            return Ty::Unknown;
        }
        self.all(&mut m.args, d);
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

    fn own_method(&mut self, name: &Ident, e: &mut Expr, d: &mut Diagnostics) -> Ty {
        let Expr::MethodCall(m) = &*e else { return Ty::Unknown };
        let Some(read) = self.variable(name, d) else { return Ty::Unknown };
        if m.method == "position" && m.args.is_empty() {
            self.reads[read].position = true;
            return primitive("u64").map_or(Ty::Unknown, |k| Ty::of(&k));
        }
        if m.method == "time" && m.args.is_empty() {
            let span = m.method.span();
            return match self.time_attribute(read, name, span, d) {
                Some(mut field) => {
                    field.set_span(span);
                    self.timing = true;
                    let ty = self.attribute(name, &field, true, d).unwrap_or(Ty::Unknown);
                    self.timing = false;
                    *e = super::parsed(code!([| name, field] #name.#field));
                    ty
                }
                None => Ty::Unknown,
            };
        }
        // of a match or a window, where it begins and ends
        if (m.method == "start" || m.method == "end") && m.args.is_empty() {
            let field = Ident::new(&format!("__{}", m.method), m.method.span());
            let schema = self.filter.pass.names.schema;
            if any(&schema.types, |t| any(&t.attributes, |a| a.name == field)) {
                let ty = self.attribute(name, &field, true, d).unwrap_or(Ty::Unknown);
                *e = super::parsed(code!([| name, field] #name.#field));
                return ty;
            }
        }
        d.error(
            Code::UnknownAttribute,
            m.method.span(),
            format!("a variable has no method `{}`", m.method),
        )
        .help(format!("a variable has `{name}.position()` and `{name}.time()`; attributes are read without parentheses"));
        Ty::Unknown
    }

    fn binary(&mut self, b: &mut syn::ExprBinary, d: &mut Diagnostics) -> Ty {
        if is_assignment(&b.op) {
            return self.refuse(Loc::of(&*b), "a filter cannot assign: it only looks at events", d);
        }
        let before = d.list().len();
        let (l, r) = (b.left.clone(), b.right.clone());
        let left = self.expr(&mut b.left, d);
        let right = self.expr(&mut b.right, d);
        let sound = d.list().len() == before;
        if matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) {
            for (side, ty) in [(&l, left), (&r, right)] {
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
        if sound && is_comparison(&b.op) && self.compared_option(&l, left, &r, right, d) {
            return Ty::Bool;
        }
        let aggregate = self.is_aggregate(&b.left) || self.is_aggregate(&b.right);
        if sound && is_comparison(&b.op) && !aggregate && never_negative(&l, left, &r, right, d) {
            return Ty::Bool;
        }
        if is_comparison(&b.op) && aggregate && widen(b, left, right) {
            return Ty::Bool;
        }
        if sound && !is_shift(&b.op) && !left.fits(right) {
            let what = if is_comparison(&b.op) { "compares" } else { "computes with" };
            d.error(
                Code::UnlikeTypes,
                Loc { first: Loc::of(&l).first, last: Loc::of(&r).last },
                format!("this {what} {} and {}", left.describe(), right.describe()),
            )
            .help(remedy((&l, left), (&r, right)));
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

    /// An aggregate of this filter, or an attribute of a computed event.
    fn is_aggregate(&self, e: &Expr) -> bool {
        if let Expr::Field(f) = unparenthesised(e) {
            let computed = |n: &Ident| any(&self.reads, |r| r.name == *n && !r.computed.is_empty());
            return bare(&f.base).is_some_and(computed);
        }
        single(e).is_some_and(|n| any(&self.folds, |f| f.name == *n))
    }

    fn macro_call(&mut self, mac: &mut syn::Macro, d: &mut Diagnostics) -> Ty {
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
            Ok(mut m) => {
                let ty = self.expr(&mut m.value, d);
                self.option_pattern(&m.value, ty, &m.pattern, d);
                let n = self.locals.len();
                self.bind(&m.pattern, d);
                if let Some(g) = &mut m.guard {
                    self.expr(g, d);
                }
                self.locals.truncate(n);
                let Matches { value, pattern, guard } = m;
                let guard = guard.map(|g| code!([| g] if #g));
                mac.tokens = code!([| value, pattern, guard] #value, #pattern #guard).tokens();
            }
            Err(e) => {
                d.error(Code::Syntax, e.span(), format!("in `matches!`: {e}"))
                    .help("write `matches!(x.kind, Kind::A | Kind::B)`");
            }
        }
        Ty::Bool
    }

    fn closure(&mut self, c: &mut syn::ExprClosure, d: &mut Diagnostics) -> Ty {
        let n = self.locals.len();
        for i in 0..c.inputs.len() {
            self.bind(&c.inputs[i], d);
        }
        self.closures += 1;
        self.expr(&mut c.body, d);
        self.closures -= 1;
        self.locals.truncate(n);
        self.costly()
    }

    fn block_like(&mut self, e: &mut Expr, d: &mut Diagnostics) -> Ty {
        self.cheap = false;
        let n = self.locals.len();
        let mut ty = Ty::Unknown;
        match e {
            Expr::If(i) => {
                self.expr(&mut i.cond, d);
                ty = self.block(&mut i.then_branch, d);
                self.locals.truncate(n);
                if let Some((_, other)) = &mut i.else_branch {
                    self.expr(other, d);
                }
            }
            Expr::Match(m) => {
                self.expr(&mut m.expr, d);
                for arm in &mut m.arms {
                    let k = self.locals.len();
                    self.bind(&arm.pat, d);
                    if let Pat::Guard(g) = &mut arm.pat {
                        self.expr(&mut g.guard, d);
                    }
                    self.expr(&mut arm.body, d);
                    self.locals.truncate(k);
                }
            }
            Expr::Block(b) => ty = self.block(&mut b.block, d),
            Expr::Let(l) => {
                // stays in scope for the branch of its `if`, which cuts the locals off again
                let ty = self.expr(&mut l.expr, d);
                self.option_pattern(&l.expr, ty, &l.pat, d);
                self.bind(&l.pat, d);
                return Ty::Bool;
            }
            _ => {}
        }
        self.locals.truncate(n);
        ty
    }

    fn block(&mut self, block: &mut syn::Block, d: &mut Diagnostics) -> Ty {
        let n = self.locals.len();
        let mut ty = Ty::Unknown;
        for s in &mut block.stmts {
            ty = Ty::Unknown;
            match s {
                Stmt::Local(l) => {
                    if let Some(init) = &mut l.init {
                        self.expr(&mut init.expr, d);
                        if let Some((_, other)) = &mut init.diverge {
                            self.expr(other, d);
                        }
                    }
                    self.bind(&l.pat, d);
                }
                Stmt::Expr(e, None) => ty = self.expr(e, d),
                Stmt::Expr(e, Some(_)) => _ = self.expr(e, d),
                Stmt::Macro(m) => ty = self.macro_call(&mut m.mac, d),
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
        for &name in &names {
            let n = self.filter.pass.names;
            if n.find(name).is_some() || any(n.parameters, |p| p.name == *name) {
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
        Pat::Or(o) => bound_in(&o.cases, out),
        Pat::Paren(p) => bound(&p.pat, out),
        Pat::Reference(r) => bound(&r.pat, out),
        Pat::Slice(s) => bound_in(&s.elems, out),
        Pat::Struct(s) => {
            for i in 0..s.fields.len() {
                bound(&s.fields[i].pat, out);
            }
        }
        Pat::Tuple(t) => bound_in(&t.elems, out),
        Pat::TupleStruct(t) => bound_in(&t.elems, out),
        Pat::Type(t) => bound(&t.pat, out),
        _ => {}
    }
}

fn bound_in<'p, P>(list: &'p Punctuated<Pat, P>, out: &mut Vec<&'p Ident>) {
    for i in 0..list.len() {
        bound(&list[i], out);
    }
}

/// Upper case at the front: a constant, a type or a variant by Rust's conventions, and so never a slip for a variable.
pub(super) fn is_constant(name: &Ident) -> bool {
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
pub(super) fn bare(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) if p.qself.is_none() && p.attrs.is_empty() => p.path.get_ident(),
        _ => None,
    }
}

pub(super) fn unparenthesised(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => unparenthesised(&p.expr),
        Expr::Group(g) => unparenthesised(&g.expr),
        e => e,
    }
}
