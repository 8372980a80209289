//! Findings about the directives of a file: invalid lines, groups in which an application does not
//! look (APP-20, APP-21, AMB-APP-6), and lines that replace each other.

use super::app_conflicts::conflicts;
use crate::app::field::{Directives, Mention};
use crate::app::groups::Groups;
use crate::app::{Application, Registry};
use crate::diagnostic::{Code, Diagnostic};
use crate::growth;
use crate::rep::token::ProductToken;
use crate::text::Text;
use crate::verdict::Place;
use crate::visible::visible;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The findings, for a client that asks for `applications`.
pub(super) fn findings(
    text: &Text<'_>,
    applications: &[Application],
    registry: Option<&Registry>,
) -> Vec<Diagnostic> {
    let mut tokens_by_id = BTreeMap::new();
    for application in applications {
        tokens_by_id
            .entry(application.id())
            .or_insert(application.product_tokens());
    }
    let groups = Groups::read(text);
    let mut finder = DirectiveFinder {
        groups: &groups,
        tokens_by_id,
        registry,
        own_groups: BTreeMap::new(),
        found: Vec::new(),
    };
    let bytes = text.as_bytes();
    for (group, place) in groups.places() {
        let value = place.span.of(bytes);
        let behind = bytes.get(place.span.end as usize..).unwrap_or_default();
        finder.line(group, place, value, behind);
    }
    let mut found = finder.found;
    growth::append(&mut found, conflicts(text, &groups));
    found
}

/// Why a value is not a list. `behind` is the text after it.
fn why_malformed(value: &[u8], behind: &[u8]) -> &'static str {
    let quotes = memchr::memchr_iter(b'"', value).count();
    if behind.trim_ascii_start().starts_with(b"#") && !quotes.is_multiple_of(2) {
        "\"#\" begins a comment even inside quotes, so the rest of the text is missing and the line is ignored; write a Display String, such as %\"a%23b\""
    } else if value.starts_with(b"*") {
        "a path before the list begins with \"/\", so the whole line is ignored"
    } else if Directives::in_lower_case(value).is_some() {
        "a directive has an upper-case letter, so the whole line is ignored; write directives in lower case"
    } else {
        "the directives are not a structured list, so they are ignored"
    }
}

struct DirectiveFinder<'a> {
    groups: &'a Groups,
    /// The product tokens of each application: the first one with an identifier speaks for it.
    tokens_by_id: BTreeMap<&'a str, &'a [ProductToken]>,
    registry: Option<&'a Registry>,
    /// The groups of an application. Worked out once: a file may name one on every line.
    own_groups: BTreeMap<String, Vec<usize>>,
    found: Vec<Diagnostic>,
}

impl<'a> DirectiveFinder<'a> {
    fn say(&mut self, place: Place, code: Code, message: impl Into<Cow<'static, str>>) {
        let finding = Diagnostic::new(code, Some(place.line), place.span, message);
        growth::push(&mut self.found, finding);
    }

    /// The product tokens of an application, if they are known.
    fn tokens_of(&self, id: &str) -> Option<&'a [ProductToken]> {
        let registered = self.registry.and_then(|registry| registry.get(id));
        let tokens = registered.map(|entry| entry.product_tokens.as_slice());
        let tokens = tokens.or_else(|| self.tokens_by_id.get(id).copied());
        tokens.filter(|tokens| !tokens.is_empty())
    }

    /// A line of the group with the number `group`; `behind` is the text after its value.
    fn line(&mut self, group: usize, place: Place, value: &[u8], behind: &[u8]) {
        let (mut is_empty, mut has_others, mut ids) = (true, false, BTreeSet::new());
        let read = Directives::visit(value, |mention| match mention {
            Mention::Application(id) => {
                is_empty = false;
                if self.tokens_of(id).is_some() {
                    ids.insert(id);
                }
            }
            Mention::Other => has_others = true,
            Mention::Directive(..) => {}
        });
        if read.is_err() {
            let message = why_malformed(value, behind);
            self.say(place, Code::AppDirectivesMalformed, message);
            return;
        }
        if is_empty && !has_others {
            let message = "the line names no application";
            self.say(place, Code::AppDirectivesMalformed, message);
        } else if has_others {
            let message = "the name of an application is a word without quotes or parentheses; other members of the list are ignored";
            self.say(place, Code::AppDirectivesMalformed, message);
        }
        let is_for_all = self.groups.for_all.binary_search(&group).is_ok();
        if !is_for_all {
            let message = "most applications only look for directives in a group for \"*\"";
            self.say(place, Code::AppDirectivesNotUnderStar, message);
        }
        for id in ids {
            self.application(id, group, is_for_all, place);
        }
    }

    /// An application that a line names.
    fn application(&mut self, id: &str, group: usize, is_for_all: bool, place: Place) {
        let tokens = self.tokens_of(id).unwrap_or_default();
        let groups = self.groups;
        let own = self.own_groups.entry(id.to_owned());
        let own = own.or_insert_with(|| groups.naming(tokens));
        let shown = visible(id.as_bytes());
        if own.binary_search(&group).is_ok() {
            return;
        }
        if !is_for_all {
            let message = format!("{shown} does not look for directives in this group");
            self.say(place, Code::AppDirectivesUnreachable, message);
        } else if !own.is_empty() {
            let message = format!(
                "{shown} has a group of its own, so it does not look for directives under \"*\""
            );
            self.say(place, Code::AppDirectivesShadowed, message);
        }
    }
}
