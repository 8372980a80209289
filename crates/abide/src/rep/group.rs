//! Where groups begin and end (REP-3 to REP-6, REP-36, REP-66, AMB-REP-8, AMB-APP-2).

/// Follows the lines of one stream and tells which group each belongs to.
///
/// A starter opens a group unless it adds to the head of the present one; a rule closes that head.
/// Other records, blank lines and comments change nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grouping {
    open: bool,
    head_closed: bool,
}

impl Grouping {
    /// Takes a user-agent or purpose line, usable or not; true where it opens a new group.
    pub(crate) fn starter(&mut self) -> bool {
        let opens = !self.open || self.head_closed;
        *self = Self {
            open: true,
            head_closed: false,
        };
        opens
    }

    /// Takes a rule, valid or not (AMB-REP-26); true where it stands in a group (REP-36).
    pub(crate) fn rule(&mut self) -> bool {
        self.head_closed = self.open;
        self.open
    }

    /// Whether an other record at this place stands in a group.
    pub(crate) fn is_open(self) -> bool {
        self.open
    }
}
