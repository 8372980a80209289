//! Files made to hurt, by recipe, never stored. IDs are those of the fault catalogue that
//! `docs/hostile.md` tells of.

/// The parsing limit, in octets: the size of most recipes.
pub const LIMIT: usize = 512_000;

/// A hostile robots.txt.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The recipe, such as `r01`.
    pub id: &'static str,
    /// The variant.
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
        if line.is_empty() || octets.len() + line.len() > size {
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
    all().into_iter().filter(|file| file.id == id).collect()
}

/// All recipes but `r17`, which is [`octets()`].
#[must_use]
pub fn all() -> Vec<Hostile> {
    [
        many_rules(),
        shapes(),
        limits(),
        text(),
        tables(),
        records(),
    ]
    .concat()
}

/// r01 to r04, r07, r10 to r12: many rules, and paths that nearly match them.
fn many_rules() -> Vec<Hostile> {
    let (a, long_a) = (
        "/".to_owned() + &"a".repeat(200),
        "/".to_owned() + &"a".repeat(8_191),
    );
    let paths = [&*a, &*long_a, "/ab", "/"];
    let stars = |count: usize| "*a".repeat(count);
    let (fibonacci, word) = (fibonacci(20_000), fibonacci(300));
    let numbered = |prefix: &'static str| move |n: usize| format!("{prefix}{n}\n");
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
            &paths,
        ),
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
            repeat_to(|n| format!("user-agent: f\ndisallow: /{n}\n"), LIMIT)
                .into_iter()
                .collect::<Vec<_>>(),
            &["/11999/x", "/x", "/1"],
        ),
        file(
            "r12",
            "plain-rules",
            repeat_to(numbered("disallow: /"), LIMIT),
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
            repeat_to(
                |n| {
                    if n < 990 {
                        format!("disallow: /{}\n", "a".repeat(n))
                    } else {
                        String::new()
                    }
                },
                LIMIT,
            ),
            &paths,
        ),
    ]
}

/// r05, r06, r08, r09: shapes that cost other parsers more than their size.
fn shapes() -> Vec<Hostile> {
    let (a, by) = ("a".repeat(8_000), |end: &str| end.repeat(LIMIT / end.len()));
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
            &[
                &*format!("/{}", "a".repeat(60)),
                &*format!("/{}b", "a".repeat(60)),
            ],
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
            &[&*format!("/{a}"), "/"],
        ),
        file("r09", "lf", by("\n"), &["/x"]),
        file("r09", "cr", by("\r"), &["/x"]),
        file("r09", "crlf", by("\r\n"), &["/x"]),
        file("r09", "lf-cr", by("\n\r"), &["/x"]),
    ]
}

/// r13 to r16, r29: what stands at, round and past limits.
fn limits() -> Vec<Hostile> {
    let filled = |head: &[u8], size: usize, tail: &str| {
        let mut octets = head.to_vec();
        octets.extend_from_slice(b"user-agent: f\n");
        octets.resize(size - tail.len() - 1, b'#');
        octets.push(b'\n');
        octets.extend_from_slice(tail.as_bytes());
        octets
    };
    let rule = "disallow: /private/x";
    let mut files = Vec::new();
    for (name, size) in [("k-1", LIMIT - 1), ("k", LIMIT), ("k+1", LIMIT + 1)] {
        for (shape, head, more) in [
            ("", &b""[..], ""),
            ("-lf", b"", "\n"),
            ("-crlf", b"", "\r\n"),
            ("-more", b"", "\ndisallow: /p\n"),
            ("-bom", b"\xEF\xBB\xBF", ""),
        ] {
            let octets = [filled(head, size, rule), more.as_bytes().to_vec()].concat();
            files.push(file(
                "r13",
                &format!("{name}{shape}"),
                octets,
                &["/private/x", "/p"],
            ));
        }
        files.push(file(
            "r13",
            &format!("{name}-multibyte"),
            filled(b"", size, "disallow: /ä"),
            &["/%C3%A4", "/%C3"],
        ));
    }
    for stub in [
        "disallow: /",
        "disallow: /p",
        "disallow:",
        "disallow: /private/",
    ] {
        let octets = [filled(b"", LIMIT, stub), b"rivate/x\n".to_vec()].concat();
        files.push(file("r14", stub, octets, &["/private/x", "/x"]));
    }
    for size in [4_094, 4_095, 4_096, 4_097, 9_000] {
        files.push(file(
            "r15",
            &format!("rule-at-{size}"),
            filled(b"", size, "disallow: /x\n"),
            &["/x"],
        ));
    }
    for octets in [16_663, 16_664, 16_665, 20_000] {
        let path = format!("/{}", "a".repeat(octets - 12));
        files.push(file(
            "r16",
            &format!("line-of-{octets}"),
            f(&format!("disallow: {path}b\n")),
            &[&*format!("{path}b"), &*path],
        ));
    }
    let comment = [vec![b'#'; LIMIT], f("\ndisallow: /\n")].concat();
    files.push(file("r29", "comment-first", comment, &["/x"]));
    files
}

