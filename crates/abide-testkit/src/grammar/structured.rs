//! Structured fields (RFC 9651, section 3), and the fields that consist of them.

use super::{Production, character, choice, exact, made, many, optional, part, repeated, sequence};

const ALPHA: &[(char, char)] = &[('A', 'Z'), ('a', 'z')];
const DIGIT: &[(char, char)] = &[('0', '9')];
const LOWER: &[(char, char)] = &[('a', 'z')];

fn key() -> Production {
    let rest = &[('a', 'z'), ('0', '9'), ('_', '_'), ('-', '.'), ('*', '*')];
    sequence([
        character(&[('a', 'z'), ('*', '*')]),
        many(0, character(rest)),
    ])
}

/// A Token: a letter or `*`, and then `tchar`, `:` and `/`. `#` is not made: in robots.txt it
/// begins a comment.
fn token() -> Production {
    const REST: &[(char, char)] = &[
        ('a', 'z'),
        ('A', 'Z'),
        ('0', '9'),
        ('!', '!'),
        ('$', '\''),
        ('*', '+'),
        ('-', '.'),
        ('^', '`'),
        ('|', '|'),
        ('~', '~'),
        (':', ':'),
        ('/', '/'),
    ];
    let first = character(&[('A', 'Z'), ('a', 'z'), ('*', '*')]);
    let rest = made(character(REST), choice([character(REST), exact("#")]));
    sequence([first, many(0, rest)])
}

/// A String. `#` is not made: in robots.txt it begins a comment.
fn string() -> Production {
    const PLAIN: &[(char, char)] = &[(' ', '!'), ('$', '['), (']', '~')];
    const ALL: &[(char, char)] = &[(' ', '!'), ('#', '['), (']', '~')];
    let escaped = || choice([exact("\\\""), exact("\\\\")]);
    let of = |plain| {
        let letter = choice([character(plain), escaped()]);
        sequence([exact("\""), many(0, letter), exact("\"")])
    };
    made(of(PLAIN), of(ALL))
}

/// A number. Only the shortest form of each is made.
fn number() -> Production {
    const NOT_ZERO: &[(char, char)] = &[('1', '9')];
    let digits = |least, most| repeated(least, most, character(DIGIT));
    let sign = || optional(exact("-"));
    let short = || {
        sequence([
            sign(),
            character(NOT_ZERO),
            repeated(0, 5, character(DIGIT)),
        ])
    };
    choice([
        made(
            choice([exact("0"), short()]),
            sequence([sign(), digits(1, 15)]),
        ),
        made(
            sequence([short(), exact("."), digits(0, 2), character(NOT_ZERO)]),
            sequence([sign(), digits(1, 12), exact("."), digits(1, 3)]),
        ),
    ])
}

/// A Byte Sequence. Made are those without padding.
fn bytes() -> Production {
    const BASE64: &[(char, char)] = &[('A', 'Z'), ('a', 'z'), ('0', '9'), ('+', '+'), ('/', '/')];
    const ALL: &[(char, char)] = &[
        ('A', 'Z'),
        ('a', 'z'),
        ('0', '9'),
        ('+', '+'),
        ('/', '/'),
        ('=', '='),
    ];
    let four = many(0, repeated(4, 4, character(BASE64)));
    made(
        sequence([exact(":"), four, exact(":")]),
        sequence([exact(":"), many(0, character(ALL)), exact(":")]),
    )
}

fn date() -> Production {
    let digits = |most| repeated(0, most, character(DIGIT));
    made(
        sequence([exact("@"), character(&[('1', '9')]), digits(8)]),
        sequence([
            exact("@"),
            optional(exact("-")),
            character(DIGIT),
            digits(14),
        ]),
    )
}

fn display_string() -> Production {
    const PLAIN: &[(char, char)] = &[('a', 'z'), (' ', ' ')];
    const ALL: &[(char, char)] = &[(' ', '!'), ('#', '$'), ('&', '~')];
    const HEX: &[(char, char)] = &[('0', '9'), ('a', 'f')];
    let escape = sequence([exact("%"), character(HEX), character(HEX)]);
    let quoted = |letter| sequence([exact("%\""), many(0, letter), exact("\"")]);
    made(
        quoted(choice([character(PLAIN), exact("%c3%bc")])),
        quoted(choice([character(ALL), escape])),
    )
}

