//! Random files with AI preferences, one kind for each vocabulary, with the odd forms that real
//! files have: misspelt keys, words instead of values, several lines with different values, lines
//! outside groups, comments, wildcards, escapes, equal lengths, upper case, `;` and tabs. All names
//! and paths come from short lists, so that rules meet each other often.
//!
//! What the requirements leave open is left out, such as control bytes and misplaced elements.

/// Seeded random numbers (`SplitMix64`). The seed gives the same files on every machine.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that show what the seed says.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`.
    ///
    /// # Panics
    /// Panics if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let end = u64::try_from(end).expect("a small number");
        usize::try_from(mixed % end).expect("less than the end")
    }

    /// Whether something happens that happens in `percent` of all cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    ///
    /// # Panics
    /// Panics if there is none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Names of robots, in user-agent lines and of clients.
pub const AGENTS: [&str; 5] = [
    "f",
    "f-news",
    "Googlebot",
    "Google-Extended",
    "Applebot-Extended",
];

/// Purposes that groups and clients name.
pub const PURPOSES: [&str; 2] = ["P1", "TRAIN"];

/// Product tokens and purposes of a client.
pub fn client(dice: &mut Dice) -> (Vec<&'static str>, Vec<&'static str>) {
    let mut agents = vec![dice.pick(&AGENTS)];
    if dice.chance(20) {
        agents.push(dice.pick(&AGENTS));
    }
    let purposes = if dice.chance(30) {
        vec![dice.pick(&PURPOSES)]
    } else {
        Vec::new()
    };
    (agents, purposes)
}

/// Path and query of a page.
pub fn path(dice: &mut Dice) -> String {
    const PIECES: [&str; 12] = [
        "a",
        "a",
        "b",
        "/",
        "/",
        "ab",
        "D",
        "%61",
        "~",
        "%7E",
        "%E3%83%84",
        ".pdf",
    ];
    if dice.chance(3) {
        return "/robots.txt".to_owned();
    }
    let mut path = dice.pick(&["/", "/a", "/a", "/ab/"]).to_owned();
    for _ in 0..dice.below(4) {
        path.push_str(dice.pick(&PIECES));
    }
    if dice.chance(10) {
        path.push_str(dice.pick(&["?a", "?b=/a", "$"]));
    }
    path
}

/// A pattern that matches many of these paths. It has no blank and no `#`.
pub fn pattern(dice: &mut Dice) -> String {
    const PIECES: [&str; 13] = [
        "a",
        "a",
        "b",
        "/",
        "/",
        "*",
        "ab",
        "D",
        "%61",
        "~",
        "%7e",
        "ツ",
        "%E3%83%84",
    ];
    let mut pattern = "/".to_owned();
    for _ in 0..dice.pick(&[0, 0, 1, 1, 1, 2, 3]) {
        pattern.push_str(dice.pick(&PIECES));
    }
    if dice.chance(15) {
        pattern.push_str(dice.pick(&["$", "*", "%24", ".pdf$", "?"]));
    }
    pattern
}

/// A robots.txt with lines of Content-Usage, Content-Signal and License among rules. Group by group
/// it mixes everything that may stand there.
pub fn robots(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(3) {
        preference_line(dice, &mut text);
    }
    for _ in 0..=dice.below(3) {
        group(dice, &mut text);
    }
    text
}

fn group(dice: &mut Dice, text: &mut String) {
    for _ in 0..=dice.below(1) {
        let value = match dice.below(10) {
            0..5 => "*",
            5..9 => dice.pick(&AGENTS),
            _ => "5x",
        };
        if dice.chance(12) {
            line(dice, text, "User-Agent-Purpose", purpose);
        } else {
            line(dice, text, "User-agent", |_| value.to_owned());
        }
        // A preference line here ends nothing.
        if dice.chance(15) {
            preference_line(dice, text);
        }
    }
    for _ in 0..dice.below(6) {
        match dice.below(10) {
            0 => line(dice, text, "Allow", pattern),
            1 => line(dice, text, "Disallow", pattern),
            2 => line(dice, text, "Sitemap", |_| {
                "https://e.example/s.xml".to_owned()
            }),
            _ => preference_line(dice, text),
        }
    }
}

fn purpose(dice: &mut Dice) -> String {
    dice.pick(&PURPOSES).to_owned()
}

