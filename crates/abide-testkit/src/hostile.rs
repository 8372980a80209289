//! Files made to hurt, by recipe, never stored. IDs are those of the fault catalogue that
//! `docs/hostile.md` tells of.
//!
//! What a recipe costs is measured on its first file, so that one stays first and as it is.

use std::fmt::Write;

/// The parsing limit, in octets: the size of most recipes.
pub const LIMIT: usize = 512_000;

/// A hostile robots.txt.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The recipe, such as `r01`.
    pub id: &'static str,
    /// The variant, unique among those of its recipe.
    pub name: String,
    /// The file.
    pub robots: Vec<u8>,
    /// Paths to ask about; each begins with `/`.
    pub paths: Vec<String>,
}

fn file(id: &'static str, name: &str, robots: impl Into<Vec<u8>>, paths: &[&str]) -> Hostile {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    Hostile {
        id,
        name: name.to_owned(),
        robots: robots.into(),
        paths,
    }
}

/// A group for `f`, filled with numbered lines as long as whole ones fit into `size` octets.
#[must_use]
pub fn repeat_to(mut unit: impl FnMut(usize) -> String, size: usize) -> Vec<u8> {
    let mut octets = b"user-agent: f\n".to_vec();
    for number in 0.. {
        let line = unit(number);
        if octets.len() + line.len() > size {
            break;
        }
        octets.extend_from_slice(line.as_bytes());
    }
    octets
}

fn f(rules: &str) -> Vec<u8> {
    format!("user-agent: f\n{rules}").into_bytes()
}

/// All files of a recipe.
#[must_use]
pub fn recipe(id: &str) -> Vec<Hostile> {
    if id == "r17" {
        return octets().collect();
    }
    all().into_iter().filter(|file| file.id == id).collect()
}

/// All recipes but `r17`, which is [`octets()`]: thousands of files of a few octets each.
#[must_use]
pub fn all() -> Vec<Hostile> {
    [
        stars(),
        many_rules(),
        shapes(),
        limits(),
        buffers(),
        encodings(),
        text(),
        media(),
        tables(),
        records(),
        agents(),
        acap(),
    ]
    .concat()
}

/// Lines behind a head, as many whole ones as fit into `size` octets.
fn lines_to(head: &str, mut unit: impl FnMut(usize) -> String, size: usize) -> Vec<u8> {
    let mut text = head.to_owned();
    for number in 0.. {
        let line = unit(number);
        if text.len() + line.len() > size {
            break;
        }
        text.push_str(&line);
    }
    text.into_bytes()
}

const ANY: &str = "ACAP-crawler: *\n";

/// c01: a set of `members` patterns, and `records` records that refer to it, for and against.
#[must_use]
pub fn set_and_records(members: usize, records: usize) -> Vec<u8> {
    let mut text = "##ACAP version=1.0\nACAP-resource-set: s".to_owned();
    // Writing to a String cannot fail.
    for member in 0..members {
        let _ = write!(text, " /section/page{member}/");
    }
    text.push('\n');
    for record in 0..records {
        let usage = ["crawl", "index", "present", "present-snippet"][record % 4];
        let _ = write!(
            text,
            "{ANY}ACAP-allow-{usage}: the-acap:resource-set:s\n\
             ACAP-disallow-{usage}: /section/page{record}/private/\n\
             ACAP-allow-present-link: /section/\n"
        );
    }
    text.into_bytes()
}

