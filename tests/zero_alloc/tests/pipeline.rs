//! The three stages of `examples/pipeline.rs` allocate nothing, one fed by the other.
use zero_alloc::allocations;

#[path = "../../../examples/weather/spells.rs"]
mod spells;
use spells::{Hotter, Spell, Temperature, Wave};

const EVENTS: i64 = 1_000_000;

#[test]
fn windows_on_matches_of_a_pattern_on_windows_allocate_nothing() {
    let (found, n) = allocations(|| {
        let (mut wave, mut hotter, mut spell) = (Wave::new(), Hotter::new(), Spell::new());
        let (mut seed, mut found) = (7u64, [0u64; 3]);
        for i in 0..EVENTS {
            let s = zero_alloc::next(&mut seed);
            let value = f64::from(u16::try_from(s >> 16 & 1023).unwrap_or(0)) / 40.0 + 65.0;
            let station = u8::try_from(s >> 8 & 3).unwrap_or(0);
            // a pause now and then
            let t = Temperature { hour: i + i / 500 * 200, station, value };
            for w in wave.push(&t).expect("four stations") {
                found[0] += 1;
                for m in hotter.push(&w).expect("room for a week") {
                    found[1] += 1;
                    for s in spell.push(&m).expect("four stations") {
                        found[2] += s.rises;
                    }
                }
            }
        }
        wave.reset();
        hotter.reset();
        spell.reset();
        found
    });
    assert_eq!(n, 0);
    assert!(found[0] > 10_000 && found[1] > 100_000 && found[2] > 100_000, "{found:?}");
}
