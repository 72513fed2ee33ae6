//! The laws, on random values, and results against folds written by hand.
extern crate std;
use super::*;
use core::fmt::Debug;
use std::vec::Vec;

/// Marsaglia's xorshift: the same values in every run.
struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }
}

fn fold<M: Monoid>(values: &[M::Input]) -> M
where
    M::Input: Copy,
{
    values.iter().fold(M::IDENTITY, |state, value| state.with(*value))
}

/// Equal results; the text of a float NaN equals itself, which is what is meant here.
#[track_caller]
fn same<T: Debug>(a: T, b: T) {
    assert_eq!(std::format!("{a:?}"), std::format!("{b:?}"));
}

/// Identity and associativity, on all cuts of random sequences. `close` decides what "the same result" is.
fn laws<M: Monoid>(mut value: impl FnMut(&mut Random) -> M::Input, close: impl Fn(M::Output, M::Output))
where
    M::Input: Copy,
{
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..200 {
        let values: Vec<M::Input> = (0..round % 9).map(|_| value(&mut random)).collect();
        let whole = fold::<M>(&values);
        close(M::IDENTITY.combine(&whole).lower(), whole.lower());
        close(whole.combine(&M::IDENTITY).lower(), whole.lower());
        for i in 0..=values.len() {
            for j in i..=values.len() {
                let (a, b, c) = (fold::<M>(&values[..i]), fold::<M>(&values[i..j]), fold::<M>(&values[j..]));
                close(a.combine(&b).combine(&c).lower(), whole.lower());
                close(a.combine(&b.combine(&c)).lower(), whole.lower());
            }
        }
    }
}

/// Taking the older part back leaves the newer one.
fn inverse<M: Group>(mut value: impl FnMut(&mut Random) -> M::Input)
where
    M::Input: Copy,
    M::Output: Debug,
{
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..200 {
        let values: Vec<M::Input> = (0..round % 9).map(|_| value(&mut random)).collect();
        for i in 0..=values.len() {
            let (a, b) = (fold::<M>(&values[..i]), fold::<M>(&values[i..]));
            same(a.combine(&b).without(&a).lower(), b.lower());
        }
    }
}

fn group<M: Group>(value: impl FnMut(&mut Random) -> M::Input + Clone)
where
    M::Input: Copy,
    M::Output: Debug,
{
    laws::<M>(value.clone(), same);
    inverse::<M>(value);
}

macro_rules! integers {
    ($($t:ident),*) => { $(
        #[test]
        #[allow(clippy::cast_possible_truncation, reason = "random bits")]
        fn $t() {
            use core::primitive::$t as T;
            let any = |r: &mut Random| (u128::from(r.next()) << 64 | u128::from(r.next())) as T;
            let small = |r: &mut Random| (r.below(9) as T).wrapping_sub(4);
            let null = move |r: &mut Random| (r.below(4) > 0).then(|| any(r));
            group::<Count<T>>(any);
            group::<Sum<T>>(any);
            group::<Avg<T>>(any);
            group::<Absorb<Sum<T>>>(null);
            group::<AbsorbFlat<Avg<T>>>(null);
            group::<Skip<Sum<T>>>(null);
            group::<Pair<Sum<T>, Skip<Count<T>>>>(move |r| (any(r), null(r)));
            laws::<Product<T>>(any, same);
            laws::<Product<T>>(small, same);
            laws::<Min<T>>(any, same);
            laws::<Max<T>>(any, same);
            laws::<Range<T>>(any, same);
            laws::<First<T>>(any, same);
            laws::<Last<T>>(any, same);
            laws::<AbsorbFlat<Max<T>>>(null, same);
            laws::<Skip<Min<T>>>(null, same);
            laws::<Skip<Last<T>>>(null, same);
            assert_eq!((fold::<Min<T>>(&[]).lower(), fold::<Count<T>>(&[]).lower()), (None, 0));
            assert_eq!(fold::<Product<T>>(&[T::MAX, 2, 0]).lower(), Some(0));
            assert_eq!((fold::<Product<T>>(&[T::MAX, 2]).lower(), fold::<Product<T>>(&[]).lower()), (None, Some(1)));
            assert_eq!(fold::<Product<T>>(&[T::MIN, 1]).lower(), Some(T::MIN));
            assert_eq!(fold::<Range<T>>(&[1, T::MAX]).lower(), Some(T::MAX - 1));
            let (low, high) = (T::MIN, T::MAX);
            assert_eq!(fold::<Range<T>>(&[low, high]).lower(), high.checked_sub(low));
        }
    )* };
}
integers!(u8, u16, u32, u64, usize, u128, i8, i16, i32, i64, isize, i128);

