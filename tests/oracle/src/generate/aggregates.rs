//! Patterns with aggregates: of events and of computed events, filtered, under iterations, in branches and in optional parts;
//! `project`, inner `select`, `summarize`.
use super::{Case, Config, Random, Shape, streams};
use crate::aggregate::Aggregate;
use crate::model::{AttrDecl, Declaration, Ty, TypeDecl};
use std::collections::BTreeMap;

/// A variable that can be aggregated.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    /// Its attributes; those of events are the declaration's.
    fields: Vec<(String, Ty, bool)>,
    /// It may hold several events.
    many: bool,
    /// It may hold none.
    optional: bool,
    computed: bool,
}

/// A part of a formula.
#[derive(Clone, Debug)]
struct Part {
    text: String,
    vars: Vec<Var>,
    least: usize,
    /// It is a single operand, so that a suffix belongs to it.
    closed: bool,
}

pub(super) fn case(r: &mut Random, config: &Config) -> Case {
    let declaration = declaration(r);
    let mut build = Build { declaration: &declaration, shape: Shape::default(), next: 0, types: Vec::new() };
    let nested = r.percent(55);
    let mut whole = build.chain(r, if nested { 1 } else { 2 }, nested);
    if !build.shape.constructs.contains(&"agg") || r.percent(80) {
        build.aggregate(r, &mut whole);
        build.filter(r, &mut whole, 45);
    }
    if r.percent(35) {
        build.later(r, &mut whole);
    }
    if !build.shape.constructs.contains(&"aggregate filter") && r.percent(30) {
        build.short(r, &mut whole);
    }
    build.project(r, &mut whole);
    let output = build.output(r, &whole.vars);
    let window = r.between(whole.least.max(2), 9.max(whole.least));
    let item = format!("pattern P on S = {} within {window} events{output};", whole.text);
    let Build { mut shape, types: used, .. } = build;
    shape.atoms = used.len();
    shape.variables = whole.vars.len();
    let streams =
        (0..config.streams).map(|_| streams::stream(r, &declaration, &used, config.events)).collect();
    Case { declaration, item, parameters: BTreeMap::new(), streams, shape, types: used, capacity: None }
}

/// Types with the same attributes.
fn declaration(r: &mut Random) -> Declaration {
    let attr = |name: &str, ty, nullable| AttrDecl { name: name.into(), ty, nullable, time: false };
    let mut attributes = vec![attr("v", Ty::I32, false), attr("n", Ty::I32, true)];
    for (name, ty, nullable) in [
        ("u", Ty::U8, false),
        ("w", Ty::I64, false),
        ("f", Ty::F64, false),
        ("g", Ty::F64, true),
        ("b", Ty::Bool, false),
    ] {
        if r.percent(55) {
            attributes.push(attr(name, ty, nullable));
        }
    }
    let count = r.between(2, 3);
    let named = |n: &&str| TypeDecl { name: (*n).to_owned(), attributes: attributes.clone() };
    Declaration::new(["A", "B", "C"].iter().take(count).map(named).collect())
}

struct Build<'a> {
    declaration: &'a Declaration,
    shape: Shape,
    next: usize,
    /// The types of the atoms so far.
    types: Vec<usize>,
}