/// c01 to c06: ACAP records. c06 is a recipe of our own: patterns that all match, and of which no two
/// can be compared.
fn acap() -> Vec<Hostile> {
    let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).unwrap_or_default());
    let alphabet: String = (0..26).map(letter).collect();
    let every = format!("/{}", alphabet.repeat(3));
    let wild = |n: usize| format!("/*{}*{}*{}", letter(n), letter(n / 26), letter(n / 676));
    let sense = |n: usize| ["allow", "disallow"][n % 2];
    let open = "ACAP-resource-set: s /x\nACAP-crawler: f\n";
    vec![
        file(
            "c01",
            "set-and-records",
            set_and_records(10_000, 2_000),
            &["/section/page1999/private/x"],
        ),
        file(
            "c01",
            "definitions",
            lines_to("", |n| format!("ACAP-composite-usage: u{n} index\n"), LIMIT),
            &["/x"],
        ),
        file(
            "c01",
            "one-set",
            lines_to("ACAP-resource-set: s", |n| format!(" /{n}"), LIMIT - 200)
                .into_iter()
                .chain(
                    format!("\n{ANY}ACAP-disallow-crawl: the-acap:resource-set:s\n").into_bytes(),
                )
                .collect::<Vec<u8>>(),
            &["/77", "/x"],
        ),
        file(
            "c01",
            "nested-and-twice",
            lines_to(
                "ACAP-composite-usage: c0 index\n",
                |n| {
                    format!(
                        "ACAP-composite-usage: c{} (c{n}) (c{}) crawl\n",
                        n / 2 + 1,
                        n + 1
                    )
                },
                LIMIT - 200,
            )
            .into_iter()
            .chain(format!("{ANY}ACAP-disallow-(c7): /x\nACAP-allow-(c9): /y\n").into_bytes())
            .collect::<Vec<u8>>(),
            &["/x", "/y"],
        ),
        file(
            "c01",
            "undefined-names",
            lines_to(
                open,
                |n| format!("ACAP-allow-(u{n}): the-acap:resource-set:s{n}\n"),
                LIMIT,
            ),
            &["/x"],
        ),
        file(
            "c02",
            "qualifiers",
            lines_to(
                open,
                |n| {
                    let value = [
                        "time-limit=until-2026-02-30",
                        "time-limit=until-99999-01-01",
                        "time-limit=0-days",
                        "time-limit=99999999999999999999-days",
                        "max-length=-1-chars",
                        "max-length",
                        "=",
                    ][n % 7];
                    format!("ACAP-allow-present-snippet: / {value} {value}\n")
                },
                LIMIT,
            ),
            &["/x"],
        ),
        file(
            "c02",
            "one-line-of-qualifiers",
            lines_to(
                "ACAP-crawler: f\nACAP-allow-index: /",
                |n| format!(" must-use-resource=/{n}"),
                LIMIT,
            ),
            &["/x"],
        ),
        file(
            "c03",
            "parentheses",
            f(&format!(
                "ACAP-crawler: f\nACAP-allow-{}: /\n",
                "(".repeat(100_000)
            )),
            &["/x"],
        ),
        file(
            "c03",
            "closed-parentheses",
            f(&format!(
                "ACAP-crawler: f\nACAP-allow-{}{}: /\n",
                "(".repeat(100_000),
                ")".repeat(100_000)
            )),
            &["/x"],
        ),
        file(
            "c04",
            "cut",
            lines_to(
                "##ACAP version=1.0\n",
                |_| "User-agent: g\n".to_owned(),
                2 * LIMIT,
            ),
            &["/x"],
        ),
        file(
            "c05",
            "references",
            lines_to(
                "ACAP-crawler: f\nACAP-permissions-reference: /robots.txt\n",
                |n| format!("ACAP-permissions-reference: /r{n}.txt\n"),
                LIMIT,
            ),
            &["/x"],
        ),
        file(
            "c06",
            "nothing-can-be-compared",
            lines_to(
                open,
                |n| format!("ACAP-{}-crawl: {}\n", sense(n), wild(n)),
                LIMIT,
            ),
            &[&every],
        ),
        file(
            "c06",
            "nothing-can-be-compared-and-nothing-prohibits",
            lines_to(
                open,
                |n| format!("ACAP-allow-index: {} time-limit={n}-days\n", wild(n)),
                LIMIT,
            ),
            &[&every],
        ),
        file(
            "c06",
            "sets-of-which-no-two-can-be-compared",
            (0..250)
                .map(|set| {
                    let members: String = (0..90)
                        .flat_map(|n| [" ".to_owned(), wild(set * 70 + n)])
                        .collect();
                    format!("ACAP-resource-set: s{set}{members}\n")
                })
                .chain(std::iter::once("ACAP-crawler: f\n".to_owned()))
                .chain(
                    (0..250)
                        .map(|set| format!("ACAP-allow-present: the-acap:resource-set:s{set}\n")),
                )
                .collect::<String>(),
            &[&every],
        ),
        file(
            "c06",
            "many-qualifiers-many-times",
            lines_to(
                &format!(
                    "ACAP-qualified-usage: q index{}\nACAP-crawler: f\n",
                    (0..63)
                        .flat_map(|n| [" must-use-resource=/".to_owned(), n.to_string()])
                        .collect::<String>()
                ),
                |_| "ACAP-allow-(q):/\n".to_owned(),
                LIMIT,
            ),
            &["/x"],
        ),
        file(
            "c06",
            "a-set-that-matches-everywhere",
            lines_to(
                "ACAP-resource-set: s",
                |n| format!(" {}", wild(n)),
                LIMIT - 20_000,
            )
            .into_iter()
            .chain(lines_to(
                "\nACAP-crawler: *\n",
                |n| format!("ACAP-{}-crawl: the-acap:resource-set:s\n", sense(n)),
                19_000,
            ))
            .collect::<Vec<u8>>(),
            &[&every],
        ),
    ]
}

