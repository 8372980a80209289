//! ACAP 1.0 Part 1, section 3: a whole file.
//!
//! The errata that AMB-ACAP-1 names are corrected: `#` is no character of a crawler name. Line ends
//! may be LF or CR too (ACAP-9). What the notes ask for is part of the productions: names that
//! fields use are defined, usages and resource types are those of the dictionary, and qualifiers
//! have the values that the text lists. `must-use-resource`, `must-include-resource`, empty
//! patterns and `//authority` are left out, and comments may have any characters of UTF-8, as in
//! RFC 9309.

use super::{
    Production, character, choice, exact, literal, made, many, optional, part, repeated, sequence,
};

const ALPHA: &[(char, char)] = &[('A', 'Z'), ('a', 'z')];
const DIGIT: &[(char, char)] = &[('0', '9')];
const HEX: &[(char, char)] = &[('0', '9'), ('A', 'F'), ('a', 'f')];
/// `pchar` of RFC 3986 without `%`, `:`, `*` and `$`.
const SEGMENT: &[(char, char)] = &[
    ('A', 'Z'),
    ('a', 'z'),
    ('0', '9'),
    ('-', '.'),
    ('_', '_'),
    ('~', '~'),
    ('!', '!'),
    ('&', ')'),
    ('+', ','),
    (';', ';'),
    ('=', '='),
    ('@', '@'),
];

fn blanks(least: usize) -> Production {
    many(least, character(&[(' ', ' '), ('\t', '\t')]))
}

fn field_end() -> Production {
    const MADE: &[(char, char)] = &[('\t', '\t'), (' ', '~')];
    const ALL: &[(char, char)] = &[('\t', '\t'), (' ', '\u{7f}'), ('\u{a0}', '\u{ffff}')];
    let letter = made(character(MADE), character(ALL));
    let comment = sequence([exact("#"), many(0, letter)]);
    let line_end = || choice([exact("\n"), exact("\r\n"), exact("\r")]);
    let one = sequence([blanks(0), optional(comment), line_end()]);
    many(1, one)
}

fn field(name: Production, value: Production) -> Production {
    let field = sequence([name, exact(":"), blanks(0), value]);
    sequence([part("line", field), field_end()])
}

fn name() -> Production {
    let rest = &[('A', 'Z'), ('a', 'z'), ('0', '9'), ('-', '.'), ('_', '_')];
    sequence([character(ALPHA), many(0, character(rest))])
}

/// A usage with a resource type, as the dictionary has them.
fn usage() -> Production {
    let names = [
        "crawl",
        "follow",
        "index",
        "preserve",
        "present",
        "present-original",
        "present-currentcopy",
        "present-oldcopy",
        "present-snippet",
        "present-thumbnail",
        "present-link",
        "other",
    ];
    choice(names.map(literal))
}

fn escape() -> Production {
    sequence([exact("%"), character(HEX), character(HEX)])
}

/// A `relative-part` with `*` and `$`: `$` only at the end, as the text defines it. A pattern
/// without a slash has no `:` in its first segment (RFC 3986, `path-noscheme`).
fn pattern() -> Production {
    let letter = |with_colon: bool| {
        let colon = if with_colon { exact(":") } else { exact("-") };
        choice([
            character(SEGMENT),
            character(SEGMENT),
            escape(),
            exact("*"),
            colon,
        ])
    };
    let rest = || {
        let segment = sequence([exact("/"), many(0, letter(true))]);
        many(0, segment)
    };
    let absolute = sequence([exact("/"), letter(true), many(0, letter(true)), rest()]);
    let relative = sequence([letter(false), many(0, letter(false)), rest()]);
    let root = exact("/");
    let authority = sequence([exact("/"), rest()]);
    let path = made(
        choice([absolute.clone(), relative.clone(), root.clone()]),
        choice([absolute, relative, root, authority, sequence([])]),
    );
    sequence([path, optional(exact("$"))])
}

/// A `relative-part` without wildcards: the resource of a request, or of a reference.
fn resource() -> Production {
    let letter = || choice([character(SEGMENT), escape()]);
    let segment = sequence([exact("/"), many(1, letter())]);
    let rest = many(0, choice([letter(), exact("/"), exact(":")]));
    let all = choice([
        sequence([exact("/"), rest.clone()]),
        sequence([letter(), rest]),
    ]);
    made(many(1, segment), all)
}

