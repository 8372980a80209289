//! Elements that were probably meant as robots meta elements, and say nothing to robots.

use super::is_html_space;
use super::legacy;
use crate::visible::shown;

/// Whether an attribute that is not `name` names robots: `robots`, or a response field.
pub(super) fn is_robots(name: &str) -> bool {
    let name = name.trim_matches(is_html_space);
    name.eq_ignore_ascii_case("robots") || is_nearly_robots(name)
}

/// Whether the name of a meta element is one that no robot has, and was meant for all of them.
pub(super) fn is_nearly_robots(name: &str) -> bool {
    let name = name.trim_matches(is_html_space);
    let nearly = ["robot", "robots-tag", "x-robots-tag", "robots.txt"];
    nearly.iter().any(|one| name.eq_ignore_ascii_case(one))
}

/// Whether a text has a robots tag rule in it.
pub(super) fn names_any_rule(content: &str) -> bool {
    let parts = legacy::divide(content).into_iter();
    parts.take(super::MAX_MISTAKES).any(legacy::names_rule)
}

/// What is wrong with an element: its attribute, the value of that, and the rules that it was to
/// state.
pub(super) fn element(attribute: &str, value: &str, rules: &str) -> String {
    format!(
        "a meta element with {attribute}={} says nothing to robots; write name=\"robots\" content={}",
        shown(value.as_bytes()),
        shown(rules.trim_matches(is_html_space).as_bytes())
    )
}
