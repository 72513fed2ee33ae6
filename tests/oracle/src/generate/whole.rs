//! Patterns over the whole language that compiles: neighbours, alternatives, iterations, optional parts, groups, inner `select` and
//! `within`, summaries, windows in time, keys, consumption, limits.
use super::reads::{Bound, Reads, Scope};
use super::{Case, Config, Random, Shape, streams};
use crate::model::{AttrDecl, Declaration, Ty, TypeDecl};
use std::collections::{BTreeMap, BTreeSet};

/// What a pattern's windows are measured on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clock {
    Events,
    /// `#[event(time)]`, in milliseconds.
    Time,
    /// `of clk`
    Of,
}

/// A part of a formula.
struct Part {
    text: String,
    binds: Vec<Bound>,
    nullable: bool,
    /// The fewest events.
    least: usize,
    /// It has more than one event, or may have.
    several: bool,
}

pub(super) fn case(r: &mut Random, config: &Config) -> Case {
    let partition = config.clauses && r.percent(30);
    let (declaration, optional_key) = declaration(r, config, partition);
    let n = if r.percent(8) { 1 } else { r.between(2, config.atoms.max(2)) };
    let types: Vec<usize> = (0..n).map(|_| r.below(declaration.types.len())).collect();
    let clock = match r.below(10) {
        0..=4 => Clock::Events,
        5..=7 => Clock::Time,
        _ => Clock::Of,
    };
    // one event at a time, for machines that keep no more of a key than where its runs began
    let plain = config.full && partition && r.percent(20);
    let quiet = Config { filters: false, ..config.clone() };
    let config = if plain { &quiet } else { config };
    let of_partition = partition && !plain && r.percent(35);
    let mut reads = Reads::new(&declaration, &types);
    // of further atoms that the formula may need
    let spare = *r.pick(&types);
    reads.repeated.insert(spare);
    reads.compare = config.compare;
    let mut build = Build {
        config,
        types,
        reads,
        shape: Shape::default(),
        next: 0,
        left: Vec::new(),
        bodies: Vec::new(),
        clock,
        of_partition,
        spare,
    };
    build.shape.atoms = n;
    let part = build.chain(r, n, 1, false);
    let mut clauses = build.window(r, part.least);
    if of_partition {
        build.shape.constructs.push("of its partition");
    } else if clock != Clock::Events {
        build.shape.constructs.push("time window");
    }
    if partition {
        clauses += &partition_by(r, &declaration, &build.types, optional_key);
        build.shape.constructs.push("partition");
    }
    if config.clauses && r.percent(20) {
        let of = if partition && r.percent(60) { "partition" } else { "any" };
        clauses += &format!(" consume {of}");
        build.shape.constructs.push("consume");
    }
    let output = build.output(r, &part.binds);
    let output = if plain { " detect".to_string() } else { output };
    if plain {
        (build.shape.output, build.shape.dropped) = ("detect", 0);
    }
    if config.clauses && output != " detect" && r.percent(12) {
        clauses += &format!(" limit {}", r.between(1, 3));
        build.shape.constructs.push("limit");
    }
    let capacity: Option<u64> = if clock == Clock::Events && !of_partition {
        None
    } else if config.full && r.percent(50) {
        // one key or two are soon too few
        Some(if of_partition { r.between(1, 3) } else { r.between(2, 5) } as u64)
    } else {
        Some(if of_partition { 16 } else { 64 })
    };
    if let Some(c) = capacity {
        let evict = config.full && r.percent(40);
        // `detect` of conditions on single events needs no more than the number of keys
        let keyed = plain && clock != Clock::Events && r.percent(70);
        let of = if of_partition || keyed { "keys" } else { "events" };
        clauses += &format!(" capacity {c} {of}{}", if evict { " or evict" } else { "" });
        if evict {
            build.shape.constructs.push("evict");
        }
    }
    let Build { types, reads, mut shape, .. } = build;
    let parameters = reads.parameters.clone();
    let list: Vec<String> = parameters.iter().map(|(n, (ty, _))| format!("{n}: {}", ty.name())).collect();
    let list = if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) };
    shape.arities.clone_from(&reads.arities);
    shape.constructs.extend(&reads.constructs);
    let item = format!("pattern P{list} on S = {}{clauses}{output};", part.text);
    let streams =
        (0..config.streams).map(|_| streams::stream(r, &declaration, &types, config.events)).collect();
    Case { declaration, item, parameters, streams, shape, types, capacity }
}

