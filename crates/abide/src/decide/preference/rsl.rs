//! RSL: licence documents of the page where they speak, otherwise those of robots.txt (PREF-86 to
//! PREF-108).

use super::super::ruling::Ruling;
use super::{
    DocumentState, LicenceDocument, LicenceSource, Question, VocabularyRuling, robots_txt_unknown,
};
use crate::diagnostic::Diagnostic;
use crate::policy::preference::licence_url;
use crate::preference::link::links;
use crate::preference::page::PreferenceField;
use crate::preference::rsl::{
    DocumentReferrer, MAX_DOCUMENTS, MatchingLicences, RslContent, RslUsage,
};
use crate::preference::{LicenceLink, LicenceState};
use crate::tag::TagPlace;
use crate::target::Target;
use crate::verdict::{
    Evidence, Outcome, Provenance, Reason, Role, Source, SourceDetails, Usage, Vocabulary,
};
use std::borrow::Cow;

const VOCABULARY: Vocabulary = Vocabulary::Rsl;

/// A document that binds the client, and what names it.
pub(crate) struct LicenceReference<'p> {
    pub(crate) url: Option<&'p str>,
    from: LicenceSource,
    pub(crate) state: &'p LicenceState,
    /// What is wrong with the text of a document that is in the page.
    pub(crate) findings: &'p [Diagnostic],
    /// The line of robots.txt, or the place in the response, that names it.
    pub(crate) by: By,
}

#[derive(Clone, Copy)]
pub(crate) enum By {
    Line(u32),
    Field(u32),
    Element(u64),
}

/// A document that was looked at for the page.
struct LicenceMatch<'n, 'p> {
    named: &'n LicenceReference<'p>,
    matching: Option<MatchingLicences<'p>>,
}

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> VocabularyRuling<'p> {
    let Some((of_page, of_site)) = documents(question) else {
        return VocabularyRuling::default();
    };
    let page = looked_at(question, &of_page, DocumentReferrer::Page);
    let site = looked_at(question, &of_site, DocumentReferrer::Site);
    let mut answer = VocabularyRuling::default();
    for about in RslUsage::ALL {
        // The page's documents go first for every usage that they speak about (PREF-92). While one
        // of them is missing, it could still permit what the site prohibits.
        let by_page = referrer_says(question, &page, about);
        let is_open = by_page.outcome == Outcome::Unspecified;
        let ruling = if is_open {
            site_says(question, &site, about)
        } else {
            by_page
        };
        // A document that cannot be read prohibits, but has no words.
        let decided = ruling.evidence.first().map(|decided| decided.reason);
        if ruling.outcome != Outcome::Unknown
            && decided.is_some_and(|reason| reason != Reason::LicenceUnreadable)
        {
            let value = ruling.outcome.name().into();
            answer.words.push((about.word(), value));
        }
        let Some(usage) = of_decision(about) else {
            continue;
        };
        if ruling.outcome == Outcome::Unknown {
            let mut missing = missing(&page);
            // Where a document of the page speaks, those of the site do not count (CLA-PREF-21).
            if !page.iter().any(|looked| looked.speaks_about(about)) {
                missing.extend(self::missing(&site));
                let robots_url = question.target.robots_url();
                missing.extend(robots_url.filter(|_| question.is_robots_txt_unknown()));
            }
            answer
                .needs
                .extend(missing.into_iter().map(|url| (usage, url)));
        }
        if let Some(own) = answer.about(usage) {
            *own = ruling;
        }
    }
    answer.documents = of_page
        .iter()
        .chain(&of_site)
        .map(LicenceReference::listed)
        .collect();
    answer
}

/// The documents that the page names, and those that robots.txt names. `None` if the vocabulary is
/// silent: there are none, and it is known that there are none.
pub(crate) fn documents<'p>(
    question: &Question<'p, '_>,
) -> Option<(Vec<LicenceReference<'p>>, Vec<LicenceReference<'p>>)> {
    let (of_page, of_site) = (page_documents(question), site_documents(question));
    let is_silent =
        of_site.is_empty() && question.page.is_none() && !question.is_robots_txt_unknown();
    (!is_silent).then_some((of_page, of_site))
}

/// The URLs of the documents that the client has not asked for.
fn missing(looked: &[LicenceMatch<'_, '_>]) -> Vec<String> {
    let missing = looked
        .iter()
        .filter(|one| *one.named.state == LicenceState::NotKnown);
    missing
        .filter_map(|one| one.named.url)
        .map(str::to_owned)
        .collect()
}

