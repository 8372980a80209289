//! Findings about the `License` lines of a robots.txt, and about delays for control tokens, which
//! send no requests (PREF-86, PREF-87, PREF-124, CLA-PREF-8).

use crate::diagnostic::{Code, Diagnostic};
use crate::growth;
use crate::policy::preference::licence_url;
use crate::preference::line::PreferenceLine;
use crate::preference::{ControlToken, PreferenceProfile, Vocabulary};
use crate::profile::Profile;
use crate::rep::field::{Content, Field, FieldKind, Fields};
use crate::rep::group::Grouping;
use crate::text::{Span, Text};
use crate::visible::shown;

/// The findings for a client that asks for the preferences of `profile`.
pub(super) fn findings(
    text: &Text<'_>,
    reading: Profile,
    profile: &PreferenceProfile,
) -> Vec<Diagnostic> {
    let mut finder = LicenceFinder {
        text: text.as_bytes(),
        profile,
        grouping: Grouping::default(),
        control_token: None,
        names_robots: false,
        has_global: false,
        replaces: false,
        found: Vec::new(),
    };
    for line in Fields::new(text, reading) {
        if let Content::Field(field) = line.content {
            finder.field(&field, line.raw.number, line.raw.span);
        }
    }
    finder.found
}

/// One pass over the fields of a file.
struct LicenceFinder<'a> {
    text: &'a [u8],
    profile: &'a PreferenceProfile,
    grouping: Grouping,
    /// The control token that the current group names.
    control_token: Option<&'a ControlToken>,
    /// Whether the current group also names somebody who sends requests.
    names_robots: bool,
    /// Whether a licence comes before the first group.
    has_global: bool,
    /// Whether the current group has a licence.
    replaces: bool,
    found: Vec<Diagnostic>,
}

impl LicenceFinder<'_> {
    fn field(&mut self, field: &Field, line: u32, span: Span) {
        match field.kind {
            FieldKind::UserAgent | FieldKind::UserAgentPurpose => self.starter(field),
            FieldKind::CrawlDelay => self.crawl_delay(field, line),
            kind if kind.is_rule() => {
                self.grouping.rule();
            }
            FieldKind::Other => {
                let kind = PreferenceLine::of(field.key.of(self.text));
                if kind == Some(PreferenceLine::License) && self.profile.asks(Vocabulary::Rsl) {
                    self.licence(field, line, span);
                }
            }
            _ => {}
        }
    }

    fn starter(&mut self, field: &Field) {
        if self.grouping.starter() {
            self.control_token = None;
            self.names_robots = false;
            self.replaces = false;
        }
        let value = field.value.of(self.text);
        let is_agent = field.kind == FieldKind::UserAgent;
        let mut tokens = self.profile.control_tokens.iter();
        match tokens.find(|known| is_agent && known.token.is_named_by(value)) {
            Some(named) => self.control_token = Some(named),
            None => self.names_robots = true,
        }
    }

    fn crawl_delay(&mut self, field: &Field, line: u32) {
        if let Some(named) = self.control_token.filter(|_| !self.names_robots)
            && self.profile.asks(Vocabulary::ControlToken)
        {
            let message = format!(
                "{} sends no requests, so Crawl-delay has no effect",
                named.token.as_str()
            );
            self.say(Code::TokenNeverFetches, line, field.key, message);
        }
    }

    fn licence(&mut self, field: &Field, line: u32, whole: Span) {
        let value = field.value.of(self.text);
        if licence_url(value).is_none() {
            let span = if value.is_empty() { whole } else { field.value };
            let message = format!(
                "robots ignore the licence {}: write a full URL, such as \
                 https://example.com/license.xml",
                shown(value)
            );
            self.say(Code::LicenceNotAbsolute, line, span, message);
        } else if !self.grouping.is_open() {
            self.has_global = true;
        } else if self.has_global && !self.replaces {
            self.replaces = true;
            let message = "for the robots of this group, this licence replaces the licences before \
                           the first group; repeat those that also apply";
            self.say(Code::LicenceReplacesGlobal, line, whole, message.to_owned());
        }
    }

    fn say(&mut self, code: Code, line: u32, span: Span, message: String) {
        let finding = Diagnostic::new(code, Some(line), span, message);
        growth::push(&mut self.found, finding);
    }
}
