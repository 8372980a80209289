//! What a file asks of robots that claim a purpose (`User-Agent-Purpose`).

use crate::bound::Bound;
use crate::compare::AccessSurvey;
use crate::words::{self, Phrase};
use abide::syntax::FieldKind;
use abide::{Client, PurposeToken, Robots};
use std::collections::BTreeMap;

/// The largest number of purposes that are named one by one: a file can have one in every line.
const MAX_PURPOSES: usize = 20;

/// A sentence for each purpose that starts a group, in the order of the file. `bound` limits the
/// work.
///
/// ```
/// use abide::Robots;
/// use abide_analysis::{Bound, view::sentences};
/// let robots = Robots::parse(b"User-Agent-Purpose: search\nDisallow: /\n");
/// assert_eq!(
///     sentences::purposes(&robots, Bound::default())[0].to_string(),
///     "Robots that claim the purpose search may not crawl the site (line 1).",
/// );
/// ```
#[must_use]
pub fn purposes(robots: &Robots, bound: Bound) -> Vec<Phrase> {
    let purposes = named(robots);
    let left_out = purposes.len().saturating_sub(MAX_PURPOSES);
    let mut survey = AccessSurvey::new(robots, bound);
    let shown = purposes.into_iter().take(MAX_PURPOSES);
    let mut sentences: Vec<Phrase> = shown
        .map(|(purpose, lines)| {
            let client = Client::unnamed()
                .with_profile(robots.profile())
                .with_purpose(purpose.clone());
            let openness = survey.access_of_client(&client).proven_class();
            let may = openness.sentence_end("crawl");
            let begin = "Robots that claim the purpose ";
            Phrase::of(begin)
                .name(purpose.as_str())
                .words(format!(" {may} ({}).", words::lines(&lines)))
        })
        .collect();
    if left_out > 0 {
        sentences.push(Phrase::of(format!(
            "The file has groups for {left_out} more purposes."
        )));
    }
    if !sentences.is_empty() {
        sentences.push(Phrase::of(
            "Such a group is not for a robot that another group names; no known robot is documented \
             to claim a purpose.",
        ));
    }
    sentences
}

/// The purposes that the file names, each with its lines.
fn named(robots: &Robots) -> Vec<(PurposeToken, Vec<u32>)> {
    let mut purposes: Vec<(PurposeToken, Vec<u32>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for line in robots.lines() {
        let field = line.field();
        let Some(field) = field.filter(|field| field.kind == FieldKind::UserAgentPurpose) else {
            continue;
        };
        let value = field.value.of(robots.text().as_bytes());
        let Ok(purpose) = PurposeToken::new(&String::from_utf8_lossy(value)) else {
            continue;
        };
        let place = places.entry(purpose.as_str().to_ascii_lowercase());
        let place = *place.or_insert_with(|| {
            purposes.push((purpose, Vec::new()));
            purposes.len() - 1
        });
        purposes[place].1.push(line.number);
    }
    purposes
}
