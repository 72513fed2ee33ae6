//! A compact form of the syntax tree: every node in brackets, so that precedence shows.
use cep_compiler::ast::*;
use quote::ToTokens;

pub(crate) fn file(file: &File) -> String {
    file.items.iter().map(item).collect::<Vec<_>>().join("\n")
}

fn item(item: &Item) -> String {
    let p = match item {
        Item::Window(w) => return format!("window {}", w.name),
        Item::Pattern(p) => p,
    };
    let mut out = String::new();
    for a in &p.attributes {
        out += &format!("{} ", tight(a));
    }
    let visibility = tight(&p.visibility);
    if !visibility.is_empty() {
        out += &format!("{visibility} ");
    }
    out += &p.name.to_string();
    if !p.parameters.is_empty() {
        let list = p.parameters.iter().map(|q| format!("{}: {}", q.name, tight(&q.ty)));
        out += &format!("({})", list.collect::<Vec<_>>().join(", "));
    }
    out + &format!(" on {} = {}{}", tight(&p.on.tokens), formula(&p.formula), clauses(&p.clauses))
}

pub(crate) fn formula(f: &Formula) -> String {
    match &f.kind {
        FormulaKind::Type(name) => name.to_string(),
        FormulaKind::As { inner, variable } => format!("[{} as {variable}]", formula(inner)),
        FormulaKind::Sequence { left, gap, right } => format!(
            "[{}{} {} {}]",
            formula(left),
            gap.negations.iter().map(negation).collect::<String>(),
            operator(gap.operator),
            formula(right)
        ),
        FormulaKind::TrailingNot { left, negations } => {
            format!("[{}{}]", formula(left), negations.iter().map(negation).collect::<String>())
        }
        FormulaKind::Or { parts: branches, .. } => format!("[{}]", join(branches, " or ")),
        FormulaKind::Iterate { inner, operator: o, minimum, maximum, .. } => {
            let chained = if *o == Operator::Any { "" } else { operator(*o) };
            let most = maximum.map_or(String::new(), |m| m.to_string());
            format!("[{}{chained}{{{minimum},{most}}}]", formula(inner))
        }
        FormulaKind::All { parts, .. } => format!("all({})", join(parts, ", ")),
        FormulaKind::Without { inner, excluded, .. } => {
            format!("[{} without {}]", formula(inner), formula(excluded))
        }
        FormulaKind::Filter { inner, condition } => {
            format!("[{} filter {}]", formula(inner), tight(&condition.expr))
        }
        FormulaKind::Aggregate { inner, variable, fields: f, .. } => {
            format!("[{} agg {variable} {}]", formula(inner), fields(f))
        }
        FormulaKind::Project { inner, variable, attributes, .. } => {
            let list = attributes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            format!("[{} project {variable}({list})]", formula(inner))
        }
        FormulaKind::Select { inner, variables, .. } => {
            let list = variables.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            format!("[{} select {list}]", formula(inner))
        }
        FormulaKind::Within { inner, bound, .. } => format!("[{} within {}]", formula(inner), within(bound)),
    }
}

fn join(formulas: &[Formula], by: &str) -> String {
    formulas.iter().map(formula).collect::<Vec<_>>().join(by)
}

fn negation(n: &Negation) -> String {
    format!(" {} not {}", operator(n.operator), formula(&n.formula))
}

fn operator(o: Operator) -> &'static str {
    match o {
        Operator::Any => ";",
        Operator::Strict => ":",
        Operator::Next => "->",
    }
}

fn fields(fields: &[Aggregate]) -> String {
    let list = fields.iter().map(|f| format!("{}: {}", f.name, tight(f.call())));
    format!("{{ {} }}", list.collect::<Vec<_>>().join(", "))
}

fn within(w: &Within) -> String {
    match w {
        Within::Events { count, of_partition: false } => format!("{count} events"),
        Within::Events { count, of_partition: true } => format!("{count} events of its partition"),
        Within::Time(amounts) => {
            amounts.iter().map(|(n, u)| format!("{n} {u:?}")).collect::<Vec<_>>().join(" ")
        }
        Within::Of { amount, attribute } => format!("{amount} of {attribute}"),
        Within::Window(name) => format!("window {name}"),
    }
}

fn clauses(c: &Clauses) -> String {
    let mut out = Vec::new();
    if let Some(w) = &c.within {
        out.push(format!("within {}", within(&w.value)));
    }
    if let Some(p) = &c.partition {
        let key = |k: &PartitionKey| match k {
            PartitionKey::Attribute(a) => a.to_string(),
            PartitionKey::PerType(list) => {
                list.iter().map(|(t, a)| format!("{t}.{a}")).collect::<Vec<_>>().join(" = ")
            }
        };
        out.push(format!("by {}", p.value.iter().map(key).collect::<Vec<_>>().join(", ")));
    }
    if let Some(s) = &c.strategy {
        out.push(format!("strategy {}", s.value));
    }
    if let Some(s) = &c.skip {
        out.push(match &s.value {
            Skip::ToNext => "skip to next".into(),
            Skip::PastLast => "skip past last".into(),
            Skip::ToFirst(x) => format!("skip to first {x}"),
            Skip::ToLast(x) => format!("skip to last {x}"),
        });
    }
    if let Some(s) = &c.consume {
        out.push(format!("consume {:?}", s.value));
    }
    if let Some(l) = &c.limit {
        out.push(format!("limit {}", l.value));
    }
    if c.timeouts.is_some() {
        out.push("timeouts".into());
    }
    if let Some(Clause { value: Capacity { events, keys, runs, evict }, .. }) = &c.capacity {
        out.push(format!("capacity {events:?} {keys:?} {runs:?} {evict}"));
    }
    if let Some(s) = &c.storage {
        out.push(format!("storage {:?}", s.value));
    }
    if let Some(o) = &c.output {
        out.push(match &o.value {
            Output::Select(items) => {
                let item = |i: &SelectItem| match &i.attribute {
                    Some(a) => format!("{}.{a}", i.variable),
                    None => i.variable.to_string(),
                };
                format!("select {}", items.iter().map(item).collect::<Vec<_>>().join(", "))
            }
            Output::SelectNone => "select none".into(),
            Output::Detect => "detect".into(),
            Output::Summarize(f) => format!("summarize {}", fields(f)),
        });
    }
    out.iter().map(|c| format!(" | {c}")).collect()
}

/// Tokens without spaces, except between words.
fn tight(tokens: impl ToTokens) -> String {
    let mut out = String::new();
    for c in tokens.to_token_stream().to_string().split_whitespace() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if out.chars().last().is_some_and(word) && c.starts_with(word) {
            out.push(' ');
        }
        out += c;
    }
    out
}
