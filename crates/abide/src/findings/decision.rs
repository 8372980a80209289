//! Findings about a decision: about its URL, the response, and a `noindex` that robots never see
//! because the page is disallowed (AMB-X-11).

use super::{preferences, robots_tags};
use crate::app::{ApplicationDecision, DirectiveNote, NoteKind};
use crate::client::Client;
use crate::decide::Decision;
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::Policy;
use crate::tag::{Binding, Response};
use crate::target::Target;
use crate::verdict::Outcome;
use crate::visible::{quoted, shown, visible};

/// The findings about a decision of `policy`.
pub(super) fn findings<'p>(policy: &'p Policy, decision: &Decision<'p>) -> Vec<Diagnostic> {
    let target = &decision.target;
    let policy = policy.elsewhere(target).unwrap_or(policy);
    let client = policy.client();
    let is_closed = decision.usages.crawl().outcome == Outcome::Prohibited;
    let tags = Binding::of(target.response(), client);
    let mut found = Vec::new();
    found.extend(target.path_as_sent().map(|sent| not_as_sent(target, &sent)));
    if let Some(response) = target.response() {
        found.extend_from_slice(response.diagnostics());
        found.extend(robots_tags::findings(&tags));
        if !client.body_metas() {
            found.extend(meta_in_body(response, client));
        }
    }
    let noted = decision.applications.iter();
    let noted = noted.filter(|said| !said.notes.is_empty());
    found.extend(noted.flat_map(of_application));
    if decision.hides_noindex() {
        found.push(Diagnostic::of_decision(
            Code::NoindexBehindDisallow,
            "robots may not fetch this page, so they never see its noindex; the URL can still be indexed",
        ));
    }
    if let Some(stated) = &decision.preferences {
        let requested = target.requested(client.profile());
        let path = policy.normalise(requested.as_bytes());
        found.extend(preferences::findings(
            policy, target, &path, is_closed, stated, &tags,
        ));
    }
    found
}

/// The finding about a URL that clients send with the path `sent`. The decision is about the URL as
/// given, and the answer for that path may differ (AMB-REP-24).
fn not_as_sent(target: &Target<'_>, sent: &str) -> Diagnostic {
    Diagnostic::of_decision(
        Code::UrlNotAsSent,
        format!(
            "web clients send {} instead of {}; check the URL as it is sent",
            shown(sent.as_bytes()),
            shown(target.path_and_query().as_bytes())
        ),
    )
}

/// The finding about a meta element that would apply if it were in the head (TAG-31).
fn meta_in_body(response: &Response, client: &Client) -> Option<Diagnostic> {
    let outside = Binding::new(response.outside_statements(), client);
    let first = outside
        .statements
        .first()
        .filter(|_| !outside.rules.is_empty())?;
    Some(Diagnostic::of_decision(
        Code::RobotsMetaInBody,
        format!(
            "{} is outside the head, so it does not count",
            visible(first.text.as_bytes())
        ),
    ))
}

/// The findings about the directives that apply to an application.
fn of_application(decided: &ApplicationDecision<'_>) -> Vec<Diagnostic> {
    let said = |note: &DirectiveNote| {
        let (code, what) = match note.kind {
            NoteKind::Deprecated => (Code::DirectiveDeprecated, "is deprecated"),
            NoteKind::TypeMismatch => (
                Code::DirectiveType,
                "has a value of another type, so it does not apply",
            ),
            NoteKind::Unregistered | NoteKind::Overrides(_) | NoteKind::MayOverride(_) => {
                return None;
            }
        };
        Some(Diagnostic::new(
            code,
            Some(note.place.line),
            note.place.span,
            format!(
                "the directive {} of {} {what}",
                quoted(note.name.as_bytes()),
                quoted(decided.id.as_bytes())
            ),
        ))
    };
    decided.notes.iter().filter_map(said).collect()
}
