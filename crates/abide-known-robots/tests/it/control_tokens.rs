//! The control tokens of the table.

use abide::Usage;
use abide_known_robots::{Basis, Kind, all};

/// Each row has the page of its operator, and the day on which it was read.
#[test]
fn pref_116_rows_rest_on_pages_of_operators() {
    let rows = all().iter().filter(|robot| !robot.controls.is_empty());
    let rows: Vec<_> = rows.collect();
    let tokens: Vec<_> = rows.iter().map(|robot| robot.token).collect();
    assert_eq!(tokens, ["Applebot-Extended", "Google-Extended"]);
    for robot in rows {
        assert_eq!(robot.kind, Kind::ControlToken, "{}", robot.token);
        assert_eq!(robot.basis, Basis::Operator, "{}", robot.token);
        assert!(robot.documentation.unwrap().starts_with("https://"));
        assert!(!robot.fetchers.is_empty() && robot.checked.len() == 10);
    }
    let controls = |token| abide_known_robots::named(token).unwrap().controls;
    assert_eq!(controls("Google-Extended"), [Usage::Train, Usage::AiInput]);
    assert_eq!(controls("Applebot-Extended"), [Usage::Train]);
}

/// No row is about all operators: the draft that would define such tokens was not adopted.
#[test]
fn pref_126_no_token_is_of_all_operators() {
    assert!(all().iter().all(|robot| robot.operator != "*"));
}
