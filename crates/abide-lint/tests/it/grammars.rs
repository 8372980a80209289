//! The grammars of the documents: each text that they make is accepted and read as it was made, and
//! a text that is nearly one has a finding.

use abide::app::field::Directives;
use abide::preference::{PreferenceProfile, Revision, Vocabulary};
use abide::syntax::FieldKind;
use abide::tag::{FieldLine, Scope, header};
use abide::{Client, PurposeToken, Robots, Usage};
use abide_lint::{Context, Linter};
use abide_testkit::grammar::{self, MadeText, Production, near_miss};
use abide_testkit::preference_files::Dice;
use std::collections::BTreeMap;

/// How many texts are made of each grammar.
const TEXTS: usize = 3_000;

/// What a near miss has added: what grammars use, what they exclude, and what is easily mistyped.
const LETTERS: &[char] = &[
    'a', 'Z', '0', '9', ' ', '\t', '\n', '#', ':', ';', ',', '=', '"', '\'', '%', '*', '$', '/',
    '?', '(', ')', '<', '{', '|', '\\', '^', '`', '-', '_', '.', '\u{1}', '\u{7f}', 'ä',
    '\u{feff}',
];

/// A grammar, how its texts are read, and what may be silent.
struct Grammar {
    /// Its name in docs/conformance.md.
    name: &'static str,
    production: Production,
    /// The lines before a text, to make a file of it.
    before: &'static str,
    after: &'static str,
    /// Findings that texts of the grammar may have: they are about meaning.
    meaning: &'static [&'static str],
    /// Checks that a text is read as it was made.
    is_read: fn(&MadeText) -> bool,
    /// Texts that the grammar does not derive and that have no finding, because the grammar is
    /// wrong about them, or another document is about them.
    errata: &'static [Erratum],
}

/// What a grammar is wrong about, in the words of docs/conformance.md.
struct Erratum {
    words: &'static str,
    holds: fn(&Production, &str) -> bool,
}

const BLANKS_AROUND: Erratum = Erratum {
    words: "blanks around the value, and an empty value",
    holds: blanks_around,
};
const NO_LINE_END: Erratum = Erratum {
    words: "no line end at the end of the file",
    holds: no_line_end,
};
const OTHER_LINES: Erratum = Erratum {
    words: "an empty line, or a comment alone, in place of the line or beside it",
    holds: other_lines,
};
const BYTE_ORDER_MARK: Erratum = Erratum {
    words: "a byte order mark",
    holds: byte_order_mark,
};
const PATTERN_WITH_STAR: Erratum = Erratum {
    words: "a pattern that begins with `*`",
    holds: pattern_with_star,
};
const END_OF_PURPOSE: Erratum = Erratum {
    words: "blanks and a comment behind the token, and empty lines",
    holds: end_of_purpose,
};

/// HTTP strips blanks around a value, and an empty List is a field that is not there (RFC 9110,
/// 5.5; RFC 9651, 3.1).
fn blanks_around(grammar: &Production, near: &str) -> bool {
    let text = near.trim_matches([' ', '\t']);
    text.is_empty() || grammar.derives(text)
}

/// A file need not end with a line end, which the ABNF demands of every line (REP-77).
fn no_line_end(grammar: &Production, near: &str) -> bool {
    grammar.derives(&format!("{near}\n"))
}

/// An edit divides the line, or makes a comment of it: the rest are other lines, which have their
/// own grammar.
fn other_lines(grammar: &Production, near: &str) -> bool {
    let lines = near.split(['\n', '\r']);
    let mut own = lines.filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    match (own.next(), own.next()) {
        (None, _) => true,
        (Some(line), None) => no_line_end(grammar, line),
        _ => false,
    }
}

/// A byte order mark is no part of the text (AMB-REP-11).
fn byte_order_mark(grammar: &Production, near: &str) -> bool {
    let text = near.strip_prefix('\u{feff}');
    text.is_some_and(|text| grammar.derives(text) || no_line_end(grammar, text))
}

/// RFC 9309 has `*.gif$` as an example in 5.1, and its `path-pattern` begins with `/` (AMB-REP-3).
fn pattern_with_star(grammar: &Production, near: &str) -> bool {
    let mut text = String::new();
    for line in near.split_inclusive(['\n', '\r']) {
        match line.split_once(':') {
            Some((name, value)) if value.trim_start().starts_with('*') => {
                let is_rule = name.to_ascii_lowercase().contains("allow");
                let root = if is_rule { "/" } else { "" };
                text.extend([name, ":", root, value.trim_start()]);
            }
            _ => text.push_str(line),
        }
    }
    grammar.derives(&text) || no_line_end(grammar, &text)
}

