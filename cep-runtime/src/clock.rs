//! The clock of a machine: the attribute that its windows in time are measured on.

/// A number that can be a clock.
pub trait Clock: Copy + PartialOrd {
    /// The length of a window on it.
    type Span: Copy;
    /// `end` is not more than `span` behind `start`.
    fn within(start: Self, end: Self, span: Self::Span) -> bool;
    /// A time at all: not NaN.
    #[inline(always)]
    fn is_time(self) -> bool {
        #[expect(clippy::eq_op, reason = "NaN is not equal to itself")]
        let equal = self == self;
        equal
    }
    /// The first time that is more than one window later; the last value there is where that would be beyond it.
    #[must_use]
    fn after(self, span: Self::Span) -> Self;
}

macro_rules! integers {
    ($($t:ty),*) => { $(
        impl Clock for $t {
            type Span = u64;
            #[inline(always)]
            fn within(start: Self, end: Self, span: u64) -> bool {
                // exact: the difference of two values of up to 64 bits fits 128
                i128::from(end) - i128::from(start) <= i128::from(span)
            }
            #[inline]
            fn after(self, span: u64) -> Self {
                <$t>::try_from(i128::from(self) + i128::from(span) + 1).unwrap_or(<$t>::MAX)
            }
        }
    )* };
}
integers!(u8, u16, u32, u64, i8, i16, i32, i64);

macro_rules! wide {
    ($($t:ty),*) => { $(
        impl Clock for $t {
            type Span = u64;
            #[inline(always)]
            fn within(start: Self, end: Self, span: u64) -> bool {
                end.saturating_sub(start) <= <$t>::try_from(span).unwrap_or(<$t>::MAX)
            }
            #[inline]
            fn after(self, span: u64) -> Self {
                self.saturating_add(<$t>::try_from(span).unwrap_or(<$t>::MAX)).saturating_add(1)
            }
        }
    )* };
}
wide!(u128, i128, usize, isize);

impl Clock for f64 {
    type Span = f64;
    #[inline(always)]
    fn within(start: Self, end: Self, span: f64) -> bool {
        // the difference of two equal infinities is no number
        end - start <= span || end == start
    }
    #[inline]
    fn after(self, span: f64) -> Self {
        (self + span).next_up()
    }
}

impl Clock for f32 {
    type Span = f64;
    #[inline(always)]
    fn within(start: Self, end: Self, span: f64) -> bool {
        f64::from(end) - f64::from(start) <= span || end == start
    }
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the nearest time of the clock's own type is meant")]
    fn after(self, span: f64) -> Self {
        ((f64::from(self) + span) as f32).next_up()
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn a_window_is_inclusive_and_never_overflows() {
        assert!(u64::within(0, 10, 10) && !u64::within(0, 11, 10));
        assert!(!i64::within(i64::MIN, i64::MAX, u64::MAX - 1) && i64::within(i64::MIN, i64::MAX, u64::MAX));
        assert!(u8::within(0, 255, 1000) && f64::within(0.5, 1.0, 0.5) && !f64::within(0.5, 1.1, 0.5));
        assert_eq!((u8::after(250, 10), i64::after(i64::MAX, 1)), (255, i64::MAX));
        // a window is inclusive: what is exactly one window later is still in it
        assert!(f64::within(f64::INFINITY, f64::INFINITY, 1.0) && !f64::within(0.0, f64::INFINITY, 1.0));
        assert!(f32::within(f32::NEG_INFINITY, f32::NEG_INFINITY, 1.0));
        assert!(i64::after(7, 10) == 18 && !f64::within(1.0, f64::after(1.0, 0.5), 0.5));
    }
}
