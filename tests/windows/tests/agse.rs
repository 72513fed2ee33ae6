//! The figures of the AGSE page and of `windows.md` 1, typed in.
use cep_oracle::aggregate::Aggregate;
use cep_oracle::{Ty, Value};
use cep_windows::agse::{Field, Refusal, Stream, widest};
use cep_windows::rational::Rational;

const INT: Field = Field { ty: Ty::I32, nullable: false, elements: 1 };

/// A source of `fields` integers per record, counting up from 0, with interval 1.
fn counting(fields: usize, records: usize) -> Stream {
    let row = |r: usize| (0..fields).map(|f| Value::Int((r * fields + f) as i128)).collect();
    let rows: Vec<Vec<Value>> = (0..records).map(row).collect();
    Stream::source(&vec![INT; fields], Rational::whole(1), &rows).expect("integers")
}

fn ints(s: &Stream) -> Vec<(u64, Vec<i128>)> {
    let of = |v: &Value| if let Value::Int(i) = v { *i } else { panic!("{v:?}") };
    s.records.iter().map(|r| (r.index, r.values.iter().map(of).collect())).collect()
}

fn values(s: &Stream) -> Vec<Vec<i128>> {
    ints(s).into_iter().map(|(_, v)| v).collect()
}

fn constants(s: &Stream) -> (String, u64, u64, usize) {
    (s.interval.to_string(), s.origin, s.tail, s.width)
}

#[test]
fn the_four_pictures() {
    let a = counting(1, 10);
    let of = |k, w| values(&a.agse(k, w).expect("a window"));
    assert_eq!(of(1, 3)[..4], [[2, 1, 0], [3, 2, 1], [4, 3, 2], [5, 4, 3]]);
    assert_eq!(of(3, 3)[..2], [[3, 2, 1], [6, 5, 4]]);
    assert_eq!(of(5, 1), [[0], [5]]);
    assert_eq!(of(2, -2)[..4], [[1, 2], [3, 4], [5, 6], [7, 8]]);
}

#[test]
fn the_five_usage_lines() {
    let a = counting(2, 6);
    let s1 = a.agse(1, 1).expect("serialization");
    assert_eq!(values(&s1)[..4], [[0], [1], [2], [3]]);
    assert_eq!(constants(&s1), ("1/2".into(), 0, 1, 1));
    let s5 = s1.delay(1).agse(2, -2).expect("deserialization");
    assert_eq!(ints(&s5)[..2], [(1, vec![0, 1]), (2, vec![2, 3])]);
    assert_eq!(constants(&s5), ("1".into(), 1, 0, 2));
    // without the delay the pairs straddle the records
    assert_eq!(values(&s1.agse(2, -2).expect("pairs"))[..2], [[1, 2], [3, 4]]);
    let one = counting(1, 14);
    let s2 = one.agse(4, 4).expect("tumbling");
    assert_eq!(ints(&s2)[0], (1, vec![4, 3, 2, 1]));
    assert_eq!(constants(&s2), ("4".into(), 1, 0, 4));
    assert_eq!(ints(&one.agse(1, 5).expect("sliding"))[0], (4, vec![4, 3, 2, 1, 0]));
    assert_eq!(values(&one.agse(5, 1).expect("sampling")), [[0], [5], [10]]);
}

#[test]
fn the_first_complete_record_of_3_3_has_index_1() {
    let s = counting(1, 10).agse(3, 3).expect("a window");
    assert_eq!(ints(&s)[0], (1, vec![3, 2, 1]));
    assert_eq!(s.emit_at(1).to_string(), "6");
    assert_eq!(s.records[0].at, 3);
}

#[test]
fn the_sign_changes_the_order_only() {
    let a = counting(3, 8);
    for (k, w) in [(1, 4), (2, 3), (5, 7), (4, 1)] {
        let (newest, arrival) = (a.agse(k, w).expect("w"), a.agse(k, -w).expect("w"));
        assert_eq!(constants(&newest), constants(&arrival));
        for (n, m) in newest.records.iter().zip(&arrival.records) {
            let reversed: Vec<Value> = m.values.iter().rev().cloned().collect();
            assert_eq!((n.index, n.at, &n.values), (m.index, m.at, &reversed));
        }
    }
}

#[test]
fn the_origin_is_the_first_index_there_is() {
    for f in 1..4 {
        for k in 1..7 {
            for w in 1..9 {
                for d in 0..3 {
                    let s = counting(f, 20).delay(d).agse(k, w).expect("a window");
                    assert_eq!(s.records[0].index, s.origin, "F {f} k {k} w {w} delay {d}");
                }
            }
        }
    }
}