/// A purpose line may end with blanks and a comment, as any other line (AMB-PUR-6).
fn end_of_purpose(grammar: &Production, near: &str) -> bool {
    let near = near.trim_start();
    let text = near.split(['#', '\n', '\r']).next().unwrap_or_default();
    let mut rest = near[text.len()..].split(['\n', '\r']).map(str::trim);
    grammar.derives(&format!("{}\n", text.trim_end()))
        && rest.all(|line| line.is_empty() || line.starts_with('#'))
}

/// How often each finding occurs.
type Counts = BTreeMap<&'static str, usize>;

fn counts(codes: impl Iterator<Item = &'static str>) -> Counts {
    let mut counts = Counts::new();
    for code in codes {
        *counts.entry(code).or_default() += 1;
    }
    counts
}

impl Grammar {
    fn file(&self, text: &str) -> String {
        [self.before, text, self.after].concat()
    }

    /// What the parser finds.
    fn parser_findings(&self, text: &str, claimed: Option<&PurposeToken>) -> Counts {
        if self.before == FIELD {
            let (_, found) = header::read(&[FieldLine::new("Robots-Tag", text)]);
            return counts(found.iter().map(|found| found.code.name()));
        }
        let robots = Robots::parse(self.file(text));
        let client = claimed
            .into_iter()
            .cloned()
            .fold(client(), Client::with_purpose);
        counts(
            robots
                .diagnostics(&client)
                .iter()
                .map(|found| found.code.name()),
        )
    }

    /// What the linter finds beside that.
    fn linter_findings(&self, text: &str, claimed: Option<&PurposeToken>) -> Counts {
        if self.before == FIELD {
            return Counts::new();
        }
        let linter = Linter::new().without_fixes();
        let context = Context {
            purposes: claimed.cloned().into_iter().collect(),
            ..Context::default()
        };
        let found = linter.robots_txt(self.file(text).as_bytes(), &context);
        counts(found.iter().map(|found| found.rule.code()))
    }

    /// The guide lists what may be silent.
    fn is_listed(&self) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conformance.md");
        let guide = std::fs::read_to_string(path).unwrap();
        let words: Vec<&str> = self.errata.iter().map(|erratum| erratum.words).collect();
        let row = format!("| {} | {} |", self.name, words.join("; "));
        assert!(guide.lines().any(|line| line == row), "{path} lacks {row}");
    }

    /// Whether `near` has a finding about its form that `text` does not have.
    fn tells(&self, made: &MadeText, near: &str) -> bool {
        let (text, claimed) = (made.text.as_str(), claimed(made));
        let claimed = claimed.as_ref();
        let more = |of: &dyn Fn(&str) -> Counts| {
            let before = of(text);
            of(near).iter().any(|(code, count)| {
                !self.meaning.contains(code) && before.get(code).is_none_or(|before| count > before)
            })
        };
        more(&|text| self.parser_findings(text, claimed))
            || more(&|text| self.linter_findings(text, claimed))
    }

    fn check(&self, seed: u64) {
        self.is_listed();
        let mut dice = Dice::new(seed);
        let (mut missed, mut silent) = (0, Vec::new());
        for _ in 0..TEXTS {
            let made = self.production.make(&mut dice);
            let text = &made.text;
            assert!((self.is_read)(&made), "read otherwise: {made:?}");
            let found = self.parser_findings(text, claimed(&made).as_ref());
            let refused: Vec<_> = found
                .keys()
                .filter(|code| !self.meaning.contains(code))
                .collect();
            assert!(refused.is_empty(), "{refused:?} in {:?}", self.file(text));
            let near = near_miss(text, LETTERS, &mut dice);
            if self.production.derives(&near) {
                continue;
            }
            missed += 1;
            let is_erratum = self
                .errata
                .iter()
                .any(|erratum| (erratum.holds)(&self.production, &near));
            if !is_erratum && !self.tells(&made, &near) {
                let known: Vec<&str> = text.split(['\n', '\r']).collect();
                let lines = near.split(['\n', '\r']);
                let new: Vec<&str> = lines.filter(|line| !known.contains(line)).collect();
                silent.push(format!("{new:?}"));
            }
        }
        assert!(missed > TEXTS / 3, "{missed} near misses");
        assert!(
            silent.is_empty(),
            "{} of {missed} are silent: {silent:#?}",
            silent.len()
        );
    }
}

