//! `stream@(k, w)`: the definition of `windows.md` 1.1 and 1.2, position by position.
use crate::rational::Rational;
use cep_oracle::aggregate::Aggregate;
use cep_oracle::{Ty, Value};

/// A record of a stream.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Its logical index.
    pub index: u64,
    /// Its flattened elements, as declared or as the window orders them.
    pub values: Vec<Value>,
    /// The index of the source's record with which it leaves.
    pub at: usize,
}

/// A source, or what a window makes of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Stream {
    /// The time from one record to the next.
    pub interval: Rational,
    /// The index of the first record that exists.
    pub origin: u64,
    /// So many of its own intervals the newest element may be late.
    pub tail: u64,
    /// Elements per record.
    pub width: usize,
    /// The type of the elements.
    pub ty: Ty,
    /// An element may be NULL.
    pub nullable: bool,
    /// The newest element of a record comes first.
    pub newest_first: bool,
    /// The records there are, without a gap.
    pub records: Vec<Record>,
}

/// Why there is no such window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// k = 0
    Hop,
    /// w = 0
    Size,
    /// Elements of types that no source type holds without loss.
    Types,
}

/// A plain field of a source: its type, whether it may be NULL, and its elements (1, or those of an array).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The element type.
    pub ty: Ty,
    /// `Option`
    pub nullable: bool,
    /// Elements.
    pub elements: usize,
}

/// The widest of some types, where all the others fit it without loss.
#[must_use]
pub fn widest(types: &[Ty]) -> Option<Ty> {
    types.iter().copied().find(|wide| types.iter().all(|t| fits(*t, *wide)))
}

fn fits(small: Ty, wide: Ty) -> bool {
    // a float holds every integer of so many bits
    let mantissa = match wide {
        Ty::F32 => 24,
        Ty::F64 => 53,
        _ => 0,
    };
    match (small.range(), wide.range()) {
        (Some((a, b)), Some((c, d))) => c <= a && b <= d,
        (Some((a, b)), None) => -(1i128 << mantissa) <= a && b <= 1i128 << mantissa && mantissa > 0,
        _ => small == wide || (small == Ty::F32 && wide == Ty::F64),
    }
}

/// An element in a wider type.
#[allow(clippy::cast_precision_loss, reason = "only where it is lossless")]
fn widened(v: &Value, ty: Ty) -> Value {
    match (v, ty) {
        (Value::Int(i), Ty::F32 | Ty::F64) => Value::Float(*i as f64),
        _ => v.clone(),
    }
}

impl Stream {
    /// A source: each row holds the elements of its fields in the order declared.
    ///
    /// # Errors
    /// No field's type holds the elements of all.
    pub fn source(fields: &[Field], interval: Rational, rows: &[Vec<Value>]) -> Result<Stream, Refusal> {
        let types: Vec<Ty> = fields.iter().map(|f| f.ty).collect();
        let ty = widest(&types).ok_or(Refusal::Types)?;
        let record = |(i, row): (usize, &Vec<Value>)| Record {
            index: i as u64,
            values: row.iter().map(|v| widened(v, ty)).collect(),
            at: i,
        };
        Ok(Stream {
            interval,
            origin: 0,
            tail: 0,
            width: fields.iter().map(|f| f.elements).sum(),
            ty,
            nullable: fields.iter().any(|f| f.nullable),
            newest_first: false,
            records: rows.iter().enumerate().map(record).collect(),
        })
    }

    /// The element at a position of the flat sequence, and when it comes.
    fn element(&self, position: i128) -> Option<(&Value, usize)> {
        let width = i128::try_from(self.width).ok()?;
        let index = u64::try_from(position.div_euclid(width)).ok()?;
        let slot = usize::try_from(position.rem_euclid(width)).ok()?;
        let record = self.records.iter().find(|r| r.index == index)?;
        Some((record.values.get(slot)?, record.at))
    }

