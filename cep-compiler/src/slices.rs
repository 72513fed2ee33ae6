//! What iterator adaptors do, as plain functions over slices.
//!
//! A chain such as `.iter().map(…).collect()` makes rustc generate some twenty functions for its closure, of which the closure itself is
//! the least; over the hundreds of closures here that was a third of the code generated for this crate. These make one small function
//! each. Their closures are `Copy`, so that nothing needs to be dropped should one of them panic; what changes something is a `for` loop.

/// Whether one passes.
pub fn any<'a, T>(mut all: &'a [T], test: impl Fn(&'a T) -> bool + Copy) -> bool {
    while let [first, rest @ ..] = all {
        if test(first) {
            return true;
        }
        all = rest;
    }
    false
}

/// Whether all pass.
pub fn all<'a, T>(mut all: &'a [T], test: impl Fn(&'a T) -> bool + Copy) -> bool {
    while let [first, rest @ ..] = all {
        if !test(first) {
            return false;
        }
        all = rest;
    }
    true
}

/// The first that passes.
pub fn find<'a, T>(mut all: &'a [T], test: impl Fn(&'a T) -> bool + Copy) -> Option<&'a T> {
    while let [first, rest @ ..] = all {
        if test(first) {
            return Some(first);
        }
        all = rest;
    }
    None
}

/// Where the first is that passes.
pub fn position<'a, T>(all: &'a [T], test: impl Fn(&'a T) -> bool + Copy) -> Option<usize> {
    let mut i = 0;
    while i < all.len() {
        if test(&all[i]) {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// What `f` makes of each.
pub fn each<'a, T, U>(mut all: &'a [T], f: impl Fn(&'a T) -> U + Copy) -> Vec<U> {
    let mut out = Vec::new();
    while let [first, rest @ ..] = all {
        out.push(f(first));
        all = rest;
    }
    out
}

/// What `f` makes of each and its index.
pub fn each_indexed<'a, T, U>(all: &'a [T], f: impl Fn(usize, &'a T) -> U + Copy) -> Vec<U> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < all.len() {
        out.push(f(i, &all[i]));
        i += 1;
    }
    out
}

/// What `f` makes of those of which it makes something.
pub fn pick<'a, T, U>(mut all: &'a [T], f: impl Fn(&'a T) -> Option<U> + Copy) -> Vec<U> {
    let mut out = Vec::new();
    while let [first, rest @ ..] = all {
        if let Some(u) = f(first) {
            out.push(u);
        }
        all = rest;
    }
    out
}

/// What `f` makes of each number below `n`.
pub fn times<U>(n: usize, f: impl Fn(usize) -> U + Copy) -> Vec<U> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < n {
        out.push(f(i));
        i += 1;
    }
    out
}