#[test]
fn products_are_exact_however_they_are_grouped() {
    assert_eq!(fold::<Product<i8>>(&[-128, -1]).lower(), None);
    assert_eq!(fold::<Product<i8>>(&[-128, -1, -1]).lower(), Some(-128));
    assert_eq!(fold::<Product<i8>>(&[127, -1]).lower(), Some(-127));
    assert_eq!(fold::<Product<i8>>(&[2, -64, 1]).lower(), Some(-128));
    assert_eq!(fold::<Product<i8>>(&[43, -3]).lower(), None);
    assert_eq!(fold::<Product<u8>>(&[0, 255, 255]).lower(), Some(0));
}

#[test]
fn sums_widen() {
    let sums: (i64, u64, i128) = (
        fold::<Sum<i32>>(&[i32::MIN; 9]).lower(),
        fold::<Sum<u8>>(&[255; 300]).lower(),
        fold::<Sum<i64>>(&[i64::MAX; 3]).lower(),
    );
    assert_eq!(sums, (9 * i64::from(i32::MIN), 76_500, 3 * i128::from(i64::MAX)));
    assert_eq!(fold::<Sum<i128>>(&[i128::MAX, 1]).lower(), None);
    assert_eq!(fold::<Sum<i128>>(&[i128::MAX, 1, -1]).lower(), Some(i128::MAX));
    assert_eq!(fold::<Sum<u128>>(&[u128::MAX, 1]).lower(), None);
    assert_eq!(fold::<Avg<i128>>(&[-1, -3]).lower(), Some(-2.0));
    assert_eq!(fold::<Avg<i128>>(&[i128::MIN, i128::MIN]).lower(), Some(-(2f64.powi(127))));
    assert_eq!(fold::<Avg<u128>>(&[u128::MAX, u128::MAX]).lower(), Some(2f64.powi(128)));
    let float: f64 = fold::<Sum<f32>>(&[16_777_216.0, 1.0]).lower();
    assert!((float - 16_777_217.0).abs() < f64::EPSILON);
}

fn near(a: Option<f64>, b: Option<f64>) {
    match (a, b) {
        (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{a} {b}"),
        (a, b) => assert_eq!(a, b),
    }
}

#[test]
fn floats() {
    // sums of small halves are exact, so the laws hold to the bit
    #[allow(clippy::cast_precision_loss, reason = "below 2^53")]
    let half = |r: &mut Random| r.below(2000) as f64 / 2.0 - 500.0;
    let null = move |r: &mut Random| (r.below(4) > 0).then(|| half(r));
    laws::<Sum<f64>>(half, same);
    laws::<Avg<f64>>(half, same);
    laws::<Skip<Avg<f64>>>(null, same);
    laws::<AbsorbFlat<Avg<f64>>>(null, same);
    laws::<Min<f64>>(half, same);
    laws::<Max<f64>>(half, same);
    laws::<Var<f64>>(half, near);
    laws::<Stddev<f64>>(half, near);
    laws::<AbsorbFlat<Var<f64>>>(null, near);
    let rare = move |r: &mut Random| if r.below(6) == 0 { f64::NAN } else { half(r) };
    laws::<Min<f64>>(rare, same);
    laws::<Max<f64>>(rare, same);
    laws::<Sum<f64>>(rare, same);
    laws::<Range<f64>>(rare, same);
    let zeros = |r: &mut Random| [0.0, -0.0, 1.0][usize::from(r.below(3) as u8)];
    laws::<Min<f64>>(zeros, same);
    laws::<Max<f64>>(zeros, same);
}

#[test]
fn nan_reaches_the_result() {
    for values in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0], [1.0, 2.0, f64::NAN]] {
        let nan = |r: Option<f64>| r.is_some_and(f64::is_nan);
        assert!(nan(fold::<Min<f64>>(&values).lower()) && nan(fold::<Max<f64>>(&values).lower()));
        assert!(nan(fold::<Avg<f64>>(&values).lower()) && nan(fold::<Range<f64>>(&values).lower()));
        assert!(nan(fold::<Var<f64>>(&values).lower()) && nan(fold::<Stddev<f64>>(&values).lower()));
        assert!(fold::<Sum<f64>>(&values).lower().is_nan());
    }
    assert!(fold::<Var<f64>>(&[f64::INFINITY]).lower().is_some_and(f64::is_nan));
}