/// `/aaa…` of as many octets.
fn path_of_a(octets: usize) -> String {
    format!("/{}", "a".repeat(octets - 1))
}

/// r01 to r04: rules with stars, and paths that nearly match them.
fn stars() -> Vec<Hostile> {
    let (a, long_a) = (path_of_a(201), path_of_a(8_192));
    let paths = [&*a, &*long_a, "/ab", "/"];
    let (near, long_near) = (near_misses(110), near_misses(8_192));
    let stars = |count: usize| "*a".repeat(count);
    vec![
        file(
            "r01",
            "8000-stars",
            repeat_to(|_| format!("disallow: /{}b\n", stars(8_000)), LIMIT),
            &paths,
        ),
        file(
            "r02",
            "40-stars",
            repeat_to(|_| format!("disallow: /{}b\n", stars(40)), LIMIT),
            &paths,
        ),
        file(
            "r02",
            "40-stars-each-its-own",
            repeat_to(|n| format!("disallow: /{}b{n}\n", stars(40)), LIMIT),
            &paths,
        ),
        file(
            "r03",
            "each-its-own",
            repeat_to(|n| format!("disallow:/*{n:x}b\n"), LIMIT),
            &paths,
        ),
        file(
            "r03",
            "all-the-same",
            repeat_to(|_| "disallow:/*b\n".to_owned(), LIMIT),
            &paths,
        ),
        file(
            "r04",
            "near-misses",
            repeat_to(|n| format!("disallow: /*{}{n:x}\n", "a".repeat(30)), LIMIT),
            &[&paths[..], &[&*near, &*long_near]].concat(),
        ),
    ]
}

/// r07, r10 to r12: many rules or agents, and literals that are hard to search for.
fn many_rules() -> Vec<Hostile> {
    let (a, long_a) = (path_of_a(201), path_of_a(8_192));
    let (fibonacci, word) = (fibonacci(20_000), fibonacci(300));
    vec![
        file(
            "r07",
            "fibonacci",
            f(&format!("disallow: /*{word}c\ndisallow: /*{word}$\n").repeat(200)),
            &[&*format!("/{fibonacci}")],
        ),
        file(
            "r07",
            "period-of-two",
            repeat_to(|n| format!("disallow: /*{}c{n}\n", "ab".repeat(50)), LIMIT),
            &[&*format!("/{}", "ab".repeat(4_000))],
        ),
        file(
            "r10",
            "one-agent-35000-times",
            [&b"user-agent: f\n".repeat(35_000)[..], b"disallow: /\n"].concat(),
            &["/x"],
        ),
        file(
            "r10",
            "distinct-agents",
            repeat_to(|n| format!("user-agent: a{}\n", letters(n)), LIMIT - 20),
            &["/x"],
        ),
        file(
            "r10",
            "long-agent",
            [
                b"user-agent: ".to_vec(),
                vec![b'f'; 100_000],
                b"\nuser-agent: f\ndisallow: /\n".to_vec(),
            ]
            .concat(),
            &["/x"],
        ),
        file(
            "r11",
            "merged-groups",
            repeat_to(|n| format!("user-agent: f\ndisallow: /{n}\n"), LIMIT),
            &["/11999/x", "/x", "/1"],
        ),
        file(
            "r12",
            "plain-rules",
            repeat_to(|n| format!("disallow: /{n}\n"), LIMIT),
            &["/25999", "/259", "/x"],
        ),
        file(
            "r12",
            "the-same-rule",
            repeat_to(|_| "disallow: /a\n".to_owned(), LIMIT),
            &["/ab", "/b"],
        ),
        file(
            "r12",
            "allow-and-disallow-by-turns",
            repeat_to(|n| format!("{}: /a\n", ["allow", "disallow"][n % 2]), LIMIT),
            &["/ab", "/b"],
        ),
        file(
            "r12",
            "nested-prefixes",
            repeat_to(|n| format!("disallow: /{}\n", "a".repeat(n)), LIMIT),
            &[&*a, &*long_a, "/ab", "/"],
        ),
    ]
}