/// A URI, in which `*` may stand for anything. The recogniser knows no more of it than its scheme
/// and its characters.
fn uri_pattern() -> Production {
    const ANY: &[(char, char)] = &[
        ('/', ':'),
        ('?', '?'),
        ('$', '$'),
        ('*', '*'),
        ('[', '['),
        (']', ']'),
    ];
    let letter = choice([character(SEGMENT), escape(), exact("*")]);
    let host = many(0, character(&[('a', 'z'), ('.', '.'), ('*', '*')]));
    let host = sequence([character(ALPHA), host]);
    let path = many(0, sequence([exact("/"), many(0, letter)]));
    let web = sequence([
        choice([literal("http"), literal("https")]),
        exact("://"),
        host,
        path,
    ]);
    let rest = choice([character(SEGMENT), character(ANY), escape()]);
    let scheme = many(
        0,
        character(&[('a', 'z'), ('A', 'Z'), ('0', '9'), ('+', '+'), ('-', '.')]),
    );
    let uri = sequence([character(ALPHA), scheme, exact(":"), many(0, rest)]);
    made(web, uri)
}

/// A number with a unit, such as `3-days`.
fn count(unit: &'static str) -> Production {
    let short = sequence([character(&[('1', '9')]), repeated(0, 2, character(DIGIT))]);
    sequence([made(short, many(1, character(DIGIT))), literal(unit)])
}

fn qualifier(kind: &'static str, value: Production) -> Production {
    let is = sequence([blanks(0), exact("="), blanks(0)]);
    sequence([blanks(1), literal(kind), is, value])
}

fn time_limit() -> Production {
    let digit = || character(DIGIT);
    let day = sequence([
        literal("until-"),
        repeated(4, 4, digit()),
        exact("-"),
        repeated(2, 2, digit()),
        exact("-"),
        repeated(2, 2, digit()),
    ]);
    let day = made(sequence([literal("until-2030-11-2"), digit()]), day);
    let value = choice([count("-days"), literal("until-recrawled"), day]);
    qualifier("time-limit", value)
}

fn max_length() -> Production {
    let value = choice([count("-chars"), count("-words")]);
    qualifier("max-length", value)
}

/// `ACAP-extensions`, after the comment with the version, and with two definitions that its fields
/// name.
#[must_use]
pub fn acap_file() -> Production {
    let set = || made(exact("closed"), name());
    let patterns = || sequence([blanks(1), pattern()]);
    let definitions = sequence([
        field(
            literal("ACAP-resource-set"),
            sequence([set(), made(repeated(1, 3, patterns()), many(1, patterns()))]),
        ),
        field(
            literal("ACAP-qualified-usage"),
            sequence([
                made(exact("cached"), name()),
                blanks(1),
                literal("preserve"),
                time_limit(),
            ]),
        ),
    ]);
    let specification = || {
        let of_set = sequence([literal("the-acap:resource-set:"), set()]);
        choice([pattern(), pattern(), of_set])
    };
    let permission = |usage, qualifiers| {
        let name = sequence([literal("ACAP-allow-"), usage]);
        field(name, sequence([specification(), qualifiers]))
    };
    let limited = ["index", "preserve", "present", "present-snippet"].map(literal);
    let permission = choice([
        permission(usage(), sequence([])),
        permission(choice(limited), time_limit()),
        permission(literal("present-snippet"), max_length()),
    ]);
    let local = made(exact("cached"), name());
    let local = sequence([literal("ACAP-allow-("), local, exact(")")]);
    let local = field(local, specification());
    let prohibition = field(
        sequence([literal("ACAP-disallow-"), usage()]),
        specification(),
    );
    let action = choice([literal("take-down"), literal("re-crawl")]);
    let request = field(sequence([literal("ACAP-request-"), action]), resource());
    let fields = many(
        1,
        choice([permission.clone(), local, prohibition.clone(), request]),
    );
    let purpose = field(
        literal("ACAP-usage-purpose"),
        choice([name(), uri_pattern()]),
    );
    let sub_record = sequence([many(1, purpose), many(1, choice([permission, prohibition]))]);
    let letters = &[(' ', ' '), ('!', '"'), ('$', '~')];
    let plain = &[(' ', ' '), ('A', 'Z'), ('a', 'z'), ('0', '9'), ('.', '/')];
    let crawler = made(
        sequence([
            character(ALPHA),
            many(0, character(plain)),
            character(ALPHA),
        ]),
        sequence([
            character(ALPHA),
            many(0, choice([character(letters), exact("\t")])),
        ]),
    );
    let named = field(literal("ACAP-crawler"), crawler);
    let any = field(literal("ACAP-crawler"), exact("*"));
    let record = sequence([choice([many(1, named), any]), fields, many(0, sub_record)]);
    sequence([
        exact("##ACAP version=1.0\n"),
        definitions,
        repeated(1, 3, record),
    ])
}
