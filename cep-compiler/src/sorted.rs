//! Small sorted collections.
//!
//! The sets and maps of a pattern hold a few ids. A B-tree for each of the dozen types of them was a fifth of the code that rustc had to
//! generate for this crate, its sorting functions another twelfth; sorted vectors are a page, and faster at such sizes.
//! The names of the methods are those of the standard library's sets and maps. Cost: O(n) for `insert` and `contains`.

/// A set, in ascending order.
#[derive(PartialEq, Eq)]
pub struct Set<T>(Vec<T>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Set(Vec::new())
    }
}

impl<T: Copy + Ord> Set<T> {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Set(Vec::new())
    }

    /// Adds a member; whether it is new.
    pub fn insert(&mut self, member: T) -> bool {
        let mut at = self.0.len();
        while at > 0 && self.0[at - 1] >= member {
            at -= 1;
        }
        let new = at == self.0.len() || self.0[at] != member;
        if new {
            self.0.insert(at, member);
        }
        new
    }

    /// Whether it is a member.
    pub fn contains(&self, member: &T) -> bool {
        self.0.contains(member)
    }

    /// How many members it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// It has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members, ascending.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The members, ascending.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The members, ascending.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T: Copy + Ord> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for m in members {
            self.insert(m);
        }
    }
}

impl<T: Copy + Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Set::new();
        set.extend(members);
        set
    }
}

impl<T> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A map, in ascending order of its keys.
#[derive(Clone, PartialEq, Eq)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map(Vec::new())
    }
}

impl<K: Copy + Ord, V> Map<K, V> {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Map(Vec::new())
    }

    /// One key and its value.
    #[must_use]
    pub fn of(key: K, value: V) -> Self {
        Map(vec![(key, value)])
    }

    /// Where the key is (`true`), or where it would go.
    fn place(&self, key: K) -> (usize, bool) {
        let mut at = self.0.len();
        while at > 0 && self.0[at - 1].0 >= key {
            at -= 1;
        }
        (at, at < self.0.len() && self.0[at].0 == key)
    }

    /// Gives the key this value, in place of the one it had.
    pub fn insert(&mut self, key: K, value: V) {
        match self.place(key) {
            (at, true) => self.0[at].1 = value,
            (at, false) => self.0.insert(at, (key, value)),
        }
    }

    /// The key's value.
    pub fn get(&self, key: &K) -> Option<&V> {
        match self.place(*key) {
            (at, true) => Some(&self.0[at].1),
            _ => None,
        }
    }

    /// The key's value.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        match self.place(*key) {
            (at, true) => Some(&mut self.0[at].1),
            _ => None,
        }
    }

    /// The key's value, made where there is none.
    pub fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        let (at, there) = self.place(key);
        if !there {
            self.0.insert(at, (key, value()));
        }
        &mut self.0[at].1
    }

    /// Whether the key has a value.
    pub fn contains_key(&self, key: &K) -> bool {
        self.place(*key).1
    }

    /// Takes the key and its value out.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        match self.place(*key) {
            (at, true) => Some(self.0.remove(at).1),
            _ => None,
        }
    }

    /// Keeps those that are meant.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.0.retain(|(k, v)| keep(k, v));
    }

    /// How many keys have a value.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// No key has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keys and values, ascending.
    #[must_use]
    pub fn as_slice(&self) -> &[(K, V)] {
        &self.0
    }

    /// Keys and values, ascending.
    pub fn iter(&self) -> std::slice::Iter<'_, (K, V)> {
        self.0.iter()
    }

    /// The keys, ascending.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(k, _)| k)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, v)| v)
    }

    /// The values in the order of their keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, v)| v)
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = &'a (K, V);
    type IntoIter = std::slice::Iter<'a, (K, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Sorts, and leaves one of each.
pub fn unique<T: Copy + Ord>(all: &mut Vec<T>) {
    let mut set = Set::new();
    for x in &*all {
        set.insert(*x);
    }
    *all = set.0;
}

/// Sorts by a key, stably. Cost: quadratic where the order is not nearly there; for lists of a few dozen.
pub fn sort_by_key<T, K: Ord>(all: &mut [T], key: impl Fn(&T) -> K) {
    for i in 1..all.len() {
        let mut at = i;
        while at > 0 && key(&all[at - 1]) > key(&all[at]) {
            all.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_sorted_and_has_each_member_once() {
        let set: Set<u8> = [3, 1, 3, 2, 1].into_iter().collect();
        assert_eq!(set.iter().copied().collect::<Vec<_>>(), [1, 2, 3]);
        let mut all = vec![9, 9, 4, 7, 4];
        unique(&mut all);
        assert_eq!(all, [4, 7, 9]);
    }

    #[test]
    fn a_map_replaces_and_finds() {
        let mut map = Map::new();
        for (k, v) in [(2, 'b'), (1, 'a'), (2, 'c')] {
            map.insert(k, v);
        }
        assert_eq!(map.iter().copied().collect::<Vec<_>>(), [(1, 'a'), (2, 'c')]);
        assert_eq!(*map.get_or_insert_with(0, || 'z'), 'z');
        assert_eq!(map.get(&1), Some(&'a'));
        assert_eq!((map.remove(&3), map.remove(&2)), (None, Some('c')));
        assert_eq!(map.keys().copied().collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn sorting_by_a_key_is_stable() {
        let mut all = [(2, 'x'), (1, 'y'), (2, 'a'), (1, 'b')];
        sort_by_key(&mut all, |(k, _)| *k);
        assert_eq!(all, [(1, 'y'), (1, 'b'), (2, 'x'), (2, 'a')]);
    }
}