/// r05, r06, r08, r09: shapes that cost other parsers more than their size.
fn shapes() -> Vec<Hostile> {
    let by = |end: &str| end.repeat(LIMIT / end.len());
    // A rule behind them shows how the lines were counted.
    let counted = |end: &str| f(&(end.repeat((LIMIT - 40) / end.len()) + "disallow: /x"));
    vec![
        file(
            "r05",
            "16000-stars",
            f(&format!("disallow: /{}\n", "*".repeat(16_000))),
            &["/x"],
        ),
        file(
            "r05",
            "20-stars",
            f("disallow: /********************/\n"),
            &["/a/b/", "/a", "//"],
        ),
        file(
            "r05",
            "26-stars-before-js",
            f(&format!("disallow: {}.js*\n", "*".repeat(26))),
            &["/a.js", "/a.jpg"],
        ),
        file(
            "r06",
            "cve-2026-55520",
            f("disallow: /*a*a*a*a*a*a*a*b$\n"),
            &[&*path_of_a(61), &*(path_of_a(61) + "b")],
        ),
        file("r08", "one-line", vec![b'a'; LIMIT], &["/x"]),
        file(
            "r08",
            "one-line-colon-last",
            [vec![b'a'; LIMIT - 1], b":".to_vec()].concat(),
            &["/x"],
        ),
        file(
            "r08",
            "one-line-of-comment",
            [b"#".to_vec(), vec![b'a'; LIMIT - 1]].concat(),
            &["/x"],
        ),
        file(
            "r08",
            "one-rule",
            [f("disallow: /").as_slice(), &vec![b'a'; LIMIT - 30]].concat(),
            &[&*path_of_a(8_001), "/"],
        ),
        file("r09", "lf", by("\n"), &["/x"]),
        file("r09", "cr", by("\r"), &["/x"]),
        file("r09", "crlf", by("\r\n"), &["/x"]),
        file("r09", "lf-cr", by("\n\r"), &["/x"]),
        file("r09", "lf-rule-last", counted("\n"), &["/x"]),
        file("r09", "cr-rule-last", counted("\r"), &["/x"]),
        file("r09", "crlf-rule-last", counted("\r\n"), &["/x"]),
        file("r09", "lf-cr-rule-last", counted("\n\r"), &["/x"]),
    ]
}

/// A group for `f`, a comment, and `tail`, which ends at octet `size`.
fn filled(head: &[u8], size: usize, tail: &str) -> Vec<u8> {
    let mut octets = [head, b"user-agent: f\n"].concat();
    octets.resize(size - tail.len() - 1, b'#');
    octets.push(b'\n');
    octets.extend_from_slice(tail.as_bytes());
    octets
}

/// r13, r14, r29: what stands at, round and past the parsing limit.
fn limits() -> Vec<Hostile> {
    let rule = "disallow: /private/x";
    let mut files = Vec::new();
    for (size, octets) in [("k-1", LIMIT - 1), ("k", LIMIT), ("k+1", LIMIT + 1)] {
        for (shape, head, tail, more) in [
            ("", "", rule, ""),
            ("-lf", "", rule, "\n"),
            ("-crlf", "", rule, "\r\n"),
            ("-more", "", rule, "\ndisallow: /p\n"),
            ("-bom", "\u{feff}", rule, ""),
            ("-multibyte", "", "disallow: /ä", ""),
        ] {
            let robots = [&filled(head.as_bytes(), octets, tail), more.as_bytes()].concat();
            let paths = ["/private/x", "/p", "/%C3%A4", "/%C3"];
            files.push(file("r13", &format!("{size}{shape}"), robots, &paths));
        }
    }
    // The mark counts, though it is no text: a reader that takes it off first keeps this rule.
    files.push(file(
        "r13",
        "k+3-bom",
        filled("\u{feff}".as_bytes(), LIMIT + 3, rule),
        &["/private/x"],
    ));
    for (size, octets) in [("k", LIMIT), ("k+2", LIMIT + 2)] {
        let text = String::from_utf8(filled(b"", octets / 2 - 1, rule)).expect("ASCII");
        let robots = utf16(&format!("\u{feff}{text}"), u16::to_le_bytes);
        files.push(file(
            "r13",
            &format!("{size}-utf-16"),
            robots,
            &["/private/x"],
        ));
    }
    for (name, stub) in [
        ("stub-is-root", "disallow: /"),
        ("stub-is-shorter", "disallow: /p"),
        ("stub-is-empty", "disallow:"),
        ("stub-is-a-folder", "disallow: /private/"),
    ] {
        let robots = [filled(b"", LIMIT, stub), b"rivate/x\n".to_vec()].concat();
        files.push(file("r14", name, robots, &["/private/x", "/x"]));
    }
    let comment = [f(&"#".repeat(LIMIT)), b"\ndisallow: /\n".to_vec()].concat();
    files.push(file("r29", "comment-first", comment, &["/x"]));
    files
}

