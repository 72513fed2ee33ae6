//! Rust text that drives compiled windows and writes down what they say.
//!
//! What is needed of an item is read from its tokens: its name, what it runs on, and how its records are read.
use crate::format::{Error, wrong};
use cep_oracle::Value;
use cep_windows::predicate::{Member, Output, Reason};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A window item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// The first name after `on`.
    pub on: String,
    /// How its records are read.
    pub kind: Kind,
}

/// How a window's output is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `values`
    Values,
    /// The folds or the parts of a `zip`, each a field of the record.
    Fields(Vec<String>),
    /// A predicate window.
    Predicate {
        /// `agg { … }`
        folds: Vec<String>,
        /// One output holds several elements.
        nesting: bool,
        /// The attributes of the key.
        keys: Vec<String>,
    },
}

/// What a window is told.
#[derive(Clone, Debug)]
pub enum Told<E> {
    /// `push`
    Push(E),
    /// `advance_to`
    Advance(i64),
    /// `heartbeat`
    Heartbeat(i64),
    /// `finish`
    Finish,
}

fn is(t: &TokenTree, word: &str) -> bool {
    t.to_string() == word
}

/// The groups of tokens between commas.
fn parts(g: &Group) -> Vec<Vec<TokenTree>> {
    let mut out = vec![Vec::new()];
    for t in g.stream() {
        if is(&t, ",") {
            out.push(Vec::new());
        } else if let Some(last) = out.last_mut() {
            last.push(t);
        }
    }
    out.retain(|p| !p.is_empty());
    out
}

fn group(tokens: &[TokenTree], after: &str) -> Option<Group> {
    let at = tokens.iter().position(|t| is(t, after))?;
    tokens[at..].iter().find_map(|t| if let TokenTree::Group(g) = t { Some(g.clone()) } else { None })
}

/// The names in front of the colons.
fn names(g: &Group) -> Vec<String> {
    parts(g).iter().filter_map(|p| p.first().map(ToString::to_string)).collect()
}

/// The windows of some items' text, in the order written.
///
/// # Errors
/// Text that has no tokens, or something else than windows.
pub fn items(text: &str) -> Result<Vec<Item>, Error> {
    let tokens: TokenStream = text.parse().map_err(|e| Error(format!("{e}")))?;
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = Vec::new();
    for item in all.split(|t| is(t, ";")).filter(|i| !i.is_empty()) {
        let Some(head) = item.iter().position(|t| is(t, "window")) else { return wrong("no window") };
        let (Some(name), Some(on)) = (item.get(head + 1), item.get(head + 3)) else {
            return wrong("a window without a name");
        };
        let Some(equals) = item.iter().position(|t| is(t, "=")) else { return wrong("a window without `=`") };
        let body = &item[equals + 1..];
        let kind = match body.first().map(ToString::to_string).as_deref() {
            Some("agse") => match group(body, "agg") {
                Some(g) => Kind::Fields(names(&g)),
                None => Kind::Values,
            },
            Some("zip") => {
                let Some(g) = group(body, "zip") else { return wrong("a `zip` without parts") };
                let last = |p: &Vec<TokenTree>| p.last().map(ToString::to_string);
                Kind::Fields(parts(&g).iter().filter_map(last).collect())
            }
            Some("predicate") => parameters(body)?,
            _ => return wrong("an unknown kind of window"),
        };
        out.push(Item { name: name.to_string(), on: on.to_string(), kind });
    }
    Ok(out)
}

fn parameters(body: &[TokenTree]) -> Result<Kind, Error> {
    let Some(TokenTree::Group(g)) = body.get(1) else {
        return wrong("a predicate window without parameters");
    };
    let value = |name: &str| parts(g).into_iter().find(|p| p.first().is_some_and(|t| is(t, name)));
    let keys = match value("partition") {
        None => Vec::new(),
        Some(p) => match p.last() {
            Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis => names(g),
            other => other.map(ToString::to_string).into_iter().collect(),
        },
    };
    let nesting = value("nesting").is_some_and(|p| p.last().is_some_and(|t| is(t, "true")));
    Ok(Kind::Predicate { folds: group(body, "agg").map_or(vec![], |g| names(&g)), nesting, keys })
}

