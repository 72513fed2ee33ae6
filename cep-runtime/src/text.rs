//! A short text that can be kept.
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

/// A `Copy` text of at most `N` bytes: what an attribute that must outlive its event can be instead of a `String`.
///
/// It compares, hashes and prints as the `str` it derefs to. Reading it as one checks its UTF-8 again (`N` steps at most); comparing and
/// hashing do not.
///
/// ```
/// use cep_runtime::Text;
///
/// let name: Text<8> = Text::truncated("Grünewald");
/// assert_eq!(name, "Grünewa");
/// assert!(Text::<8>::new("Grünewald").is_err());
/// ```
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    length: usize,
    bytes: [u8; N],
}

/// A text that does not fit, with the sizes in bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TooLong {
    /// The text's.
    pub length: usize,
    /// What there is room for.
    pub capacity: usize,
}
impl Eq for TooLong {}

impl fmt::Display for TooLong {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a text of {} bytes does not fit into {}", self.length, self.capacity)
    }
}

impl core::error::Error for TooLong {}

impl<const N: usize> Text<N> {
    /// The text with no bytes.
    pub const EMPTY: Self = Text { length: 0, bytes: [0; N] };

    /// Copies all of `text`.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if it has more than `N` bytes.
    pub const fn new(text: &str) -> Result<Self, TooLong> {
        if text.len() > N {
            return Err(TooLong { length: text.len(), capacity: N });
        }
        Ok(Self::prefix(text, text.len()))
    }

    /// Copies as many whole characters of `text` as fit.
    #[must_use]
    pub const fn truncated(text: &str) -> Self {
        let mut length = if text.len() < N { text.len() } else { N };
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        Self::prefix(text, length)
    }

    /// `length` is a character boundary of `text`, at most `N`.
    const fn prefix(text: &str, length: usize) -> Self {
        let mut bytes = [0; N];
        let (to, _) = bytes.split_at_mut(length);
        let (from, _) = text.as_bytes().split_at(length);
        to.copy_from_slice(from);
        Text { length, bytes }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.as_bytes()) {
            Ok(text) => text,
            Err(_) => unreachable!(), // both constructors copy whole characters
        }
    }

    /// The text's bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        self.bytes.split_at(self.length).0
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> AsRef<str> for Text<N> {
    fn as_ref(&self) -> &str {
        self
    }
}

impl<const N: usize> Borrow<str> for Text<N> {
    fn borrow(&self) -> &str {
        self
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> TryFrom<&str> for Text<N> {
    type Error = TooLong;
    fn try_from(text: &str) -> Result<Self, TooLong> {
        Text::new(text)
    }
}

// The order of UTF-8 bytes is the order of `str`, and equal bytes are equal texts.
impl<const N: usize, const M: usize> PartialEq<Text<M>> for Text<N> {
    fn eq(&self, other: &Text<M>) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> Eq for Text<N> {}

impl<const N: usize> PartialOrd for Text<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Text<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl<const N: usize> Hash for Text<N> {
    /// As `str` does, so that [`Borrow`] holds.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

macro_rules! compares_with {
    ($($str:ty),*) => {$(
        impl<const N: usize> PartialEq<$str> for Text<N> {
            fn eq(&self, other: &$str) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }
        impl<const N: usize> PartialEq<Text<N>> for $str {
            fn eq(&self, other: &Text<N>) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }
        impl<const N: usize> PartialOrd<$str> for Text<N> {
            fn partial_cmp(&self, other: &$str) -> Option<Ordering> {
                Some(self.as_bytes().cmp(other.as_bytes()))
            }
        }
        impl<const N: usize> PartialOrd<Text<N>> for $str {
            fn partial_cmp(&self, other: &Text<N>) -> Option<Ordering> {
                Some(self.as_bytes().cmp(other.as_bytes()))
            }
        }
    )*};
}
compares_with!(str, &str);
#[cfg(feature = "alloc")]
compares_with!(alloc::string::String);

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::BTreeSet;
    use std::collections::hash_map::DefaultHasher;
    use std::format;

    #[test]
    fn takes_what_fits_and_refuses_the_rest() {
        assert_eq!(Text::<3>::new("abc").as_deref(), Ok("abc"));
        assert_eq!(Text::<3>::new("abcd"), Err(TooLong { length: 4, capacity: 3 }));
        assert_eq!(Text::<3>::try_from("").as_deref(), Ok(""));
        assert_eq!(Text::<0>::new("").as_deref(), Ok(""));
        assert_eq!(
            format!("{}", TooLong { length: 4, capacity: 3 }),
            "a text of 4 bytes does not fit into 3"
        );
    }

    #[test]
    fn truncates_between_characters() {
        let texts = ["", "a", "aä", "aäb", "ä", "日本", "a🦀b"];
        for text in texts {
            let cut = Text::<4>::truncated(text);
            assert!(text.starts_with(&*cut) && cut.len() <= 4);
            let next = text[cut.len()..].chars().next();
            assert!(next.is_none_or(|c| cut.len() + c.len_utf8() > 4), "{text}");
        }
        assert_eq!(Text::<0>::truncated("ä"), "");
    }

    #[test]
    fn is_its_str() {
        let of = Text::<8>::truncated;
        fn hash(t: &(impl Hash + ?Sized)) -> u64 {
            let mut h = DefaultHasher::new();
            t.hash(&mut h);
            h.finish()
        }
        let texts = ["", "a", "ab", "b", "ä", "🦀", "\u{ffff}", "a\0"];
        for a in texts {
            for b in texts {
                assert_eq!(of(a) == of(b), a == b);
                assert_eq!(of(a).cmp(&of(b)), a.cmp(b));
                assert_eq!((of(a) == b, a == of(b), of(a) < b), (a == b, a == b, a < b));
            }
            assert_eq!(hash(&of(a)), hash(a));
            assert_eq!(format!("{:>4}|{:?}", of(a), of(a)), format!("{a:>4}|{a:?}"));
        }
        let set: BTreeSet<Text<8>> = texts.into_iter().map(of).collect();
        assert!(set.contains("ab") && !set.contains("abc"));
        assert_eq!(Text::<8>::default(), "");
        assert_eq!(Text::<8>::truncated("x"), Text::<2>::truncated("x"));
    }
}
