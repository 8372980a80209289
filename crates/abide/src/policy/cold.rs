//! One decision from the body of a file, without compiling it: for clients that use a file once.

use super::compiled::{Policy, normalise, text_for};
use super::scan::{Addressing, for_each_pattern};
use crate::client::Client;
use crate::pattern::normal::Forms;
use crate::pattern::sieve::Sieve;
use crate::profile::Profile;
use crate::rep::field::{FieldKind, KeyedLine};
use crate::rep::location::is_robots_txt;
use crate::target;
use crate::text::Lines;
use crate::verdict::Sense;

/// Returns whether the robots.txt `bytes` allows `client` to fetch `url`.
///
/// The answer is the one of [`Policy::compile`] and [`Policy::allows`]. For a single URL this takes
/// less time, because only rules that may match are read.
///
/// ```
/// use abide::{Client, ProductToken};
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let robots_txt = b"User-agent: *\nDisallow: /private/\n";
/// assert!(abide::allows(robots_txt, &client, "https://example.com/public"));
/// assert!(!abide::allows(robots_txt, &client, "https://example.com/private/x"));
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[must_use]
pub fn allows(bytes: impl AsRef<[u8]>, client: &Client, url: &str) -> bool {
    let bytes = bytes.as_ref();
    if !client.chosen_readings().is_empty() {
        return Policy::compile(bytes, client).allows(url);
    }
    let Some((path, set)) = target::requested(url, client.profile()) else {
        return false;
    };
    let path = normalise(&path, set, client.profile());
    if client.profile() == Profile::Careful && is_robots_txt(&path.c1) {
        return true;
    }
    match strongest(bytes, client, &path) {
        Ok(sense) => sense != Some(Sense::Disallow),
        Err(AcapSpeaks) => Policy::compile(bytes, client).allows(url),
    }
}

/// The file has ACAP fields, which cannot be decided line by line.
struct AcapSpeaks;

/// The sense of the strongest rule that matches `path`, or `None` if no rule matches.
fn strongest(bytes: &[u8], client: &Client, path: &Forms<'_>) -> Result<Option<Sense>, AcapSpeaks> {
    let text = text_for(client, bytes);
    let bytes = text.as_bytes();
    let mut addressing = Addressing::new(client);
    let mut strongest = StrongestRule {
        sieve: Sieve::new(path, client.profile()),
        reading: client.profile(),
        best: None,
    };
    let mut acap_speaks = false;
    Lines::new(bytes, text.body()).for_each(|raw| {
        let Some(keyed) = KeyedLine::new(bytes, &raw, client.profile()) else {
            return;
        };
        if let Some(sense) = keyed.kind.sense() {
            if addressing.rule() {
                strongest.enter(&keyed, sense);
            }
            return;
        }
        match keyed.kind {
            FieldKind::UserAgent | FieldKind::UserAgentPurpose
                if addressing.starter(keyed.kind, keyed.value()).strengthens =>
            {
                strongest.best = None;
            }
            FieldKind::AppDirectives => addressing.other_rule(),
            FieldKind::Acap => acap_speaks |= client.for_acap().is_some(),
            _ => {}
        }
    });
    if acap_speaks {
        return Err(AcapSpeaks);
    }
    Ok(strongest.best.map(|(_, sense)| sense))
}

/// Finds the strongest rule that matches a path: the longest (REP-42), then an allow (REP-44).
struct StrongestRule<'p> {
    sieve: Sieve<'p>,
    reading: Profile,
    best: Option<(usize, Sense)>,
}

impl StrongestRule<'_> {
    #[inline]
    fn enter(&mut self, rule: &KeyedLine<'_>, sense: Sense) {
        if self.sieve.stops_beginning(rule.begins_with()) || self.sieve.stops(rule.value()) {
            return;
        }
        for_each_pattern(rule.value(), sense, self.reading, |pattern| {
            let strength = Some((pattern.length(), sense));
            if strength > self.best && pattern.matches_forms(self.sieve.path()) {
                self.best = strength;
            }
        });
    }
}
