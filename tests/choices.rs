//! A choice of single events needs no window.
use cep::{Event, cep};

#[derive(Event, Clone, Copy, Debug)]
enum Reading {
    T { value: f64 },
    H { value: f64, note: Option<u32> },
    Idle,
}

cep! {
    pattern Either on Reading = (T as a or H as a) filter a.value > 1.0 select none;
    pattern Noted on Reading = (T as a or H as a) filter a.note == 1 detect;
}

#[test]
fn one_event_of_several_types() {
    let stream = [
        Reading::T { value: 2.0 },
        Reading::H { value: 0.5, note: None },
        Reading::Idle,
        Reading::H { value: 3.0, note: Some(1) },
    ];
    let (mut either, mut noted) = (Either::new(), Noted::new());
    let ends: Vec<u64> =
        stream.iter().flat_map(|e| either.push(e).map(|m| m.end()).collect::<Vec<_>>()).collect();
    assert_eq!(ends, [0, 3]);
    assert_eq!(stream.iter().map(|e| noted.push(e)).collect::<Vec<_>>(), [false, false, false, true]);
}