/// Event types with a time, another clock, and some of the same attributes; a key where there is a partition.
fn declaration(r: &mut Random, config: &Config, partition: bool) -> (Declaration, bool) {
    let count = r.between(1, config.types.max(1)).max(r.between(1, config.types.max(1)));
    let attr = |name: &str, ty, nullable, time| AttrDecl { name: name.into(), ty, nullable, time };
    let optional_key = r.percent(30);
    let mut types = Vec::new();
    for name in ["A", "B", "C", "D", "E"].into_iter().take(count) {
        let mut attributes = vec![attr("ts", Ty::I64, false, true), attr("clk", Ty::F64, false, false)];
        if partition {
            attributes.push(attr("k", Ty::U8, optional_key && r.percent(60), false));
            attributes.push(attr("q", Ty::Bool, false, false));
        }
        attributes.push(attr("v", Ty::I32, false, false));
        for (name, ty) in [("w", Ty::I64), ("f", Ty::F64), ("s", Ty::Str), ("b", Ty::Bool)] {
            if r.percent(40) {
                attributes.push(attr(name, ty, false, false));
            }
        }
        if r.percent(60) {
            // an `Option` on some types only
            attributes.push(attr("n", Ty::I32, r.percent(80), false));
        }
        types.push(TypeDecl { name: name.into(), attributes });
    }
    (Declaration::new(types), optional_key)
}

fn partition_by(r: &mut Random, declaration: &Declaration, types: &[usize], optional: bool) -> String {
    if r.percent(25) {
        let used: BTreeSet<usize> = types.iter().copied().collect();
        // one type that no atom has may be left out
        let list: Vec<String> = declaration
            .types
            .iter()
            .enumerate()
            .filter(|(t, _)| used.contains(t) || r.percent(50))
            .map(|(_, t)| format!("{}.k", t.name))
            .collect();
        return format!(" partition by {}", list.join(" = "));
    }
    if !optional && r.percent(25) { " partition by k, q".into() } else { " partition by k".into() }
}

/// A pattern under construction.
struct Build<'a> {
    config: &'a Config,
    types: Vec<usize>,
    reads: Reads<'a>,
    shape: Shape,
    next: usize,
    /// What is bound to the left of the current parentheses.
    left: Vec<Bound>,
    /// For each iteration around, how much of `left` is outside of it.
    bodies: Vec<usize>,
    clock: Clock,
    /// The window of the whole counts the events of each key.
    of_partition: bool,
    spare: usize,
}