/// The chain of items that ends with the one observed.
///
/// # Errors
/// There is none of that name.
pub fn chain(items: &[Item], observe: Option<&str>) -> Result<Vec<Item>, Error> {
    let last = match observe {
        Some(name) => items.iter().find(|i| i.name == name),
        None => items.last(),
    };
    let Some(last) = last else { return wrong("no window to observe") };
    let mut out = vec![last.clone()];
    while let Some(before) = items.iter().find(|i| i.name == out[0].on) {
        out.insert(0, before.clone());
    }
    Ok(out)
}

/// A block that tells a chain of AGSE windows everything that `told` holds (`(entry, Told<E>)`) and gives a
/// `WindowAnswer`.
#[must_use]
pub fn agse(chain: &[Item]) -> String {
    let (mut new, mut open, mut close) = (String::new(), String::new(), String::new());
    let mut from = "&event".to_owned();
    for (i, item) in chain.iter().enumerate() {
        new += &format!("let mut w{i} = {}::new();\n", item.name);
        open += &format!("let mut i{i} = w{i}.push({from});\nwhile let Some(r{i}) = i{i}.next() {{\n");
        close += "}\n";
        from = format!("&r{i}");
    }
    let (last, r) = (&chain[chain.len() - 1], format!("r{}", chain.len() - 1));
    let (values, element) = match &last.kind {
        Kind::Fields(names) => {
            let list: Vec<String> =
                names.iter().map(|n| format!("::cep_vectors::Held::elements(&{r}.{n})")).collect();
            (format!("[{}].concat()", list.join(", ")), "None".to_owned())
        }
        _ => (
            format!("::cep_vectors::Held::elements(&{r}.values)"),
            format!("Some(::cep_vectors::held::name_of(&{r}.values))"),
        ),
    };
    let name = &last.name;
    format!(
        "{{
{new}let mut answer = ::cep_vectors::WindowAnswer {{
    constants: ({name}::ORIGIN as u64, {name}::TAIL as u64, {name}::WIDTH as u64),
    interval: ({name}::INTERVAL.0 as i128, {name}::INTERVAL.1 as i128),
    ..::std::default::Default::default()
}};
for (entry, told) in told {{
    let ::cep_vectors::drive::Told::Push(event) = told else {{ continue }};
    {open}answer.element = {element};
    let emit_at = {r}.emit_at();
    answer.records.push(::cep_vectors::Found {{
        index: {r}.index() as u64,
        values: {values},
        emit_at: (emit_at.0 as i128, emit_at.1 as i128),
        at: entry,
    }});
    {close}}}
answer
}}"
    )
}

/// An output, from what a compiled window says of it.
#[must_use]
pub fn output(
    (port, entry): (u32, usize),
    (start, end): (i128, Option<i128>),
    reason: Option<String>,
    members: Vec<(u64, i128)>,
    key: Vec<Value>,
    values: Vec<(&str, Value)>,
) -> Output {
    const ALL: [Reason; 5] =
        [Reason::End, Reason::MaxTime, Reason::Idle, Reason::Heartbeat, Reason::EndOfStream];
    let member = |(position, start): (u64, i128)| Member { position, start, end: end.unwrap_or(start) };
    Output {
        port,
        start,
        end,
        reason: reason.and_then(|name| ALL.into_iter().find(|r| format!("{r:?}") == name)),
        members: members.into_iter().map(member).collect(),
        values: values.into_iter().map(|(name, v)| (name.to_owned(), v)).collect(),
        key,
        at: entry,
    }
}

