//! Lists of evidence. Usages can have long lists in common, which are then kept once.

use super::evidence::Evidence;
use std::fmt;
use std::ops::Index;
use std::slice;
use std::sync::Arc;

/// The evidence for the outcome of a usage, in order.
///
/// ```
/// # use abide::{Client, Policy, ProductToken, Target};
/// # let client = Client::new(ProductToken::new("ExampleBot")?);
/// let policy = Policy::compile(b"User-agent: *\nAllow: /\nDisallow: /x\n", &client);
/// let decision = policy.decide(&Target::new("/x")?);
/// let evidence = &decision.usages.crawl().evidence;
/// assert_eq!(evidence.first().ok_or("none")?.statement, b"Disallow: /x");
/// let lines = evidence.iter().filter_map(|one| one.place).map(|place| place.line);
/// assert_eq!(lines.collect::<Vec<_>>(), [3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EvidenceList<'p>(Pieces<'p>);

#[derive(Clone)]
enum Pieces<'p> {
    /// Of this usage alone.
    Own(Vec<Evidence<'p>>),
    /// In parts, each of which several usages may have.
    Shared(Box<[Arc<[Evidence<'p>]>]>),
}

impl<'p> EvidenceList<'p> {
    pub(crate) const EMPTY: Self = Self(Pieces::Own(Vec::new()));

    /// Each piece, in order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, 'p> {
        let (part, rest) = match &self.0 {
            Pieces::Own(pieces) => (pieces.iter(), [].iter()),
            Pieces::Shared(parts) => ([].iter(), parts.iter()),
        };
        Iter { part, rest }
    }

    /// The deciding piece; `None` if the list is empty.
    #[must_use]
    pub fn first(&self) -> Option<&Evidence<'p>> {
        self.iter().next()
    }

    /// The deciding piece, and all that matched and lost.
    #[must_use]
    pub fn split_first(&self) -> Option<(&Evidence<'p>, Iter<'_, 'p>)> {
        let mut others = self.iter();
        Some((others.next()?, others))
    }

    /// How many pieces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().len()
    }

    /// Whether no source mentions the usage.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }
}

impl<'p> Index<usize> for EvidenceList<'p> {
    type Output = Evidence<'p>;

    /// # Panics
    /// If the list has no more than `at` pieces.
    #[expect(clippy::expect_used, reason = "as of a slice")]
    fn index(&self, at: usize) -> &Evidence<'p> {
        self.iter().nth(at).expect("a position within the list")
    }
}

impl<'a, 'p> IntoIterator for &'a EvidenceList<'p> {
    type Item = &'a Evidence<'p>;
    type IntoIter = Iter<'a, 'p>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for EvidenceList<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl Eq for EvidenceList<'_> {}

impl fmt::Debug for EvidenceList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// The pieces of a list, one after the other.
#[derive(Clone, Debug)]
pub struct Iter<'a, 'p> {
    part: slice::Iter<'a, Evidence<'p>>,
    rest: slice::Iter<'a, Arc<[Evidence<'p>]>>,
}

impl<'a, 'p> Iterator for Iter<'a, 'p> {
    type Item = &'a Evidence<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(evidence) = self.part.next() {
                return Some(evidence);
            }
            self.part = self.rest.next()?.iter();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.rest.clone().map(|part| part.len()).sum();
        let left = self.part.len().saturating_add(rest);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_, '_> {}

/// The parts of lists that more usages may have. A line of a file can be evidence for every usage,
/// and has few bytes.
#[derive(Default)]
pub(crate) struct SharedEvidence<'p>(Vec<Arc<[Evidence<'p>]>>);

impl<'p> SharedEvidence<'p> {
    /// Shorter lists are not worth a search.
    const MIN_SHARED_PIECES: usize = 32;

    /// The list of these pieces. The deciding one is a part, and so are the others of each source:
    /// usages differ in these, and have the rest in common.
    pub(crate) fn list(&mut self, pieces: Vec<Evidence<'p>>) -> EvidenceList<'p> {
        let Some((decided, others)) = pieces
            .split_first()
            .filter(|_| pieces.len() >= Self::MIN_SHARED_PIECES)
        else {
            return EvidenceList(Pieces::Own(pieces));
        };
        let of_sources = others.chunk_by(|one, next| one.source == next.source);
        let parts = std::iter::once(slice::from_ref(decided)).chain(of_sources);
        EvidenceList(Pieces::Shared(parts.map(|part| self.part(part)).collect()))
    }

    fn part(&mut self, pieces: &[Evidence<'p>]) -> Arc<[Evidence<'p>]> {
        let is_same = |known: &&Arc<[Evidence<'p>]>| {
            known.len() == pieces.len()
                && known.iter().zip(pieces).all(|(one, own)| one.is_same(own))
        };
        if let Some(known) = self.0.iter().find(is_same) {
            return Arc::clone(known);
        }
        let part = Arc::from(pieces);
        self.0.push(Arc::clone(&part));
        part
    }
}
