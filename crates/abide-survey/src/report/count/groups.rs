//! The table `groups`: the robots that files name.

use crate::report::ReportError;
use crate::report::census::Census;
use crate::report::numbers::{NameCount, Names};
use crate::report::sites::Sites;
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
    none: Sites,
    sites: Sites,
    any: Sites,
    names: HashMap<String, OneName>,
    /// Names with at most so many sites were dropped to make room (lossy counting).
    dropped: u64,
}

#[derive(Debug)]
struct OneName {
    /// Of all spellings the first one in the order of bytes, where capitals come first.
    spelling: String,
    sites: Sites,
    /// How many sites may have been dropped with it before.
    missing: u64,
}

/// The names of one file, by their lower-case form.
type FileNames = HashMap<String, String>;

impl Groups {
    pub(super) fn new(most: usize, none: Sites) -> Self {
        Self {
            most,
            none,
            sites: none,
            any: none,
            names: HashMap::new(),
            dropped: 0,
        }
    }

    /// Counts the sites of one part.
    pub(super) fn read(&mut self, table: &Stored, census: &Census) -> Result<(), ReportError> {
        let mut join = census.join();
        let mut names_of = FileNames::new();
        let mut last: Option<(i64, Sites)> = None;
        rows!(table, CaptureRow { capture } GroupRow { names }, |row| {
            let counted = join.find(row, capture)?;
            let counted = counted.filter(|one| one.is_last && one.state.has_file());
            let Some(counted) = counted else {
                return Ok(());
            };
            if last.is_none_or(|(last, _)| last != capture) {
                self.end_site(&mut names_of, last);
                self.sites += counted.site;
            }
            last = Some((capture, counted.site));
            for name in names.split_ascii_whitespace() {
                let name = quoted(name.as_bytes());
                names_of
                    .entry(name.to_ascii_lowercase())
                    .or_insert_with(|| name.into_owned());
            }
            Ok(())
        })?;
        self.end_site(&mut names_of, last);
        Ok(())
    }

    /// Counts the names of a file.
    fn end_site(&mut self, names: &mut FileNames, last: Option<(i64, Sites)>) {
        let Some((_, site)) = last else {
            return;
        };
        if names.remove("*").is_some() {
            self.any += site;
        }
        for (key, spelling) in names.drain() {
            let (missing, none) = (self.dropped, self.none);
            let name = self.names.entry(key).or_insert_with(|| OneName {
                spelling: spelling.clone(),
                sites: none,
                missing,
            });
            name.sites += site;
            if spelling < name.spelling {
                name.spelling = spelling;
            }
        }
        // Not within a file, whose names come in no order: what is dropped must not depend on it.
        while self.names.len() > self.most {
            self.dropped += 1;
            let dropped = self.dropped;
            self.names
                .retain(|_, name| name.sites.number().saturating_add(name.missing) > dropped);
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
            let sites = other.sites.size().cmp(&one.sites.size());
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
