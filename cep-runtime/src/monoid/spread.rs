//! `var`, `stddev` (of the population).
use super::{Monoid, Number};
use core::marker::PhantomData;

/// The population variance. States are combined by the formula of Chan, Golub and LeVeque (1979), of which Welford's update is the case of
/// one newer value: no difference of large sums is ever taken. Of nothing: `None`; of one value: 0.
pub struct Var<T> {
    count: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
    of: PhantomData<T>,
}
copies!([T: Copy] Var<T>);

impl<T: Number> Monoid for Var<T> {
    type Input = T;
    type Output = Option<f64>;
    const IDENTITY: Self = Var { count: 0, mean: 0.0, squares: 0.0, of: PhantomData };
    #[inline(always)]
    fn lift(value: T) -> Self {
        let mean = value.real();
        // infinite and NaN values have no distance from a mean: NaN, also where they are alone
        Var { count: 1, mean, squares: if mean.is_finite() { 0.0 } else { f64::NAN }, of: PhantomData }
    }
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "exact below 2^53 values")]
    fn combine(&self, newer: &Self) -> Self {
        // exact laws for the identity, and no division by zero
        if newer.count == 0 {
            return *self;
        }
        if self.count == 0 {
            return *newer;
        }
        let count = self.count.wrapping_add(newer.count);
        let delta = newer.mean - self.mean;
        let share = newer.count as f64 / count as f64;
        Var {
            count,
            mean: self.mean + delta * share,
            squares: self.squares + newer.squares + delta * delta * (self.count as f64 * share),
            of: PhantomData,
        }
    }
    #[inline]
    #[allow(clippy::cast_precision_loss, reason = "exact below 2^53 values")]
    fn lower(&self) -> Option<f64> {
        if self.count == 0 { None } else { Some(self.squares / self.count as f64) }
    }
}

/// The population standard deviation, the square root of [`Var`]. Of nothing: `None`.
pub struct Stddev<T>(Var<T>);
copies!([T: Copy] Stddev<T>);

impl<T: Number> Monoid for Stddev<T> {
    type Input = T;
    type Output = Option<f64>;
    const IDENTITY: Self = Stddev(Var::IDENTITY);
    #[inline(always)]
    fn lift(value: T) -> Self {
        Stddev(Var::lift(value))
    }
    #[inline(always)]
    fn combine(&self, newer: &Self) -> Self {
        Stddev(self.0.combine(&newer.0))
    }
    #[inline]
    fn lower(&self) -> Option<f64> {
        self.0.lower().map(square_root)
    }
}

/// The square root, correctly rounded but for the last bit; `core` has none without `std`. Newton's iteration from an estimate that halves
/// the exponent: each step doubles the number of correct bits.
#[inline]
fn square_root(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 || x.is_infinite() {
        return x;
    }
    // subnormals have too few bits for the estimate: 2^108 is the square of 2^54
    if x < f64::MIN_POSITIVE {
        return square_root(x * 324_518_553_658_426_726_783_156_020_576_256.0) / 18_014_398_509_481_984.0;
    }
    let mut root = f64::from_bits((x.to_bits() >> 1) + (1023 << 51));
    for _ in 0..5 {
        root = 0.5 * (root + x / root);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::square_root;

    #[test]
    fn roots_are_within_one_unit_in_the_last_place() {
        let mut x = 1e-320f64;
        while x < 1e308 {
            let (ours, exact) = (square_root(x), libm(x));
            assert!((ours - exact).abs() <= exact * f64::EPSILON, "{x}: {ours} {exact}");
            x *= 1.7;
        }
        assert_eq!([0.0, 1.0, 4.0, f64::INFINITY].map(square_root), [0.0, 1.0, 2.0, f64::INFINITY]);
        assert!(square_root(-1.0).is_nan() && square_root(f64::NAN).is_nan());
    }

    /// The standard library's, which a test may use.
    fn libm(x: f64) -> f64 {
        extern crate std;
        std::primitive::f64::sqrt(x)
    }
}
