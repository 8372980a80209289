//! The two files of a comparison.

/// One of two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// Something of each of two files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Both<T> {
    pub(super) old: T,
    pub(super) new: T,
}

impl<T: Copy> Both<T> {
    pub(super) fn of(self, side: Side) -> T {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    pub(super) fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        }
    }
}