/// A line with blanks, comments and line ends of all kinds.
fn line(dice: &mut Dice, text: &mut String, key: &str, value: impl FnOnce(&mut Dice) -> String) {
    let blank = |dice: &mut Dice| dice.pick(&["", "", "", "", " ", "\t", " \t"]);
    if dice.chance(8) {
        text.push_str(dice.pick(&["\n", "# a comment: train-ai=n\n", "\r\n", " \n"]));
    }
    let key = match dice.below(10) {
        0 => key.to_ascii_uppercase(),
        1 => key.to_ascii_lowercase(),
        _ => key.to_owned(),
    };
    text.push_str(blank(dice));
    text.push_str(&key);
    text.push_str(blank(dice));
    text.push(':');
    text.push_str(dice.pick(&["", " ", " ", "\t"]));
    text.push_str(&value(dice));
    text.push_str(blank(dice));
    if dice.chance(8) {
        text.push_str(dice.pick(&["#", "# why", "#, search=n", "#; ai-train=yes"]));
    }
    text.push_str(dice.pick(&["\n", "\n", "\n", "\r\n", "\r"]));
}

fn preference_line(dice: &mut Dice, text: &mut String) {
    match dice.below(9) {
        0..4 => line(dice, text, "Content-Usage", |dice| with_path(dice, usage)),
        4..8 => {
            // The last one is no known key.
            let key = dice.pick(&[
                "Content-Signal",
                "Content-Signal",
                "Content-Signal",
                "Content-Signals",
                "Content-Sygnal",
            ]);
            line(dice, text, key, |dice| with_path(dice, signal));
        }
        _ => line(dice, text, "License", |dice| {
            let urls = [
                "https://l.example/a",
                "https://l.example/b",
                "http://l.example/a?x=1",
                "/license.xml",
                "l.example/a",
                "",
            ];
            dice.pick(&urls).to_owned()
        }),
    }
}

/// A statement, perhaps behind a path, or behind something that only looks like one.
fn with_path(dice: &mut Dice, statement: impl FnOnce(&mut Dice) -> String) -> String {
    let path = match dice.below(20) {
        0..9 => return statement(dice),
        9 => dice.pick(&["*.pdf", "a/", "https://e.example/"]).to_owned(),
        10 => return pattern(dice),
        _ => pattern(dice),
    };
    let blank = dice.pick(&[" ", " ", " ", "\t", "\t\t", " \t "]);
    format!("{path}{blank}{}", statement(dice))
}

/// A statement of Content-Usage, as in a line and in a field.
pub fn usage(dice: &mut Dice) -> String {
    let mut members = Vec::new();
    for _ in 0..=dice.below(2) {
        let word = if dice.chance(88) {
            dice.pick(&["train-ai", "train-ai", "ai-use", "search"])
        } else {
            dice.pick(&[
                "bots",
                "ai-train",
                "*a",
                "*a",
                "Train-AI",
                "train-ai ",
                "1a",
            ])
        };
        // Mostly values that are preferences.
        let value = match dice.below(12) {
            0 => dice.pick(&[
                "", "=", "=no", "=Y", "=\"n\"", "=?0", "=(n)", "=(n y)", "=1", "=1.5", "= n",
                "=:bg==:", "=@1", "=n/a", "=%\"n\"", "=\"n", "=(n", "=n y", "=ñ", "=-",
            ]),
            1 => dice.pick(&[
                "=n;x",
                "=n;why=\"x, y\"",
                "=y;a=1;b=?1",
                "=n;X",
                "=n; x=y",
                "=n ;x",
            ]),
            2..8 => "=n",
            _ => "=y",
        };
        members.push(format!("{word}{value}"));
    }
    let comma = if dice.chance(92) {
        dice.pick(&[",", ", ", ",\t", " , "])
    } else {
        dice.pick(&[";", ",,", "; ", " "])
    };
    let mut text = members.join(comma);
    if dice.chance(4) {
        text.push_str(dice.pick(&[",", ";", " ,"]));
    }
    if dice.chance(2) { String::new() } else { text }
}

/// What a Content-Signal line states, also in a field.
pub fn signal(dice: &mut Dice) -> String {
    let mut items = Vec::new();
    for _ in 0..=dice.below(3) {
        let equals = dice.pick(&["=", "=", "=", "=", " = ", "=\t", " ="]);
        let item = match dice.below(10) {
            0 => dice
                .pick(&[
                    "ai-input",
                    "foo=bar",
                    "train-ai=no",
                    "ai-use=n",
                    "ai_train=no",
                    "",
                    "=no",
                ])
                .to_owned(),
            1 => format!(
                "use{equals}{}",
                dice.pick(&["immediate", "reference", "full", "Full", "all"])
            ),
            _ => {
                let word = dice.pick(&[
                    "ai-train", "ai-train", "ai-input", "search", "AI-Train", "Search",
                ]);
                let value = dice.pick(&[
                    "no", "no", "no", "yes", "yes", "yes", "No", "YES", "n", "y", "true", "",
                ]);
                format!("{word}{equals}{value}")
            }
        };
        items.push(item);
    }
    let comma = dice.pick(&[",", ", ", ", ", " ,", ";", "; ", " ", ",\t"]);
    items.join(comma)
}

