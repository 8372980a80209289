//! Patterns by the text that paths begin with.

use std::collections::{BTreeMap, BTreeSet};

/// Items by the text before the first wildcard of a pattern, in any case.
pub(super) struct ByLiteral<T> {
    items: BTreeMap<Vec<u8>, Vec<T>>,
    lengths: BTreeSet<usize>,
}

impl<T> Default for ByLiteral<T> {
    fn default() -> Self {
        Self {
            items: BTreeMap::new(),
            lengths: BTreeSet::new(),
        }
    }
}

impl<T> ByLiteral<T> {
    pub(super) fn add(&mut self, literal: &[u8], item: T) {
        self.lengths.insert(literal.len());
        let alike = self.items.entry(literal.to_ascii_lowercase());
        alike.or_default().push(item);
    }

    /// The items with which `path`, which is in lower case, begins.
    pub(super) fn beginning(&self, path: &[u8]) -> impl Iterator<Item = &T> {
        let lengths = self.lengths.range(..=path.len());
        let alike = lengths.filter_map(move |length| self.items.get(path.get(..*length)?));
        alike.flatten()
    }

    /// The items of which a path may begin with both `literal`, which is in lower case, and theirs.
    pub(super) fn near(&self, literal: &[u8]) -> impl Iterator<Item = &T> {
        let longer = self.items.range(literal.to_vec()..);
        let longer = longer.take_while(move |(own, _)| own.starts_with(literal));
        let longer = longer.filter(move |(own, _)| own.len() > literal.len());
        self.beginning(literal)
            .chain(longer.flat_map(|(_, items)| items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_path_can_begin_with_is_near() {
        let mut all = ByLiteral::default();
        for literal in ["/", "/a", "/A", "/ab", "/abc", "/b", ""] {
            all.add(literal.as_bytes(), literal);
        }
        let near = |literal: &str| all.near(literal.as_bytes()).copied().collect::<Vec<_>>();
        assert_eq!(near("/ab"), ["", "/", "/a", "/A", "/ab", "/abc"]);
        assert_eq!(near("/b"), ["", "/", "/b"]);
        let found: Vec<_> = all.beginning(b"/abd").copied().collect();
        assert_eq!(found, ["", "/", "/a", "/A", "/ab"]);
    }
}