/// r18 to r21, r23, r25: octets that are no plain text, and text that is no robots.txt.
#[expect(clippy::too_many_lines, reason = "a table")]
fn text() -> Vec<Hostile> {
    let utf16 =
        |text: &str, to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let plain = "user-agent: f\ndisallow: /ä\n";
    let paths = ["/a", "/%C3%A4", "/x", "/a%00b"];
    let mut files = vec![
        file(
            "r18",
            "controls",
            f("disallow: /a\0b\ndisallow: /x\0\n\0\ndisallow: /y\u{1b}[31m\n"),
            &paths,
        ),
        file(
            "r18",
            "separators",
            f(
                "disallow: /\u{202e}\ndisallow: /a\u{2028}disallow: /x\ndisallow: /b\u{85}\ndisallow: /\u{b}\u{c}\n",
            ),
            &["/a", "/b", "/x"],
        ),
        file(
            "r19",
            "ill-formed",
            [
                f("disallow: /").as_slice(),
                b"\xC0\xAF\ndisallow: /\xED\xA0\x80\ndisallow: /\xF4\x90\x80\x80\n",
            ]
            .concat(),
            &["/%C0%AF", "/%ED%A0%80", "/%F4%90%80%80"],
        ),
        file(
            "r19",
            "other-encodings",
            [
                f("disallow: /").as_slice(),
                b"caf\xE9\ndisallow: /\x80\ndisallow: /\xFF\ndisallow: /\x83e\x83X\x83g\n",
            ]
            .concat(),
            &["/caf%E9", "/caf\u{e9}", "/%80", "/%FF", "/%83e%83X%83g"],
        ),
        file(
            "r20",
            "utf-16-le",
            utf16(&format!("\u{feff}{plain}"), u16::to_le_bytes),
            &paths,
        ),
        file(
            "r20",
            "utf-16-be",
            utf16(&format!("\u{feff}{plain}"), u16::to_be_bytes),
            &paths,
        ),
        file(
            "r20",
            "utf-16-le-without-mark",
            utf16(plain, u16::to_le_bytes),
            &paths,
        ),
        file(
            "r20",
            "utf-16-odd",
            [
                utf16(&format!("\u{feff}{plain}"), u16::to_le_bytes),
                vec![0xD8],
            ]
            .concat(),
            &paths,
        ),
        file(
            "r20",
            "utf-16-lone-surrogates",
            b"\xFF\xFE\x00\xD8\n\x00u\x00\x00\xDC".to_vec(),
            &paths,
        ),
        file(
            "r20",
            "utf-32",
            b"\xFF\xFE\0\0u\0\0\0s\0\0\0".to_vec(),
            &paths,
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
            f(
                "disallow: /%\ndisallow: /%2\ndisallow: /%zz\ndisallow: /%00\ndisallow: /a%2Fb\ndisallow: /c%2A\ndisallow: /d%24\ndisallow: /%25%32%46\ndisallow: /%7Ej\n",
            ),
            &[
                "/%", "/%2", "/%zz", "/%00", "/a/b", "/a%2fb", "/c*", "/d$", "/%252F", "/~j",
                "/%%36%31",
            ],
        ),
        file(
            "r23",
            "many-escapes",
            f(&format!("disallow: /{}\n", "%C3%A4".repeat(16_000))),
            &[&*format!("/{}", "ä".repeat(16_000)), "/ä"],
        ),
    ];
    for (name, mark) in [
        ("none", &b""[..]),
        ("one", b"\xEF\xBB\xBF"),
        ("two", b"\xEF\xBB\xBF\xEF\xBB\xBF"),
        ("partial", b"\xEF\xBB"),
        ("after-a-line", b"\n\xEF\xBB\xBF"),
    ] {
        files.push(file(
            "r20",
            &format!("mark-{name}"),
            [mark, plain.as_bytes()].concat(),
            &paths,
        ));
    }
    for (name, octets) in [
        ("html", &b"<!DOCTYPE html><html>\n<a href=\"https://e.example\">x</a>\n<p style=\"a: b\">User-agent: *\n"[..]),
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
        "inf",
        "infinity",
        "nan",
        "1e309",
        "1e300",
        "-1",
        "0",
        "86400",
        "99999999999999999999",
        "5s",
        "1/60",
        "٣",
    ];
    let patterns = [
        "$", "$$", "/$/", "*$", "$*", "/a$b$", "*", "/*$", "/a$$", "/$", "", "/a*$b", "**", "*$*",
    ];
    let keys = [
        "useragent: f",
        "user agent: f",
        "User-agent f",
        "user-agent:f",
        "user-agent : f",
        "\tuser-agent\t:\tf",
        "User-agent: *x",
        "User-agent:: f",
        "user-agents: f",
        "agent: f",
        "User-agent:*",
        "user-agent: * x",
    ];
    let rules = [
        "dissallow: /x",
        "dissalow: /x",
        "disalow: /x",
        "diasllow: /x",
        "disallaw: /x",
        "disallow /x",
        "disallow : /x",
        "Disallow:: /x",
        "disallow: /x: y",
        "disallowed: /x",
        "dis allow: /x",
        "disallow",
        "disallow:",
        ": /x",
        "alow: /x",
    ];
    let paths = ["/a", "/a$", "/a$b", "/x", "/", "/$", "/$/"];
    let each = |id, values: &[&str], write: &dyn Fn(&str) -> String| -> Vec<Hostile> {
        values
            .iter()
            .map(|value| file(id, value, write(value), &paths))
            .collect()
    };
    [
        each("r22", &delays, &|delay| {
            format!("user-agent: f\ncrawl-delay: {delay}\ndisallow: /x\n")
        }),
        each("r24", &patterns, &|pattern| {
            format!("user-agent: f\ndisallow: {pattern}\n")
        }),
        each("r26", &keys, &|key| {
            format!("user-agent: *\ndisallow: /a\n{key}\ndisallow: /x\n")
        }),
        each("r26", &rules, &|rule| {
            format!("user-agent: f\n{rule}\nallow: /a\n")
        }),
        vec![file(
            "r26",
            "long-key",
            f(&format!("{}: /x\ndisallow: /a\n", "k".repeat(10_000))),
            &paths,
        )],
    ]
    .concat()
}

