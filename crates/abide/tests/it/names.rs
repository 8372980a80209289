//! Names of the decision contract are read back.

use abide::acap::Action;
use abide::{DocumentState, LicenceSource, UnknownNameError};

use abide::verdict::{Context, Modification, Source};
use std::fmt::Debug;
use std::str::FromStr;

/// Reads each name, and another one.
fn read_back<T: FromStr<Err = UnknownNameError> + Copy + Debug>(
    names: &[&str],
    name: fn(T) -> &'static str,
) {
    for known in names {
        assert_eq!(name(known.parse::<T>().unwrap()), *known);
    }
    let error = "No-such-name".parse::<T>().unwrap_err();
    assert!(error.to_string().contains("No-such-name"), "{error}");
}

#[test]
fn names_are_read_back() {
    read_back(
        &[
            "robots.txt",
            "acap-reference",
            "content-signal-field",
            "tdm-meta",
            "control-token",
        ],
        Source::name,
    );
    read_back(
        &["robots.txt", "link", "html", "inline"],
        LicenceSource::name,
    );
    read_back(&["read", "unreadable", "not-known"], DocumentState::name);
    read_back(&["take-down", "re-crawl"], Action::name);
    read_back(
        &["any", "format", "style", "translation", "annotation"],
        Modification::name,
    );
    read_back(
        &["within-user-frame", "within-original-frame"],
        Context::name,
    );
}
