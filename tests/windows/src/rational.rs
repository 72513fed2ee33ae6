//! Exact fractions.
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul};

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// `numerator / denominator`
    ///
    /// # Panics
    /// Where the denominator is 0.
    #[must_use]
    pub fn new(numerator: i128, denominator: i128) -> Rational {
        assert!(denominator != 0, "a fraction over zero");
        let divisor = gcd(numerator.abs(), denominator.abs()).max(1) * denominator.signum();
        Rational { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// A whole number.
    #[must_use]
    pub fn whole(n: u64) -> Rational {
        Rational::new(n.into(), 1)
    }

    /// From `"3/5"` or `"2"`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Rational> {
        let (n, d) = text.split_once('/').unwrap_or((text, "1"));
        let (n, d) = (n.trim().parse().ok()?, d.trim().parse().ok()?);
        (d != 0).then(|| Rational::new(n, d))
    }

    /// The largest whole number that is not above.
    #[must_use]
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The smallest whole number that is not below.
    #[must_use]
    pub fn ceil(self) -> i128 {
        -(-self.numerator).div_euclid(self.denominator)
    }

    /// Numerator and denominator.
    #[must_use]
    pub fn parts(self) -> (i128, i128) {
        (self.numerator, self.denominator)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl std::fmt::Display for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

impl Mul for Rational {
    type Output = Rational;
    fn mul(self, o: Rational) -> Rational {
        Rational::new(self.numerator * o.numerator, self.denominator * o.denominator)
    }
}

impl Div for Rational {
    type Output = Rational;
    fn div(self, o: Rational) -> Rational {
        Rational::new(self.numerator * o.denominator, self.denominator * o.numerator)
    }
}

impl Add for Rational {
    type Output = Rational;
    fn add(self, o: Rational) -> Rational {
        let n = self.numerator * o.denominator + o.numerator * self.denominator;
        Rational::new(n, self.denominator * o.denominator)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, o: &Rational) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl Ord for Rational {
    fn cmp(&self, o: &Rational) -> Ordering {
        (self.numerator * o.denominator).cmp(&(o.numerator * self.denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic() {
        let r = |t: &str| Rational::parse(t).expect("a fraction");
        assert_eq!(r("6/4").to_string(), "3/2");
        assert_eq!(r("4/2").to_string(), "2");
        assert_eq!((r("1/3") + r("1/6")).to_string(), "1/2");
        assert_eq!(r("7/30") * r("2") / r("3"), r("7/45"));
        assert_eq!((r("7/2").floor(), r("7/2").ceil(), r("4").ceil()), (3, 4, 4));
        assert_eq!((r("-7/2").floor(), r("-7/2").ceil()), (-4, -3));
        assert!(r("2/3") < r("3/4") && Rational::parse("1/0").is_none());
    }
}