/// What the documents of robots.txt say about a usage.
fn site_says<'p>(
    question: &Question<'p, '_>,
    site: &[LicenceMatch<'_, 'p>],
    usage: RslUsage,
) -> Ruling<'p> {
    if question.is_robots_txt_unknown() {
        return robots_txt_unknown(VOCABULARY);
    }
    referrer_says(question, site, usage)
}

/// Reads the documents of one referrer for the page.
fn looked_at<'n, 'p>(
    question: &Question<'p, '_>,
    named: &'n [LicenceReference<'p>],
    referrer: DocumentReferrer,
) -> Vec<LicenceMatch<'n, 'p>> {
    let looked = named.iter().map(|named| LicenceMatch {
        named,
        matching: match named.state {
            LicenceState::Read(document) => {
                let own_path = |content| own_path(content, question.target);
                Some(document.matching(question.path, referrer, own_path))
            }
            LicenceState::Unreadable | LicenceState::NotKnown => None,
        },
    });
    looked.collect()
}

/// The path of a content with a whole URL, if that is on the site of `target` (PREF-95).
fn own_path<'d>(content: &'d RslContent, target: &Target<'_>) -> Option<&'d str> {
    let is_own = is_on_site(content, target);
    let url = Target::new(&content.url).ok().filter(|_| is_own);
    url.map(|url| url.path_and_query())
}

/// Whether a content has a whole URL, and it is on the site of `target`.
fn is_on_site(content: &RslContent, target: &Target<'_>) -> bool {
    let mut spellings = content.spellings().filter_map(|url| Target::new(url).ok());
    spellings.any(|url| url.is_on_site_of(target))
}

/// Whether a content has a whole URL, and it is on another site than that of `target`.
pub(crate) fn is_foreign(content: &RslContent, target: &Target<'_>) -> bool {
    let is_whole = Target::new(&content.url).is_ok_and(|url| url.is_absolute());
    is_whole && target.is_absolute() && !is_on_site(content, target)
}

/// What the documents of one referrer say about a usage: each by itself, and of several the
/// strictest (PREF-92, CLA-PREF-5).
fn referrer_says<'p>(
    question: &Question<'p, '_>,
    matches: &[LicenceMatch<'_, 'p>],
    usage: RslUsage,
) -> Ruling<'p> {
    let mut all = Ruling::default();
    for looked in matches {
        all = all.meet_preference(looked.says(question, usage));
    }
    all
}

/// The usage of a decision.
const fn of_decision(usage: RslUsage) -> Option<Usage> {
    match usage {
        RslUsage::Train => Some(Usage::Train),
        RslUsage::AiInput => Some(Usage::AiInput),
        RslUsage::Search => Some(Usage::Search),
        RslUsage::AiIndex => None,
    }
}

impl<'p> LicenceReference<'p> {
    /// Where the document is named: the line or the place in the response that does so. For one of
    /// its `content` elements also the number.
    fn provenance(&self, question: &Question<'p, '_>, member: Option<u32>) -> Provenance<'p> {
        let place = match self.by {
            By::Line(line) => Some(question.policy.statement_place(line)),
            By::Field(_) | By::Element(_) => None,
        };
        let statement = place.map_or(&b""[..], |place| {
            place.span.of(question.policy.text().as_bytes())
        });
        let details = SourceDetails {
            locator: self.url.map(Cow::Borrowed),
            field_line: match self.by {
                By::Field(line) => Some(line),
                _ => None,
            },
            tag_place: match self.by {
                By::Element(offset) => Some(TagPlace::Element { offset }),
                _ => None,
            },
            member,
            rule: None,
        };
        Provenance {
            place,
            statement,
            ..Provenance::of_preference(VOCABULARY, Source::Rsl).with_details(details)
        }
    }

    fn listed(&self) -> LicenceDocument {
        LicenceDocument {
            url: self.url.map(str::to_owned),
            from: self.from,
            state: match self.state {
                LicenceState::Read(_) => DocumentState::Read,
                LicenceState::Unreadable => DocumentState::Unreadable,
                LicenceState::NotKnown => DocumentState::NotKnown,
            },
        }
    }
}

