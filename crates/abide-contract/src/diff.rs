//! The differences between two files as JSON. `schema/diff.json` describes them; the order of
//! fields is stable.

use crate::SCHEMA;
use crate::room::Room;
use abide_analysis::compare::{ChangedUrls, ClientDifferences, Differences, RegionPlace, Review};
use serde::Serialize;

/// What changes for whom from one robots.txt to another.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diff<'a> {
    /// Version of this form.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    schema: u32,
    /// The old file, as it was named.
    old: &'a str,
    /// The new file, as it was named.
    new: &'a str,
    /// Whether it was shown that nothing changes, by RFC 9309 and for Google's parser.
    equivalent: bool,
    /// Whether everything could be compared.
    complete: bool,
    #[serde(flatten)]
    review: Review,
    #[serde(flatten)]
    differences: Differences,
    /// What became of the URLs of a list; null where there is none.
    urls: Option<ChangedUrls>,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<Omitted>,
}

/// How much is left out, so that the answer is at most 20 times as long as the files; absent if
/// nothing is, as with `--all`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Omitted {
    causes: usize,
    clients: usize,
    /// Of the clients that are listed.
    regions: usize,
    urls: usize,
}

impl<'a> Diff<'a> {
    /// The differences between the files named `old` and `new`, their review, and the changes of a
    /// list of URLs.
    #[must_use]
    pub fn new(
        old: &'a str,
        new: &'a str,
        differences: Differences,
        review: Review,
        urls: Option<ChangedUrls>,
    ) -> Self {
        Self {
            schema: SCHEMA,
            old,
            new,
            equivalent: review.is_equivalent(&differences),
            complete: review.is_complete(&differences),
            review,
            differences,
            urls,
            omitted: None,
        }
    }

    /// Leaves out causes, clients, regions and URLs for which there is no room, and says how many.
    #[must_use]
    pub fn within(mut self, mut room: Room) -> Self {
        let mut omitted = Omitted::default();
        let mut half = room.half();
        omitted.causes = half.keep(&mut self.review.causes);
        room.give_back(half);
        if let Some(urls) = &mut self.urls {
            let mut half = room.half();
            omitted.urls = half.keep(&mut urls.changed);
            room.give_back(half);
        }
        let clients = &mut self.differences.clients;
        let all = clients.len();
        let has_room = |one: &mut ClientDifferences| {
            let mut regions = std::mem::take(&mut one.comparison.regions);
            let mut directives = std::mem::take(&mut one.comparison.directives);
            let has_room = room.take(&*one);
            if has_room {
                omitted.regions += room.keep(&mut regions) + room.keep(&mut directives);
            }
            one.comparison.regions = regions;
            one.comparison.directives = directives;
            has_room
        };
        let kept = clients.iter_mut().map(has_room);
        let kept = kept.take_while(|has_room| *has_room).count();
        clients.truncate(kept);
        omitted.clients = all - kept;
        let is_listed = |place: &RegionPlace| {
            let one = clients.get(place.clients);
            one.is_some_and(|one| place.region < one.comparison.regions.len())
        };
        for cause in &mut self.review.causes {
            cause.regions.retain(is_listed);
        }
        self.omitted = (omitted != Omitted::default()).then_some(omitted);
        self
    }
}
