//! The aggregate functions of the language reference (3.3), on a list of values in stream order.
use crate::model::{Result, Ty, Value, unsupported};
use std::cmp::Ordering;

/// Which function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "named as in the language")]
pub enum Function {
    Count,
    Sum,
    Min,
    Max,
    Avg,
    Range,
    Product,
    First,
    Last,
    Var,
    Stddev,
    Any,
    Every,
}

/// A function, or its variant that skips NULLs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Aggregate {
    /// The function.
    pub function: Function,
    /// `sum_some` and the like; without, one NULL makes the result NULL.
    pub some: bool,
}

impl Aggregate {
    /// From its name in a pattern.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Aggregate> {
        let (plain, some) = match name.strip_suffix("_some") {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        let function = match plain {
            "count" => Function::Count,
            "sum" => Function::Sum,
            "min" => Function::Min,
            "max" => Function::Max,
            "avg" => Function::Avg,
            "range" => Function::Range,
            "product" => Function::Product,
            "first" => Function::First,
            "last" => Function::Last,
            "var" => Function::Var,
            "stddev" => Function::Stddev,
            "any" => Function::Any,
            "every" => Function::Every,
            _ => return None,
        };
        Some(Aggregate { function, some })
    }

    /// The type of the result for an attribute of type `ty`. Sums widen so that they cannot overflow.
    ///
    /// # Errors
    /// A function of a type that has no such aggregate.
    pub fn output(self, ty: Ty) -> Result<Ty> {
        let wrong = || unsupported(format!("{:?} of a {}", self.function, ty.name()));
        let number = ty.range().is_some() || matches!(ty, Ty::F32 | Ty::F64);
        Ok(match self.function {
            Function::Count => Ty::U64,
            Function::First | Function::Last => ty,
            Function::Any | Function::Every if ty == Ty::Bool => Ty::Bool,
            Function::Any | Function::Every => return wrong(),
            _ if !number => return wrong(),
            Function::Min | Function::Max | Function::Range | Function::Product => ty,
            Function::Avg | Function::Var | Function::Stddev => Ty::F64,
            Function::Sum => match ty {
                Ty::F32 | Ty::F64 => Ty::F64,
                Ty::U8 | Ty::U16 | Ty::U32 => Ty::U64,
                Ty::I8 | Ty::I16 | Ty::I32 => Ty::I64,
                Ty::U64 | Ty::U128 => Ty::U128,
                _ => Ty::I128,
            },
        })
    }

    /// The result may be NULL: for an attribute that may be, and for a bag that may be empty.
    #[must_use]
    pub fn nullable(self, attribute: bool, empty: bool) -> bool {
        match self.function {
            Function::Product => true,
            Function::Count | Function::Sum | Function::Any | Function::Every => attribute && !self.some,
            _ => attribute || empty,
        }
    }

    /// The aggregate of an attribute of type `ty`.
    ///
    /// # Errors
    /// A function of a type that has no such aggregate.
    pub fn apply(self, ty: Ty, values: &[Value]) -> Result<Value> {
        self.output(ty)?;
        if !self.some && values.contains(&Value::Null) {
            return Ok(Value::Null);
        }
        let held: Vec<&Value> = values.iter().filter(|v| **v != Value::Null).collect();
        let or_null = |v: Option<Value>| v.unwrap_or(Value::Null);
        Ok(match self.function {
            Function::Count => whole(held.len()),
            Function::First => or_null(held.first().map(|v| (*v).clone())),
            Function::Last => or_null(held.last().map(|v| (*v).clone())),
            Function::Any => Value::Bool(held.contains(&&Value::Bool(true))),
            Function::Every => Value::Bool(!held.contains(&&Value::Bool(false))),
            _ => match integers(&held) {
                Some(list) if ty.range().is_some() => self.of_integers(ty, &list),
                _ => self.of_floats(ty, &floats(&held)),
            },
        })
    }

    fn of_integers(self, ty: Ty, list: &[i128]) -> Value {
        let least = list.iter().copied().min();
        let most = list.iter().copied().max();
        let int = |v: Option<i128>| v.map_or(Value::Null, Value::Int);
        match self.function {
            Function::Sum => Value::Int(list.iter().sum()),
            Function::Min => int(least),
            Function::Max => int(most),
            Function::Range => int(least.zip(most).map(|(a, b)| b - a)),
            Function::Product => {
                let (low, high) = ty.range().unwrap_or((i128::MIN, i128::MAX));
                let times = |a: i128, b: &i128| a.checked_mul(*b).filter(|p| (low..=high).contains(p));
                int(list.iter().try_fold(1, times))
            }
            #[allow(clippy::cast_precision_loss, reason = "an average of integers is an f64")]
            Function::Avg if !list.is_empty() => {
                Value::Float(list.iter().sum::<i128>() as f64 / list.len() as f64)
            }
            Function::Avg => Value::Null,
            #[allow(clippy::cast_precision_loss, reason = "a variance of integers is an f64")]
            _ => self.of_floats(Ty::F64, &list.iter().map(|i| *i as f64).collect::<Vec<_>>()),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "counts are small")]
    fn of_floats(self, ty: Ty, list: &[f64]) -> Value {
        let rounded = |v: f64| Value::Float(if ty == Ty::F32 { single(v) } else { v });
        let nan = list.iter().any(|v| v.is_nan());
        let n = list.len() as f64;
        let sum = list.iter().fold(0.0, |a, b| a + b);
        let extreme = |wanted: Ordering| {
            let better = |a: f64, b: &f64| if b.partial_cmp(&a) == Some(wanted) { *b } else { a };
            let first = *list.first()?;
            Some(if nan { f64::NAN } else { list.iter().fold(first, better) })
        };
        let (least, most) = (extreme(Ordering::Less), extreme(Ordering::Greater));
        match self.function {
            Function::Sum => Value::Float(sum),
            Function::Product => {
                let times = |a: f64, b: &f64| if ty == Ty::F32 { single(a * b) } else { a * b };
                Value::Float(list.iter().fold(1.0, times))
            }
            _ if list.is_empty() => Value::Null,
            Function::Min => rounded(least.unwrap_or(0.0)),
            Function::Max => rounded(most.unwrap_or(0.0)),
            Function::Range => rounded(most.unwrap_or(0.0) - least.unwrap_or(0.0)),
            Function::Avg => Value::Float(sum / n),
            _ => {
                let mean = sum / n;
                let variance = list.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
                Value::Float(if self.function == Function::Stddev { variance.sqrt() } else { variance })
            }
        }
    }
}

