//! What is wrong with the text of a licence document.

use crate::encoding;
use crate::findings::{DocumentFinding, DocumentFix, Findings, place_of};
use crate::rsl::{Builder, MAX_RSL_BYTES, NAMESPACE, words};
use crate::xml::{Element, Part, Parts, Unreadable, is_blank, why_unreadable};
use abide::Code;
use abide::explain::shown;
use abide::preference::rsl::{OldWord, RslLicence};
use std::collections::BTreeMap;

/// The usage words of RSL 1.0, each with the usages that it covers, as bits.
const WORDS: [(&str, u8); 6] = [
    ("ai-train", TRAIN),
    ("ai-input", INPUT),
    ("ai-index", INDEX),
    ("search", SEARCH),
    ("ai-all", TRAIN | INPUT | INDEX),
    ("all", TRAIN | INPUT | INDEX | SEARCH),
];
const TRAIN: u8 = 1;
const INPUT: u8 = 2;
const INDEX: u8 = 4;
const SEARCH: u8 = 8;

/// Returns what is wrong or odd about the text of a licence document, in the order of its places
/// (PREF-94, PREF-96, PREF-99, PREF-104, CLA-PREF-18, CLA-PREF-19). An empty `url` is only wrong in
/// a document that robots.txt names.
///
/// ```
/// let document = br#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>
///     <prohibits type="usage">ai-train,ai-input</prohibits></license></content></rsl>"#;
/// let found = abide_documents::rsl_findings(document);
/// assert_eq!(found[0].diagnostic.code.name(), "rsl-comma-list");
/// ```
#[must_use]
pub fn rsl_findings(body: &[u8]) -> Vec<DocumentFinding> {
    if body.len() > MAX_RSL_BYTES {
        let mut findings = Findings::new(b"", 0);
        unreadable(&mut findings, None, "it is longer than 512000 bytes");
        return findings.sorted();
    }
    let Some(text) = encoding::text(body) else {
        let mut findings = Findings::new(b"", 0);
        unreadable(&mut findings, None, "it is neither UTF-8 nor UTF-16");
        return findings.sorted();
    };
    let is_utf8 = matches!(text, std::borrow::Cow::Borrowed(_));
    let base = if is_utf8 { body.len() - text.len() } else { 0 };
    let mut reader = Reader::new(&text, base);
    reader.read();
    let mut found = reader.findings.sorted();
    if !is_utf8 {
        // The edits are about the decoded text, and the document is not written back as UTF-16.
        for finding in &mut found {
            finding.fix = None;
        }
    }
    found
}

fn unreadable(findings: &mut Findings, place: Option<(usize, usize)>, reason: &str) {
    let message =
        format!("the licence cannot be read and therefore counts as unlicensed, because {reason}");
    match place {
        Some(place) => {
            findings.say(Code::LicenceNotRsl, place, message);
        }
        None => findings.say_of_all(Code::LicenceNotRsl, message),
    }
}

/// One pass over a document.
struct Reader<'d> {
    text: &'d str,
    builder: Builder,
    findings: Findings,
    /// Where each licence begins, in the order of the document.
    licences: Vec<usize>,
    /// The list that is open.
    list: Option<OpenList<'d>>,
}

/// A `permits` or `prohibits` that is open.
struct OpenList<'d> {
    /// Its name.
    name: &'d str,
    is_usage: bool,
    /// The pieces of its text.
    pieces: Vec<&'d str>,
}

impl<'d> Reader<'d> {
    fn new(text: &'d str, base: usize) -> Self {
        Self {
            text,
            builder: Builder::default(),
            findings: Findings::new(text.as_bytes(), base),
            licences: Vec::new(),
            list: None,
        }
    }

    fn read(&mut self) {
        let Ok(mut parts) = Parts::new(self.text, NAMESPACE) else {
            let reason = "it has a character that XML does not allow";
            unreadable(&mut self.findings, None, reason);
            return;
        };
        loop {
            let before = parts.position().unwrap_or_default();
            let part = match parts.next() {
                Ok(Some(part)) => part,
                Ok(None) => break,
                Err(Unreadable) => return self.not_well_formed(before),
            };
            let now = parts.position().unwrap_or_default();
            if self.part(part, now).is_err() {
                return;
            }
        }
        self.conflicts();
    }

    fn not_well_formed(&mut self, at: usize) {
        let rest = self.text.get(at..).unwrap_or_default();
        let place = (!rest.is_empty()).then_some((at, at));
        unreadable(&mut self.findings, place, why_unreadable(self.text, at));
    }

