//! Lists with an entry for every few bytes of a file.

/// Adds an item. A list that grows to twice its size has as much room as items; this one has little.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len().div_ceil(8).max(4));
    }
    list.push(item);
}
