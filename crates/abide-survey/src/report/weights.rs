//! The weights of sites, by a CSV file of hosts.

use super::ReportError;
use super::census::hash;
use super::sites::{MAX_WEIGHT, Weight};
use abide::explain::{quoted, visible};
use abide_contract::csv::read_text;
use csv::{ReaderBuilder, StringRecord};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file of weights, in bytes.
const MAX_WEIGHTS_BYTES: u64 = 512 << 20;

/// What is wrong with bytes that are no text.
const NOT_UTF8: &str = "the line is not UTF-8; save the file as UTF-8";

/// A weight for each of some hosts.
#[derive(Clone, Debug)]
pub struct Weights {
    /// The file, for messages.
    pub(super) path: PathBuf,
    /// The weights, and the lines on which they are, by the hash of the host.
    hosts: HashMap<u64, (Weight, u64)>,
}

impl Weights {
    /// Reads a file with a header, and the columns `host` and `weight`, in any order and beside
    /// others. Hosts are those of the column `host` of the tables, in upper or lower case.
    ///
    /// # Errors
    /// For a file that cannot be read, and for the first line that is wrong.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let unreadable = |source: io::Error| ReportError::WeightsFile {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(unreadable)?;
        let mut text = Vec::new();
        let read = file.take(MAX_WEIGHTS_BYTES + 1).read_to_end(&mut text);
        if read.map_err(unreadable)? as u64 > MAX_WEIGHTS_BYTES {
            let most = format!("the file has more than {} MiB", MAX_WEIGHTS_BYTES >> 20);
            return Err(unreadable(io::Error::other(most)));
        }
        let mut weights = Self {
            path: path.to_owned(),
            hosts: HashMap::new(),
        };
        weights.add(&text)?;
        Ok(weights)
    }

    fn add(&mut self, text: &[u8]) -> Result<(), ReportError> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(text);
        let header = reader.headers();
        let header = header.map_err(|_| self.wrong(1, "host", NOT_UTF8.to_owned()))?;
        let column = |name: &'static str| {
            let at = header.iter().position(|one| one.trim() == name);
            let remedy = "the first line has to name the columns host and weight";
            at.ok_or_else(|| self.wrong(1, name, format!("there is no such column; {remedy}")))
        };
        let (host, weight) = (column("host")?, column("weight")?);
        let mut record = StringRecord::new();
        let (mut line, mut counted) = (1, 0);
        loop {
            let begin = usize::try_from(reader.position().byte()).unwrap_or(text.len());
            // Empty lines are no rows.
            let rest = text.get(begin..).unwrap_or_default().iter();
            let begin = begin + rest.take_while(|byte| b"\r\n".contains(byte)).count();
            // The reader counts a line twice that ends in CR LF.
            let passed = text.get(counted..begin).unwrap_or_default();
            line += memchr::memchr_iter(b'\n', passed).count() as u64;
            counted = begin;
            match reader.read_record(&mut record) {
                Ok(true) => self.add_row(line, record.get(host), record.get(weight))?,
                Ok(false) => break,
                Err(_) => return Err(self.wrong(line, "host", NOT_UTF8.to_owned())),
            }
        }
        if self.hosts.is_empty() {
            let none = "there is no host; write one on each line, and its weight";
            return Err(self.wrong(line, "host", none.to_owned()));
        }
        Ok(())
    }

    fn add_row(
        &mut self,
        line: u64,
        host: Option<&str>,
        weight: Option<&str>,
    ) -> Result<(), ReportError> {
        let host = read_text(host.unwrap_or_default().trim());
        if host.is_empty() {
            let empty = "it is empty; write a host as in the column host of the tables";
            return Err(self.wrong(line, "host", empty.to_owned()));
        }
        let text = weight.unwrap_or_default().trim();
        let Some(weight) = text.parse().ok().and_then(Weight::new) else {
            let found = match text {
                "" => "nothing".to_owned(),
                text => format!("\"{}\"", visible(quoted(text.as_bytes()).as_bytes())),
            };
            let range = format!("a number from 0 to {MAX_WEIGHT:e}, with 12 decimals at most");
            return Err(self.wrong(line, "weight", format!("expected {range}, found {found}")));
        };
        let entry = self.hosts.entry(hash(&host.to_ascii_lowercase()));
        if let Entry::Occupied(entry) = &entry {
            let (_, first) = entry.get();
            let twice = format!("line {first} has this host too; leave one of them out");
            return Err(self.wrong(line, "host", twice));
        }
        entry.or_insert((weight, line));
        Ok(())
    }

    fn wrong(&self, line: u64, column: &'static str, mistake: String) -> ReportError {
        ReportError::Weights {
            path: self.path.clone(),
            line,
            column,
            mistake,
        }
    }

    /// The number of hosts.
    pub(super) fn hosts(&self) -> u64 {
        self.hosts.len() as u64
    }

    /// Whether a site has a weight, by the hash of its host.
    pub(super) fn has(&self, site: u64) -> bool {
        self.hosts.contains_key(&site)
    }

    /// The weight of a site: 0 without one.
    pub(super) fn of(&self, site: u64) -> Weight {
        let found = self.hosts.get(&site);
        found.map_or(Weight::default(), |(weight, _)| *weight)
    }
}
