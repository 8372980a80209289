//! What a policy keeps of a file beside the rules, in the same piece of memory: the groups that address the client, and
//! where the sitemaps are named.

use super::scan::{AddressedGroup, Level};
use crate::text::Part as _;
use crate::text::Span;
use crate::verdict::Place;

/// The annex, as it is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Annex<'p> {
    groups: &'p [[u8; GROUP]],
    sitemaps: &'p [[u8; PLACE]],
}

const NUMBER: usize = 4;
/// Line, start, end.
const PLACE: usize = 3 * NUMBER;
/// Level, starter, its key, where the group begins.
const GROUP: usize = PLACE + 3 * NUMBER;

impl<'p> Annex<'p> {
    /// Writes an annex.
    pub(super) fn write(groups: &[AddressedGroup], sitemaps: &[Place]) -> Vec<u8> {
        let size = groups
            .len()
            .saturating_mul(GROUP)
            .saturating_add(sitemaps.len().saturating_mul(PLACE))
            .saturating_add(NUMBER);
        let mut octets = Vec::with_capacity(size);
        let mut write = |numbers: &[u32]| {
            for number in numbers {
                octets.extend_from_slice(&number.to_le_bytes());
            }
        };
        write(&[crate::text::offset(groups.len())]);
        for group in groups {
            let Place { line, span } = group.starter;
            write(&[
                group.level.number(),
                line,
                span.start,
                span.end,
                group.key,
                group.begins,
            ]);
        }
        for Place { line, span } in sitemaps {
            write(&[*line, span.start, span.end]);
        }
        octets
    }

    /// Reads an annex.
    pub(super) fn read(octets: &'p [u8]) -> Self {
        let (groups, rest) = octets.split_first_chunk().unwrap_or((&[0; NUMBER], &[]));
        let groups = (u32::from_le_bytes(*groups) as usize).saturating_mul(GROUP);
        let (groups, sitemaps) = rest.split_at_checked(groups).unwrap_or_default();
        Self {
            groups: groups.as_chunks().0,
            sitemaps: sitemaps.as_chunks().0,
        }
    }

    /// The groups that address the client, in the order of the file.
    pub(super) fn groups(self) -> impl Iterator<Item = AddressedGroup> + 'p {
        self.groups.iter().map(group)
    }

    /// The group that line `line` stands in, where it addresses the client.
    pub(super) fn group_of(self, line: u32) -> Option<AddressedGroup> {
        let after = self
            .groups
            .partition_point(|octets| group(octets).begins <= line);
        self.groups.get(after.checked_sub(1)?).map(group)
    }

    /// The values of all sitemap records.
    pub(super) fn sitemaps(self) -> impl Iterator<Item = Place> + 'p {
        self.sitemaps.iter().map(|octets| place(octets))
    }
}

fn group(octets: &[u8; GROUP]) -> AddressedGroup {
    AddressedGroup {
        level: Level::from_number(number(octets, 0)),
        starter: place(octets.part(NUMBER..)),
        key: number(octets, 4),
        begins: number(octets, 5),
    }
}

fn place(octets: &[u8]) -> Place {
    Place {
        line: number(octets, 0),
        span: Span::new(number(octets, 1), number(octets, 2)),
    }
}

/// The number at this position.
fn number(octets: &[u8], at: usize) -> u32 {
    let number = octets.as_chunks().0.get(at);
    number.map_or(0, |octets| u32::from_le_bytes(*octets))
}
