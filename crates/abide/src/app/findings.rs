//! Findings about the directives of a file: invalid lines, and groups in which an application does
//! not look (APP-20, APP-21, AMB-APP-6).

use super::field::{Directives, Mention};
use super::groups::Groups;
use super::{Application, Registry};
use crate::diagnostic::{Code, Diagnostic};
use crate::growth;
use crate::rep::token::ProductToken;
use crate::text::Text;
use crate::verdict::Place;
use crate::visible::visible;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The findings, for a client that asks for `applications`.
pub(crate) fn diagnostics(
    text: &Text<'_>,
    applications: &[Application],
    registry: Option<&Registry>,
) -> Vec<Diagnostic> {
    let mut asked = BTreeMap::new();
    for application in applications {
        asked
            .entry(application.id())
            .or_insert(application.product_tokens());
    }
    let groups = Groups::read(text);
    let mut finder = DirectiveFinder {
        groups: &groups,
        asked,
        registry,
        own_groups: BTreeMap::new(),
        found: Vec::new(),
    };
    for (group, place) in groups.places() {
        finder.line(group, place, place.span.of(text.as_bytes()));
    }
    finder.found
}

struct DirectiveFinder<'a> {
    groups: &'a Groups,
    /// The product tokens of each application: the first one with an identifier speaks for it.
    asked: BTreeMap<&'a str, &'a [ProductToken]>,
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
        let tokens = tokens.or_else(|| self.asked.get(id).copied());
        tokens.filter(|tokens| !tokens.is_empty())
    }

    /// A line of the group with the number `group`.
    fn line(&mut self, group: usize, place: Place, value: &[u8]) {
        let (mut is_empty, mut ids) = (true, BTreeSet::new());
        let read = Directives::visit(value, |mention| {
            let Mention::Application(id) = mention else {
                return;
            };
            is_empty = false;
            if self.tokens_of(id).is_some() {
                ids.insert(id);
            }
        });
        if read.is_err() {
            let message = "the directives are not a structured list, so they are ignored";
            self.say(place, Code::AppDirectivesMalformed, message);
            return;
        }
        if is_empty {
            let message = "the line names no application";
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
