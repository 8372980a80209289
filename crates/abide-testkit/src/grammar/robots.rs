//! RFC 9309 (section 2.2), and the lines that drafts add to it.

use super::structured::{dictionary, list};
use super::{Production, character, choice, exact, literal, many, optional, part, sequence};

/// `UTF8-char-noctl`: everything but control characters, the space and `#`. By the ABNF, DEL is in
/// it too, which is an erratum (AMB-REP-12).
const NO_CONTROL: &[(char, char)] = &[
    ('!', '"'),
    ('$', '~'),
    ('\u{a0}', '\u{d7ff}'),
    ('\u{e000}', '\u{ffff}'),
    ('\u{10000}', '\u{10ffff}'),
];
/// What may follow `#` in a comment: DEL too, by the ABNF.
const IN_COMMENT: &[(char, char)] = &[
    ('\t', '\t'),
    (' ', '\u{7f}'),
    ('\u{a0}', '\u{d7ff}'),
    ('\u{e000}', '\u{ffff}'),
    ('\u{10000}', '\u{10ffff}'),
];

fn blanks() -> Production {
    many(0, character(&[(' ', ' '), ('\t', '\t')]))
}

fn line_end() -> Production {
    choice([exact("\n"), exact("\r\n"), exact("\r")])
}

fn end_of_line() -> Production {
    let comment = sequence([exact("#"), many(0, character(IN_COMMENT))]);
    sequence([blanks(), optional(comment), line_end()])
}

fn field(name: &'static str, value: Production) -> Production {
    sequence([
        blanks(),
        literal(name),
        blanks(),
        exact(":"),
        blanks(),
        value,
    ])
}

fn path_pattern() -> Production {
    sequence([exact("/"), many(0, character(NO_CONTROL))])
}

/// `robotstxt` of RFC 9309. A lone CR ends a line; one before an empty line of its own LF would be
/// one end of two, so that texts have more than one derivation, of which all say the same.
#[must_use]
pub fn robots_txt() -> Production {
    let identifier = many(
        1,
        character(&[('-', '-'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
    );
    let token = choice([identifier, exact("*")]);
    let starter = sequence([field("user-agent", part("agent", token)), end_of_line()]);
    let rule = |name, kind| {
        let value = part(kind, optional(path_pattern()));
        sequence([field(name, value), end_of_line()])
    };
    let rule = choice([rule("allow", "allow"), rule("disallow", "disallow")]);
    let group = sequence([
        starter.clone(),
        many(0, choice([starter, end_of_line()])),
        many(0, choice([rule, end_of_line()])),
    ]);
    many(0, choice([group, end_of_line()]))
}

/// An `App-Directives` line of draft-nottingham-plan-b, section 2. The ABNF writes the key in the
/// singular, every example in the plural (AMB-APP-1); the empty List is left out.
#[must_use]
pub fn app_directives_line() -> Production {
    field(
        "app-directives",
        sequence([
            optional(sequence([part("path", path_pattern()), blank(), blanks()])),
            list(),
            blanks(),
            end_of_line(),
        ]),
    )
}

/// A `Content-Usage` line of draft-ietf-aipref-attach, section 5, with the Dictionary of
/// draft-ietf-aipref-vocab.
#[must_use]
pub fn content_usage_line() -> Production {
    field(
        "content-usage",
        sequence([
            optional(sequence([part("path", path_pattern()), blank(), blanks()])),
            dictionary(),
            end_of_line(),
        ]),
    )
}

/// A `User-Agent-Purpose` line of draft-illyes-rep-purpose, section 2. The draft lists three tokens
/// as examples of a registry; a token is what AMB-PUR-5 says.
#[must_use]
pub fn purpose_line() -> Production {
    const TOKEN: &[(char, char)] = &[('-', '-'), ('A', 'Z'), ('_', '_'), ('a', 'z'), ('0', '9')];
    let token = part("purpose", many(1, character(TOKEN)));
    sequence([field("user-agent-purpose", token), line_end()])
}

fn blank() -> Production {
    character(&[(' ', ' '), ('\t', '\t')])
}