    /// `@ (k, w)`
    ///
    /// # Errors
    /// A hop or a size of 0.
    pub fn agse(&self, k: u64, w: i64) -> Result<Stream, Refusal> {
        if k == 0 {
            return Err(Refusal::Hop);
        }
        if w == 0 {
            return Err(Refusal::Size);
        }
        let l = w.unsigned_abs();
        let f = self.width as u64;
        let mut records = Vec::new();
        let last = self.records.last().map_or(0, |r| (r.index + 1) * f);
        for n in 0..=last / k {
            let newest = i128::from(n) * i128::from(k);
            let held: Option<Vec<(&Value, usize)>> =
                (0..i128::from(l)).rev().map(|back| self.element(newest - back)).collect();
            let Some(held) = held else { continue };
            let mut values: Vec<Value> = held.iter().map(|(v, _)| (*v).clone()).collect();
            if w > 0 {
                values.reverse();
            }
            let at = held.iter().map(|(_, at)| *at).max().unwrap_or(0);
            records.push(Record { index: n, values, at });
        }
        Ok(Stream {
            interval: self.interval * Rational::whole(k) / Rational::whole(f),
            origin: (self.origin * f + l - 1).div_ceil(k),
            tail: ((1 + self.tail) * f).div_ceil(k) - 1,
            width: usize::try_from(l).unwrap_or(usize::MAX),
            newest_first: w > 0,
            records,
            ..*self
        })
    }

    /// `delay n`: record m carries what was record m - n.
    #[must_use]
    pub fn delay(&self, n: u64) -> Stream {
        let later = |r: &Record| Record { index: r.index + n, ..r.clone() };
        Stream {
            origin: self.origin + n,
            tail: self.tail.saturating_sub(n),
            records: self.records.iter().map(later).collect(),
            ..*self
        }
    }

    /// `agg { … }` of a window: one element per fold, over the window's elements in stream order.
    ///
    /// # Errors
    /// A fold that the element type does not have.
    pub fn agg(&self, folds: &[Aggregate]) -> cep_oracle::Result<Stream> {
        let mut records = Vec::new();
        for r in &self.records {
            let mut values = r.values.clone();
            if self.newest_first {
                values.reverse();
            }
            let folded: cep_oracle::Result<Vec<Value>> =
                folds.iter().map(|a| a.apply(self.ty, &values)).collect();
            records.push(Record { values: folded?, ..r.clone() });
        }
        let ty = match folds {
            [one] => one.output(self.ty)?,
            _ => self.ty,
        };
        let nullable = folds.iter().any(|a| a.nullable(self.nullable, self.nullable));
        Ok(Stream { width: folds.len(), ty, nullable, newest_first: false, records, ..*self })
    }

    /// `zip(…)`: streams over one source, paired by their index at the smallest interval.
    ///
    /// # Errors
    /// No part's type holds the elements of all.
    ///
    /// # Panics
    /// Without parts.
    pub fn zip(parts: &[Stream]) -> Result<Stream, Refusal> {
        let interval = parts.iter().map(|p| p.interval).min().expect("parts");
        let ty = widest(&parts.iter().map(|p| p.ty).collect::<Vec<_>>()).ok_or(Refusal::Types)?;
        let whole = |r: Rational| u64::try_from(r.ceil()).unwrap_or(0);
        let ratio = |p: &Stream| p.interval / interval;
        let origin = parts.iter().map(|p| whole(Rational::whole(p.origin) * ratio(p))).max();
        let tail = parts.iter().map(|p| whole(Rational::whole(1 + p.tail) * ratio(p)) - 1).max();
        let mut records = Vec::new();
        for n in origin.unwrap_or(0).. {
            let of = |p: &Stream| {
                let index = u64::try_from((Rational::whole(n) / ratio(p)).floor()).ok()?;
                p.records.iter().find(|r| r.index == index).cloned()
            };
            let Some(held) = parts.iter().map(of).collect::<Option<Vec<Record>>>() else { break };
            let values = held.iter().flat_map(|r| r.values.iter().map(|v| widened(v, ty))).collect();
            records.push(Record { index: n, values, at: held.iter().map(|r| r.at).max().unwrap_or(0) });
        }
        Ok(Stream {
            interval,
            origin: origin.unwrap_or(0),
            tail: tail.unwrap_or(0),
            width: parts.iter().map(|p| p.width).sum(),
            ty,
            nullable: parts.iter().any(|p| p.nullable),
            newest_first: false,
            records,
        })
    }

    /// When record `n` leaves a clocked engine.
    #[must_use]
    pub fn emit_at(&self, n: u64) -> Rational {
        Rational::whole(n + 1 + self.tail) * self.interval
    }

    /// How many records a clocked engine has after so many of its own intervals.
    #[must_use]
    pub fn count_after(&self, slots: u64) -> u64 {
        slots.saturating_sub(self.origin + self.tail)
    }
}