impl Build<'_> {
    fn fresh(&mut self, letter: char) -> String {
        self.next += 1;
        format!("{letter}{}", self.next)
    }

    fn note(&mut self, construct: &'static str) {
        self.shape.constructs.push(construct);
    }

    /// An event type, the next in turn most of the time.
    fn ty(&mut self, r: &mut Random) -> String {
        let all = self.declaration.types.len();
        let t = if r.percent(70) { self.types.len() % all } else { r.below(all) };
        self.types.push(t);
        self.declaration.types[t].name.clone()
    }

    fn events(&self, name: String, many: bool) -> Var {
        let of = |a: &AttrDecl| (a.name.clone(), a.ty, a.nullable);
        let fields = self.declaration.types[0].attributes.iter().map(of).collect();
        Var { name, fields, many, optional: false, computed: false }
    }

    /// `A as x`
    fn atom(&mut self, r: &mut Random) -> Part {
        let (ty, x) = (self.ty(r), self.fresh('x'));
        Part { text: format!("{ty} as {x}"), vars: vec![self.events(x, false)], least: 1, closed: true }
    }

    /// `A+ as x` and its like.
    fn iterated(&mut self, r: &mut Random) -> Part {
        let plus = if r.percent(40) { ":+" } else { "+" };
        let (ty, x) = (self.ty(r), self.fresh('x'));
        self.note("iteration");
        let text = match r.below(4) {
            0 | 1 => format!("{ty}{plus} as {x}"),
            2 => format!("({ty} as {x}){plus}"),
            _ => {
                self.note("running");
                self.note("aggregate filter");
                let k = r.between(2, 9);
                let condition = match r.below(4) {
                    0 => format!("sum({x}.v) <= {k}"),
                    1 => format!("count({x}) <= {}", r.between(1, 4)),
                    2 => format!("max({x}.v) < {}", r.between(2, 5)),
                    _ => format!("sum_some({x}.n) <= {k}"),
                };
                format!("({ty} as {x} filter {condition}){plus}")
            }
        };
        Part { text, vars: vec![self.events(x, true)], least: 1, closed: true }
    }

    /// `(P agg m { … })+`
    fn nested(&mut self, r: &mut Random) -> Part {
        let n = r.between(1, 2);
        let mut inner = self.chain(r, n, false);
        self.aggregate(r, &mut inner);
        self.filter(r, &mut inner, 35);
        self.note("nested agg");
        self.note("iteration");
        let plus = if r.percent(45) { ":+" } else { "+" };
        let select = if r.percent(12) {
            self.note("inner select");
            let made: Vec<String> =
                inner.vars.iter().filter(|v| v.computed).map(|v| v.name.clone()).collect();
            inner.vars.retain(|v| v.computed);
            format!(" select {}", made.join(", "))
        } else {
            String::new()
        };
        inner.text = format!("({}{select}){plus}", inner.text);
        inner.vars.iter_mut().for_each(|v| v.many = true);
        inner.closed = true;
        inner
    }

    /// `A as x agg m { … }` behind a `?`.
    fn optional(&mut self, r: &mut Random) -> Part {
        let mut part = if r.percent(50) { self.iterated(r) } else { self.atom(r) };
        if r.percent(60) {
            self.aggregate(r, &mut part);
        }
        self.note("optional");
        part.text = format!("({})?", part.text);
        part.vars.iter_mut().for_each(|v| v.optional = true);
        (part.least, part.closed) = (0, true);
        part
    }

    /// Two branches that make the same variable.
    fn branches(&mut self, r: &mut Random) -> Part {
        let m = self.fresh('m');
        let mut texts = Vec::new();
        for _ in 0..2 {
            let part = if r.percent(40) { self.iterated(r) } else { self.atom(r) };
            let x = &part.vars[0].name;
            texts.push(format!("({} agg {m} {{ s: sum({x}.v), k: count({x}) }})", part.text));
        }
        self.note("agg");
        self.note("or");
        let fields = vec![("s".to_owned(), Ty::I64, false), ("k".to_owned(), Ty::U64, false)];
        let var = Var { name: m, fields, many: false, optional: false, computed: true };
        Part { text: format!("({})", texts.join(" or ")), vars: vec![var], least: 1, closed: true }
    }

    fn chain(&mut self, r: &mut Random, n: usize, nested: bool) -> Part {
        let n = r.between(n, n + 1);
        let at = r.below(n);
        let mut whole = Part { text: String::new(), vars: vec![], least: 0, closed: false };
        for i in 0..n {
            let part = match r.below(100) {
                _ if nested && i == at => self.nested(r),
                0..=37 => self.atom(r),
                38..=80 => self.iterated(r),
                81..=90 if n > 1 && i > 0 => self.optional(r),
                _ if nested => self.atom(r),
                _ => self.branches(r),
            };
            if !whole.text.is_empty() {
                whole.text += if r.percent(30) { " : " } else { " ; " };
            }
            whole.text += &part.text;
            whole.vars.extend(part.vars);
            whole.least += part.least;
            whole.closed = n == 1 && part.closed;
        }
        // something must be there
        if whole.least == 0 {
            let atom = self.atom(r);
            whole.text += &format!(" ; {}", atom.text);
            whole.vars.extend(atom.vars);
            (whole.least, whole.closed) = (1, false);
        }
        whole
    }

    /// ` agg m { … }` over what the part binds.
    fn aggregate(&mut self, r: &mut Random, part: &mut Part) {
        let m = self.fresh('m');
        let mut fields = Vec::new();
        let mut texts = Vec::new();
        for i in 0..r.between(1, 3) {
            // what was computed first: aggregates of aggregates
            let made: Vec<&Var> = part.vars.iter().filter(|v| v.computed).collect();
            let x = if !made.is_empty() && r.percent(65) { *r.pick(&made) } else { r.pick(&part.vars) };
            let name = format!("f{i}");
            if r.percent(18) {
                texts.push(format!("{name}: count({})", x.name));
                fields.push((name, Ty::U64, false));
                continue;
            }
            let (attribute, ty, nullable) = r.pick(&x.fields);
            let function = function(r, *ty);
            let aggregate = Aggregate::from_name(function).expect("a function");
            let Ok(out) = aggregate.output(*ty) else { continue };
            texts.push(format!("{name}: {function}({}.{attribute})", x.name));
            if *nullable {
                self.shape.constructs.push("null aggregate");
            }
            fields.push((name, out, aggregate.nullable(*nullable, x.optional)));
        }
        if fields.is_empty() {
            texts.push(format!("f0: count({})", part.vars[0].name));
            fields.push(("f0".to_owned(), Ty::U64, false));
        }
        part.text += &format!(" agg {m} {{ {} }}", texts.join(", "));
        part.closed = false;
        part.vars.push(Var { name: m, fields, many: false, optional: false, computed: true });
        self.note("agg");
    }

    /// A condition on the newest computed event.
    fn filter(&mut self, r: &mut Random, part: &mut Part, percent: usize) {
        let made: Vec<&Var> = part.vars.iter().filter(|v| v.computed && !v.many && !v.optional).collect();
        if made.is_empty() || !r.percent(percent) {
            return;
        }
        let m = *r.pick(&made);
        let (field, ty, nullable) = r.pick(&m.fields);
        let x = format!("{}.{field}", m.name);
        let condition = condition(r, &x, *ty, *nullable);
        part.text += &format!(" filter {condition}");
        part.closed = false;
        self.note("aggregate filter");
        self.note("filter");
    }

    /// ` ; C as y filter y.v > m.f`
    fn later(&mut self, r: &mut Random, part: &mut Part) {
        let whole = |ty: &Ty| ty.range().is_some();
        let candidates: Vec<String> = part
            .vars
            .iter()
            .filter(|v| v.computed && !v.many && !v.optional)
            .flat_map(|v| v.fields.iter().filter(|f| whole(&f.1)).map(|f| format!("{}.{}", v.name, f.0)))
            .collect();
        let atom = self.atom(r);
        let y = atom.vars[0].name.clone();
        part.text = if part.closed { part.text.clone() } else { format!("({})", part.text) };
        part.text += &format!(" ; {}", atom.text);
        part.vars.extend(atom.vars);
        part.least += 1;
        part.closed = false;
        if !candidates.is_empty() && r.percent(75) {
            let op = *r.pick(&["<", "<=", ">", ">=", "!="]);
            part.text += &format!(" filter {y}.v {op} {}", r.pick(&candidates));
            self.note("aggregate filter");
            self.note("filter");
        }
    }

    /// `filter sum(x.v) > 3`
    fn short(&mut self, r: &mut Random, part: &mut Part) {
        let events: Vec<&Var> = part.vars.iter().filter(|v| !v.computed && v.many && !v.optional).collect();
        if events.is_empty() {
            return;
        }
        let x = &r.pick(&events).name;
        let k = r.between(1, 6);
        let condition = match r.below(5) {
            0 => format!("sum({x}.v) > {k}"),
            1 => format!("count({x}) <= {k}"),
            2 => format!("sum({x}.n) >= {k}"),
            3 => format!("avg({x}.v) > {k}.5"),
            _ => format!("max({x}.v) - min({x}.v) < {k}"),
        };
        part.text += &format!(" filter {condition}");
        part.closed = false;
        self.note("short form");
        self.note("aggregate filter");
    }

    fn project(&mut self, r: &mut Random, part: &mut Part) {
        if !r.percent(10) {
            return;
        }
        let i = r.below(part.vars.len());
        let v = &mut part.vars[i];
        let keep: Vec<(String, Ty, bool)> = v.fields.iter().filter(|_| r.percent(60)).cloned().collect();
        let keep = if keep.is_empty() { vec![v.fields[0].clone()] } else { keep };
        let names: Vec<&str> = keep.iter().map(|f| f.0.as_str()).collect();
        part.text += &format!(" project {}({})", v.name, names.join(", "));
        v.fields = keep;
        self.note("project");
    }

    /// The output clause, with a blank in front. What may overflow is marked, for `saturating`.
    fn output(&mut self, r: &mut Random, vars: &[Var]) -> String {
        let choice = r.below(100);
        if choice < 22 {
            self.shape.output = "summarize";
            let mut fields = vec!["n: count(*) /*o*/".to_owned()];
            for i in 0..r.between(1, 3) {
                let x = r.pick(vars);
                let numbers: Vec<&(String, Ty, bool)> = x
                    .fields
                    .iter()
                    .filter(|f| f.1 != Ty::Bool && !matches!(f.1, Ty::U128 | Ty::I128))
                    .collect();
                if numbers.is_empty() || r.percent(15) {
                    fields.push(format!("f{i}: count({}) /*o*/", x.name));
                    continue;
                }
                let (attribute, ty, _) = *r.pick(&numbers);
                let function = *r.pick(&["sum", "sum_some", "avg", "min", "max", "max_some"]);
                let mark = if function.starts_with("sum") && ty.range().is_some() { " /*o*/" } else { "" };
                fields.push(format!("f{i}: {function}({}.{attribute}){mark}", x.name));
            }
            self.note("summarize");
            return format!(" summarize {{ {} }}", fields.join(", "));
        }
        self.shape.output = match choice {
            22..=31 => "detect",
            32..=36 => "none",
            37..=62 => "default",
            _ => "select",
        };
        match self.shape.output {
            "detect" => " detect".into(),
            "none" => " select none".into(),
            "default" => String::new(),
            _ => {
                let mut list = Vec::new();
                for v in vars {
                    if v.computed && r.percent(75) || r.percent(45) {
                        let part = v.computed && r.percent(25);
                        let name =
                            if part { format!("{}.{}", v.name, r.pick(&v.fields).0) } else { v.name.clone() };
                        list.push(name);
                    }
                }
                if list.is_empty() {
                    list.push(vars[0].name.clone());
                }
                self.shape.dropped = vars.len() - list.len();
                format!(" select {}", list.join(", "))
            }
        }
    }
}

