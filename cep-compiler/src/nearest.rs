//! "did you mean": the nearest of some names.
use crate::slices::each;

/// The candidate with the fewest edits from `word` (at most a third of its length, at least one), the first of equals.
#[must_use]
pub fn nearest<'a, S: AsRef<str>>(word: &str, candidates: &'a [S]) -> Option<&'a str> {
    let most = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for c in candidates {
        let c = c.as_ref();
        let d = edits(word, c);
        if d <= most && d < c.chars().count() && best.is_none_or(|(least, _)| d < least) {
            best = Some((d, c));
        }
    }
    best.map(|(_, c)| c)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let at = |r: &[usize], k: usize| r.get(k).copied().unwrap_or(usize::MAX / 2);
            let mut d = (at(&row, j) + usize::from(x != y)).min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            if j > 0 && last == Some(y) && b.get(j - 1) == Some(&x) {
                d = d.min(at(&before, j - 1) + 1);
            }
            next.push(d);
        }
        before = std::mem::replace(&mut row, next);
        last = Some(x);
    }
    row.last().copied().unwrap_or(0)
}

/// `` `a`, `b` and `c` ``
#[must_use]
pub fn list<S: AsRef<str>>(names: &[S]) -> String {
    let all = each(names, |n| format!("`{}`", n.as_ref()));
    match all.split_last() {
        None => "none".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_names() {
        assert_eq!(nearest("wihtin", &["within", "window"]), Some("within"));
        assert_eq!(nearest("selct", &["within", "select"]), Some("select"));
        assert_eq!(nearest("foo", &["within", "select"]), None);
        assert_eq!(nearest("", &["a"]), None);
    }
}
