//! Lists with an entry for every few bytes of a file. A list that grows to twice its size can have
//! as much room as items; these have little.

/// Adds an item.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    make_room(list, 1);
    list.push(item);
}

/// Adds all of `more`, which becomes the list itself if that is empty.
pub(crate) fn append<T>(list: &mut Vec<T>, mut more: Vec<T>) {
    if list.is_empty() {
        *list = more;
    } else {
        make_room(list, more.len());
        list.append(&mut more);
    }
}

fn make_room<T>(list: &mut Vec<T>, items: usize) {
    if list.capacity().saturating_sub(list.len()) < items {
        list.reserve_exact(items.max(list.len() / 8));
    }
}