impl Build<'_> {
    /// `n` atoms inside the current parentheses.
    fn chain(&mut self, r: &mut Random, n: usize, depth: usize, inside: bool) -> Part {
        self.shape.nesting = self.shape.nesting.max(depth - 1);
        let mut whole =
            Part { text: String::new(), binds: Vec::new(), nullable: true, least: 0, several: false };
        let (mark, mut remaining) = (self.left.len(), n);
        while remaining > 0 {
            let m = if r.percent(65) || depth > 3 { 1 } else { r.between(1, remaining) };
            let m = if inside && m == n && n > 1 { n - 1 } else { m };
            let element = self.element(r, m, depth);
            remaining -= m;
            if whole.text.is_empty() {
                whole = Part { several: element.several, ..element };
            } else {
                whole.text += if self.config.strict && r.percent(25) {
                    self.shape.constructs.push(":");
                    " : "
                } else {
                    self.shape.constructs.push(";");
                    " ; "
                };
                whole.text += &element.text;
                whole.nullable &= element.nullable;
                whole.least += element.least;
                whole.several = true;
                join(&mut whole.binds, element.binds);
            }
            self.left.truncate(mark);
            self.filter(r, &mut whole, if remaining == 0 && depth == 1 { 50 } else { 18 });
            self.left.extend(whole.binds.iter().cloned());
        }
        self.left.truncate(mark);
        // a whole pattern, and for the sake of matches most parts, has an event that must be there
        if depth == 1 && whole.nullable {
            let atom = self.spare;
            let name = self.reads.declaration.types[atom].name.clone();
            whole.text = format!("({}) ; {name}", whole.text);
            self.shape.constructs.push(";");
            (whole.nullable, whole.least, whole.several) = (false, whole.least + 1, true);
            let index = self.next;
            self.next += 1;
            self.types.push(atom);
            join(&mut whole.binds, vec![Bound::of_type(name, index, atom)]);
        }
        whole
    }

    fn filter(&mut self, r: &mut Random, part: &mut Part, percent: usize) {
        if !self.config.filters || !r.percent(percent) {
            return;
        }
        let body = self.bodies.last().copied();
        let scope = Scope { inside: &part.binds, left: &self.left, body };
        if let Some(c) = self.reads.condition(r, &scope) {
            part.text += &format!(" filter {c}");
            self.shape.constructs.push("filter");
        }
    }

    /// Something between two operators, of `m` atoms.
    fn element(&mut self, r: &mut Random, m: usize, depth: usize) -> Part {
        // decided first: what is inside has to know
        // iterations in iterations in iterations have more runs than a test can hold
        let suffix = if self.bodies.len() < 2 && r.percent(38) { self.suffix(r) } else { "" };
        let repeats = matches!(suffix, "+" | "*" | ":+" | ":*");
        let mark = self.left.len();
        if repeats {
            self.bodies.push(mark);
        }
        let mut part = if m == 1 && !r.percent(12) { self.atom(r) } else { self.group(r, m, depth) };
        self.left.truncate(mark);
        if repeats {
            self.bodies.pop();
        }
        if suffix.is_empty() {
            return part;
        }
        let plain = part.text.chars().all(char::is_alphanumeric)
            || (part.text.ends_with(')') && part.text.starts_with('(') && !part.text[1..].contains('('));
        part.text = if plain { format!("{}{suffix}", part.text) } else { format!("({}){suffix}", part.text) };
        part.several |= repeats;
        for b in &mut part.binds {
            b.many |= repeats;
            b.optional |= suffix != "+" && suffix != ":+";
        }
        if suffix.starts_with(['?', '*']) || suffix == ":*" {
            (part.nullable, part.least) = (true, 0);
        }
        if r.percent(25) {
            self.bind(&mut part);
        }
        part
    }

    fn suffix(&mut self, r: &mut Random) -> &'static str {
        let (text, name) = match r.below(10) {
            0..=3 if self.config.iterations => ("+", "iteration"),
            4 if self.config.iterations => ("*", "iteration"),
            5 if self.config.iterations && self.config.strict => (":+", "iteration"),
            6 if self.config.iterations && self.config.strict => (":*", "iteration"),
            _ => ("?", "optional"),
        };
        self.shape.constructs.push(name);
        text
    }

    /// `… as g1`
    fn bind(&mut self, part: &mut Part) {
        let name = format!("g{}", self.shape.variables);
        self.shape.variables += 1;
        self.shape.constructs.push("group as");
        part.text += &format!(" as {name}");
        let atoms: BTreeSet<usize> = part.binds.iter().flat_map(|b| b.atoms.iter().copied()).collect();
        let types = part.binds.iter().flat_map(|b| b.types.iter().copied()).collect();
        let optional = part.nullable || part.least == 0;
        part.binds.push(Bound {
            name,
            atoms,
            types,
            many: part.several,
            optional,
            definite: true,
            named: true,
        });
    }

    fn group(&mut self, r: &mut Random, m: usize, depth: usize) -> Part {
        let alternatives = self.config.or && r.percent(45);
        let mut part = if alternatives {
            self.shape.constructs.push("or");
            let mut branches = Vec::new();
            let mut left = m;
            while left > 0 {
                let n =
                    if branches.is_empty() && left > 1 { r.between(1, left - 1) } else { r.between(1, left) };
                branches.push(self.chain(r, n, depth + 1, false));
                left -= n;
            }
            if branches.len() == 1 {
                // another way with the same type, which may give the same matches
                let ty = self.spare;
                let name = self.reads.declaration.types[ty].name.clone();
                let index = self.next;
                self.next += 1;
                self.types.insert(index, ty);
                branches.push(Part {
                    binds: vec![Bound::of_type(name.clone(), index, ty)],
                    text: name,
                    nullable: false,
                    least: 1,
                    several: false,
                });
            }
            either(branches)
        } else {
            let inner = self.chain(r, m, depth + 1, true);
            Part { text: format!("({}", inner.text), ..inner }
        };
        // `or` has no suffix without parentheses of its own
        if alternatives && (r.percent(40) || part.text.is_empty()) {
            part.text = format!("(({})", &part.text[1..]);
        } else if alternatives {
            part.text += ")";
            return self.named(r, part);
        }
        if self.config.filters && r.percent(25) {
            part.text += &format!(" within {}", self.inner_window(r, part.least));
            self.shape.constructs.push("inner within");
        }
        if r.percent(12) && !part.binds.is_empty() {
            let keep: Vec<String> =
                part.binds.iter().filter(|_| r.percent(60)).map(|b| b.name.clone()).collect();
            let keep = if keep.is_empty() { vec![part.binds[0].name.clone()] } else { keep };
            part.text += &format!(" select {}", keep.join(", "));
            part.binds.retain(|b| keep.contains(&b.name));
            self.shape.constructs.push("inner select");
        }
        part.text += ")";
        self.named(r, part)
    }

    fn named(&mut self, r: &mut Random, mut part: Part) -> Part {
        if r.percent(40) {
            self.bind(&mut part);
            part.text = format!("({})", part.text);
        }
        part
    }

    fn inner_window(&mut self, r: &mut Random, least: usize) -> String {
        match self.clock {
            Clock::Time if r.percent(60) => format!("{} ms", r.between(1, 40)),
            Clock::Of if r.percent(60) => format!("{}.5 of clk", r.between(0, 6)),
            _ => {
                let of = if self.of_partition && r.percent(60) { " of its partition" } else { "" };
                format!("{} events{of}", r.between(least.max(1), 6.max(least + 1)))
            }
        }
    }

    fn window(&mut self, r: &mut Random, least: usize) -> String {
        match self.clock {
            _ if self.of_partition => {
                format!(" within {} events of its partition", r.between(least.max(2), 7.max(least)))
            }
            Clock::Events => format!(" within {} events", r.between(least.max(2), 12.max(least))),
            Clock::Time => format!(" within {} ms", r.between(10, 80)),
            Clock::Of => format!(" within {}.5 of clk", r.between(2, 12)),
        }
    }

    fn atom(&mut self, r: &mut Random) -> Part {
        let index = self.next;
        self.next += 1;
        let ty = self.types[index];
        let name = self.reads.declaration.types[ty].name.clone();
        let mut part = Part {
            text: name.clone(),
            binds: vec![Bound::of_type(name, index, ty)],
            nullable: false,
            least: 1,
            several: false,
        };
        if r.percent(75) {
            let x = format!("x{index}");
            part.text += &format!(" as {x}");
            part.binds.push(Bound { name: x, named: true, ..part.binds[0].clone() });
            self.shape.constructs.push("as");
            self.shape.variables += 1;
        }
        let plain = part.text.len();
        self.filter(r, &mut part, 18);
        if part.text.len() > plain {
            part.text = format!("({})", part.text);
        }
        part
    }

    fn output(&mut self, r: &mut Random, binds: &[Bound]) -> String {
        if self.config.compare {
            self.shape.output = "detect";
            return " detect".into();
        }
        let choice = r.below(100);
        if choice < 35 {
            self.shape.output = "default";
            return String::new();
        }
        if choice < 75 && !binds.is_empty() {
            let (mut list, mut dropped) = (Vec::new(), 0);
            for (i, b) in binds.iter().enumerate() {
                if r.percent(60) || (i + 1 == binds.len() && list.is_empty()) {
                    let alike = self.reads.alike(b);
                    let whole = alike.is_empty() || r.percent(75);
                    list.push(if whole { b.name.clone() } else { format!("{}.{}", b.name, r.pick(&alike)) });
                } else {
                    dropped += 1;
                }
            }
            (self.shape.dropped, self.shape.output) = (dropped, "select");
            return format!(" select {}", list.join(", "));
        }
        self.shape.output = if r.percent(40) { "none" } else { "detect" };
        if self.shape.output == "none" { " select none".into() } else { " detect".into() }
    }
}

