//! `control-token-covers-more`: a control token whose group closes more than training.

use crate::control_tokens::named;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::verdict::Sense;
use abide::{Severity, Usage};
use abide_known_robots::Robot;

pub(crate) static RULE: Rule = Rule::new(
    "control-token-covers-more",
    Severity::Info,
    include_str!("control_token_covers_more.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let covers_more = |usages: &[Usage]| usages.contains(&Usage::Train) && usages.len() > 1;
    let tokens = named(file).into_iter();
    let mut closing = tokens.filter(|token| {
        let policy = file.policy_of(&Robot::known(token.robot));
        let disallows = policy.is_some_and(|policy| {
            let rules = file.robots.rules(&policy);
            rules
                .iter()
                .any(|rule| rule.sense == Sense::Disallow && rule.pattern.is_ok())
        });
        covers_more(token.robot.controls) && disallows
    });
    // Once a file is enough.
    if let Some(token) = closing.next() {
        let usages = token.robot.controls.iter();
        let others = usages.filter_map(|usage| asked_beside_training(*usage));
        let others: Vec<_> = others.collect();
        let message = format!(
            "disallowing {} also asks {} not to {}, not only not to train",
            token.robot.token,
            token.robot.operator,
            others.join(" or to ")
        );
        found.say(
            Some(token.line.number),
            File::statement(token.line),
            message,
        );
    }
}

/// What a site asks an operator not to do with its pages, besides training.
fn asked_beside_training(usage: Usage) -> Option<&'static str> {
    match usage {
        Usage::AiInput => Some("use pages to ground AI answers"),
        Usage::Search => Some("show pages in search"),
        _ => None,
    }
}
