//! What comes out: the automata of some patterns, the source of two machines, and that it is the same every time.
mod common;

use cep_compiler::{ast::Item, compile, diagnostic::Diagnostics, parse::parse, pattern};
use common::{root, schema};

/// Between them: every kernel, every output, every storage, conditions of all three kinds, several items.
const FIXTURES: &[(&str, &str)] = &[
    ("one_event", "pattern P on Reading = T as a filter a.value > 30.0;"),
    ("detect", "pub pattern P(floor: f64) on Reading = T as a filter a.value > floor ; H ; Idle detect;"),
    (
        "fire_risk",
        "/// Hot, then dry.\npub pattern FireRisk(hottest: f64) on Reading = T as hot filter hot.value > hottest ; H as dry filter dry.value < 25.0 filter hot.id == dry.id within 100 events select hot, dry;",
    ),
    ("joined_detect", "pattern P on Reading = T as a ; H as b filter a.id == b.id within 10 events detect;"),
    (
        "mixed_detect",
        "pattern P on Reading = T as a ; T as b filter b.value > a.value ; H as c filter c.id == b.id : Idle within 100 events storage borrowed detect;",
    ),
    (
        "per_key",
        "pattern P on Reading = T as a ; H : T within 50 events partition by id consume partition detect;",
    ),
    ("interval", "pattern P on Reading = T ; H ; Idle within 10 events select none;"),
    (
        "parts",
        "pattern P on Reading = T as a ; H as b within 10 events storage borrowed select a.id, b.value;",
    ),
    (
        "late",
        "pattern P on Reading = T as a ; (H as b filter f(b.value) || b.note > 3 ; Idle) filter a.position() + 3 < b.position() within 10 events storage boxed;",
    ),
    ("asked_for", "#[cep(kernel = ring)] pattern P on Reading = T as a ; H within 4 events detect;"),
    (
        "two",
        "pattern P on Reading = T; pub(crate) pattern Q(a: u32) on Reading = H as h filter h.id == a detect;",
    ),
    ("broken", "pattern P on Reading = T as a filter a.valu > 1.0; pattern Q on Reading = ;"),
];

fn expansion(source: &str) -> String {
    let output = compile(&root(), &[("Reading".into(), schema())], source.parse().expect("tokens"));
    let tokens = output.tokens;
    let errors = output.diagnostics.into_tokens();
    quote::quote!(#tokens #errors).to_string()
}

#[test]
fn output_is_deterministic() {
    for (name, source) in FIXTURES {
        assert_eq!(expansion(source), expansion(source), "{name}");
    }
}

#[test]
fn fixtures_are_right() {
    for (name, source) in FIXTURES.iter().filter(|f| f.0 != "broken") {
        let output = compile(&root(), &[("Reading".into(), schema())], source.parse().expect("tokens"));
        assert!(output.diagnostics.is_empty(), "{name}: {:?}", output.diagnostics.list());
    }
}

/// DOT and Mermaid, one after the other.
#[test]
fn automata() {
    for (name, source) in
        FIXTURES.iter().filter(|f| ["one_event", "detect", "fire_risk", "late"].contains(&f.0))
    {
        let mut diagnostics = Diagnostics::default();
        let file = parse(source.parse().expect("tokens"), &mut diagnostics);
        let Some(Item::Pattern(p)) = file.items.first() else { panic!("{name} is a pattern") };
        let compiled = pattern(p, &[("Reading".into(), schema())], &file, &mut diagnostics);
        let Some(c) = compiled else { panic!("{name}: {:?}", diagnostics.list()) };
        let text = format!("{}\n{}", c.rma.to_dot(&c.pattern), c.rma.to_mermaid(&c.pattern));
        insta::assert_snapshot!(format!("{name}_automaton"), text);
    }
}

#[test]
fn expansions() {
    for (name, source) in
        FIXTURES.iter().filter(|f| ["detect", "fire_risk", "mixed_detect", "per_key"].contains(&f.0))
    {
        // the tokens' own text: spans play no part
        let file = syn::parse_file(&expansion(source));
        let file = file.unwrap_or_else(|e| panic!("{name}: {e}"));
        insta::assert_snapshot!(format!("{name}_expansion"), prettyplease::unparse(&file));
    }
}
