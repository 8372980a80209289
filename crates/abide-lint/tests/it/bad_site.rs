//! A deliberately bad site: every rule finds its mistake, and the findings that remain after the
//! fixes need a person.

use crate::pages::{context, found};
use abide_lint::Linter;
use abide_lint::finding::Safety;
use abide_lint::page::{Example, Page};
use abide_lint::rules::ALL;
use std::collections::BTreeSet;

fn examples() -> Vec<Example> {
    Page::read(include_str!("bad_site.md")).examples
}

#[test]
fn every_rule_finds_its_mistake() {
    let codes: BTreeSet<&str> = examples()
        .iter()
        .flat_map(found)
        .map(|finding| finding.rule.code())
        .collect();
    let missing: Vec<&str> = ALL
        .iter()
        .map(|rule| rule.code())
        .filter(|code| !codes.contains(code))
        .collect();
    assert!(missing.is_empty(), "not found: {missing:?}");
}

/// Applies every fix; the output for the remaining findings says that nothing more can be fixed.
#[test]
fn fixes_leave_what_a_person_has_to_decide() {
    let linter = Linter::new();
    for example in examples() {
        let Some(bytes) = &example.robots_txt else {
            continue;
        };
        for safety in [Safety::Safe, Safety::Unsafe] {
            let fixed = linter.fixed(bytes, &context(&example), safety);
            let left = fixed
                .findings
                .iter()
                .filter(|finding| finding.fix.as_ref().is_some_and(|fix| fix.safety <= safety));
            let left: Vec<_> = left
                .map(|finding| (finding.rule.code(), &finding.fix))
                .collect();
            assert!(left.is_empty(), "{safety:?} leaves {left:?}");
        }
    }
}
