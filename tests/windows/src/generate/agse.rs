//! Random AGSE windows: chains, delays, folds, joins; sources of scalars, arrays and `Option`s.
use crate::agse::{Field, Stream, widest};
use crate::rational::Rational;
use cep_oracle::aggregate::Aggregate;
use cep_oracle::generate::Random;
use cep_oracle::{Ty, Value};

/// One window of a chain.
#[derive(Clone, Debug)]
struct Level {
    before: u64,
    k: u64,
    w: i64,
    after: u64,
    folds: Vec<(&'static str, &'static str)>,
}

/// A part of a `zip`.
#[derive(Clone, Debug)]
enum Part {
    Field(usize),
    Window(usize, Level),
}

/// What the items do.
#[derive(Clone, Debug)]
enum Plan {
    /// The fields taken, and the windows over one another.
    Chain(Vec<usize>, Vec<Level>),
    Zip(Box<Join>),
}

/// A join of a source's fields and windows, or of those of a window over one field; and a window over the join.
#[derive(Clone, Debug)]
struct Join {
    over: Option<(usize, Level)>,
    parts: Vec<Part>,
    then: Option<Level>,
}

/// A random chain of windows over the one variant `R` of an enum `E`.
#[derive(Clone, Debug)]
pub struct AgseCase {
    /// The fields of `R`.
    pub fields: Vec<(String, Field)>,
    /// The items, as inside `cep! { … }`.
    pub items: String,
    /// The items' names, in the order of the chain.
    pub names: Vec<String>,
    /// The folds of the last window; without, its records hold `values`.
    pub folds: Vec<&'static str>,
    interval: Rational,
    plan: Plan,
}

impl Level {
    fn run(&self, source: &Stream) -> Stream {
        let window = source.delay(self.before).agse(self.k, self.w).expect("neither is 0").delay(self.after);
        if self.folds.is_empty() {
            return window;
        }
        let folds: Vec<Aggregate> =
            self.folds.iter().map(|(_, f)| Aggregate::from_name(f).expect("a function")).collect();
        window.agg(&folds).expect("numbers")
    }

    fn text(&self, taken: &str) -> String {
        let delay = |n: u64| if n > 0 { format!(" delay {n}") } else { String::new() };
        let folds: Vec<String> = self.folds.iter().map(|(n, f)| format!("{n}: {f}")).collect();
        let agg = if folds.is_empty() { String::new() } else { format!(" agg {{ {} }}", folds.join(", ")) };
        format!("agse{taken}{} @ ({}, {}){}{agg}", delay(self.before), self.k, self.w, delay(self.after))
    }
}

fn level(r: &mut Random, fold: bool) -> Level {
    let delay = |r: &mut Random| if r.percent(15) { r.between(1, 3) as u64 } else { 0 };
    let w = i64::try_from(r.between(1, 7)).unwrap_or(1);
    let mut folds = Vec::new();
    if fold {
        let pool = [
            ("total", "sum_some"),
            ("most", "max_some"),
            ("least", "min"),
            ("mean", "avg_some"),
            ("n", "count_some"),
            ("newest", "last"),
            ("oldest", "first_some"),
            ("span", "range_some"),
            ("whole", "sum"),
            ("var", "var_some"),
        ];
        for f in pool {
            if r.percent(35) {
                folds.push(f);
            }
        }
        if folds.is_empty() {
            folds.push(*r.pick(&pool));
        }
    }
    Level {
        before: delay(r),
        k: r.between(1, 5) as u64,
        w: if r.percent(50) { w } else { -w },
        after: delay(r),
        folds,
    }
}

impl AgseCase {
    /// A random one.
    pub fn new(r: &mut Random) -> AgseCase {
        let fields = fields(r);
        let interval = match r.below(3) {
            0 => Rational::new(r.between(1, 9) as i128, r.between(1, 30) as i128),
            _ => Rational::whole(1),
        };
        let zip = r.percent(25);
        let plan = if zip { zip_of(r, &fields) } else { chain(r, &fields) };
        let head = if interval == Rational::whole(1) {
            String::new()
        } else {
            let (n, d) = interval.parts();
            format!(" interval {n}/{d} s")
        };
        let mut case =
            AgseCase { fields, items: String::new(), names: vec![], folds: vec![], interval, plan };
        case.write(&head);
        if r.percent(15) {
            // of the last one: its text ends with the only `;` that nothing follows
            case.items.truncate(case.items.len() - 2);
            case.items += " storage boxed;\n";
        }
        case
    }

