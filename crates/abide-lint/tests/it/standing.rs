//! Rules that are reported as never deciding never decide.

use abide::{Client, Policy, ProductToken};
use abide_lint::{Context, Linter};
use proptest::prelude::*;

fn pattern() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec!["a", "b", "/", "*", "$", "?", ":", "%3A", "%"]);
    prop::collection::vec(piece, 0..5).prop_map(|pieces| format!("/{}", pieces.concat()))
}

fn file() -> impl Strategy<Value = Vec<String>> {
    let rule = (any::<bool>(), pattern()).prop_map(|(allows, pattern)| {
        let key = if allows { "Allow" } else { "Disallow" };
        format!("{key}: {pattern}")
    });
    let starter = Just("User-agent: *".to_owned());
    let other = Just("User-agent: other".to_owned());
    let line = prop_oneof![8 => rule, 1 => starter, 1 => other];
    prop::collection::vec(line, 1..12).prop_map(|mut lines| {
        lines.insert(0, "User-agent: *".to_owned());
        lines
    })
}

/// Every path of up to three bytes after the `/`.
fn paths() -> Vec<String> {
    let mut all = vec!["/".to_owned()];
    let mut last = all.clone();
    for _ in 0..3 {
        last = last
            .iter()
            .flat_map(|path| {
                ["a", "b", "/", "?", ":", "%3A", "%"].map(|byte| format!("{path}{byte}"))
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Blanking a rule that is reported as duplicate, cancelled, shadowed or redundant changes no
    /// answer.
    #[test]
    fn what_decides_nothing_can_go(lines in file()) {
        let text = lines.join("\n");
        let linter = Linter::new()
            .select(["duplicate-rule", "cancelled-rule", "shadowed-rule", "redundant-rule"])
            .unwrap();
        let paths = paths();
        for finding in linter.robots_txt(text.as_bytes(), &Context::default()) {
            let mut without = lines.clone();
            // An empty pattern keeps the groups unchanged.
            without[finding.line.unwrap() as usize - 1] = "Disallow:".to_owned();
            let without = without.join("\n");
            for agent in ["other", "nobody"] {
                let client = Client::new(ProductToken::new(agent).unwrap());
                let before = Policy::compile(text.as_bytes(), &client);
                let after = Policy::compile(without.as_bytes(), &client);
                for path in &paths {
                    prop_assert_eq!(
                        before.allows(path), after.allows(path),
                        "{} {:?} {} {}", finding.rule.code(), finding.line, agent, path
                    );
                }
            }
        }
    }
}