/// The purpose that a text names: the client claims it, as a registry would have it.
fn claimed(made: &MadeText) -> Option<PurposeToken> {
    let mut parts = made.parts.iter();
    let purpose = parts.find(|(kind, _)| *kind == "purpose")?;
    PurposeToken::new(&purpose.1).ok()
}

/// A client that asks for everything that lines can say.
fn client() -> Client {
    Client::unnamed().with_preferences(PreferenceProfile::default())
}

/// Marks a grammar of a response field.
const FIELD: &str = "Robots-Tag: ";

#[test]
fn texts_of_rfc_9309() {
    Grammar {
        name: "`robotstxt` (RFC 9309)",
        production: grammar::robots_txt(),
        before: "",
        after: "",
        meaning: &["stray-percent"],
        is_read: |made| {
            let robots = Robots::parse(&made.text);
            let text = robots.text().as_bytes();
            let fields = robots.lines().iter().filter_map(|line| line.field());
            let read = fields.map(|field| {
                let kind = match field.kind {
                    FieldKind::UserAgent => "agent",
                    FieldKind::Allow => "allow",
                    FieldKind::Disallow => "disallow",
                    _ => "other",
                };
                (
                    kind,
                    String::from_utf8_lossy(field.value.of(text)).into_owned(),
                )
            });
            read.eq(made.parts.iter().cloned())
        },
        errata: &[NO_LINE_END, BYTE_ORDER_MARK, PATTERN_WITH_STAR],
    }
    .check(1);
}

#[test]
fn texts_of_robots_tag() {
    Grammar {
        name: "`Robots-Tag`",
        production: grammar::robots_tag_list(),
        before: FIELD,
        after: "",
        meaning: &[
            "robots-tag-value",
            "robots-tag-newer-type",
            "robots-tag-bare-rule",
            "robots-tag-separator",
            "robots-tag-global",
        ],
        is_read: |made| {
            let (statements, _) = header::read(&[FieldLine::new("Robots-Tag", &*made.text)]);
            let mut read = Vec::new();
            for statement in statements {
                read.push(match statement.scope {
                    Scope::Token(name) => name,
                    _ => "*".to_owned(),
                });
                read.extend(statement.rules.into_iter().map(|rule| rule.name));
            }
            read == robots_tags(&made.parts)
        },
        errata: &[BLANKS_AROUND],
    }
    .check(2);
}