/// Lines of the field Content-Usage.
pub fn usage_fields(dice: &mut Dice) -> Vec<String> {
    let lines = dice.pick(&[0, 0, 1, 1, 2]);
    (0..lines).map(|_| usage(dice)).collect()
}

/// Lines of the field Content-Signal.
pub fn signal_fields(dice: &mut Dice) -> Vec<String> {
    let lines = dice.pick(&[0, 0, 1, 1, 2]);
    (0..lines).map(|_| signal(dice)).collect()
}

/// Content of a `tdmrep.json`, mostly an array of rules.
pub fn tdmrep(dice: &mut Dice) -> String {
    let mut rules = Vec::new();
    for _ in 0..dice.below(5) {
        rules.push(tdm_rule(dice));
    }
    let text = format!("[{}]", rules.join(dice.pick(&[",", ", ", ",\n\t"])));
    match dice.below(25) {
        0 => rules.first().cloned().unwrap_or_default(), // An object, not an array.
        1 => text.trim_end_matches(']').to_owned(),
        2 => format!("\u{feff}{text}"),
        3 => format!(" {text}\n"),
        4 => "<!doctype html><title>Not found</title>".to_owned(),
        5 => text.replacen(',', ",,", 1),
        _ => text,
    }
}

fn tdm_rule(dice: &mut Dice) -> String {
    if dice.chance(6) {
        return dice
            .pick(&["7", "null", "\"/\"", "[]", "{}", "true"])
            .to_owned();
    }
    let mut members = Vec::new();
    if dice.chance(95) {
        let location = match dice.below(12) {
            0 => "images/".to_owned(),
            1 => "*".to_owned(),
            2 => format!("*{}", pattern(dice)),
            3 => "\\/a".to_owned(), // An escape of JSON.
            4 => "https://e.example/".to_owned(),
            _ => pattern(dice),
        };
        members.push(format!("\"location\": \"{location}\""));
    }
    let values = [
        "1", "1", "1", "1", "0", "0", "0", "\"1\"", "\"0\"", "1.0", "0.0", "true", "2", "null",
        "\"yes\"", "-1", "1e0", "[1]",
    ];
    for _ in 0..dice.pick(&[0, 1, 1, 1, 1, 1, 1, 1, 2]) {
        members.push(format!("\"tdm-reservation\":{}", dice.pick(&values)));
    }
    if dice.chance(40) {
        let policy = dice.pick(&["\"https://p.example/1\"", "\"https://p.example/2\"", "7"]);
        members.push(format!("\"tdm-policy\":{policy}"));
    }
    if dice.chance(10) {
        members.push("\"comment\":{\"a\":[\"[{\",1]}".to_owned());
    }
    if dice.chance(20) {
        members.reverse();
    }
    format!("{{{}}}", members.join(","))
}

/// Response fields or metas about TDM: names and values.
pub fn tdm_lines(dice: &mut Dice) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for _ in 0..dice.pick(&[0, 0, 1, 1, 2, 3]) {
        let pair = if dice.chance(70) {
            let name = dice.pick(&["tdm-reservation", "TDM-Reservation"]);
            (
                name,
                dice.pick(&["1", "0", "0", "1", "2", "yes", "1, 0", "01"]),
            )
        } else {
            let name = dice.pick(&["tdm-policy", "TDM-POLICY"]);
            (
                name,
                dice.pick(&["https://p.example/3", "https://p.example/4"]),
            )
        };
        lines.push((pair.0.to_owned(), pair.1.to_owned()));
    }
    lines
}

/// A page of the site that [`rsl`] writes about. Its path is one of [`path()`].
pub fn url(dice: &mut Dice) -> String {
    format!("https://e.example{}", path(dice))
}