impl<'p> LicenceMatch<'_, 'p> {
    /// Whether the document is known, and says something about the usage.
    fn speaks_about(&self, usage: RslUsage) -> bool {
        let matching = self.matching.as_ref();
        matching.is_some_and(|matching| matching.about(usage).outcome != Outcome::Unspecified)
    }

    fn says(&self, question: &Question<'p, '_>, usage: RslUsage) -> Ruling<'p> {
        let Some(matching) = &self.matching else {
            let (outcome, reason) = match self.named.state {
                LicenceState::NotKnown => (Outcome::Unknown, Reason::LicenceNotKnown),
                _ => (Outcome::Prohibited, Reason::LicenceUnreadable),
            };
            let document = self.named.provenance(question, None);
            let evidence = Evidence::new(document, Role::Decided, reason);
            return Ruling::new(outcome, vec![evidence]);
        };
        let says = matching.about(usage);
        let mut decided = false;
        let evidence = says.licences.into_iter().map(|licence| {
            let (role, reason) = match (licence.outcome == says.outcome, decided) {
                (true, false) => (Role::Decided, licence.reason),
                (true, true) => (Role::Agreed, licence.reason),
                (false, _) => (Role::Overridden, Reason::StricterWins),
            };
            decided |= role == Role::Decided;
            let licence = Provenance {
                statement: licence.text.as_bytes(),
                place: None,
                ..self.named.provenance(question, Some(licence.content))
            };
            Evidence::new(licence, role, reason)
        });
        Ruling {
            outcome: says.outcome,
            evidence: evidence.collect(),
            conditions: says.conditions,
        }
    }
}

/// The documents that robots.txt names for the client.
fn site_documents<'p>(question: &Question<'p, '_>) -> Vec<LicenceReference<'p>> {
    let mut named = Vec::new();
    for (line, url) in question.side().map_or(&[][..], |side| &side.licences) {
        add(
            question,
            &mut named,
            url,
            LicenceSource::RobotsTxt,
            By::Line(*line),
        );
    }
    limited(named)
}

/// The documents that the response and its page name or contain.
fn page_documents<'p>(question: &Question<'p, '_>) -> Vec<LicenceReference<'p>> {
    let mut named = Vec::new();
    let Some(page) = question.page else {
        return named;
    };
    for line in page.lines(PreferenceField::Link) {
        for url in licence_links(&line.value) {
            let by = By::Field(line.line);
            add(question, &mut named, url, LicenceSource::Link, by);
        }
    }
    for link in &page.links {
        match link {
            LicenceLink::Element { url, offset } => {
                if licence_url(url.as_bytes()).is_some() {
                    let by = By::Element(*offset);
                    add(question, &mut named, url, LicenceSource::Html, by);
                }
            }
            LicenceLink::Inline {
                document,
                findings,
                offset,
            } => named.push(LicenceReference {
                url: None,
                from: LicenceSource::Inline,
                state: document,
                findings,
                by: By::Element(*offset),
            }),
        }
    }
    limited(named)
}

/// Adds a document, unless it is named already.
fn add<'p>(
    question: &Question<'p, '_>,
    named: &mut Vec<LicenceReference<'p>>,
    url: &'p str,
    from: LicenceSource,
    by: By,
) {
    if named.len() <= MAX_DOCUMENTS && !named.iter().any(|known| known.url == Some(url)) {
        let state = question
            .documents
            .and_then(|documents| documents.licence(url));
        named.push(LicenceReference {
            url: Some(url),
            from,
            state: state.unwrap_or(&LicenceState::NotKnown),
            findings: &[],
            by,
        });
    }
}

/// The ninth document and all later ones are unreadable (PREF-108); one of them is kept to say so.
fn limited(mut named: Vec<LicenceReference<'_>>) -> Vec<LicenceReference<'_>> {
    named.truncate(MAX_DOCUMENTS.saturating_add(1));
    if let Some(beyond) = named.get_mut(MAX_DOCUMENTS) {
        beyond.state = &LicenceState::Unreadable;
    }
    named
}

/// The absolute targets of the links in a `Link` field line that lead to RSL licences (PREF-89).
fn licence_links(value: &[u8]) -> impl Iterator<Item = &str> {
    let text = std::str::from_utf8(value).unwrap_or_default();
    links(text)
        .filter(|link| link.has_word("rel", "license"))
        .filter(|link| link.is("type", "application/rsl+xml"))
        .map(|link| link.target)
        .filter(|target| licence_url(target.as_bytes()).is_some())
}
