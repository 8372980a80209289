//! The answer in one sentence.

use super::page::place;
use super::{Extent, FileView, SentenceSubject, as_documented};
use crate::view::PageView;
use crate::words::{capital, enumerated_all, shown_url};
use abide::explain::{self, counted};
use abide::rep::Access;
use abide::verdict::Source;
use abide::{Evidence, Outcome, Usage};
use abide_known_robots::KnownRobot;

/// What the client may crawl of the site: `GPTBot may crawl nothing on this site.`
///
/// ```
/// use abide::{Client, Policy, ProductToken};
/// use abide_analysis::view::{FileView, sentences};
/// let file = b"User-agent: *\nDisallow: /private/\nDisallow: /drafts/\n";
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let policy = Policy::compile(file, &client);
/// assert_eq!(
///     sentences::verdict(&FileView::of(&policy)),
///     "ExampleBot may crawl everything except 2 patterns.",
/// );
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[must_use]
pub fn verdict(view: &FileView<'_>) -> String {
    let agent = subject(view);
    let extent = extent(view);
    let verb = verb(view);
    let refuses = view.row.filter(|row| row.follows_robots_txt == Some(false));
    match (view.access(), refuses) {
        (Access::Rules, Some(row)) => format!(
            "The file says that {agent} may {verb} {extent}, but {agent} {} not follow \
             robots.txt{}.",
            do_or_does(view),
            as_documented(row)
        ),
        (Access::Rules | Access::Unavailable(_) | Access::Unreachable(_), _) => {
            let agent = match view.agent {
                // Names keep their case.
                SentenceSubject::Named(_) | SentenceSubject::Several(_) => agent,
                SentenceSubject::Unnamed => capital(&agent),
            };
            format!("{agent} may {verb} {extent}{}.", token(view))
        }
        _ => format!("It is not known what {agent} may {verb}: robots.txt was not read."),
    }
}

/// What the client does with pages: a control token sends no requests, and only says how pages may
/// be used.
pub(super) fn verb(view: &FileView<'_>) -> &'static str {
    if is_control_token(view) {
        "use"
    } else {
        "crawl"
    }
}

fn is_control_token(view: &FileView<'_>) -> bool {
    view.row.is_some_and(KnownRobot::is_control_token)
}

/// What a control token is, after its verdict.
fn token(view: &FileView<'_>) -> String {
    let row = view.row.filter(|row| row.is_control_token());
    row.map_or_else(String::new, |row| match row.fetchers {
        [] => ". It is a control token, which never crawls".to_owned(),
        fetchers => format!(
            ". It is a control token, which never crawls: it is about what {} crawls",
            enumerated_all(fetchers)
        ),
    })
}

/// What the client may crawl, as it follows *may crawl*: `everything except 3 patterns`.
#[must_use]
pub fn extent(view: &FileView<'_>) -> String {
    match view.access() {
        Access::Rules => {}
        Access::Unavailable(cause) => {
            return format!("everything on this site, because robots.txt is unavailable ({cause})");
        }
        Access::Unreachable(cause) => {
            return format!("nothing on this site, because robots.txt is unreachable ({cause})");
        }
        _ => return "an unknown part of this site".to_owned(),
    }
    let except = |what: &str, patterns, exceptions| {
        let but = match exceptions {
            0 => String::new(),
            _ => format!(", with {}", counted(exceptions as u64, "exception")),
        };
        format!("{what} except {}{but}", counted(patterns as u64, "pattern"))
    };
    match view.extent() {
        Extent::Everything => "everything on this site".to_owned(),
        Extent::Nothing => "nothing on this site".to_owned(),
        Extent::AllExcept {
            patterns,
            exceptions,
        } => except("everything", patterns, exceptions),
        Extent::NothingExcept {
            patterns,
            exceptions,
        } => except("nothing", patterns, exceptions),
        Extent::Parts => "parts of this site".to_owned(),
        Extent::Unknown => "what the permissions allow that the file refers to".to_owned(),
    }
}

/// Whether the client may crawl a page: `/private/x is disallowed for GPTBot by line 5.`
#[must_use]
pub fn page_verdict(view: &FileView<'_>, page: &PageView<'_>) -> String {
    let url = shown_url(page.url());
    let agent = subject(view);
    let outcome = page.decision.outcome(Usage::Crawl);
    let crawl = page.decision.usage(Usage::Crawl);
    let first = crawl.and_then(|crawl| crawl.evidence.first());
    let refuses = view.row.filter(|row| row.follows_robots_txt == Some(false));
    let but = refuses.map_or_else(String::new, |row| {
        let source = as_documented(row);
        format!(
            "; but {agent} {} not follow robots.txt{source}",
            do_or_does(view)
        )
    });
    if outcome == Outcome::Unknown {
        let why = first.map_or_else(String::new, |first| format!(": {}", explain::why(first)));
        return format!(
            "It is not known whether {agent} may {} {url}{why}.",
            verb(view)
        );
    }
    match first {
        Some(first) if is_statement(first) => {
            format!("{url} is {outcome} for {agent} by {}{but}.", place(first))
        }
        Some(first) => {
            let why = explain::why(first);
            format!("{url} is {outcome} for {agent}, because {why}{but}.")
        }
        None => format!("{url} is {outcome} for {agent}{but}."),
    }
}

/// Whether evidence is a statement of the site, not a fact or the default of the specification.
#[must_use]
pub fn is_statement(evidence: &Evidence<'_>) -> bool {
    let is_default = matches!(evidence.source, Source::Default | Source::Fetch);
    let is_of_response = evidence.tag_place().is_some() || evidence.field_line().is_some();
    !is_default && (evidence.place.is_some() || is_of_response)
}

const fn do_or_does(view: &FileView<'_>) -> &'static str {
    match view.agent {
        SentenceSubject::Several(_) => "do",
        _ => "does",
    }
}

/// The client, as verdicts name it.
fn subject(view: &FileView<'_>) -> String {
    match &view.agent {
        SentenceSubject::Unnamed => "any robot without its own group".to_owned(),
        SentenceSubject::Several(names) => names.clone(),
        SentenceSubject::Named(_) => view.agent(),
    }
}