/// r15, r16: sizes at which other parsers cut.
fn buffers() -> Vec<Hostile> {
    let mut files = Vec::new();
    for size in [4_094, 4_095, 4_096, 4_097, 9_000] {
        let robots = filled(b"", size, "disallow: /x\n");
        files.push(file("r15", &format!("rule-at-{size}"), robots, &["/x"]));
        let rest = path_of_a(size - 40 * 100);
        let rules = format!("disallow: {}\n", path_of_a(100)).repeat(40);
        let robots = f(&format!("{rules}disallow: {rest}\ndisallow: /x\n"));
        files.push(file(
            "r15",
            &format!("rules-of-{size}"),
            robots,
            &["/x", &rest],
        ));
    }
    for octets in [16_663, 16_664, 16_665, 20_000] {
        let path = path_of_a(octets - "disallow: b".len());
        let robots = f(&format!("disallow: {path}b\n"));
        let paths = [&*format!("{path}b"), &*path];
        files.push(file("r16", &format!("line-of-{octets}"), robots, &paths));
    }
    files
}

fn utf16(text: &str, to: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to).collect()
}

fn utf32(text: &str, to: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().flat_map(|letter| to(letter.into())).collect()
}

/// r19, r20: octets that are no UTF-8, and marks that tell of an encoding.
fn encodings() -> Vec<Hostile> {
    let plain = "user-agent: f\ndisallow: /ä\n";
    let marked = &*format!("\u{feff}{plain}");
    let (le, be) = (u16::to_le_bytes, u16::to_be_bytes);
    let overlong = b"user-agent: f\ndisallow: /\xC0\xAF\ndisallow: /\xED\xA0\x80\ndisallow: /\xF4\x90\x80\x80\n";
    let foreign = b"user-agent: f\ndisallow: /caf\xE9\ndisallow: /\x80\ndisallow: /\xFF\ndisallow: /\x83e\x83X\x83g\n";
    let (bad, odd) = (
        ["/%C0%AF", "/%ED%A0%80", "/%F4%90%80%80", "/"],
        ["/caf%E9", "/café", "/%80", "/%FF", "/%83e%83X%83g"],
    );
    let mut files = vec![
        file("r19", "ill-formed", *overlong, &bad),
        file("r19", "other-encodings", *foreign, &odd),
    ];
    for (name, octets) in [
        ("utf-16-le", utf16(marked, le)),
        ("utf-16-be", utf16(marked, be)),
        ("utf-16-le-without-mark", utf16(plain, le)),
        ("utf-16-be-without-mark", utf16(plain, be)),
        (
            "utf-16-le-two-marks",
            utf16(&format!("\u{feff}{marked}"), le),
        ),
        ("utf-16-odd", [&utf16(marked, le)[..], b"\xD8"].concat()),
        (
            "utf-16-lone-surrogates",
            b"\xFF\xFE\x00\xD8\n\x00u\x00\x00\xDC".to_vec(),
        ),
        ("utf-16-mark-alone", b"\xFF\xFE".to_vec()),
        ("utf-32-le", utf32(marked, u32::to_le_bytes)),
        ("utf-32-be", utf32(marked, u32::to_be_bytes)),
        ("mark-none", plain.into()),
        ("mark-one", marked.into()),
        ("mark-two", format!("\u{feff}{marked}").into()),
        ("mark-partial", [b"\xEF\xBB", plain.as_bytes()].concat()),
        ("mark-after-a-line", format!("\n{marked}").into()),
        ("mark-before-a-rule", f("\u{feff}disallow: /ä\n")),
    ] {
        files.push(file("r20", name, octets, &["/a", "/%C3%A4", "/x"]));
    }
    files
}

