//! Texts that state a size: only rustc knows how large a struct is, so `EXPLAIN` is put together while it compiles.

/// How many decimal digits a number has.
#[inline]
#[must_use]
pub const fn digits(mut number: usize) -> usize {
    let mut n = 1;
    while number >= 10 {
        number /= 10;
        n += 1;
    }
    n
}

/// `before`, the number in decimal digits, `after`: `N` bytes, which has to be the sum of the three lengths.
#[must_use]
pub const fn explained<const N: usize>(before: &str, number: usize, after: &str) -> [u8; N] {
    let (front, back, mut out) = (before.as_bytes(), after.as_bytes(), [0; N]);
    assert!(front.len() + digits(number) + back.len() == N);
    let mut i = 0;
    while i < front.len() {
        out[i] = front[i];
        i += 1;
    }
    let mut at = front.len() + digits(number);
    let mut left = number;
    while at > front.len() {
        at -= 1;
        // one digit
        out[at] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    let end = front.len() + digits(number);
    i = 0;
    while i < back.len() {
        out[end + i] = back[i];
        i += 1;
    }
    out
}

/// The bytes of [`explained`] as a text.
#[inline]
#[must_use]
pub const fn text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("made of texts and digits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_between_two_texts() {
        const BYTES: [u8; 12] = explained("größe ", 408, "!");
        assert_eq!(text(&BYTES), "größe 408!");
        assert_eq!((digits(0), digits(9), digits(10), digits(65_536)), (1, 1, 2, 5));
    }
}
