//! `noai-unspecified`: a robots tag about AI, without a vocabulary that defines it.

use crate::rule::{Findings, Rule, RuleCheck};
use abide::preference::Vocabulary;
use abide::{Decision, Severity, Span};

pub(crate) static RULE: Rule = Rule::new(
    "noai-unspecified",
    Severity::Info,
    include_str!("noai_unspecified.md"),
    RuleCheck::Decision(check),
);

fn check(decision: &Decision<'_>, found: &mut Findings) {
    let names = ["noai", "noimageai", "noml"];
    let stated = names
        .into_iter()
        .find(|name| decision.tags.contains_key(*name));
    let (Some(name), Some(preferences)) = (stated, &decision.preferences) else {
        return;
    };
    let has_text = |vocabulary| {
        matches!(
            vocabulary,
            Vocabulary::ContentUsage
                | Vocabulary::ContentSignal
                | Vocabulary::Tdmrep
                | Vocabulary::Rsl
        )
    };
    let mut answers = preferences.vocabularies.iter();
    let is_said = answers.any(|answer| {
        has_text(answer.vocabulary) && !(answer.words.is_empty() && answer.documents.is_empty())
    });
    if !is_said {
        let message = format!(
            "no specification defines {name}, and few robots honour it; name the robots that train, such as GPTBot, in robots.txt too"
        );
        found.say(None, Span::default(), message);
    }
}