    fn write(&mut self, head: &str) {
        let name = |i: usize| format!("W{i}");
        match &self.plan {
            Plan::Chain(taken, levels) => {
                let mut list: Vec<&str> = taken.iter().map(|i| self.fields[*i].0.as_str()).collect();
                if taken.len() == self.fields.len() {
                    list.clear();
                }
                for (i, l) in levels.iter().enumerate() {
                    let taken = match i.checked_sub(1).map(|b| &levels[b]) {
                        None if list.is_empty() => String::new(),
                        None => format!("({})", list.join(", ")),
                        Some(before) => match before.folds.first() {
                            Some((name, _)) => format!("({name})"),
                            None => "(values)".to_owned(),
                        },
                    };
                    let on = if i == 0 { format!("E::R{head}") } else { name(i - 1) };
                    self.items += &format!("window {} on {on} = {};\n", name(i), l.text(&taken));
                    self.names.push(name(i));
                }
                self.folds = levels.last().map_or(vec![], |l| l.folds.iter().map(|f| f.0).collect());
            }
            Plan::Zip(join) => {
                let mut on = format!("E::R{head}");
                if let Some((field, l)) = &join.over {
                    self.items =
                        format!("window W0 on {on} = {};\n", l.text(&format!("({})", self.fields[*field].0)));
                    self.names.push(name(0));
                    on = name(0);
                }
                let field = |i: usize| if join.over.is_some() { "values" } else { &self.fields[i].0 };
                let part = |(n, p): (usize, &Part)| match p {
                    Part::Field(i) => format!("{} as p{n}", field(*i)),
                    Part::Window(i, l) => format!("{} as p{n}", l.text(&format!("({})", field(*i)))),
                };
                let parts: Vec<String> = join.parts.iter().enumerate().map(part).collect();
                let own = name(self.names.len());
                self.items += &format!("window {own} on {on} = zip({});\n", parts.join(", "));
                self.names.push(own.clone());
                if let Some(l) = &join.then {
                    let all: Vec<String> = (0..parts.len()).map(|n| format!("p{n}")).collect();
                    let next = name(self.names.len());
                    self.items +=
                        &format!("window {next} on {own} = {};\n", l.text(&format!("({})", all.join(", "))));
                    self.names.push(next);
                    self.folds = l.folds.iter().map(|f| f.0).collect();
                }
            }
        }
    }

    /// The body of `enum E`.
    #[must_use]
    pub fn declaration(&self) -> String {
        let field = |(name, f): &(String, Field)| {
            let ty = f.ty.name();
            let ty = if f.elements > 1 { format!("[{ty}; {}]", f.elements) } else { ty.to_owned() };
            let ty = if f.nullable { format!("Option<{ty}>") } else { ty };
            format!("{name}: {ty}")
        };
        format!("R {{ {} }}", self.fields.iter().map(field).collect::<Vec<_>>().join(", "))
    }

    /// Rows for it: per record the flattened elements of all fields.
    #[must_use]
    pub fn rows(&self, r: &mut Random, n: usize) -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        for _ in 0..n {
            let mut row = Vec::new();
            for (_, f) in &self.fields {
                for _ in 0..f.elements {
                    if f.nullable && r.percent(25) {
                        row.push(Value::Null);
                        continue;
                    }
                    let low = if f.ty.range().is_some_and(|(low, _)| low == 0) { 0 } else { 20 };
                    let i = r.below(60) as i128 - low;
                    #[allow(clippy::cast_precision_loss, reason = "small")]
                    row.push(match f.ty {
                        Ty::F32 | Ty::F64 => Value::Float(i as f64 / 4.0),
                        _ => Value::Int(i),
                    });
                }
            }
            rows.push(row);
        }
        rows
    }

    fn source(&self, taken: &[usize], rows: &[Vec<Value>]) -> Stream {
        let fields: Vec<Field> = taken.iter().map(|i| self.fields[*i].1).collect();
        let pick = |row: &Vec<Value>| {
            let mut at = 0;
            let mut out = Vec::new();
            for (i, (_, f)) in self.fields.iter().enumerate() {
                if taken.contains(&i) {
                    out.extend_from_slice(&row[at..at + f.elements]);
                }
                at += f.elements;
            }
            out
        };
        let rows: Vec<Vec<Value>> = rows.iter().map(pick).collect();
        Stream::source(&fields, self.interval, &rows).expect("the generator takes fitting types")
    }

    /// How many intervals the parts of a join have; 1 where there is no join.
    #[must_use]
    pub fn intervals(&self) -> usize {
        let Plan::Zip(join) = &self.plan else { return 1 };
        let elements = |i: usize| match &join.over {
            None => self.fields[i].1.elements as i128,
            Some((_, l)) => i128::from(l.w.abs()),
        };
        let of = |p: &Part| match p {
            Part::Field(_) => (1, 1),
            Part::Window(i, l) => Rational::new(l.k.into(), elements(*i)).parts(),
        };
        join.parts.iter().map(of).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// What the last window makes of rows.
    #[must_use]
    pub fn run(&self, rows: &[Vec<Value>]) -> Stream {
        match &self.plan {
            Plan::Chain(taken, levels) => {
                levels.iter().fold(self.source(taken, rows), |source, l| l.run(&source))
            }
            Plan::Zip(join) => {
                let field = |i: usize| match &join.over {
                    None => self.source(&[i], rows),
                    Some((of, l)) => l.run(&self.source(&[*of], rows)),
                };
                let part = |p: &Part| match p {
                    Part::Field(i) => field(*i),
                    Part::Window(i, l) => l.run(&field(*i)),
                };
                let parts: Vec<Stream> = join.parts.iter().map(part).collect();
                let joined = Stream::zip(&parts).expect("fitting types");
                join.then.as_ref().map_or(joined.clone(), |l| l.run(&joined))
            }
        }
    }
}

