//! Where groups begin and end (REP-3 to REP-6, REP-36, REP-66, AMB-REP-8, AMB-APP-2).

/// Follows the lines of a file and decides which group each belongs to.
///
/// A `User-agent` or purpose line opens a group, or adds to the head of the current one. A rule
/// ends the head. Other records, blank lines and comments change nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grouping {
    open: bool,
    head_closed: bool,
}

impl Grouping {
    /// Reads a `User-agent` or purpose line, valid or not. Returns whether it opens a group.
    pub(crate) fn starter(&mut self) -> bool {
        let opens = !self.open || self.head_closed;
        *self = Self {
            open: true,
            head_closed: false,
        };
        opens
    }

    /// Reads a rule, valid or not (AMB-REP-26). Returns whether it is in a group (REP-36).
    pub(crate) fn rule(&mut self) -> bool {
        self.head_closed = self.open;
        self.open
    }

    /// Whether another record at this place is in a group.
    pub(crate) fn is_open(self) -> bool {
        self.open
    }
}
