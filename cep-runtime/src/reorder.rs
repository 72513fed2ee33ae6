//! Events that arrive late, put in order: a buffer in front of a machine.
//!
//! Known as K-slack: an event may be at most `slack` later than the newest one seen. What is held back leaves as soon as nothing earlier can
//! come any more. The capacity is fixed; inserting costs O(events held) in the worst case, O(1) for a stream that is in order.
use crate::Clock;
use core::fmt;

/// Puts a stream with bounded lateness in order. Events of equal time keep the order in which they arrived.
///
/// ```
/// use cep_runtime::{Refused, Reorder};
/// let mut reorder: Reorder<&str, u64, 8> = Reorder::new(10);
/// reorder.push(100, "a").unwrap();
/// reorder.push(95, "b").unwrap();
/// assert_eq!(reorder.pop(), None);
/// reorder.push(106, "c").unwrap();
/// // 106 - 10: nothing before 96 is still to come
/// assert_eq!(reorder.pop(), Some("b"));
/// assert_eq!(reorder.pop(), None);
/// assert_eq!(reorder.push(90, "d"), Err(Refused::Late("d")));
/// assert_eq!((reorder.finish(), reorder.finish(), reorder.finish()), (Some("a"), Some("c"), None));
/// ```
pub struct Reorder<E, T: Clock, const CAPACITY: usize> {
    /// Sorted by time, from `head` on around the end; `None` where nothing is held.
    slots: [Option<(T, E)>; CAPACITY],
    head: usize,
    len: usize,
    newest: Option<T>,
    slack: T::Span,
}

/// An event that was not taken; it comes back to the caller.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Refused<E> {
    /// Later than the slack allows, or its time is NaN.
    Late(E),
    /// As many events are held as there is room for.
    Full(E),
}
impl<E: Eq> Eq for Refused<E> {}

impl<E> fmt::Display for Refused<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Late(_) => "the event is later than the slack allows",
            Refused::Full(_) => "the buffer of late events is full",
        })
    }
}

impl<E: fmt::Debug> core::error::Error for Refused<E> {}

impl<E, T: Clock, const CAPACITY: usize> Reorder<E, T, CAPACITY> {
    /// Empty. An event may be `slack` (in the clock's unit) behind the newest one.
    #[must_use]
    pub const fn new(slack: T::Span) -> Self {
        Reorder { slots: [const { None }; CAPACITY], head: 0, len: 0, newest: None, slack }
    }

    /// How many events are held back.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// None is held back.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Takes an event; call [`pop`](Self::pop) until it gives nothing.
    ///
    /// # Errors
    /// [`Refused::Late`] or [`Refused::Full`] with the event; nothing has changed.
    pub fn push(&mut self, time: T, event: E) -> Result<(), Refused<E>> {
        if !time.is_time() || self.newest.is_some_and(|newest| !T::within(time, newest, self.slack)) {
            return Err(Refused::Late(event));
        }
        if self.len == CAPACITY {
            return Err(Refused::Full(event));
        }
        let mut at = self.len;
        // from the back: a stream that is nearly in order moves little
        while at > 0 {
            let (from, to) = (self.place(at - 1), self.place(at));
            match &self.slots[from] {
                Some((before, _)) if *before > time => {}
                _ => break,
            }
            self.slots[to] = self.slots[from].take();
            at -= 1;
        }
        let place = self.place(at);
        self.slots[place] = Some((time, event));
        self.len += 1;
        if self.newest.is_none_or(|newest| time > newest) {
            self.newest = Some(time);
        }
        Ok(())
    }

    /// The next event in order, if nothing before it can come any more.
    pub fn pop(&mut self) -> Option<E> {
        let (time, _) = self.slots.get(self.head)?.as_ref()?;
        if T::within(*time, self.newest?, self.slack) {
            return None;
        }
        self.finish()
    }

    /// The next event in order, whatever may come: for the end of the stream.
    pub fn finish(&mut self) -> Option<E> {
        let (_, event) = self.slots.get_mut(self.head)?.take()?;
        self.head = (self.head + 1) % CAPACITY;
        self.len -= 1;
        Some(event)
    }

    const fn place(&self, n: usize) -> usize {
        (self.head + n) % CAPACITY
    }
}

impl<E, T: Clock + fmt::Debug, const CAPACITY: usize> fmt::Debug for Reorder<E, T, CAPACITY> {
    /// The times of what is held back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for n in 0..self.len {
            if let Some((time, _)) = &self.slots[self.place(n)] {
                list.entry(time);
            }
        }
        list.finish()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    /// Sorting what is not late, stably, is the model.
    #[test]
    fn as_sorting() {
        let mut seed = 7u64;
        let mut random = move |n: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % n
        };
        for _ in 0..2000 {
            let slack = random(6);
            let mut reorder: Reorder<(u64, usize), u64, 64> = Reorder::new(slack);
            let (mut taken, mut out, mut newest, mut base) = (Vec::new(), Vec::new(), 0, 10u64);
            for i in 0..40 {
                base += random(3);
                let time = base - random(8).min(base);
                let late = i > 0 && time + slack < newest;
                match reorder.push(time, (time, i)) {
                    Ok(()) => {
                        assert!(!late);
                        taken.push((time, i));
                        newest = newest.max(time);
                    }
                    Err(Refused::Late(e)) => assert!(late && e == (time, i)),
                    Err(Refused::Full(_)) => panic!("there is room"),
                }
                while let Some(e) = reorder.pop() {
                    out.push(e);
                }
                assert!(out.iter().all(|(t, _)| t + slack <= newest));
            }
            while let Some(e) = reorder.finish() {
                out.push(e);
            }
            taken.sort_by_key(|(t, _)| *t);
            assert_eq!(out, taken);
            assert!(reorder.is_empty());
        }
    }

    #[test]
    fn full_gives_the_event_back() {
        let mut reorder: Reorder<char, f64, 2> = Reorder::new(1.0);
        assert_eq!((reorder.push(0.0, 'a'), reorder.push(0.5, 'b')), (Ok(()), Ok(())));
        assert_eq!(reorder.push(0.7, 'c'), Err(Refused::Full('c')));
        assert_eq!(reorder.push(f64::NAN, 'd'), Err(Refused::Late('d')));
        assert_eq!((reorder.len(), reorder.finish()), (2, Some('a')));
    }
}