#[test]
fn the_moving_average_of_the_source() {
    // dsp and ECG: @(1, L) has origin L - 1; @(7, -21) over a producer of tail 359 has tail 51
    for l in [5, 25, 30, 180] {
        assert_eq!(counting(1, 1).agse(1, l).map(|s| s.origin), Ok(l.unsigned_abs() - 1));
    }
    let late = Stream { tail: 359, ..counting(1, 30) };
    assert_eq!(late.agse(7, -21).map(|s| s.tail), Ok(51));
    let a = [4, 8, 2, 6, 10].map(|i| vec![Value::Int(i)]);
    let s = Stream::source(&[INT], Rational::whole(1), &a).expect("integers").agse(1, 4).expect("w");
    let mean = s.agg(&[Aggregate::from_name("avg").expect("avg")]).expect("numbers");
    let of: Vec<Value> = mean.records.iter().map(|r| r.values[0].clone()).collect();
    assert_eq!(of, [5.0, 6.5].map(Value::Float));
    assert_eq!((mean.width, mean.origin), (1, 3));
}

#[test]
fn null_is_an_ordinary_element() {
    let field = Field { nullable: true, ..INT };
    let rows = [Some(10), Some(20), None, Some(40), Some(50)];
    let rows: Vec<Vec<Value>> = rows.map(|v| vec![v.map_or(Value::Null, Value::Int)]).to_vec();
    let s = Stream::source(&[field], Rational::new(1, 100), &rows).expect("integers");
    let s = s.agse(1, 3).expect("w");
    assert_eq!(s.records[0].values, [Value::Null, Value::Int(20), Value::Int(10)]);
    let of = |name: &str| -> Vec<Value> {
        let folded = s.agg(&[Aggregate::from_name(name).expect(name)]).expect("numbers");
        folded.records.into_iter().map(|r| r.values[0].clone()).collect()
    };
    assert_eq!(of("sum_some"), [30, 60, 90].map(Value::Int));
    assert_eq!(of("sum"), [Value::Null, Value::Null, Value::Null]);
    // in stream order, whatever the sign
    assert_eq!(of("last_some"), [20, 40, 50].map(Value::Int));
    assert_eq!(of("first_some"), [10, 20, 40].map(Value::Int));
}

#[test]
fn a_window_joined_with_its_own_source_does_not_lead() {
    let a = counting(1, 6);
    let w = a.agse(1, 3).expect("a window");
    let j = Stream::zip(&[a.clone(), w]).expect("integers");
    assert_eq!(ints(&j)[0], (2, vec![2, 2, 1, 0]));
    assert_eq!(constants(&j), ("1".into(), 2, 0, 4));
    let d = Stream::zip(&[a.delay(2), a.agse(1, -2).expect("w")]).expect("integers");
    assert_eq!(ints(&d)[0], (2, vec![0, 1, 2]));
}

#[test]
fn a_slow_stream_beside_a_fast_one() {
    // one record of 50 samples and a constant: interval 1/50, tail 49
    let fields = [Field { elements: 50, ..INT }, INT];
    let row = |r: i128| (0..50).map(|i| Value::Int(r * 50 + i)).chain([Value::Int(r)]).collect();
    let rows: Vec<Vec<Value>> = (0..2).map(row).collect();
    let part = |n: usize| {
        let rows: Vec<Vec<Value>> =
            rows.iter().map(|r| if n == 0 { r[..50].to_vec() } else { r[50..].to_vec() }).collect();
        Stream::source(&[fields[n]], Rational::whole(1), &rows).expect("integers")
    };
    let j = Stream::zip(&[part(0).agse(1, 25).expect("w"), part(1)]).expect("integers");
    assert_eq!(constants(&j), ("1/50".into(), 24, 49, 26));
    assert_eq!(j.emit_at(24).to_string(), "37/25");
    let last = |n: u64| j.records.iter().find(|r| r.index == n).map(|r| r.values[25].clone());
    assert_eq!((last(49), last(50)), (Some(Value::Int(0)), Some(Value::Int(1))));
}

#[test]
fn counts_of_a_clocked_engine() {
    // integration test agse1: 14 slots of @(1, 4) give 11 records
    let s = counting(1, 16).agse(1, 4).expect("a window");
    assert_eq!(s.count_after(14), 11);
    // agse2: three fields, @(1, 1), tail 2
    let s = counting(3, 7).agse(1, 1).expect("a window");
    assert_eq!((s.tail, s.count_after(14), s.count_after(1)), (2, 12, 0));
}

#[test]
fn refusals_and_types() {
    assert_eq!(counting(1, 3).agse(0, 2), Err(Refusal::Hop));
    assert_eq!(counting(1, 3).agse(1, 0), Err(Refusal::Size));
    assert_eq!(widest(&[Ty::U8, Ty::F32]), Some(Ty::F32));
    assert_eq!(widest(&[Ty::I32, Ty::F64, Ty::U8]), Some(Ty::F64));
    assert_eq!(widest(&[Ty::I32, Ty::F32]), None);
    assert_eq!(widest(&[Ty::U32, Ty::I32]), None);
    assert_eq!(widest(&[Ty::I64, Ty::F64]), None);
    assert_eq!(widest(&[Ty::Str, Ty::I32]), None);
    let mixed = [Field { ty: Ty::U8, ..INT }, Field { ty: Ty::F32, ..INT }];
    let s = Stream::source(&mixed, Rational::whole(1), &[vec![Value::Int(1), Value::Float(0.5)]]);
    assert_eq!(s.expect("floats").records[0].values, [1.0, 0.5].map(Value::Float));
}
