//! Laws that need no oracle: each run of the simulated automaton is compared with another one.
use cep_compiler::Compiled;
use cep_compiler::ast::{Formula, FormulaKind, Pattern, Within};
use cep_compiler::automaton::Fault;
use cep_compiler::hir::Output;
use cep_oracle::generate::{Case, Config, Generator, Random};
use cep_oracle::{Complex, Event};
use cep_properties::{Results, compile, parse, report, scale, seed, shrink, simulate};
use std::collections::BTreeSet;
use syn::{BinOp, Expr};

/// Patterns of a run at scale 1.
const PATTERNS: usize = 2000;

/// A pattern and another one that the law relates to it.
type Related = fn(&Case, &Pattern, &Compiled, &mut Random) -> Option<Pattern>;

/// What the law demands of the results of both, event by event.
type Holds = fn(&Compiled, &Compiled, &BTreeSet<Complex>, &BTreeSet<Complex>) -> bool;

fn run(name: &str, related: Related, holds: Holds) {
    let seed = seed();
    println!("CEP_SEED={seed}");
    let mut generator = Generator::new(seed, Config::core());
    let mut r = Random::new(seed);
    let (mut compared, mut matched, mut skipped) = (0, 0, 0);
    for _ in 0..PATTERNS * scale() {
        let case = generator.case();
        let whole = |p: &Pattern| {
            compile(p, &case.declaration)
                .unwrap_or_else(|e| panic!("CEP_SEED={seed}: {e}\n{}", report(&case, &[])))
        };
        let pattern = parse(&case.item).unwrap_or_else(|e| panic!("CEP_SEED={seed}: {e}"));
        let compiled = whole(&pattern);
        let Some(other) = related(&case, &pattern, &compiled, &mut r) else { continue };
        let other = whole(&other);
        let results = |c: &Compiled, s: &[Event]| -> Option<Results> {
            match simulate(c, &case.values(), s) {
                Ok(found) => Some(found),
                Err(Fault::Panic(_)) => None,
                Err(Fault::Unknown(what)) => panic!("the interpreter does not know {what}\n{}", case.item),
            }
        };
        // where one of them panics there is nothing to compare
        let wrong = |s: &[Event]| match (results(&compiled, s), results(&other, s)) {
            (Some(a), Some(b)) => a.iter().zip(&b).any(|(a, b)| !holds(&compiled, &other, a, b)),
            _ => false,
        };
        for stream in &case.streams {
            match (results(&compiled, stream), results(&other, stream)) {
                (Some(a), Some(_)) => {
                    compared += 1;
                    matched += usize::from(a.iter().any(|s| !s.is_empty()));
                }
                _ => skipped += 1,
            }
            if wrong(stream) {
                let small = shrink(stream, &wrong);
                panic!(
                    "CEP_SEED={seed}: {name}\n{}\n{:#?}\n{:#?}",
                    report(&case, &small),
                    results(&compiled, &small),
                    results(&other, &small)
                );
            }
        }
    }
    println!("{name}: {compared} pairs, {matched} with a match, {skipped} skipped");
    assert!(matched * 4 >= compared && compared > 100, "{name}: {compared} pairs, {matched} with a match");
}

/// A longer window only adds results, and those are longer than the shorter one.
#[test]
fn a_window_only_cuts_off() {
    let longer: Related = |_, p, _, _| {
        let mut p = p.clone();
        match &mut p.clauses.within.as_mut()?.value {
            Within::Events { count, .. } => *count += 1,
            _ => return None,
        }
        Some(p)
    };
    run("window", longer, |compiled, _, short, long| {
        let Some(cep_compiler::hir::Window::Events(window)) = compiled.pattern.window else { return false };
        short.iter().eq(long.iter().filter(|c| c.end - c.start < window))
    });
}

/// `select` of fewer variables is the projection of the results.
#[test]
fn selecting_less_is_the_projection() {
    let fewer: Related = |case, _, compiled, r| {
        let Output::Select(fields) = &compiled.pattern.output else { return None };
        let name = |f: &cep_compiler::hir::Field| compiled.pattern.variables[f.variable.0].name.to_string();
        let kept: Vec<String> = fields.iter().filter(|_| r.percent(50)).map(name).collect();
        let end = case.item.rfind(" events")? + " events".len();
        let output = if kept.is_empty() { "none".to_owned() } else { kept.join(", ") };
        parse(&format!("{} select {output};", &case.item[..end])).ok()
    };
    run("projection", fewer, |_, less, full, projected| {
        let kept: BTreeSet<String> = match &less.pattern.output {
            Output::Select(fields) => {
                fields.iter().map(|f| less.pattern.variables[f.variable.0].name.to_string()).collect()
            }
            _ => BTreeSet::new(),
        };
        let project = |c: &Complex| {
            let vars = c.vars.iter().filter(|(x, _)| kept.contains(*x));
            Complex::new(c.start, c.end, vars.map(|(x, p)| (x.clone(), p.clone())).collect())
        };
        full.iter().map(project).collect::<BTreeSet<_>>() == *projected
    });
}

/// The order of conjuncts is no part of the meaning.
#[test]
fn conjuncts_commute() {
    let reversed: Related = |_, p, _, _| {
        let mut p = p.clone();
        let turned = reverse(&mut p.formula);
        turned.then_some(p)
    };
    run("order of conjuncts", reversed, |_, _, a, b| a == b);
}

/// Turns the operands of every top-level `&&` around; whether there was any.
fn reverse(f: &mut Formula) -> bool {
    match &mut f.kind {
        FormulaKind::As { inner, .. } => reverse(inner),
        FormulaKind::Sequence { left, right, .. } => {
            let first = reverse(left);
            reverse(right) || first
        }
        FormulaKind::Filter { inner, condition } => {
            let inside = reverse(inner);
            let (turned, any) = turn(&condition.expr);
            condition.expr = turned;
            inside || any
        }
        _ => false,
    }
}

fn turn(e: &Expr) -> (Expr, bool) {
    match e {
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
            let (left, right) = (turn(&b.right).0, turn(&b.left).0);
            // as written, `a && b && c` nests to the left
            let right = Expr::Paren(syn::ExprParen {
                attrs: vec![],
                paren_token: Default::default(),
                expr: right.into(),
            });
            (Expr::Binary(syn::ExprBinary { left: left.into(), right: right.into(), ..b.clone() }), true)
        }
        e => (e.clone(), false),
    }
}
