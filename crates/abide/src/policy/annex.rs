//! The groups that address the client, and the places of `Sitemap` lines. A policy keeps both in
//! the same block of memory as its rules.

use super::scan::{AddressedGroup, Level};
use crate::text::Part as _;
use crate::text::Span;
use crate::verdict::Place;

/// The annex, borrowed from the arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupIndex<'p> {
    groups: &'p [[u8; GROUP]],
    sitemaps: &'p [[u8; PLACE]],
}

const NUMBER: usize = 4;
/// Line, start, end.
const PLACE: usize = 3 * NUMBER;
/// Level, place of the line that selected the group, its key, first line of the group.
const GROUP: usize = PLACE + 3 * NUMBER;

impl<'p> GroupIndex<'p> {
    /// Writes an annex.
    pub(super) fn write(groups: &[AddressedGroup], sitemaps: &[Place]) -> Vec<u8> {
        let size = groups
            .len()
            .saturating_mul(GROUP)
            .saturating_add(sitemaps.len().saturating_mul(PLACE))
            .saturating_add(NUMBER);
        let mut bytes = Vec::with_capacity(size);
        let mut write = |numbers: &[u32]| {
            for number in numbers {
                bytes.extend_from_slice(&number.to_le_bytes());
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
        bytes
    }

    /// Reads an annex.
    pub(super) fn read(bytes: &'p [u8]) -> Self {
        let (groups, rest) = bytes.split_first_chunk().unwrap_or((&[0; NUMBER], &[]));
        let groups = (u32::from_le_bytes(*groups) as usize).saturating_mul(GROUP);
        let split = rest.split_at_checked(groups);
        debug_assert!(split.is_some(), "an annex has as many groups as it says");
        let (groups, sitemaps) = split.unwrap_or_default();
        Self {
            groups: groups.as_chunks().0,
            sitemaps: sitemaps.as_chunks().0,
        }
    }

    /// The groups that address the client, in the order of the file.
    pub(super) fn groups(self) -> impl Iterator<Item = AddressedGroup> + 'p {
        self.groups.iter().map(group)
    }

    /// The group that contains line `line`, if it addresses the client.
    pub(super) fn group_of(self, line: u32) -> Option<AddressedGroup> {
        let after = self
            .groups
            .partition_point(|bytes| group(bytes).begins <= line);
        self.groups.get(after.checked_sub(1)?).map(group)
    }

    /// The places of the values of all `Sitemap` lines.
    pub(super) fn sitemaps(self) -> impl Iterator<Item = Place> + 'p {
        self.sitemaps.iter().map(|bytes| place(bytes))
    }
}

fn group(bytes: &[u8; GROUP]) -> AddressedGroup {
    AddressedGroup {
        level: Level::from_number(number(bytes, 0)),
        starter: place(bytes.part(NUMBER..)),
        key: number(bytes, 4),
        begins: number(bytes, 5),
    }
}

fn place(bytes: &[u8]) -> Place {
    Place {
        line: number(bytes, 0),
        span: Span::new(number(bytes, 1), number(bytes, 2)),
    }
}

/// The number at this position.
fn number(bytes: &[u8], at: usize) -> u32 {
    let number = bytes.as_chunks().0.get(at);
    number.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        Place {
            line,
            span: Span::new(line * 10, line * 10 + 5),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let groups =
            [(2, Level::ANY), (5, Level::PURPOSE), (9, Level::ANY)].map(|(line, level)| {
                AddressedGroup {
                    level,
                    starter: place(line + 1),
                    key: line * 10,
                    begins: line,
                }
            });
        let sitemaps = [place(1), place(20)];
        let bytes = GroupIndex::write(&groups, &sitemaps);
        let annex = GroupIndex::read(&bytes);
        let begins: Vec<_> = annex
            .groups()
            .map(|group| (group.begins, group.level))
            .collect();
        assert_eq!(begins, groups.map(|group| (group.begins, group.level)));
        assert!(
            annex
                .groups()
                .all(|group| group.starter == place(group.begins + 1))
        );
        assert!(annex.sitemaps().eq(sitemaps));
        for (line, begins) in [
            (1, None),
            (2, Some(2)),
            (4, Some(2)),
            (5, Some(5)),
            (99, Some(9)),
        ] {
            assert_eq!(
                annex.group_of(line).map(|group| group.begins),
                begins,
                "{line}"
            );
        }
        assert_eq!(GroupIndex::read(b"").groups().count(), 0);
    }
}
