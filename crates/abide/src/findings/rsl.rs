//! Findings about the licences that bind a client: the documents, and what names them.

use crate::decide::preference::Question;
use crate::decide::preference::rsl::{By, LicenceReference, documents, is_foreign};
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::preference::licence_url;
use crate::preference::documents::naming;
use crate::preference::link::{Link, links};
use crate::preference::page::{PageStatements, PreferenceField};
use crate::preference::rsl::RslDocument;
use crate::preference::{Documents, LicenceLink, LicenceState};
use crate::visible::{shown, visible};

/// The media type of licence documents.
const MEDIA_TYPE: &str = "application/rsl+xml";

/// What messages call a licence document in the page.
const IN_PAGE: &str = "the licence in the page";

/// The findings about the documents that the page and robots.txt name.
pub(super) fn findings(question: &Question<'_, '_>) -> Vec<Diagnostic> {
    let Some((of_page, of_site)) = documents(question) else {
        return Vec::new();
    };
    let mut found = of_texts(question);
    found.extend(of_page.iter().flat_map(of_inline));
    for named in of_page.iter().chain(&of_site) {
        match named.state {
            LicenceState::Unreadable => found.push(not_rsl(question, named)),
            LicenceState::Read(document) if is_only_foreign(question, document) => {
                let message = "is only about other hosts, so it says nothing about this site";
                found.push(about(question, named, Code::RslForeignHost, message));
            }
            LicenceState::Read(_) | LicenceState::NotKnown => {}
        }
    }
    for named in &of_site {
        if let LicenceState::Read(document) = named.state
            && document.contents.iter().any(|one| one.url.is_empty())
        {
            let message = "has url=\"\", which matches nothing in a document that robots.txt \
                           names; write url=\"/\" for the whole site";
            found.push(about(question, named, Code::RslEmptyUrl, message));
        }
    }
    if let Some(page) = question.page {
        found.extend(of_links(page));
        found.extend(of_elements(page));
    }
    found
}

/// What is wrong with the texts of the documents. What depends on the site is found here instead.
fn of_texts(question: &Question<'_, '_>) -> Vec<Diagnostic> {
    let all = question.documents.map_or(&[][..], Documents::diagnostics);
    let own = all
        .iter()
        .filter(|found| found.code.name().starts_with("rsl-") && found.code != Code::RslEmptyUrl);
    own.cloned().collect()
}

/// What is wrong with the text of a document that is in the page.
fn of_inline(named: &LicenceReference<'_>) -> impl Iterator<Item = Diagnostic> {
    // There `url=""` is the page itself, and `not_rsl` says why a document cannot be read.
    let elsewhere = [Code::RslEmptyUrl, Code::LicenceNotRsl];
    let own = named.findings.iter();
    own.filter(move |found| !elsewhere.contains(&found.code))
        .map(|found| naming(IN_PAGE, found))
}

/// A finding about a document, on the line that names it.
fn about(
    question: &Question<'_, '_>,
    named: &LicenceReference<'_>,
    code: Code,
    message: &str,
) -> Diagnostic {
    let document = match named.url {
        Some(url) => shown(url.as_bytes()),
        None => "in the page".to_owned(),
    };
    let message = format!("the licence {document} {message}");
    match named.by {
        By::Line(line) => {
            let place = question.policy.statement_place(line);
            Diagnostic::new(code, Some(line), place.span, message)
        }
        By::Field(_) | By::Element(_) => Diagnostic::of_decision(code, message),
    }
}

/// The finding that a document cannot be read, with the reason if the caller gave one.
fn not_rsl(question: &Question<'_, '_>, named: &LicenceReference<'_>) -> Diagnostic {
    // Of a document that was not found, is disallowed, or is one too many, nobody read a text.
    let generic = "cannot be read and therefore counts as unlicensed, because it is not RSL, or was \
                   not fetched (not found, disallowed, or one of too many)";
    let finding = about(question, named, Code::LicenceNotRsl, generic);
    let unreadable = |found: &&Diagnostic| found.code == Code::LicenceNotRsl;
    if let Some(reason) = named.findings.iter().find(unreadable) {
        let message = naming(IN_PAGE, reason).message;
        return Diagnostic { message, ..finding };
    }
    let known = question.documents.map_or(&[][..], Documents::diagnostics);
    let name = named.url.map(|url| visible(url.as_bytes()));
    let reason = known.iter().find(|one| {
        let is_named = name
            .as_ref()
            .is_some_and(|name| one.message.starts_with(name));
        one.code == Code::LicenceNotRsl && is_named
    });
    match reason {
        Some(reason) => Diagnostic {
            message: reason.message.clone(),
            ..finding
        },
        None => finding,
    }
}

/// Whether everything in a document is about other sites than that of the target.
fn is_only_foreign(question: &Question<'_, '_>, document: &RslDocument) -> bool {
    let mut contents = document.contents.iter();
    contents.all(|content| is_foreign(content, question.target))
}

/// Links in fields that lead to licences, but not as RSL asks (PREF-89).
fn of_links(page: &PageStatements) -> Vec<Diagnostic> {
    let lines = page.lines(PreferenceField::Link);
    let texts = lines.filter_map(|line| std::str::from_utf8(&line.value).ok());
    let wrong = texts.flat_map(links).filter_map(|link| {
        let is_licence = link.has_word("rel", "license");
        wrong_link(&link).filter(|_| is_licence)
    });
    wrong.collect()
}

fn wrong_link(link: &Link<'_>) -> Option<Diagnostic> {
    if link.is("type", MEDIA_TYPE) {
        return (licence_url(link.target.as_bytes()).is_none()).then(|| not_absolute(link.target));
    }
    is_xml(link.target).then(|| without_type(link.target))
}

/// Elements of the page that lead to licences, but not as RSL asks (PREF-90).
fn of_elements(page: &PageStatements) -> Vec<Diagnostic> {
    let relative = page.links.iter().filter_map(|link| match link {
        LicenceLink::Element { url, .. } if licence_url(url.as_bytes()).is_none() => {
            Some(not_absolute(url))
        }
        _ => None,
    });
    let untyped = page.untyped_licences.iter().filter(|url| is_xml(url));
    let untyped = untyped.map(|url| without_type(url));
    let scoped = page.scoped_licences.iter().map(|_| {
        Diagnostic::of_decision(
            Code::LicenceScoped,
            "a licence outside the head of the page is about a part of it, and is not decided",
        )
    });
    relative.chain(untyped).chain(scoped).collect()
}

fn not_absolute(url: &str) -> Diagnostic {
    let message = format!(
        "robots ignore the link to the licence {}: write a full URL",
        shown(url.as_bytes())
    );
    Diagnostic::of_decision(Code::LicenceLinkType, message)
}

fn without_type(url: &str) -> Diagnostic {
    let message = format!(
        "robots do not read the link to the licence {} as RSL: add type=\"{MEDIA_TYPE}\"",
        shown(url.as_bytes())
    );
    Diagnostic::of_decision(Code::LicenceLinkType, message)
}

/// Whether the path of a URL ends in `.xml`.
fn is_xml(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let end = path.len().checked_sub(".xml".len());
    let end = end.and_then(|at| path.get(at..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(".xml"))
}