#[test]
fn variance_is_of_the_population_and_does_not_cancel() {
    assert_eq!(fold::<Var<i32>>(&[2, 4, 4, 4, 5, 5, 7, 9]).lower(), Some(4.0));
    assert_eq!(fold::<Stddev<i32>>(&[2, 4, 4, 4, 5, 5, 7, 9]).lower(), Some(2.0));
    assert_eq!((fold::<Var<f64>>(&[3.5]).lower(), fold::<Var<f64>>(&[]).lower()), (Some(0.0), None));
    let shifted: Vec<f64> = [4.0, 7.0, 13.0, 16.0].iter().map(|x| x + 1e9).collect();
    near(fold::<Var<f64>>(&shifted).lower(), Some(22.5));
}

#[test]
fn flags_and_null() {
    let flag = |r: &mut Random| r.below(3) == 0;
    group::<Any>(flag);
    group::<Every>(flag);
    group::<Absorb<Any>>(move |r| (r.below(5) > 0).then(|| flag(r)));
    assert_eq!((fold::<Any>(&[]).lower(), fold::<Every>(&[]).lower()), (false, true));
    assert_eq!((fold::<Any>(&[false, true]).lower(), fold::<Every>(&[false, true]).lower()), (true, false));
    // language.md: a NULL makes it NULL; `_some` passes it over
    assert_eq!(fold::<Absorb<Sum<u8>>>(&[Some(1), None, Some(2)]).lower(), None);
    assert_eq!(fold::<Skip<Sum<u8>>>(&[Some(1), None, Some(2)]).lower(), 3);
    assert_eq!(fold::<Skip<Avg<u8>>>(&[None, None]).lower(), None);
    assert_eq!(fold::<AbsorbFlat<Min<u8>>>(&[Some(1), None]).lower(), None);
    assert_eq!(fold::<AbsorbFlat<Min<u8>>>(&[Some(3), Some(1)]).lower(), Some(1));
    assert_eq!(fold::<Absorb<Every>>(&[Some(true), None]).lower(), None);
    assert_eq!(Nullable::value(Some(3)), Some(3));
}

/// `Selective` says that one of the arguments comes back.
#[test]
fn selective_monoids_select() {
    fn selects<M: Selective<Input = i32>>()
    where
        M::Output: Debug,
    {
        let mut random = Random(7);
        for _ in 0..100 {
            let (a, b) = (M::lift((random.below(9)) as i32), M::lift((random.below(9)) as i32));
            let c = std::format!("{:?}", a.combine(&b).lower());
            assert!([a, b].iter().any(|one| std::format!("{:?}", one.lower()) == c));
        }
    }
    selects::<Min<i32>>();
    selects::<Max<i32>>();
    selects::<First<i32>>();
    selects::<Last<i32>>();
}