/// r27, r28, r30: other records, extensions, odd agents.
fn records() -> Vec<Hostile> {
    let others = [
        "Host: e.example",
        "Content-Signal: search=yes",
        "LLM-Policy: /",
        "Sitemap: javascript:alert(1)",
        "Noindex: /x",
    ]
    .join("\n");
    let sitemaps = format!("sitemap: https://e.example/{}\n", "s".repeat(400)).repeat(1_000);
    let agents = [
        "__proto__",
        "constructor",
        "*",
        " * ",
        "f#",
        "f/1.0",
        "ｆ",
        "f\0",
        "",
    ];
    let mut files = vec![
        file(
            "r27",
            "between-everything",
            format!(
                "user-agent: f\n{others}\nuser-agent: g\n{others}\ndisallow: /x\n{others}\ndisallow: /y\n"
            ),
            &["/x", "/y", "/z"],
        ),
        file(
            "r27",
            "1000-sitemaps",
            [f("").as_slice(), sitemaps.as_bytes(), b"disallow: /x\n"].concat(),
            &["/x"],
        ),
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
        file(
            "r30",
            "agent-of-64-kib",
            format!("user-agent: {}\ndisallow: /\n", "f".repeat(64 << 10)),
            &["/x"],
        ),
    ];
    for agent in agents {
        files.push(file(
            "r30",
            agent,
            format!("user-agent: {agent}\ndisallow: /\n"),
            &["/x"],
        ));
    }
    files
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
    fn files_are_what_their_recipes_say() {
        for file in all() {
            assert!(
                !file.paths.is_empty() && file.paths.iter().all(|path| path.starts_with('/')),
                "{}",
                file.id
            );
            assert!(
                file.robots.len() <= 2 * LIMIT + 100_000,
                "{} {}",
                file.id,
                file.robots.len()
            );
        }
        assert_eq!(octets().count(), 8 * 256);
        assert_eq!(recipe("r01")[0].robots.len() / 1_000, 496);
    }
}