/// Names and rules of a List, in order: a repeated rule has the place of its first statement, and
/// one with the value `?0` is none.
fn robots_tags(parts: &[(&'static str, String)]) -> Vec<String> {
    let mut read: Vec<String> = Vec::new();
    let mut rules: Vec<(String, bool)> = Vec::new();
    let kept = |rules: &mut Vec<(String, bool)>| {
        let kept = std::mem::take(rules).into_iter();
        kept.filter(|(_, counts)| *counts).map(|(name, _)| name)
    };
    for (at, (kind, text)) in parts.iter().enumerate() {
        match *kind {
            "key" => match rules.iter_mut().find(|(name, _)| name == text) {
                Some(rule) => rule.1 = true,
                None => rules.push((text.clone(), true)),
            },
            "value" => {
                // The last key is not always the last rule: it may be a repetition.
                let key = parts.get(at - 1).map(|(_, key)| key);
                if let Some(rule) = rules.iter_mut().find(|(name, _)| Some(name) == key) {
                    rule.1 = text != "?0";
                }
            }
            kind => {
                read.extend(kept(&mut rules));
                read.push(if kind == "string" {
                    let inner = text.trim_start_matches('"');
                    let inner = inner.strip_suffix('"').unwrap_or(inner);
                    unescaped(inner)
                } else {
                    text.clone()
                });
            }
        }
    }
    read.extend(kept(&mut rules));
    read
}

/// The inside of a String without its escapes.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    plain
}

#[test]
fn texts_of_app_directives() {
    Grammar {
        name: "`app-directives`",
        production: grammar::app_directives_line(),
        before: "User-agent: *\n",
        after: "",
        meaning: &["app-directives-conflict", "stray-percent"],
        is_read: |made| {
            let robots = Robots::parse(format!("User-agent: *\n{}", made.text));
            let text = robots.text().as_bytes();
            let field = robots.lines()[1].field().expect("a field");
            let Some(read) = Directives::read(field.value.of(text)) else {
                return false;
            };
            let mut parts = made.parts.iter().peekable();
            let path = parts.next_if(|(kind, _)| *kind == "path");
            let mut applications: Vec<(String, Vec<(String, String)>)> = Vec::new();
            let mut counts = false;
            let mut last = 0;
            for (kind, text) in parts {
                match (*kind, applications.last_mut()) {
                    ("token", _) => {
                        applications.push((text.clone(), Vec::new()));
                        counts = true;
                    }
                    ("other", _) => counts = false,
                    ("key", Some((_, directives))) if counts => {
                        let known = directives.iter().position(|(name, _)| name == text);
                        last = known.unwrap_or(directives.len());
                        if known.is_none() {
                            directives.push((text.clone(), String::new()));
                        }
                        directives[last].1 = "?1".to_owned();
                    }
                    ("value", Some((_, directives))) if counts => directives[last].1 = text.clone(),
                    _ => {}
                }
            }
            let shown = read.applications.into_iter().map(|(id, directives)| {
                let shown = directives.into_iter();
                (
                    id,
                    shown
                        .map(|(name, value)| (name, value.to_string()))
                        .collect(),
                )
            });
            read.path == path.map(|(_, path)| path.as_bytes())
                && shown.collect::<Vec<_>>() == applications
        },
        errata: &[NO_LINE_END, OTHER_LINES],
    }
    .check(3);
}

#[test]
fn texts_of_purposes() {
    Grammar {
        name: "`purpose`",
        production: grammar::purpose_line(),
        before: "User-agent: *\nAllow: /\n",
        after: "Disallow: /\n",
        meaning: &["purpose-legacy-leak"],
        is_read: |made| {
            let robots = Robots::parse(format!("{}Disallow: /\n", made.text));
            let field = robots.lines()[0].field().expect("a field");
            let value = field.value.of(robots.text().as_bytes());
            field.kind == FieldKind::UserAgentPurpose && value == made.parts[0].1.as_bytes()
        },
        errata: &[NO_LINE_END, END_OF_PURPOSE],
    }
    .check(4);
}

#[test]
fn texts_of_content_usage() {
    Grammar {
        name: "`content-usage`",
        production: grammar::content_usage_line(),
        before: "User-agent: *\n",
        after: "",
        meaning: &[
            "content-usage-duplicate-word",
            "content-usage-unknown-word",
            "content-usage-value",
            "stray-percent",
        ],
        is_read: |made| {
            let robots = Robots::parse(format!("User-agent: *\n{}", made.text));
            let line = &robots.lines()[1];
            let Some(read) = robots.preference_statement(line, &Revision::ALL[0]) else {
                return false;
            };
            let mut parts = made.parts.iter().peekable();
            let path = parts.next_if(|(kind, _)| *kind == "path");
            let mut words: BTreeMap<&str, Option<&str>> = BTreeMap::new();
            let mut last = "";
            for (kind, text) in parts {
                if *kind == "key" {
                    (last, _) = (text, words.insert(text, None));
                } else {
                    words.insert(last, Some(text));
                }
            }
            let said = |word: &str| match words.get(word) {
                Some(Some("y")) => Some(true),
                Some(Some("n")) => Some(false),
                _ => None,
            };
            read.vocabulary == Vocabulary::ContentUsage
                && read.path == path.map(|(_, path)| path.as_bytes())
                && read.says.is_readable
                && read.says.permits(Usage::Train) == said("train-ai")
                && read.says.permits(Usage::Search) == said("search")
        },
        errata: &[NO_LINE_END, OTHER_LINES],
    }
    .check(5);
}

#[test]
fn texts_of_acap() {
    Grammar {
        name: "ACAP 1.0 Part 1, section 3",
        production: grammar::acap_file(),
        before: "",
        after: "",
        meaning: &[
            "acap-allow-other",
            "acap-unqualified-preserve",
            "acap-other-blocks-crawl",
            "acap-dollar-scope",
            "acap-until-recrawl",
            "acap-not-ready",
            "acap-duplicate-qualifier",
        ],
        is_read: |made| {
            let robots = Robots::parse(&made.text);
            let text = robots.text().as_bytes();
            let lines = robots.acap_lines().filter_map(|line| line.field());
            let read = lines.map(|field| {
                let statement = text.get(field.key.start as usize..field.value.end as usize);
                String::from_utf8_lossy(statement.unwrap_or_default()).into_owned()
            });
            let made = made.parts.iter().map(|(_, line)| line.trim_end());
            read.eq(made.map(str::to_owned))
        },
        errata: &[NO_LINE_END, BYTE_ORDER_MARK],
    }
    .check(6);
}