/// r18, r21, r23: controls, blanks and percent signs.
fn text() -> Vec<Hostile> {
    let percents = "/%|/%2|/%zz|/%00|/a%2Fb|/c%2A|/d%24|/%25%32%46|/%7Ej|/%c3%A4|/%%36%31";
    let percents = format!("disallow: {}\n", percents.replace('|', "\ndisallow: "));
    vec![
        file(
            "r18",
            "controls",
            f("disallow: /a\0b\ndisallow: /x\0\n\0\ndisallow: /y\u{1b}[31m\n"),
            &["/a", "/a%00b", "/x", "/y"],
        ),
        file(
            "r18",
            "separators",
            f(
                "disallow: /\u{202e}\ndisallow: /a\u{2028}disallow: /x\ndisallow: /b\u{85}\ndisallow: /\u{b}\u{c}\n",
            ),
            &[
                "/a",
                "/b",
                "/x",
                "/%E2%80%AE",
                "/a%E2%80%A8disallow:%20/x",
                "/b%C2%85",
                "/%0B%0C",
            ],
        ),
        file(
            "r21",
            "a-line-of-blanks",
            f(" \n \t\ndisallow: /\n"),
            &["/x"],
        ),
        file(
            "r21",
            "no-break-spaces",
            "\u{a0}user-agent\u{a0}:\u{a0}f\n\u{a0}\ndisallow: /\n",
            &["/x"],
        ),
        file(
            "r23",
            "percent-signs",
            f(&percents),
            &[
                "/%", "/%2", "/%zz", "/%00", "/a/b", "/a%2fb", "/c*", "/c%2a", "/d$", "/%252F",
                "/~j", "/%%36%31", "/%%361", "/%61", "/ä",
            ],
        ),
        file(
            "r23",
            "many-escapes",
            f(&format!("disallow: /{}\n", "%C3%A4".repeat(16_000))),
            &[&*format!("/{}", "ä".repeat(16_000)), "/ä"],
        ),
    ]
}

