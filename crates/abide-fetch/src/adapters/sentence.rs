//! Shows a refusal in one sentence that is safe to print.

use super::DisallowedError;
use abide::explain::{visible, visible_url, why};
use abide::verdict::Source;
use abide::{Decision, Evidence, Usage};
use std::borrow::Cow;
use std::fmt;

/// The largest number of characters of foreign text shown.
const MAX_CHARS: usize = 200;

/// Shows the decision with the deciding line or the reason.
impl fmt::Display for DisallowedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decision = self.decision();
        let outcome = decision.outcome(Usage::Crawl);
        write!(f, "crawl of {} is {outcome}", shown(self.url()))?;
        let crawl = decision.usage(Usage::Crawl);
        if let Some(decided) = crawl.and_then(|crawl| crawl.evidence.first()) {
            f.write_str(&because(&decision, decided))?;
        }
        match self.redirected_from() {
            Some(from) => write!(f, "; {} led there", shown(from)),
            None => Ok(()),
        }
    }
}

/// ` by …/robots.txt, line 2, "Disallow: /x": the only rule that matches (2 bytes)`, or `, because
/// …`.
fn because(decision: &Decision<'_>, decided: &Evidence<'_>) -> String {
    let why = cut(&why(decided));
    let is_fact = matches!(decided.source, Source::Default | Source::Fetch);
    let Some(place) = decided.place.filter(|_| !is_fact) else {
        return format!(", because {why}");
    };
    let file = decided
        .locator()
        .map(Cow::Borrowed)
        .or_else(|| decision.target.robots_url().map(Cow::Owned));
    let file = shown(file.as_deref().unwrap_or("robots.txt"));
    let statement = cut(&visible(decided.statement));
    format!(" by {file}, line {}, \"{statement}\": {why}", place.line)
}

/// A URL made safe to print and shortened.
pub(super) fn shown(url: &str) -> String {
    cut(&visible_url(url))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