    fn part(&mut self, part: Part<'d>, now: usize) -> Result<(), Unreadable> {
        match part {
            Part::Start(element) => {
                let is_inside = self.builder.is_in_unknown();
                let read = self.builder.start(&element);
                if read.is_err() {
                    let place = (element.start, now);
                    unreadable(&mut self.findings, Some(place), &reason(&element));
                    return read;
                }
                if self.builder.is_in_unknown() && !is_inside {
                    self.unknown_element(&element, now);
                }
                self.started(&element, now);
            }
            Part::End(end) => {
                self.ended();
                let reason = if self.builder.has_only_unknown() {
                    "its license has no element that RSL knows"
                } else {
                    "an rsl needs a content, and a content needs a license"
                };
                let read = self.builder.end(self.text, end);
                if read.is_err() {
                    unreadable(&mut self.findings, Some((end, end)), reason);
                    return read;
                }
            }
            Part::Text(words) => {
                self.builder.text(words);
                if let Some(list) = self.list.as_mut().filter(|_| self.builder.is_in_list()) {
                    list.pieces.push(words);
                }
            }
            Part::Character(character) => {
                self.builder.text(character.encode_utf8(&mut [0; 4]));
            }
        }
        Ok(())
    }

    fn started(&mut self, element: &Element<'d>, end: usize) {
        match element.name {
            "license" if self.builder.is_in_licence() => self.licences.push(element.start),
            "permits" | "prohibits" if self.builder.is_in_list() => {
                self.list = Some(OpenList {
                    name: element.name,
                    is_usage: element.attribute("type") == Some("usage"),
                    pieces: Vec::new(),
                });
            }
            "content" if self.builder.is_in_content() => {
                let url = element.attribute("url").unwrap_or_default();
                if url.trim_matches(is_blank).is_empty() {
                    self.empty_url(element.start, end);
                }
            }
            _ => {}
        }
    }

    fn unknown_element(&mut self, element: &Element<'d>, end: usize) {
        let name = shown(element.name.as_bytes());
        let message = match (element.name, element.attribute("type")) {
            ("permits", _) => format!(
                "{name} needs the type usage, user or geo; robots read no permission here, and the list \
                 still prohibits what it does not name"
            ),
            ("prohibits", _) => {
                format!("{name} needs the type usage, user or geo; robots read no prohibition here")
            }
            _ => format!("RSL has no element {name}, so robots skip it"),
        };
        let place = (element.start, end);
        self.findings.say(Code::RslUnknownElement, place, message);
    }

    fn empty_url(&mut self, start: usize, end: usize) {
        let tag = self.text.get(start..end).unwrap_or_default();
        let written = ["url=\"\"", "url=''"].iter().find_map(|url| tag.find(url));
        // Between the quotes.
        let inside = written.map(|at| start + at + "url=\"".len());
        let fix = inside.map(|at| DocumentFix {
            is_safe: false,
            title: "write / for the whole site",
            edits: vec![(self.findings.span(at, at), "/".to_owned())],
        });
        let message = "url=\"\" means the page that names this document; if robots.txt names it, \
                       it matches nothing";
        let finding = self.findings.say(Code::RslEmptyUrl, (start, end), message);
        finding.fix = fix;
    }

    /// Looks at the words of a list that ends here.
    fn ended(&mut self) {
        if !self.builder.is_in_list() {
            return;
        }
        let Some(list) = self.list.take() else {
            return;
        };
        self.commas(&list);
        if !list.is_usage {
            return;
        }
        for piece in &list.pieces {
            for word in words(piece) {
                self.word(word, list.name);
            }
        }
    }

    fn word(&mut self, word: &'d str, list: &str) {
        let name = word.to_ascii_lowercase();
        let place = place_of(word, self.text);
        if let Some(old) = OldWord::named(&name) {
            return self.old_word(old, place, list);
        }
        if covered(&name) != 0 {
            return;
        }
        let effect = match list {
            "permits" => "means nothing, but the list still prohibits what it does not name",
            _ => "means nothing",
        };
        let message = format!("the usage {} {effect}", shown(word.as_bytes()));
        self.findings.say(Code::RslUnknownWord, place, message);
    }

    /// A word of RSL 0.9 (CLA-PREF-18).
    fn old_word(&mut self, old: &OldWord, place: (usize, usize), list: &str) {
        let OldWord {
            word, successor, ..
        } = old;
        let permits_nothing = old.is_narrower && list == "permits";
        let effect = match (old.is_narrower, list) {
            (true, "permits") => format!(
                "is narrower than {successor}, so it permits nothing; write {successor} to permit all of that"
            ),
            (true, _) => {
                format!("is narrower than {successor}, which it prohibits; write {successor}")
            }
            (false, _) => format!("counts as {successor}; write {successor}"),
        };
        let message = format!("the word {word} of RSL 0.9 {effect}");
        let span = self.findings.span(place.0, place.1);
        let finding = self.findings.say(Code::RslOldWord, place, message);
        if !permits_nothing {
            finding.fix = Some(DocumentFix {
                is_safe: false,
                title: "write the word of RSL 1.0",
                edits: vec![(span, (*successor).to_owned())],
            });
        }
    }

