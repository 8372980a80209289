//! What is wrong with the preferences of a response and its page (PREF-34 to PREF-48, PREF-56).

use super::content_signal;
use super::content_usage::UsageCheck;
use super::mistake::{Mistakes, StatementPlace};
use crate::decide::preference::Question;
use crate::diagnostic::{Code, Diagnostic};
use crate::preference::page::{PageStatements, PreferenceField};
use crate::preference::{Vocabulary, content_usage};
use crate::visible::visible;

/// The findings about the fields and meta elements of the response, if there is one.
pub(super) fn findings(question: &Question<'_, '_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let Some(page) = question.page else {
        return found;
    };
    if question.profile.asks(Vocabulary::ContentUsage) {
        usage_field(page, question, &mut found);
    }
    if question.profile.asks(Vocabulary::ContentSignal) {
        let field = PreferenceField::ContentSignal;
        mistakes(
            page,
            field,
            "Content-Signal",
            &mut found,
            content_signal::check,
        );
    }
    found.extend(page.unread_metas.iter().map(|meta| in_meta(meta)));
    found
}

/// The field's lines, which are one statement.
fn usage_field(page: &PageStatements, question: &Question<'_, '_>, found: &mut Vec<Diagnostic>) {
    let lines = || page.lines(PreferenceField::ContentUsage);
    if content_usage::is_too_long(lines().map(|line| &*line.value)) {
        found.push(Diagnostic::of_decision(
            Code::ContentUsageTooLong,
            format!(
                "the Content-Usage field is longer than {} bytes, so it states no preference",
                content_usage::MAX_FIELD_BYTES
            ),
        ));
        return;
    }
    let mut check = UsageCheck::new(question.profile.revision);
    let field = PreferenceField::ContentUsage;
    mistakes(page, field, "Content-Usage", found, |statement, found| {
        check.field_line(statement, found);
    });
}

/// Adds what `check` finds in the lines of a field.
fn mistakes(
    page: &PageStatements,
    field: PreferenceField,
    name: &'static str,
    found: &mut Vec<Diagnostic>,
    mut check: impl FnMut(&[u8], &mut Mistakes<'_>),
) {
    let statement = &[];
    let mut mistakes = Mistakes::new(StatementPlace::Field { name, statement });
    for line in page.lines(field) {
        let statement = &line.value;
        mistakes.place = StatementPlace::Field { name, statement };
        check(statement, &mut mistakes);
    }
    found.extend(mistakes.into_findings());
}

/// The finding about a meta element that no robot reads (PREF-43).
fn in_meta(meta: &str) -> Diagnostic {
    let message = format!(
        "{} has no effect: robots read Content-Usage and Content-Signal in robots.txt and in response fields only",
        visible(meta.as_bytes())
    );
    Diagnostic::of_decision(Code::PreferenceInMeta, message)
}