fn bare_item() -> Production {
    let boolean = choice([exact("?0"), exact("?1")]);
    choice([
        number(),
        string(),
        token(),
        bytes(),
        boolean,
        date(),
        display_string(),
    ])
}

fn parameters() -> Production {
    let value = sequence([exact("="), part("value", bare_item())]);
    let parameter = sequence([part("key", key()), optional(value)]);
    many(0, sequence([exact(";"), many(0, exact(" ")), parameter]))
}

/// A separator of members: a comma with blanks around it.
fn comma() -> Production {
    let blanks = || many(0, character(&[(' ', ' '), ('\t', '\t')]));
    sequence([blanks(), exact(","), blanks()])
}

fn separated(member: &Production) -> Production {
    sequence([member.clone(), many(0, sequence([comma(), member.clone()]))])
}

fn inner_list() -> Production {
    let blanks = |least| many(least, exact(" "));
    let item = || sequence([bare_item(), parameters()]);
    let made_items = sequence([bare_item(), many(0, sequence([blanks(1), bare_item()]))]);
    let items = sequence([item(), many(0, sequence([blanks(1), item()]))]);
    sequence([
        exact("("),
        blanks(0),
        optional(made(made_items, items)),
        blanks(0),
        exact(")"),
    ])
}

/// A List with at least one member. Made are members that are Tokens, parts `token`.
pub(super) fn list() -> Production {
    let others = choice([
        number(),
        string(),
        bytes(),
        exact("?0"),
        exact("?1"),
        date(),
    ]);
    let item = choice([part("token", token()), part("other", others)]);
    let display = part("other", display_string());
    let member = choice([item, part("other", inner_list()), display]);
    let member = made(part("token", token()), member);
    separated(&sequence([member, parameters()]))
}

/// A Dictionary with at least one member: parts `key`, and after it `value` if it has one. The
/// words of the vocabulary and their values are frequent.
pub(super) fn dictionary() -> Production {
    let word = choice([
        exact("train-ai"),
        exact("search"),
        made(sequence([character(LOWER), key()]), key()),
    ]);
    let answer = choice([exact("y"), exact("n"), exact("y"), exact("n"), bare_item()]);
    let answer = made(answer, choice([bare_item(), inner_list()]));
    let value = sequence([exact("="), part("value", answer)]);
    // A parameter with the name of a word is a likely mistake, and has a finding.
    let name = made(sequence([exact("x"), key()]), key());
    let own = sequence([exact(";"), many(0, exact(" ")), name]);
    let own = many(
        0,
        sequence([own, optional(sequence([exact("="), bare_item()]))]),
    );
    separated(&sequence([part("key", word), optional(value), own]))
}

/// The value of `Robots-Tag` (draft-illyes-repext, 3.1.1): a List whose members are product tokens
/// with rules as parameters, written as Tokens or Strings. Leading and trailing spaces are those
/// that a parser of structured fields drops.
#[must_use]
pub fn robots_tag_list() -> Production {
    let name = many(
        1,
        character(&[('a', 'z'), ('A', 'Z'), ('_', '_'), ('-', '-')]),
    );
    let name = sequence([character(ALPHA), name]);
    let tokens = choice([exact("*"), exact("f"), name]);
    let quoted = sequence([exact("\""), tokens.clone(), exact("\"")]);
    let names = || {
        let quoted = made(quoted.clone(), string());
        choice([
            part("token", made(tokens.clone(), token())),
            part("string", quoted),
        ])
    };
    let rule = choice([
        exact("noindex"),
        exact("nosnippet"),
        exact("nofollow"),
        exact("max-snippet"),
        sequence([character(LOWER), many(2, character(LOWER))]),
    ]);
    let value = sequence([exact("="), part("value", bare_item())]);
    let parameter = sequence([part("key", made(rule, key())), optional(value)]);
    let rules = many(0, sequence([exact(";"), many(0, exact(" ")), parameter]));
    let blanks = || many(0, exact(" "));
    sequence([blanks(), separated(&sequence([names(), rules])), blanks()])
}
