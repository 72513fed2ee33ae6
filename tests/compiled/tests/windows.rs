//! Compiled windows give what the models of their definitions say.
use cep_compiled::Held;
use cep_oracle::Value;
use cep_oracle::generate::Random;
use cep_properties::scale;
use cep_vectors::WindowAnswer;
use cep_vectors::drive::Told;
use cep_windows::generate::AgseCase;
use cep_windows::order;

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
    let (mut failures, mut pairs, mut records, mut chains, mut zips, mut folds) = (Vec::new(), 0, 0, 0, 0, 0);
    for (own, run) in AGSE {
        let mut r = Random::new(*own);
        let case = AgseCase::new(&mut r);
        chains += usize::from(case.names.len() > 1);
        zips += usize::from(case.items.contains("zip"));
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
    println!("{pairs} pairs, {records} records; {chains} chains, {zips} joins, {folds} with folds");
    assert!(AGSE_REFUSED.is_empty(), "refused: {}", AGSE_REFUSED.join("\n\n"));
    assert!(failures.is_empty(), "CEP_SEED={SEED}: {} fail\n{}", failures.len(), failures.join("\n\n"));
    if AGSE.is_empty() {
        assert!(AGSE_UNSUPPORTED > 0, "no windows");
        return;
    }
    assert!(AGSE.len() >= 60 && pairs >= 5000 && records > pairs, "{} windows, {pairs} pairs", AGSE.len());
    assert!(chains >= 12 && zips >= 4 && folds >= 12, "{chains} {zips} {folds}");
}
