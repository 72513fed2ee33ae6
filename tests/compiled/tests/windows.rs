//! Compiled windows give what the models of their definitions say.
use cep_compiled::Held;
use cep_oracle::Value;
use cep_oracle::generate::Random;
use cep_properties::scale;
use cep_vectors::WindowAnswer;
use cep_vectors::drive::Told;
use cep_windows::classic::{Plain, kinds};
use cep_windows::generate::{AgseCase, PredicateCase, predicate};
use cep_windows::order;
use cep_windows::predicate::{Model, Step};
use std::collections::BTreeSet;

include!(concat!(env!("OUT_DIR"), "/windows.rs"));

/// Streams per window.
const STREAMS: usize = 80;

fn check(
    case: &AgseCase,
    rows: &[Vec<Value>],
    run: fn(&[Vec<Value>]) -> WindowAnswer,
) -> Result<usize, String> {
    let (model, found) = (case.run(rows), run(rows));
    let constants = (model.origin, model.tail, model.width as u64);
    if (constants, model.interval.parts()) != (found.constants, found.interval) {
        let own = (constants, model.interval.parts());
        return Err(format!(
            "origin, tail, width, interval: {:?}, not {own:?}",
            (found.constants, found.interval)
        ));
    }
    order::records(&model, &found.records)?;
    Ok(found.records.len())
}

#[test]
fn agse_windows_are_what_their_definition_says() {
    println!("CEP_SEED={SEED}: {} windows, {AGSE_UNSUPPORTED} not supported yet", AGSE.len());
    let (mut failures, mut pairs, mut records) = (Vec::new(), 0, 0);
    let (mut chains, mut zips, mut unlike, mut folds) = (0, 0, 0, 0);
    for (own, run) in AGSE {
        let mut r = Random::new(*own);
        let case = AgseCase::new(&mut r);
        chains += usize::from(case.names.len() > 1);
        zips += usize::from(case.items.contains("zip"));
        unlike += usize::from(case.intervals() > 1);
        folds += usize::from(!case.folds.is_empty());
        for _ in 0..STREAMS * scale() {
            let n = r.between(0, 40);
            let rows = case.rows(&mut r, n);
            pairs += 1;
            match check(&case, &rows, *run) {
                Ok(n) => records += n,
                Err(_) => {
                    let least = (0..=rows.len()).find(|n| check(&case, &rows[..*n], *run).is_err());
                    let rows = &rows[..least.unwrap_or(rows.len())];
                    let why = check(&case, rows, *run).err().unwrap_or_default();
                    failures.push(format!("{}\n{}\n{rows:?}\n{why}", case.declaration(), case.items));
                    break;
                }
            }
        }
    }
    println!(
        "{pairs} pairs, {records} records; {chains} chains, {zips} joins ({unlike} of unlike intervals), {folds} with folds"
    );
    assert!(AGSE_REFUSED.is_empty(), "refused: {}", AGSE_REFUSED.join("\n\n"));
    assert!(failures.is_empty(), "CEP_SEED={SEED}: {} fail\n{}", failures.len(), failures.join("\n\n"));
    assert_eq!(AGSE_UNSUPPORTED, 0, "windows that are not supported");
    assert!(AGSE.len() >= 60 && pairs >= 5000 && records > pairs, "{} windows, {pairs} pairs", AGSE.len());
    assert!(chains >= 12 && zips >= 4 && unlike >= 2 && folds >= 10, "{chains} {zips} {unlike} {folds}");
}

/// A predicate window on some steps: its outputs and refusals are the model's.
fn on(case: &PredicateCase, steps: &[Step], run: fn(&[Step]) -> WindowAnswer) -> Result<usize, String> {
    let (outputs, refused) = cep_windows::predicate::run(&case.parameters, steps);
    let refused: Vec<(usize, String)> =
        refused.into_iter().map(|(at, why)| (at, format!("{why:?}"))).collect();
    let found = run(steps);
    if refused != found.refused {
        return Err(format!("refused {:?}, not {refused:?}", found.refused));
    }
    order::outputs(&outputs, &found.outputs, case.parameters.keep_time_order)?;
    cep_vectors::window::asked(&found)?;
    Ok(outputs.len())
}

