//! `google-prefix-key`: a key that google/robotstxt reads as another key.

use crate::file::File;
use crate::peers::taken_by_google;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::FieldKind;
use abide::{Client, Outcome, Policy, Profile, Severity, Target};
use abide_known_robots::Robot;
use std::cell::OnceCell;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "google-prefix-key",
    Severity::Warning,
    include_str!("google_prefix_key.md"),
    RuleCheck::File(check),
)
.or(Severity::Error);

fn check(file: &File<'_>, found: &mut Findings) {
    let closing = OnceCell::new();
    for (line, field, _) in file.fields_of(FieldKind::Other) {
        let key = field.key.of(file.text());
        if let Some(taken) = taken_by_google(key) {
            let closes = taken == "disallow"
                && closing.get_or_init(|| closing_line(file)) == &Some(line.number);
            let message = if closes {
                format!(
                    "closes the whole site to Googlebot, because Google's parser reads every key that begins with {taken:?} as {taken}"
                )
            } else {
                format!(
                    "Google's parser reads every key that begins with {taken:?} as {taken}; others ignore it"
                )
            };
            let place = found.say(Some(line.number), field.key, message);
            if closes {
                place.severity(Severity::Error);
            }
        }
    }
}

/// The line that closes the site to Googlebot as Google's parser reads the file, if RFC 9309 leaves
/// the site open.
fn closing_line(file: &File<'_>) -> Option<u32> {
    let googlebot = Robot::known(abide_known_robots::named("googlebot")?);
    let google = |client: &Client| Policy::compile(file.bytes, client);
    let google = googlebot.policy(Profile::Google, google).ok()?;
    let home = Target::new("/").ok()?;
    let decision = google.decide(&home);
    let crawl = decision.usages.crawl();
    let is_open = file.policy_of(&googlebot)?.allows("/");
    let place = crawl.evidence.first()?.place?;
    (crawl.outcome == Outcome::Prohibited && is_open).then_some(place.line)
}

/// The groups that have a `Disallow` for Google's parser only.
pub(super) fn groups_that_google_closes(file: &File<'_>) -> BTreeSet<Option<usize>> {
    let others = file.fields_of(FieldKind::Other);
    let disallows = others
        .filter(|(_, field, _)| taken_by_google(field.key.of(file.text())) == Some("disallow"));
    disallows.map(|(line, ..)| line.group).collect()
}
