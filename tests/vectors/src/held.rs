//! Attributes of what machines give, as the oracle's values.
use cep_oracle::Value;

/// A type of an attribute, a record's element or an aggregate.
pub trait Held {
    /// The oracle's value.
    fn value(&self) -> Value;
    /// As Rust spells the type; a text as `cep::Text<N>`; of an array, its elements' type.
    fn name() -> String;
    /// The elements of an array, or the one value.
    fn elements(&self) -> Vec<Value> {
        vec![self.value()]
    }
}

/// The type of a value, or of an array's elements.
#[must_use]
pub fn name_of<T: Held>(_: &T) -> String {
    T::name()
}

impl<T: Held, const N: usize> Held for [T; N] {
    fn value(&self) -> Value {
        // the oracle has no arrays
        Value::Str(format!("{:?}", self.elements()))
    }
    fn name() -> String {
        T::name()
    }
    fn elements(&self) -> Vec<Value> {
        self.iter().map(Held::value).collect()
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => { $(
        impl Held for $ty {
            fn value(&self) -> Value {
                // wider than what a test reaches
                Value::Int(i128::try_from(*self).unwrap_or(i128::MAX))
            }
            fn name() -> String {
                stringify!($ty).to_owned()
            }
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! others {
    ($($ty:ty as $name:literal: $x:ident => $value:expr;)*) => { $(
        impl Held for $ty {
            fn value(&self) -> Value {
                let $x = self;
                $value
            }
            fn name() -> String {
                $name.to_owned()
            }
        }
    )* };
}
others! {
    f32 as "f32": x => Value::Float(f64::from(*x));
    f64 as "f64": x => Value::Float(*x);
    bool as "bool": x => Value::Bool(*x);
    char as "char": x => Value::Char(*x);
    &'static str as "&'static str": x => Value::Str((*x).to_owned());
    String as "String": x => Value::Str(x.clone());
}

impl<const N: usize> Held for cep_runtime::Text<N> {
    fn value(&self) -> Value {
        Value::Str(self.as_str().to_owned())
    }
    fn name() -> String {
        format!("cep::Text<{N}>")
    }
}

impl<T: Held> Held for Option<T> {
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Null, Held::value)
    }
    fn name() -> String {
        format!("Option<{}>", T::name())
    }
}
