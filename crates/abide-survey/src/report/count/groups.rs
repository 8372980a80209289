//! The table `groups`: the robots that files name.

use crate::report::ReportError;
use crate::report::census::Census;
use crate::report::numbers::{NameCount, Names};
use crate::report::tables::{ReadCell, Stored, rows};
use crate::schema::{CaptureRow, GroupRow};
use abide::explain::quoted;
use std::collections::HashMap;

/// How many names the report has.
const MAX_SHOWN: usize = 100;

/// Counts sites by the robots that they name.
#[derive(Debug)]
pub(super) struct Groups {
    /// The largest number of names in memory.
    most: usize,
    sites: u64,
    any: u64,
    names: HashMap<String, OneName>,
    /// Names with at most so many sites were dropped to make room (lossy counting).
    dropped: u64,
}

#[derive(Debug)]
struct OneName {
    /// Of all spellings the first one in the order of bytes, where capitals come first.
    spelling: String,
    sites: u64,
    /// How many sites may have been dropped with it before.
    missing: u64,
}

/// The names of one file, by their lower-case form.
type Site = HashMap<String, String>;

impl Groups {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            sites: 0,
            any: 0,
            names: HashMap::new(),
            dropped: 0,
        }
    }

    /// Counts the sites of one part.
    pub(super) fn read(&mut self, table: &Stored, census: &Census) -> Result<(), ReportError> {
        let mut join = census.join();
        let mut site = Site::new();
        let mut last = None;
        rows!(table, CaptureRow { capture } GroupRow { names }, |row| {
            let counted = join.find(row, capture)?;
            if !counted.is_some_and(|counted| counted.is_last && counted.state.has_file()) {
                return Ok(());
            }
            if last.replace(capture) != Some(capture) {
                self.end_site(&mut site);
                self.sites += 1;
            }
            for name in names.split_ascii_whitespace() {
                let name = quoted(name.as_bytes());
                site.entry(name.to_ascii_lowercase())
                    .or_insert_with(|| name.into_owned());
            }
            Ok(())
        })?;
        self.end_site(&mut site);
        Ok(())
    }

    /// Counts the names of a file.
    fn end_site(&mut self, site: &mut Site) {
        self.any += u64::from(site.remove("*").is_some());
        for (key, spelling) in site.drain() {
            let missing = self.dropped;
            let name = self.names.entry(key).or_insert_with(|| OneName {
                spelling: spelling.clone(),
                sites: 0,
                missing,
            });
            name.sites += 1;
            if spelling < name.spelling {
                name.spelling = spelling;
            }
        }
        // Not within a file, whose names come in no order: what is dropped must not depend on it.
        while self.names.len() > self.most {
            self.dropped += 1;
            let dropped = self.dropped;
            self.names
                .retain(|_, name| name.sites.saturating_add(name.missing) > dropped);
        }
    }

    pub(super) fn finish(self) -> Names {
        let names = self.names.into_iter().map(|(key, name)| {
            let known = abide_known_robots::named(&key);
            NameCount {
                known: known.is_some(),
                name: known.map_or(name.spelling, |robot| robot.token.to_owned()),
                sites: name.sites,
            }
        });
        let mut names: Vec<NameCount> = names.collect();
        names.sort_by(|one, other| {
            let sites = other.sites.cmp(&one.sites);
            sites.then_with(|| one.name.cmp(&other.name))
        });
        names.truncate(MAX_SHOWN);
        Names {
            sites: self.sites,
            any: self.any,
            names,
            missing: self.dropped,
        }
    }
}