/// A licence document, mostly readable.
pub fn rsl(dice: &mut Dice) -> String {
    let prefix = dice.pick(&["", "", "", "r:"]);
    let count = dice.pick(&[1, 1, 2, 2, 3]);
    let contents: Vec<String> = (0..count).map(|_| content(dice, prefix)).collect();
    let mut body = contents.concat();
    if dice.chance(10) {
        body.push_str("<x:note xmlns:x='https://x.example/'>prohibits <x:b/></x:note>");
    }
    let declared = match prefix {
        "" => "xmlns=\"https://rslstandard.org/rsl\"",
        _ => "xmlns:r='https://rslstandard.org/rsl'",
    };
    let text = format!("<{prefix}rsl {declared}>{body}</{prefix}rsl>");
    let text = match dice.below(80) {
        0 => text.replace("rslstandard.org/rsl", "rsl.example/"),
        1 => format!("<!DOCTYPE rsl>{text}"),
        2 => text.replace("permits", "permit"),
        3 => text.replace("usage", "region"),
        9 => text.replacen("usage", "region", 1),
        10 => text.replacen("</", "<fee>1</fee></", 1),
        11 => text.replacen("<license>", "<license><note>n<b/></note>", 1),
        12 => text.replacen("<content", "<meta><by>n</by></meta><content", 1),
        13 => text.replacen("<license>", "<about/><license>", 1),
        14 => text.replacen("<license>", "<license><x><permits/></x>", 1),
        4 => text.trim_end_matches('>').to_owned(),
        5 => text.replace(" url=", " href="),
        6 => text.replacen("</", "&nbsp;</", 1),
        7 => text.replacen("<!-- ", "<!-- -- ", 1),
        8 => format!("\u{feff}{text}"),
        _ => text,
    };
    if dice.chance(20) {
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- licence -->\n{text}\n")
    } else {
        text
    }
}

fn content(dice: &mut Dice, prefix: &str) -> String {
    let url = match dice.below(12) {
        0 => String::new(),
        1 => format!("https://e.example{}", pattern(dice)),
        2 => format!("https://other.example{}", pattern(dice)),
        3 => format!("http://e.example{}", pattern(dice)),
        4 => format!("HTTPS://E.example:443{}", pattern(dice)),
        5 | 6 => "/".to_owned(),
        _ => pattern(dice),
    };
    let server = match dice.below(12) {
        0 => " server=\"https://s.example\"",
        1 => " server = 'https://t.example'",
        _ => "",
    };
    let count = dice.pick(&[1, 1, 1, 2, 2, 3]);
    let mut inside: Vec<String> = (0..count).map(|_| licence(dice, prefix)).collect();
    if dice.chance(10) {
        inside.push(format!(
            "<{prefix}copyright>E &amp; Co.</{prefix}copyright>"
        ));
    }
    let inside = inside.concat();
    let behind = dice.pick(&["", "", "\n", "<!-- next -->"]);
    format!("<{prefix}content url=\"{url}\"{server}>{inside}</{prefix}content>{behind}")
}

/// The usage words of licences, and words that mean nothing.
const LICENCE_WORDS: [&str; 14] = [
    "all",
    "ai-all",
    "ai-train",
    "ai-train",
    "ai-input",
    "search",
    "search",
    "ai-index",
    "x:robot",
    "picture",
    "train-ai",
    "ai-use",
    "train-genai",
    "ai-summarize",
];

fn licence(dice: &mut Dice, prefix: &str) -> String {
    let mut inside = Vec::new();
    // The list, how many licences in a hundred have it, and its words.
    let lists: [(&str, &str, usize, &[&str]); 8] = [
        ("permits", "usage", 5, &LICENCE_WORDS),
        ("prohibits", "usage", 5, &LICENCE_WORDS),
        ("permits", "geo", 5, &["Fr", "DE", "us"]),
        ("permits", "usage", 50, &LICENCE_WORDS),
        ("prohibits", "usage", 40, &LICENCE_WORDS),
        ("permits", "user", 15, &["education", "commercial"]),
        ("prohibits", "geo", 10, &["fr", "de", "us"]),
        ("prohibits", "geo", 3, &["it"]),
    ];
    for (name, kind, percent, words) in lists {
        if !dice.chance(percent) {
            continue;
        }
        let words: Vec<&str> = (0..=dice.below(3)).map(|_| dice.pick(words)).collect();
        let words = words.join(dice.pick(&[" ", " ", " ", ",", ", ", "\n\t", "&#x20;"]));
        inside.push(format!(
            "<{prefix}{name} type=\"{kind}\">{words}</{prefix}{name}>"
        ));
    }
    for _ in 0..dice.pick(&[0, 0, 0, 1, 1, 2]) {
        let kind = dice.pick(&[
            "",
            " type=\"free\"",
            " type=\"free\"",
            " type='crawl'",
            " type=\"training\"",
            " type=\"use\"",
        ]);
        inside.push(format!("<{prefix}payment{kind}/>"));
    }
    if dice.chance(8) {
        inside.push(format!("<{prefix}reporting type=\"usage\"/>"));
    }
    if dice.chance(8) {
        inside.push(format!(
            "<{prefix}legal type=\"warranty\">ownership</{prefix}legal>"
        ));
    }
    if dice.chance(5) {
        inside.push("<![CDATA[ <permits> ]]>".to_owned());
    }
    format!("<{prefix}license>{}</{prefix}license>", inside.concat())
}
