//! What tells at a glance that a rule does not match a path: for those who go over all rules of a file for one path.

use super::normal::Forms;
use super::octet_set::OctetSet;
use crate::profile::Profile;

/// A path that rules are held against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sieve<'p> {
    path: &'p Forms<'p>,
    /// What a rule has to be made of: known where the path is the same in both forms, and without escapes.
    set: Option<OctetSet>,
}

impl<'p> Sieve<'p> {
    /// A sieve for rules in the reading of `reading`.
    pub(crate) fn new(path: &'p Forms<'p>, reading: Profile) -> Self {
        let set = OctetSet::of(&path.c1);
        // A rule of the google profile may stand for another pattern than its own.
        let is_plain = reading == Profile::Careful && path.c2.is_none() && !set.has_percent();
        let set = is_plain.then_some(set);
        Self { path, set }
    }

    /// The path.
    pub(crate) fn path(&self) -> &'p Forms<'p> {
        self.path
    }

    /// Whether a rule cannot match whose value begins so: most part from the path in the first octet that can differ.
    #[inline]
    pub(crate) fn stops_beginning(&self, value: &[u8]) -> bool {
        matches!((value, &*self.path.c1), ([b'/', own, ..], [_, other, ..])
            if own != other && OctetSet::of(&[*own]).is_verbatim())
    }

    /// Whether a rule of this value cannot match: it asks for octets that the path has not. What holds in form C1 holds
    /// in form C2 here, for a rule that differs in it asks for a `%`.
    #[inline]
    pub(crate) fn stops(&self, value: &[u8]) -> bool {
        let body = value.strip_suffix(b"$").unwrap_or(value);
        self.set.is_some_and(|path| {
            let own = OctetSet::of(body);
            !own.may_change() && !path.may_hold(own.presence())
        })
    }
}