/// A block that tells a predicate window everything that `told` holds (`(entry, Told<E>)`) and gives a
/// `WindowAnswer`. A second one is only asked for windows.
#[must_use]
pub fn predicate(item: &Item) -> String {
    let Kind::Predicate { folds, nesting, keys } = &item.kind else { return String::new() };
    let held = |o: &str, names: &[String]| {
        let list: Vec<String> =
            names.iter().map(|n| format!("::cep_vectors::Held::value(&{o}.{n})")).collect();
        list.join(", ")
    };
    let one = "(o.end().map(|t| t as i128), o.reason().map(|r| ::std::format!(\"{r:?}\")), \
               ::std::vec![(o.position(), o.start() as i128)], ::std::vec![])";
    let whole = "::std::option::Option::Some(o.end() as i128), ::std::option::Option::Some(::std::format!(\"{:?}\", o.reason()))";
    let given = if !folds.is_empty() {
        let list: Vec<String> =
            folds.iter().map(|n| format!("({n:?}, ::cep_vectors::Held::value(&o.{n}))")).collect();
        format!("({whole}, ::std::vec![], ::std::vec![{}])", list.join(", "))
    } else if *nesting {
        format!("({whole}, o.members().map(|m| (m.position(), m.start() as i128)).collect(), ::std::vec![])")
    } else {
        one.to_owned()
    };
    // a window's key is that of its members
    let of_window = if *nesting && !keys.is_empty() {
        format!("{{ let m = o.members().next().expect(\"a member\"); ::std::vec![{}] }}", held("m", keys))
    } else {
        format!("::std::vec![{}]", held("o", keys))
    };
    let of_element = format!("::std::vec![{}]", held("o", keys));
    let name = &item.name;
    let put = |what: &str, into: &str| {
        let key = if what == one { &of_element } else { &of_window };
        format!(
            "{{ let (end, reason, members, values) = {what}; {into}.push(::cep_vectors::drive::output((o.port() as u32, entry), \
             (o.start() as i128, end), reason, members, {key}, values)); }}"
        )
    };
    let outputs = "outputs.borrow_mut()";
    let (passing, passed) = (put(&given, outputs), put(one, outputs));
    let told = |call: &str, argument: &str| {
        let comma = if argument.is_empty() { "" } else { ", " };
        format!(
            "{{ window.{call}_split({argument}{comma}|o| {passing}, |o| {passed});
                let mut i = other.{call}({argument}); while let Some(o) = i.next() {} }}",
            put(&given, "plain")
        )
    };
    format!(
        "{{
let (mut window, mut other) = ({name}::new(), {name}::new());
let outputs = ::std::cell::RefCell::new(::std::vec::Vec::new());
let (mut plain, mut refused) = (::std::vec::Vec::new(), ::std::vec::Vec::new());
for (entry, told) in told {{
    match told {{
        ::cep_vectors::drive::Told::Push(event) => {{
            let said = window.push_split(&event, |o| {passing}, |o| {passed});
            if let Err(e) = said {{ refused.push((entry, ::std::format!(\"{{e:?}}\"))); }}
            if let Ok(mut i) = other.push(&event) {{ while let Some(o) = i.next() {into_plain} }};
        }}
        ::cep_vectors::drive::Told::Advance(t) => {advance}
        ::cep_vectors::drive::Told::Heartbeat(t) => {heartbeat}
        ::cep_vectors::drive::Told::Finish => {finish}
    }}
}}
::cep_vectors::WindowAnswer {{
    outputs: outputs.into_inner(), plain: Some(plain), refused, ..::std::default::Default::default()
}}
}}",
        into_plain = put(&given, "plain"),
        advance = told("advance_to", "t"),
        heartbeat = told("heartbeat", "t"),
        finish = told("finish", ""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_tokens_say() {
        let text = "window W0 on E::R interval 1/10 s = agse(a) @ (1, 3) agg { newest: last, n: count }; \
            window W1 on W0 = agse(newest) delay 1 @ (2, -2); \
            window Z on E::R = zip(agse(a, b) @ (1, 3) as taps, b as now); \
            window P on E = predicate { start: s, partition: (key, zone), nesting: true } agg { n: count(*) };";
        let all = items(text).expect("windows");
        assert_eq!(all[0].kind, Kind::Fields(vec!["newest".into(), "n".into()]));
        assert_eq!((all[1].on.as_str(), &all[1].kind), ("W0", &Kind::Values));
        assert_eq!(all[2].kind, Kind::Fields(vec!["taps".into(), "now".into()]));
        assert_eq!(
            all[3].kind,
            Kind::Predicate {
                folds: vec!["n".into()],
                nesting: true,
                keys: vec!["key".into(), "zone".into()]
            }
        );
        syn::parse_str::<syn::Block>(&predicate(&all[3])).expect("Rust");
        let names = |c: Vec<Item>| c.into_iter().map(|i| i.name).collect::<Vec<_>>();
        assert_eq!(names(chain(&all[..2], None).expect("a chain")), ["W0", "W1"]);
        assert_eq!(names(chain(&all, Some("W0")).expect("a chain")), ["W0"]);
        syn::parse_str::<syn::Block>(&agse(&all[..2])).expect("Rust");
        assert!(items("pattern P on E = A;").is_err());
    }
}
