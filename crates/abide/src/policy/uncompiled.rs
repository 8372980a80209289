//! A policy that is not compiled: its rules are read for one target, and again for every other one. And which rules match a path, for
//! policies of either kind.

use super::compiled::{Policy, normalise, scan_lines, scan_text, text_for};
use super::scan::{Level, Scan, Scanned, Wanted};
use crate::client::Client;
use crate::diagnostic::Glance;
use crate::pattern::Target;
use crate::pattern::normal::Forms;
use crate::pattern::octet_set::OctetSet;
use crate::pattern::set::{Match, PatternSet};
use crate::pattern::sieve::Sieve;
use crate::text::{RawLine, Text};
use std::sync::Arc;

/// What one pass for a path has left.
#[derive(Clone, Debug)]
pub(super) struct ReadFor {
    /// The path that a policy has the rules for.
    path: Forms<'static>,
    /// Where the lines begin that findings may be about, and their numbers.
    noticed: Box<[(u32, u32)]>,
}

impl Policy {
    /// The same policy as [`Policy::compile_shared`] makes, with the same answers, for those who ask it about `target`, and
    /// about few others: it keeps only the rules that match `target`, and goes over the file again for every other one.
    /// That takes about a tenth of what compiling a large file takes, and time linear in the octets of the file times those
    /// of the URL at worst. The same pass tells which lines [`Policy::diagnostics`] has to look at; eight octets are kept
    /// for each.
    ///
    /// ```
    /// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
    /// use std::sync::Arc;
    /// let octets: Arc<[u8]> = b"User-agent: *\nDisallow: /private/\n"[..].into();
    /// let target = Target::new("https://example.com/private/x")?;
    /// let policy = Policy::uncompiled(&octets, &Client::new(ProductToken::new("ExampleBot")?), &target);
    /// assert_eq!(policy.decide(&target).outcome(Usage::Crawl), Outcome::Prohibited);
    /// assert!(policy.allows("https://example.com/public"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn uncompiled(octets: &Arc<[u8]>, client: &Client, target: &Target<'_>) -> Self {
        let reading = client.reading();
        let text = text_for(client, octets).keeping(octets);
        let requested = target.requested(reading);
        let requested = requested.as_bytes();
        let path = normalise(requested, OctetSet::of(requested), reading);
        let scan = Scan::new(client).wanting(Wanted::Matching(Sieve::new(&path, reading)));
        let (scanned, noticed) = scan_and_glance(scan, &text, client);
        let mut policy = Self::from_scan(text, scanned, client);
        policy.read_for = Some(Box::new(ReadFor {
            path: path.into_owned(),
            noticed,
        }));
        policy
    }

    /// The lines that findings may be about; `None` where that is not known.
    pub(super) fn noticed(&self) -> Option<impl Iterator<Item = RawLine>> {
        let read_for = self.read_for.as_ref()?;
        let line = |&(start, number)| RawLine::at(self.text.octets(), start, number);
        Some(read_for.noticed.iter().map(line))
    }

    /// The rules that count and match `path`, strongest first, and in file order where equally strong.
    pub(crate) fn matching(&self, path: &Forms<'_>) -> Vec<Match> {
        match &self.read_for {
            Some(read_for) if read_for.path != *path => {
                self.read_again(Scan::new(&self.client), path).all(path)
            }
            _ => self.rules.all(path),
        }
    }

    /// The same of groups that address the client and that a stronger level sets aside.
    pub(crate) fn matching_passed_over(&self, path: &Forms<'_>) -> Vec<Match> {
        let Some(level) = self.level_that_sets_aside() else {
            return Vec::new();
        };
        let scan = || Scan::passed_over(&self.client, level);
        if self.read_for.is_none() {
            let compile = || Box::new(scan_text(scan(), &self.text, &self.client).rules.build(&[]));
            self.passed_over.get_or_init(compile).all(path)
        } else {
            self.read_again(scan(), path).all(path)
        }
    }

    /// The level that was chosen, where groups of a weaker one address the client too.
    fn level_that_sets_aside(&self) -> Option<Level> {
        let level = self.level?;
        let is_weaker = self.annex().groups().any(|group| group.level > level);
        is_weaker.then_some(level)
    }

    /// The rules of a pass that match `path`.
    fn read_again(&self, scan: Scan<'_>, path: &Forms<'_>) -> PatternSet {
        let sieve = Sieve::new(path, self.client.reading());
        let scan = scan.wanting(Wanted::Matching(sieve));
        scan_text(scan, &self.text, &self.client).rules.build(&[])
    }
}

/// Takes a pass over `text`, and notes in passing where lines begin that findings may be about, and their numbers.
fn scan_and_glance(
    scan: Scan<'_>,
    text: &Text<'_>,
    client: &Client,
) -> (Scanned, Box<[(u32, u32)]>) {
    let mut glance = Glance::default();
    let mut noticed = Vec::new();
    let scanned = scan_lines(scan, text, client, |keyed, raw| {
        if glance.notices(keyed, raw, text.octets()) {
            noticed.push((raw.span.start, raw.number));
        }
    });
    (scanned, noticed.into_boxed_slice())
}
