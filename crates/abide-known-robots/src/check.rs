//! The compiler checks the table: a row that contradicts itself or another one does not build.

use crate::robot::{Basis, Kind, KnownRobot};
use crate::table::ROBOTS;
use abide::Usage;

const _: () = assert!(ROBOTS.len() >= 120, "the table has at least 120 rows");
const _: () = {
    let mut at = 0;
    while at < ROBOTS.len() {
        row(&ROBOTS[at]);
        if at > 0 {
            assert!(
                comes_before(ROBOTS[at - 1].token, ROBOTS[at].token),
                "rows are sorted by token, and tokens are unique"
            );
        }
        at += 1;
    }
};

const fn row(robot: &KnownRobot) {
    assert!(
        is_token(robot.token),
        "a token has letters, digits, '-', '_', '.'"
    );
    assert!(!robot.operator.is_empty(), "a robot has an operator");
    assert!(!robot.purposes.is_empty(), "a robot has a purpose");
    assert!(
        !robot.note.is_empty(),
        "a row says what blocking the robot does"
    );
    assert!(is_date(robot.checked), "a date is written 2026-11-24");
    let sends = robot.user_agent.is_some();
    assert!(
        matches!(robot.kind, Kind::ControlToken) != sends,
        "a control token sends no requests, and every other robot does"
    );
    let mut at = 0;
    while at < robot.falls_back_to.len() {
        assert!(is_listed(robot.falls_back_to[at]), "a fallback has a row");
        at += 1;
    }
    let mut at = 0;
    while at < robot.replaced_by.len() {
        assert!(
            is_listed(robot.replaced_by[at]),
            "what replaces a token has a row"
        );
        at += 1;
    }
    controls(robot);
}

/// A row that says what a control token controls rests on the operator's own page (AMB-PREF-30).
const fn controls(robot: &KnownRobot) {
    assert!(
        robot.controls.is_empty() == robot.fetchers.is_empty(),
        "a control token that controls usages names the robots that fetch, and no other row does"
    );
    let is_documented = robot.documentation.is_some() && matches!(robot.basis, Basis::Operator);
    assert!(
        robot.controls.is_empty() || (matches!(robot.kind, Kind::ControlToken) && is_documented),
        "only control tokens control usages, and their operators document it"
    );
    let mut at = 0;
    while at < robot.fetchers.len() {
        assert!(is_listed(robot.fetchers[at]), "a fetcher has a row");
        at += 1;
    }
    let mut at = 0;
    while at < robot.controls.len() {
        assert!(
            matches!(
                robot.controls[at],
                Usage::Train | Usage::AiInput | Usage::Search
            ),
            "control tokens are about AI preferences"
        );
        at += 1;
    }
}

const fn is_token(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'-' | b'_' | b'.')) {
            return false;
        }
        at += 1;
    }
    !bytes.is_empty()
}

const fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_dash = at == 4 || at == 7;
        if is_dash && bytes[at] != b'-' || !is_dash && !bytes[at].is_ascii_digit() {
            return false;
        }
        at += 1;
    }
    bytes.len() == 10
}

/// Whether `a` comes before `b`, ignoring case.
const fn comes_before(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() {
        let (one, other) = (a[at].to_ascii_lowercase(), b[at].to_ascii_lowercase());
        if one != other {
            return one < other;
        }
        at += 1;
    }
    a.len() < b.len()
}

const fn is_listed(token: &str) -> bool {
    let mut at = 0;
    while at < ROBOTS.len() {
        let own = ROBOTS[at].token;
        if !comes_before(own, token) && !comes_before(token, own) {
            return true;
        }
        at += 1;
    }
    false
}