/// A function that a type has. Of the widest integers nothing is summed.
fn function(r: &mut Random, ty: Ty) -> &'static str {
    let of_flags: &[&'static str] = &["any", "every", "any_some", "every_some", "first", "last"];
    let of_the_widest: &[&'static str] = &["min", "max", "last", "first", "count"];
    let of_numbers: &[&'static str] = &[
        "sum",
        "sum",
        "sum_some",
        "max",
        "min",
        "avg",
        "avg_some",
        "range",
        "first",
        "last",
        "count",
        "count_some",
        "product",
        "var",
        "min_some",
    ];
    let all = match ty {
        Ty::Bool => of_flags,
        Ty::I128 | Ty::U128 => of_the_widest,
        _ => of_numbers,
    };
    all[r.below(all.len())]
}

fn condition(r: &mut Random, x: &str, ty: Ty, nullable: bool) -> String {
    if nullable && r.percent(20) {
        return format!("{x}.{}()", r.pick(&["is_none", "is_some"]));
    }
    let k = r.between(1, 6);
    let text = match ty {
        Ty::Bool => format!("{}{x}", if r.percent(50) { "!" } else { "" }),
        Ty::F32 | Ty::F64 => format!("{x} {} {k}.25", r.pick(&["<", ">"])),
        _ => format!("{x} {} {k}", r.pick(&["<", "<=", ">", ">=", "!=", "=="])),
    };
    if nullable && r.percent(25) { format!("!({text})") } else { text }
}