/// What remains wrong when steps are left out.
fn smallest(steps: &[Step], wrong: &dyn Fn(&[Step]) -> bool) -> Vec<Step> {
    let mut steps = steps.to_vec();
    let mut i = 0;
    while i < steps.len() {
        let mut less = steps.clone();
        less.remove(i);
        if wrong(&less) {
            steps = less;
            i = 0;
        } else {
            i += 1;
        }
    }
    steps
}

#[test]
fn predicate_windows_are_what_their_definition_says() {
    println!("CEP_SEED={SEED}: {} windows, {PREDICATE_UNSUPPORTED} not supported yet", PREDICATE.len());
    let (mut failures, mut pairs, mut outputs, mut conserved) = (Vec::new(), 0, 0, 0);
    for (own, run) in PREDICATE {
        let mut r = Random::new(*own);
        let case = PredicateCase::new(&mut r);
        for _ in 0..STREAMS * scale() {
            let n = r.between(0, 30);
            let steps = predicate::steps(&mut r, n);
            pairs += 1;
            match on(&case, &steps, *run) {
                Ok(n) => {
                    outputs += n;
                    conserved += usize::from(conserves(&case, &steps, *run));
                }
                Err(_) => {
                    let small = smallest(&steps, &|s| on(&case, s, *run).is_err());
                    let why = on(&case, &small, *run).err().unwrap_or_default();
                    failures.push(format!("{}\n{small:?}\n{why}", case.item));
                    break;
                }
            }
        }
    }
    println!("{pairs} pairs, {outputs} outputs; {conserved} times every element leaves");
    assert!(PREDICATE_REFUSED.is_empty(), "refused: {}", PREDICATE_REFUSED.join("\n\n"));
    assert!(failures.is_empty(), "CEP_SEED={SEED}: {} fail\n{}", failures.len(), failures.join("\n\n"));
    assert_eq!(PREDICATE_UNSUPPORTED, 0, "windows that are not supported");
    assert!(PREDICATE.len() >= 60 && pairs >= 5000 && outputs > 4 * pairs && conserved > 100);
}

/// Where nothing is dropped on purpose (no `clear`, no silent timeout, no capacity reached) and no member is left without
/// time, every element leaves at least once: `windows.md` 2.3 g.
fn conserves(case: &PredicateCase, steps: &[Step], run: fn(&[Step]) -> WindowAnswer) -> bool {
    let p = &case.parameters;
    let drops = p.clear.is_some() || !p.max_time_output || !p.flush_on_end || p.capacity.is_some();
    if drops || !p.folds.is_empty() || !matches!(steps.last(), Some(Step::Finish)) {
        return false;
    }
    let mut model = Model::new(p.clone());
    let mut taken = 0;
    for (at, s) in steps.iter().enumerate() {
        let said = model.step(s, at).is_ok();
        taken += usize::from(said && matches!(s, Step::Push { .. }));
    }
    if model.vanished > 0 {
        return false;
    }
    let left: BTreeSet<u64> =
        run(steps).outputs.iter().flat_map(|o| o.members.iter().map(|m| m.position)).collect();
    assert_eq!(left.len(), taken, "{}: not every element leaves", case.item);
    true
}

#[test]
fn classic_windows_equal_models_of_their_own() {
    let mut r = Random::new(SEED);
    let mut windows = 0;
    for kind in kinds() {
        let Some((_, run)) = CLASSIC.iter().find(|(name, _)| *name == kind.name) else { continue };
        for _ in 0..STREAMS * scale() {
            let (mut now, mut steps) = (0, Vec::new());
            for _ in 0..r.below(25) {
                now += r.below(6) as i128;
                let attributes = predicate::attributes(&mut r, now, 1);
                steps.push(Step::Push { time: now, attributes });
            }
            steps.push(Step::Finish);
            let found: Vec<Plain> = run(&steps)
                .outputs
                .iter()
                .filter(|o| o.port == 0)
                .map(|o| Plain {
                    members: o.members.iter().map(|m| m.position).collect(),
                    end: o.end.expect("a window has an end"),
                    at: o.at,
                })
                .collect();
            let direct = (kind.direct)(&steps);
            assert_eq!(found, direct, "{} on {steps:?}", kind.name);
            windows += found.len();
        }
    }
    println!("{} kinds, {windows} windows", CLASSIC.len());
    assert!(windows > 1000, "{windows} windows");
}