fn fields(r: &mut Random) -> Vec<(String, Field)> {
    let ty = *r.pick(&[Ty::I32, Ty::I64, Ty::U8, Ty::F64, Ty::F32, Ty::I16]);
    let narrow: Vec<Ty> =
        [Ty::U8, Ty::I16, Ty::I32, Ty::F32].into_iter().filter(|t| widest(&[*t, ty]) == Some(ty)).collect();
    let n = r.between(1, 3);
    let mut out = Vec::new();
    for name in ["a", "b", "c"].into_iter().take(n) {
        let ty = if out.is_empty() || r.percent(60) { ty } else { *r.pick(&narrow) };
        let elements = if r.percent(20) { r.between(2, 3) } else { 1 };
        out.push((name.to_owned(), Field { ty, nullable: elements == 1 && r.percent(30), elements }));
    }
    out
}

fn chain(r: &mut Random, fields: &[(String, Field)]) -> Plan {
    let mut taken: Vec<usize> = (0..fields.len()).filter(|_| r.percent(70)).collect();
    if taken.is_empty() {
        taken = (0..fields.len()).collect();
    }
    // a chosen list needs a type that holds the rest
    let types: Vec<Ty> = taken.iter().map(|i| fields[*i].1.ty).collect();
    if widest(&types).is_none() {
        taken = (0..fields.len()).collect();
    }
    let n = *r.pick(&[1, 1, 1, 2, 2, 3]);
    let mut levels = Vec::new();
    for i in 0..n {
        let last = i + 1 == n;
        let fold = r.percent(if last { 45 } else { 20 });
        let mut l = level(r, fold);
        if !last {
            // a window over a fold takes one of them
            if !l.folds.is_empty() {
                let pool = [("newest", "last"), ("most", "max_some"), ("least", "min"), ("n", "count_some")];
                l.folds = vec![*r.pick(&pool)];
            }
            l.w = l.w.clamp(-4, 4);
        }
        levels.push(l);
    }
    Plan::Chain(taken, levels)
}

/// Windows and fields of one source: in half of the cases of its own interval (hops of as many elements as a field has), else of any.
fn zip_of(r: &mut Random, fields: &[(String, Field)]) -> Plan {
    let alike = r.percent(50);
    let over = r.percent(25).then(|| (r.below(fields.len()), level(r, false)));
    let mut parts = Vec::new();
    for i in 0..r.between(2, 3) {
        let field = r.below(fields.len());
        if r.percent(40) && i > 0 {
            parts.push(Part::Field(field));
        } else {
            let l = level(r, false);
            let elements = over.as_ref().map_or(fields[field].1.elements as u64, |(_, o)| o.w.unsigned_abs());
            parts.push(Part::Window(field, Level { k: if alike { elements } else { l.k }, ..l }));
        }
    }
    let ty = |p: &Part| match (&over, p) {
        (Some((i, _)), _) | (None, Part::Field(i) | Part::Window(i, _)) => fields[*i].1.ty,
    };
    if widest(&parts.iter().map(ty).collect::<Vec<_>>()).is_none() {
        return chain(r, fields);
    }
    let fold = r.percent(50);
    let then = r.percent(40).then(|| level(r, fold));
    Plan::Zip(Box::new(Join { over, parts, then }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_have_records_and_differ() {
        let mut r = Random::new(5);
        let (mut some, mut zips, mut unlike, mut chains, mut folds) = (0, 0, 0, 0, 0);
        for _ in 0..300 {
            let case = AgseCase::new(&mut r);
            let rows = case.rows(&mut r, 30);
            let stream = case.run(&rows);
            some += usize::from(!stream.records.is_empty());
            if let Some(first) = stream.records.first() {
                assert_eq!(first.index, stream.origin, "{}", case.items);
            }
            zips += usize::from(case.items.contains("zip"));
            unlike += usize::from(case.intervals() > 1);
            chains += usize::from(case.names.len() > 1);
            folds += usize::from(!case.folds.is_empty());
        }
        assert!(some > 260 && chains > 80 && folds > 80, "{some} {chains} {folds}");
        assert!(zips > 40 && unlike > 15, "{zips} {unlike}");
    }
}
