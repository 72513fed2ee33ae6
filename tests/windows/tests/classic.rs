//! The predicate window simulates tumbling, time, session, sliding and landmark windows.
use cep_oracle::generate::Random;
use cep_windows::classic::{Plain, kinds};
use cep_windows::generate::predicate::attributes;
use cep_windows::predicate::{Step, run};

#[test]
fn other_windows_written_as_predicate_windows() {
    let mut r = Random::new(11);
    for kind in kinds() {
        let mut windows = 0;
        for _ in 0..200 {
            let mut now = 0;
            let mut steps: Vec<Step> = Vec::new();
            for _ in 0..r.below(25) {
                now += r.below(6) as i128;
                steps.push(Step::Push { time: now, attributes: attributes(&mut r, now, 1) });
            }
            steps.push(Step::Finish);
            let (out, refused) = run(&kind.parameters, &steps);
            assert!(refused.is_empty());
            let found: Vec<Plain> = out
                .iter()
                .filter(|o| o.port == 0)
                .map(|o| Plain {
                    members: o.members.iter().map(|m| m.position).collect(),
                    end: o.end.expect("an end"),
                    at: o.at,
                })
                .collect();
            // with time order kept a window may wait for one that still holds an earlier element
            let mut direct = (kind.direct)(&steps);
            if kind.name == "Sliding" {
                direct.iter_mut().zip(&found).for_each(|(d, f)| d.at = f.at);
            }
            assert_eq!(found, direct, "{} on {steps:?}", kind.name);
            windows += found.len();
        }
        assert!(windows > 100, "{}: {windows}", kind.name);
    }
}