/// r25: what is no robots.txt.
fn media() -> Vec<Hostile> {
    let mut files = Vec::new();
    for (name, octets) in [
        ("html", &b"<!DOCTYPE html><html>\n<a href=\"https://e.example\">x</a>\n<p style=\"a: b\">User-agent: *\n"[..]),
        ("captcha", b"Checking your browser: this takes 5 seconds.\nDisallow all cookies? User-agent: unknown\nRay ID: 7\n"),
        ("gzip", b"\x1F\x8B\x08\0\0\0\0\0\0\x03:\n:"),
        ("png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("pdf", b"%PDF-1.7\n1 0 obj\n<< /Type: /Catalog >>\n"),
        ("json", b"{\"user-agent\": \"*\",\n\"disallow\": \"/\"}\n"),
        ("xml", b"<?xml version=\"1.0\"?>\n<robots xmlns:x=\"y\"/>\n"),
        ("pre", b"<pre>\nUser-agent: f\nDisallow: /x\n</pre>\n"),
        ("base64", b"user-agent: f\ndisallow: data:image/png;base64,iVBORw0KGgo=\n"),
    ] {
        files.push(file("r25", name, octets, &["/x", "/"]));
    }
    files.push(file("r25", "a-megabyte-of-a", vec![b'A'; 1 << 20], &["/x"]));
    files
}

/// r22, r24, r26: tables of values and keys.
fn tables() -> Vec<Hostile> {
    let delays = [
        ("infinity-short", "inf"),
        ("infinity", "infinity"),
        ("not-a-number", "nan"),
        ("past-the-greatest", "1e309"),
        ("exponent", "1e300"),
        ("negative", "-1"),
        ("zero", "0"),
        ("a-day", "86400"),
        ("twenty-digits", "99999999999999999999"),
        ("unit", "5s"),
        ("fraction", "1/60"),
        ("arabic-digit", "٣"),
    ];
    let patterns = [
        ("dollar", "$"),
        ("two-dollars", "$$"),
        ("dollar-folder", "/$/"),
        ("star-dollar", "*$"),
        ("dollar-star", "$*"),
        ("dollar-inside-and-last", "/a$b$"),
        ("star", "*"),
        ("every-path", "/*$"),
        ("two-dollars-last", "/a$$"),
        ("root-only", "/$"),
        ("empty", ""),
        ("dollar-behind-star", "/a*$b"),
        ("two-stars", "**"),
        ("dollar-between-stars", "*$*"),
    ];
    let heads = [
        ("useragent", "useragent: f"),
        ("user-space-agent", "user agent: f"),
        ("user-tab-agent", "user\tagent: f"),
        ("agent-without-colon", "User-agent f"),
        ("agent-without-blank", "user-agent:f"),
        ("agent-blank-before-colon", "user-agent : f"),
        ("agent-tabs", "\tuser-agent\t:\tf"),
        ("agent-star-and-letter", "User-agent: *x"),
        ("agent-two-colons", "User-agent:: f"),
        ("agent-plural", "user-agents: f"),
        ("agent-half-key", "agent: f"),
        ("agent-star-without-blank", "User-agent:*"),
        ("agent-star-and-word", "user-agent: * x"),
    ];
    let rules = [
        ("dissallow", "dissallow: /x"),
        ("dissalow", "dissalow: /x"),
        ("disalow", "disalow: /x"),
        ("diasllow", "diasllow: /x"),
        ("disallaw", "disallaw: /x"),
        ("no-colon", "disallow /x"),
        ("no-colon-three-words", "disallow /x y"),
        ("no-colon-tab", "\tdisallow\t/x\t"),
        ("blank-before-colon", "disallow : /x"),
        ("two-colons", "Disallow:: /x"),
        ("colon-in-value", "disallow: /x: y"),
        ("prefix-key", "disallowed: /x"),
        ("blank-in-key", "dis allow: /x"),
        ("key-alone", "disallow"),
        ("no-value", "disallow:"),
        ("no-key", ": /x"),
        ("alow", "alow: /x"),
        ("site-map", "site-map: /x"),
    ];
    let long_key = format!("{}: /x", "k".repeat(10_000));
    let each = |id, values: &[(&str, &str)], before: &str, behind: &str| -> Vec<Hostile> {
        let paths = ["/a", "/a$", "/a$b", "/x", "/x:%20y", "/", "/$", "/$/"];
        let whole = |value: &str| format!("user-agent: {before}{value}{behind}\n");
        values
            .iter()
            .map(|(name, value)| file(id, name, whole(value), &paths))
            .collect()
    };
    [
        each("r22", &delays, "f\ncrawl-delay: ", "\ndisallow: /x"),
        each("r24", &patterns, "f\ndisallow: ", ""),
        each("r26", &heads, "*\ndisallow: /a\n", "\ndisallow: /x"),
        each("r26", &rules, "f\n", "\nallow: /a"),
        each("r26", &[("long-key", &long_key)], "f\n", "\ndisallow: /a"),
    ]
    .concat()
}

/// r27, r28: other records, and extensions between rules.
fn records() -> Vec<Hostile> {
    let others = [
        "Host: e.example",
        "Content-Signal: search=yes",
        "LLM-Policy: /",
        "Sitemap: javascript:alert(1)",
        "Noindex: /x",
    ]
    .join("\n");
    let sitemaps = |octets: usize| {
        let line = format!("sitemap: https://e.example/{}\n", "s".repeat(octets));
        f(&(line.repeat(1_000) + "disallow: /x\n"))
    };
    vec![
        file(
            "r27",
            "between-everything",
            format!(
                "user-agent: f\n{others}\nuser-agent: g\n{others}\ndisallow: /x\n{others}\ndisallow: /y\n"
            ),
            &["/x", "/y", "/z"],
        ),
        file("r27", "1000-sitemaps", sitemaps(400), &["/x"]),
        file("r27", "1000-sitemaps-of-8-kib", sitemaps(8 << 10), &["/x"]),
        file(
            "r28",
            "purpose-only",
            "user-agent: f\ndisallow: /\nuser-agent-purpose: p\nallow: /\n",
            &["/x"],
        ),
        file(
            "r28",
            "directives-between-agents",
            "user-agent: f\napp-directives: a;x\nuser-agent: g\ndisallow: /\n",
            &["/x"],
        ),
        file(
            "r28",
            "acap-then-loose",
            "user-agent: f\ndisallow: /a\nACAP-crawler: *\nACAP-disallow-crawl: /b\ndisallow: /c\n",
            &["/a", "/b", "/c"],
        ),
        file(
            "r28",
            "many-purposes",
            repeat_to(|n| format!("user-agent-purpose: p{n}\n"), LIMIT),
            &["/x"],
        ),
    ]
}

/// r30: agents that mean something elsewhere.
fn agents() -> Vec<Hostile> {
    let long = "f".repeat(64 << 10);
    let table = [
        ("64-kib", &*long),
        ("proto", "__proto__"),
        ("constructor", "constructor"),
        ("star", "*"),
        ("star-between-blanks", " * "),
        ("comment", "f#"),
        ("version", "f/1.0"),
        ("homoglyph", "ｆ"),
        ("nul", "f\0"),
        ("empty", ""),
    ];
    let whole = |agent: &str| format!("user-agent: {agent}\ndisallow: /\n");
    table
        .map(|(name, agent)| file("r30", name, whole(agent), &["/x"]))
        .into()
}

/// r17: every octet at every place of a line.
pub fn octets() -> impl Iterator<Item = Hostile> {
    const PLACES: [(&str, &[u8], &[u8]); 8] = [
        (
            "before-key",
            b"user-agent: f\n",
            b"disallow: /x\ndisallow: /y\n",
        ),
        (
            "in-key",
            b"user-agent: f\ndis",
            b"allow: /x\ndisallow: /y\n",
        ),
        (
            "before-colon",
            b"user-agent: f\ndisallow",
            b": /x\ndisallow: /y\n",
        ),
        (
            "behind-colon",
            b"user-agent: f\ndisallow:",
            b"/x\ndisallow: /y\n",
        ),
        (
            "in-value",
            b"user-agent: f\ndisallow: /x",
            b"x\ndisallow: /y\n",
        ),
        (
            "behind-value",
            b"user-agent: f\ndisallow: /x",
            b"\ndisallow: /y\n",
        ),
        ("alone", b"user-agent: f\n", b"\ndisallow: /y\n"),
        ("in-agent", b"user-agent: f", b"\ndisallow: /x\n"),
    ];
    (0..=u8::MAX).flat_map(|octet| {
        PLACES.iter().map(move |(place, before, behind)| {
            let robots = [*before, &[octet], *behind].concat();
            file(
                "r17",
                &format!("{octet:02x}-{place}"),
                robots,
                &["/x", "/xx", "/y", "/", "/x%00x", "/x%20x"],
            )
        })
    })
}

/// `a`, `b`, …, `z`, `aa`, …: product tokens hold no digits.
fn letters(number: usize) -> String {
    let mut rest = number;
    let mut name = String::new();
    loop {
        name.push(char::from(
            b'a' + u8::try_from(rest % 26).expect("under 26"),
        ));
        rest /= 26;
        if rest == 0 {
            return name;
        }
    }
}

/// A path of beginnings of the rules of r04, cut anywhere.
fn near_misses(octets: usize) -> String {
    let mut path = "/".to_owned();
    let mut seed = 1_usize;
    while path.len() < octets {
        // Any numbers do, if every run has the same.
        seed = (seed * 1_103 + 12_345) % 11_000;
        let rule = format!("{}{seed:x}", "a".repeat(30));
        path.push_str(&rule[..seed % rule.len()]);
    }
    path.truncate(octets);
    path
}

/// The first octets of the Fibonacci word, which has as many nearly equal factors as a word can.
fn fibonacci(octets: usize) -> String {
    let (mut word, mut before) = ("a".to_owned(), "b".to_owned());
    while word.len() < octets {
        let next = format!("{word}{before}");
        before = std::mem::replace(&mut word, next);
    }
    word.truncate(octets);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_is_there_and_every_file_has_its_own_name() {
        let mut names = std::collections::BTreeSet::new();
        for file in all().into_iter().chain(octets()) {
            assert!(
                names.insert((file.id, file.name.clone())),
                "{} {}",
                file.id,
                file.name
            );
            let paths =
                !file.paths.is_empty() && file.paths.iter().all(|path| path.starts_with('/'));
            assert!(paths, "{} {}", file.id, file.name);
        }
        for number in 1..=30 {
            let id = format!("r{number:02}");
            assert!(names.iter().any(|(known, _)| *known == id), "{id}");
        }
    }

    #[test]
    fn files_are_what_their_recipes_say() {
        let rules =
            |id, at: usize| recipe(id)[at].robots.split(|&octet| octet == b'\n').count() - 2;
        assert_eq!(rules("r01", 0), 31);
        assert_eq!(rules("r02", 0), 5_505);
        assert_eq!((rules("r03", 0), rules("r03", 1)), (30_373, 39_383));
        assert_eq!(recipe("r09")[0].robots.len(), LIMIT);
        assert_eq!(octets().count(), 8 * 256);
        for file in recipe("r16") {
            let line = file
                .robots
                .split(|&octet| octet == b'\n')
                .nth(1)
                .expect("a rule");
            assert_eq!(file.name, format!("line-of-{}", line.len()));
        }
        for file in recipe("r29") {
            assert!(file.robots.len() > LIMIT && file.robots.ends_with(b"\ndisallow: /\n"));
        }
    }

    /// What the limit is about has to stand right there.
    #[test]
    fn the_limit_is_met_to_the_octet() {
        let length = |name: &str| {
            let file = recipe("r13").into_iter().find(|file| file.name == name);
            file.expect("a variant").robots.len()
        };
        for name in ["k", "k-bom", "k-multibyte", "k-utf-16"] {
            assert_eq!(length(name), LIMIT, "{name}");
        }
        assert_eq!(length("k+2-utf-16"), LIMIT + 2);
        for file in recipe("r14") {
            assert!(file.robots[..LIMIT].starts_with(b"user-agent: f\n"));
            assert!(
                file.robots[LIMIT..].starts_with(b"rivate/x\n"),
                "{}",
                file.name
            );
        }
    }
}
