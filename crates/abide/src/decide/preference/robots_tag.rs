//! The robots tag rules `noai`, `noimageai` and `noml` (PREF-109 to PREF-114).

use super::super::ruling::Ruling;
use super::super::usages::tag;
use super::{Question, VocabularyRuling};
use crate::preference::vendor_tag;
use crate::tag::Binding;
use crate::verdict::{Outcome, Vocabulary};

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>, tags: &Binding<'p>) -> VocabularyRuling<'p> {
    let mut answer = VocabularyRuling::default();
    if !question.profile.vendor_tags {
        return answer;
    }
    let is_image = question.page.is_some_and(|page| page.is_image);
    for &statement in &tags.statements {
        let mut seen: Vec<&str> = Vec::new();
        for rule in &statement.rules {
            let name = rule.name.as_str();
            // A statement that repeats a rule would have equal pieces of evidence.
            if !vendor_tag::is_known(name) || seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let evidence = tag(statement, rule, Some(Vocabulary::RobotsTag));
            for usage in vendor_tag::prohibited(name, is_image) {
                let own = Ruling::new(Outcome::Prohibited, vec![evidence.clone()]);
                answer.add(*usage, own);
            }
        }
    }
    let stated = tags.rules.keys().filter_map(|name| vendor_tag::named(name));
    answer.words = stated.map(|name| (name, "true".into())).collect();
    answer
}