/// Both take place.
fn join(binds: &mut Vec<Bound>, more: Vec<Bound>) {
    for b in more {
        match binds.iter_mut().find(|x| x.name == b.name) {
            Some(x) => {
                x.atoms.extend(b.atoms);
                x.many = true;
                x.optional &= b.optional;
                x.definite |= b.definite;
            }
            None => binds.push(b),
        }
    }
}

/// One of them takes place. The text lacks its closing parenthesis.
fn either(branches: Vec<Part>) -> Part {
    let texts: Vec<String> = branches
        .iter()
        .map(|b| {
            if b.text.contains(" filter ") || b.text.contains([';', ':']) {
                format!("({})", b.text)
            } else {
                b.text.clone()
            }
        })
        .collect();
    let n = branches.len();
    let mut found: BTreeMap<String, (Bound, usize)> = BTreeMap::new();
    let mut order = Vec::new();
    for b in branches.iter().flat_map(|b| &b.binds) {
        match found.get_mut(&b.name) {
            Some((x, seen)) => {
                x.atoms.extend(&b.atoms);
                x.many |= b.many;
                x.optional |= b.optional;
                x.definite &= b.definite;
                *seen += 1;
            }
            None => {
                order.push(b.name.clone());
                found.insert(b.name.clone(), (b.clone(), 1));
            }
        }
    }
    let binds = order.iter().map(|name| {
        let (b, seen) = &found[name];
        Bound { optional: b.optional || *seen < n, definite: b.definite && *seen == n, ..b.clone() }
    });
    Part {
        text: format!("({}", texts.join(" or ")),
        binds: binds.collect(),
        nullable: branches.iter().any(|b| b.nullable),
        least: branches.iter().map(|b| b.least).min().unwrap_or(1),
        several: branches.iter().any(|b| b.several),
    }
}