/// A count as a value.
pub(crate) fn whole(n: usize) -> Value {
    Value::Int(i128::try_from(n).unwrap_or(i128::MAX))
}

#[allow(clippy::cast_possible_truncation, reason = "the rounding of an f32")]
fn single(v: f64) -> f64 {
    f64::from(v as f32)
}

fn integers(list: &[&Value]) -> Option<Vec<i128>> {
    list.iter().map(|v| if let Value::Int(i) = v { Some(*i) } else { None }).collect()
}

fn floats(list: &[&Value]) -> Vec<f64> {
    list.iter().filter_map(|v| if let Value::Float(f) = v { Some(*f) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, ty: Ty, list: &[Value]) -> Value {
        let aggregate = Aggregate::from_name(name).expect("a function");
        aggregate.apply(ty, list).expect("of this type")
    }
    fn ints(list: &[i128]) -> Vec<Value> {
        list.iter().map(|i| Value::Int(*i)).collect()
    }

    #[test]
    fn the_empty_bag_is_the_identity_or_null() {
        for (name, ty, v) in [
            ("sum", Ty::I32, Value::Int(0)),
            ("sum", Ty::F32, Value::Float(0.0)),
            ("count", Ty::I32, Value::Int(0)),
            ("product", Ty::U8, Value::Int(1)),
            ("any", Ty::Bool, Value::Bool(false)),
            ("every", Ty::Bool, Value::Bool(true)),
            ("min", Ty::I32, Value::Null),
            ("max", Ty::F64, Value::Null),
            ("avg", Ty::I32, Value::Null),
            ("first", Ty::Char, Value::Null),
            ("last", Ty::I32, Value::Null),
            ("range", Ty::I32, Value::Null),
            ("var", Ty::F64, Value::Null),
        ] {
            assert_eq!(of(name, ty, &[]), v, "{name}");
        }
    }

    #[test]
    fn null_absorbs_or_is_skipped() {
        let list = [Value::Int(3), Value::Null, Value::Int(5)];
        for name in ["sum", "count", "min", "max", "avg", "range", "product", "first", "last"] {
            assert_eq!(of(name, Ty::I32, &list), Value::Null, "{name}");
        }
        assert_eq!(of("sum_some", Ty::I32, &list), Value::Int(8));
        assert_eq!(of("count_some", Ty::I32, &list), Value::Int(2));
        assert_eq!(of("avg_some", Ty::I32, &list), Value::Float(4.0));
        assert_eq!(of("last_some", Ty::I32, &list), Value::Int(5));
        assert_eq!(of("sum_some", Ty::I32, &[Value::Null]), Value::Int(0));
        assert_eq!(of("min_some", Ty::I32, &[Value::Null]), Value::Null);
        assert_eq!(of("any", Ty::Bool, &[Value::Bool(true), Value::Null]), Value::Null);
    }

    #[test]
    fn sums_widen_and_products_are_checked() {
        assert_eq!(of("sum", Ty::U8, &ints(&[255, 255])), Value::Int(510));
        assert_eq!(of("sum", Ty::I64, &ints(&[i128::from(i64::MAX), 1])), Value::Int(1 << 63));
        assert_eq!(of("product", Ty::U8, &ints(&[15, 17])), Value::Int(255));
        assert_eq!(of("product", Ty::U8, &ints(&[16, 16])), Value::Null);
        let output = |name: &str, ty| Aggregate::from_name(name).expect("known").output(ty);
        assert_eq!(output("sum", Ty::I32), Ok(Ty::I64));
        assert_eq!(output("sum", Ty::U64), Ok(Ty::U128));
        assert_eq!(output("sum", Ty::F32), Ok(Ty::F64));
        assert_eq!(output("count", Ty::Char), Ok(Ty::U64));
        assert!(output("sum", Ty::Bool).is_err() && output("any", Ty::I32).is_err());
    }

    #[test]
    fn floats() {
        let list = [1.0, 4.0, 4.0].map(Value::Float);
        assert_eq!(of("avg", Ty::F64, &list), Value::Float(3.0));
        assert_eq!(of("var", Ty::F64, &list), Value::Float(2.0));
        assert_eq!(of("range", Ty::F64, &list), Value::Float(3.0));
        assert_eq!(of("avg", Ty::I32, &ints(&[1, 2])), Value::Float(1.5));
        for name in ["sum", "avg", "min", "max"] {
            let v = of(name, Ty::F64, &[Value::Float(1.0), Value::Float(f64::NAN)]);
            assert!(matches!(v, Value::Float(f) if f.is_nan()), "{name}");
        }
    }
}
