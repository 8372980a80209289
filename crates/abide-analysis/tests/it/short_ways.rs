//! What is found the short way, for surveys of many sites, is what is found the long way.

use abide::{Outcome, Robots, Usage};
use abide_analysis::Bound;
use abide_analysis::compare::AccessSurvey;
use abide_analysis::{preferences, view};
use abide_known_robots::Robot;
use abide_testkit::corpus;
use abide_testkit::vectors::DecisionVector;

/// The robots.txt of all vectors, and of real sites if there are any.
fn files() -> Vec<Vec<u8>> {
    let vectors = abide_testkit::vectors::load();
    let vectors = vectors.iter().flat_map(|(_, vectors)| &vectors.decision);
    let mut files: Vec<Vec<u8>> = vectors.filter_map(DecisionVector::bytes).collect();
    let real = corpus::files().into_iter().step_by(5);
    files.extend(real.map(|(_, bytes)| bytes));
    files.retain(|file| file.len() < 50_000);
    files
}

#[test]
fn the_class_and_the_outcomes_are_the_same() {
    let robots = Robot::list("Googlebot,GPTBot,CCBot,Google-Extended,*").unwrap();
    let files = files();
    assert!(files.len() > 300, "{}", files.len());
    for file in files {
        let parsed = Robots::parse(&file);
        let mut survey = AccessSurvey::new(&parsed, Bound::default());
        for robot in &robots {
            let policy = robot
                .policy(parsed.profile(), |client| {
                    let asked = preferences::ROBOTS_TXT_VOCABULARIES.to_vec();
                    parsed.policy(&preferences::with_preferences(client, Some(asked)))
                })
                .unwrap();
            let access = survey.access_of(&policy);
            let told = String::from_utf8_lossy(&file);
            assert_eq!(
                survey.class_of(&policy),
                (access.class, access.is_exact),
                "{}: {told}",
                robot.name()
            );
            let answers = view::site_answers(&policy, &parsed);
            let outcomes = view::site_outcomes(&policy, &parsed);
            for &usage in Usage::PREFERENCES {
                let answer = answers.iter().find(|answer| answer.usage == usage);
                let expected = answer.map_or(Outcome::Unspecified, |answer| answer.outcome);
                let robot = robot.name();
                assert_eq!(
                    outcomes.outcome(usage),
                    expected,
                    "{robot}, {usage}: {told}"
                );
            }
        }
    }
}