    fn commas(&mut self, list: &OpenList<'_>) {
        let with_commas = list.pieces.iter().filter_map(|piece| {
            let (start, _) = place_of(piece, self.text);
            let (from, to) = (piece.find(',')?, piece.rfind(',')?);
            Some((start + from, start + to + 1))
        });
        let places: Vec<(usize, usize)> = with_commas.collect();
        let (Some((from, _)), Some((_, to))) = (places.first(), places.last()) else {
            return;
        };
        // One edit for each piece: a list can have a hundred thousand commas.
        let edits = places.iter().map(|&(from, to)| {
            let commas = self.text.get(from..to).unwrap_or_default();
            let behind = self.text.get(to..).unwrap_or_default();
            (self.findings.span(from, to), by_spaces(commas, behind))
        });
        let fix = DocumentFix {
            is_safe: true,
            title: "separate words by spaces",
            edits: edits.collect(),
        };
        let message = "words are separated by spaces; commas are the form of RSL 0.9";
        let place = (*from, *to);
        self.findings.say(Code::RslCommaList, place, message).fix = Some(fix);
    }

    /// Usages that the licences of one `url` both permit and prohibit.
    fn conflicts(&mut self) {
        let contents = self.builder.contents();
        let licences = contents.iter().flat_map(|content| {
            let licences = content.licences.iter();
            licences.map(move |licence| (content, licence))
        });
        let mut licence_words: BTreeMap<&str, LicenceWords> = BTreeMap::new();
        for ((content, licence), start) in licences.zip(&self.licences) {
            let licence_words = licence_words.entry(&content.url).or_default();
            licence_words.add(licence, *start);
        }
        let mut found: Vec<_> = licence_words
            .into_values()
            .filter_map(LicenceWords::conflict)
            .collect();
        found.sort_unstable();
        for (start, words) in found {
            let message = format!(
                "the licences of one url permit and prohibit {words}; abide reads that as prohibited"
            );
            let end = start + "<license".len();
            self.findings
                .say(Code::RslPermitsAndProhibits, (start, end), message);
        }
    }
}

/// `text` with its words separated by spaces alone. `behind` follows it.
fn by_spaces(text: &str, behind: &str) -> String {
    let mut parts = text.split(',');
    let mut spaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let follows = if part.is_empty() { behind } else { part };
        if !follows.starts_with(is_blank) {
            spaced.push(' ');
        }
        spaced.push_str(part);
    }
    spaced
}

/// Why an element makes a document unreadable.
fn reason(element: &Element<'_>) -> String {
    let name = shown(element.name.as_bytes());
    match element.name {
        "rsl" if !element.is_own() => format!("its root needs xmlns=\"{NAMESPACE}\""),
        "permits" | "prohibits" => format!("{name} counts in a license only"),
        "content" if element.attribute("url").is_none() => "a content needs a url".to_owned(),
        _ => format!("the element {name} is not known here"),
    }
}

/// What the licences of one `url` say about usages.
#[derive(Default)]
struct LicenceWords {
    permitted: u8,
    prohibited: u8,
    /// Where the licence begins with which they contradict each other.
    conflict_at: Option<usize>,
}

impl LicenceWords {
    fn add(&mut self, licence: &RslLicence, start: usize) {
        let permitted = licence.permits_usage.iter().flatten();
        let permitted = permitted.filter_map(|word| OldWord::permitted_by(word));
        self.permitted |= permitted.fold(0, |bits, word| bits | covered(word));
        let prohibited = licence.prohibits_usage.iter();
        let prohibited = prohibited.map(|word| OldWord::prohibited_by(word));
        self.prohibited |= prohibited.fold(0, |bits, word| bits | covered(word));
        if self.permitted & self.prohibited != 0 {
            self.conflict_at.get_or_insert(start);
        }
    }

    /// The place of the contradiction, and the words that it is about.
    fn conflict(self) -> Option<(usize, String)> {
        let both = self.permitted & self.prohibited;
        let words = WORDS
            .iter()
            .filter(|(_, bits)| bits.is_power_of_two() && bits & both != 0);
        let words: Vec<&str> = words.map(|(word, _)| *word).collect();
        Some((self.conflict_at?, words.join(", ")))
    }
}

/// The usages that a word covers.
fn covered(word: &str) -> u8 {
    let known = WORDS.iter().find(|(known, _)| *known == word);
    known.map_or(0, |(_, bits)| *bits)
}
