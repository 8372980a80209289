//! A slow and obvious model of the careful reading of robots.txt: what the requirements say, put
//! down as plainly as possible, for the engine to be compared with. It knows nothing of the engine,
//! and speed is no concern.

/// What the model is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Body of robots.txt.
    pub robots: &'a [u8],
    /// Product tokens of the client, in order.
    pub agents: &'a [&'a str],
    /// Purposes that it claims.
    pub purposes: &'a [&'a str],
    /// Whether user-agent values are cut at SP, HTAB or `/` instead of at the first octet that no
    /// product token holds.
    pub nonstandard_token: bool,
    /// Path and query as in the URL, without fragment; begins with `/`.
    pub path: &'a [u8],
}

/// What the model says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the URL may be crawled.
    pub allowed: bool,
    /// Line of the rule that decides: of the strongest ones the first.
    pub line: Option<u32>,
    /// Octets of its pattern.
    pub octets: Option<usize>,
}

const BY_DEFAULT: Answer = Answer {
    allowed: true,
    line: None,
    octets: None,
};

/// The parsing limit (REP-82).
const LIMIT: usize = 512_000;

/// Answers by the requirements, step by step.
#[must_use]
pub fn decide(question: &Question<'_>) -> Answer {
    let path = c1(question.path, false);
    if path == b"/robots.txt" {
        return BY_DEFAULT; // REP-46
    }
    let groups = groups(question.robots);
    let chosen = choose(&groups, question);
    let mut best: Option<(usize, bool, u32)> = None;
    for rule in chosen.iter().flat_map(|group| &group.rules) {
        let Some(octets) = strength_if_matching(&rule.value, &path) else {
            continue;
        };
        // REP-42, then REP-44; of equal ones the first stands.
        if best.is_none_or(|(most, allow, _)| (octets, rule.allow) > (most, allow)) {
            best = Some((octets, rule.allow, rule.line));
        }
    }
    best.map_or(BY_DEFAULT, |(octets, allowed, line)| Answer {
        allowed,
        line: Some(line),
        octets: Some(octets),
    })
}

#[derive(Debug, Default)]
struct Group {
    agents: Vec<Vec<u8>>,
    purposes: Vec<Vec<u8>>,
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    allow: bool,
    value: Vec<u8>,
    line: u32,
}

/// PUR-9, REP-32: product tokens in their order, then purposes, then `*`; each level alone.
fn choose<'a>(groups: &'a [Group], question: &Question<'_>) -> Vec<&'a Group> {
    let having = |wanted: &dyn Fn(&Group) -> bool| -> Vec<&'a Group> {
        groups.iter().filter(|group| wanted(group)).collect()
    };
    for agent in question.agents {
        let named = having(&|group| {
            group.agents.iter().any(|value| {
                !is_star(value) && same(&product_token(value, question.nonstandard_token), agent)
            })
        });
        if !named.is_empty() {
            return named;
        }
    }
    let claimed = having(&|group| {
        let claims = |value: &Vec<u8>| question.purposes.iter().any(|purpose| same(value, purpose));
        group.purposes.iter().any(claims)
    });
    if !claimed.is_empty() {
        return claimed;
    }
    having(&|group| group.agents.iter().any(|value| is_star(value)))
}

fn same(value: &[u8], token: &str) -> bool {
    !value.is_empty() && value.eq_ignore_ascii_case(token.as_bytes())
}

/// AMB-REP-6: `*` alone, or before a blank.
fn is_star(value: &[u8]) -> bool {
    value == b"*" || value.starts_with(b"* ") || value.starts_with(b"*\t")
}

/// AMB-REP-6 and AMB-REP-7.
fn product_token(value: &[u8], nonstandard: bool) -> Vec<u8> {
    let belongs = |octet: u8| {
        if nonstandard {
            !matches!(octet, b' ' | b'\t' | b'/')
        } else {
            octet.is_ascii_alphabetic() || octet == b'-' || octet == b'_'
        }
    };
    value
        .iter()
        .copied()
        .take_while(|&octet| belongs(octet))
        .collect()
}

fn groups(robots: &[u8]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut in_head = false;
    for (line, content) in lines(&text(robots)) {
        let Some((key, value)) = key_and_value(&content) else {
            continue;
        };
        let control = content.iter().any(|&octet| octet < 0x20 && octet != b'\t');
        match key.as_str() {
            "user-agent" | "useragent" | "user agent" | "user-agent-purpose" => {
                if !in_head {
                    groups.push(Group::default());
                }
                in_head = true;
                let group = groups.last_mut().expect("one was pushed");
                if control {
                    continue; // AMB-REP-12: it addresses nobody
                }
                if key == "user-agent-purpose" {
                    group.purposes.push(value);
                } else {
                    group.agents.push(value);
                }
            }
            "allow" | "disallow" | "dissallow" | "dissalow" | "disalow" | "diasllow"
            | "disallaw" => {
                in_head = false;
                if let (Some(group), false) = (groups.last_mut(), control) {
                    group.rules.push(Rule {
                        allow: key == "allow",
                        value,
                        line,
                    });
                }
            }
            "app-directives" | "app-directive" => in_head = false,
            _ => {}
        }
    }
    groups
}

/// Decoded text: the limit (AMB-REP-10), UTF-16 (AMB-REP-11), the byte order mark (AMB-REP-13).
fn text(robots: &[u8]) -> Vec<u8> {
    let utf16 = |big: bool| {
        let kept = &robots[2..robots.len().min(LIMIT)];
        let unit = |pair: &[u8]| match (pair, big) {
            (&[a, b], true) => u16::from_be_bytes([a, b]),
            (&[a, b], false) => u16::from_le_bytes([a, b]),
            _ => 0xFFFD,
        };
        let units: Vec<u16> = kept.chunks(2).map(unit).collect();
        let mut text = String::from_utf16_lossy(&units).into_bytes();
        let next = robots.get(LIMIT..LIMIT + 2).map(unit);
        if robots.len() > LIMIT && !matches!(next, Some(10 | 13)) {
            drop_last_line(&mut text);
        }
        text
    };
    if robots.starts_with(b"\xFF\xFE") {
        return utf16(false);
    }
    if robots.starts_with(b"\xFE\xFF") {
        return utf16(true);
    }
    let mut kept = robots[..robots.len().min(LIMIT)].to_vec();
    if robots.len() > LIMIT && !matches!(robots[LIMIT], b'\n' | b'\r') {
        drop_last_line(&mut kept);
    }
    if kept.starts_with(b"\xEF\xBB\xBF") {
        kept.drain(..3);
    }
    kept
}

fn drop_last_line(text: &mut Vec<u8>) {
    while text
        .last()
        .is_some_and(|octet| !matches!(octet, b'\n' | b'\r'))
    {
        text.pop();
    }
}

/// Lines with their numbers, without comments (REP-11, REP-13, REP-14).
fn lines(text: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let (mut lines, mut line, mut at) = (Vec::new(), Vec::new(), 0);
    while at < text.len() {
        match text[at] {
            b'\r' | b'\n' => {
                lines.push(std::mem::take(&mut line));
                at += if text[at..].starts_with(b"\r\n") {
                    2
                } else {
                    1
                };
            }
            octet => {
                line.push(octet);
                at += 1;
            }
        }
    }
    lines.push(line);
    let uncommented = |line: Vec<u8>| {
        line.into_iter()
            .take_while(|&octet| octet != b'#')
            .collect()
    };
    (1..).zip(lines.into_iter().map(uncommented)).collect()
}

/// Key in lower case, and value (REP-7 to REP-10, AMB-REP-5, AMB-ACAP-16).
fn key_and_value(content: &[u8]) -> Option<(String, Vec<u8>)> {
    let content = trim(content);
    if content.to_ascii_lowercase().starts_with(b"acap-") {
        return None;
    }
    let (key, value) = if let Some(colon) = content.iter().position(|&octet| octet == b':') {
        (&content[..colon], &content[colon + 1..])
    } else {
        let words: Vec<&[u8]> = content
            .split(|&octet| octet == b' ' || octet == b'\t')
            .filter(|word| !word.is_empty())
            .collect();
        let [key, value] = words[..] else { return None };
        (key, value)
    };
    let key = String::from_utf8(trim(key).to_ascii_lowercase()).ok()?;
    Some((key, trim(value).to_vec()))
}

fn trim(mut octets: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = octets {
        octets = rest;
    }
    octets
}

/// How many octets the pattern has, where it matches `path`, which is in form C1.
fn strength_if_matching(value: &[u8], path: &[u8]) -> Option<usize> {
    if !value.starts_with(b"/") && !value.starts_with(b"*") {
        return None; // REP-20, AMB-REP-3
    }
    let anchored = value.ends_with(b"$");
    let body = if anchored {
        &value[..value.len() - 1]
    } else {
        value
    };
    let pattern = c1(body, true);
    let hit = matches(&pattern, anchored, path) || matches(&c2(&pattern), anchored, &c2(path));
    hit.then_some(pattern.len() + usize::from(anchored))
}

fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)
}

fn is_reserved(octet: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&octet)
}

/// Form C1 (AMB-REP-1) of a path, or of a pattern without its final `$`, in which `*` is left alone.
///
/// # Panics
/// Never: two hex digits are a number.
#[must_use]
pub fn c1(path: &[u8], is_pattern: bool) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < path.len() {
        let octet = path[at];
        let digits = path
            .get(at + 1..at + 3)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let (b'%', Some(digits)) = (octet, digits) {
            let value = u8::from_str_radix(digits, 16).expect("two hex digits");
            // A decoded digit must not make an escape of a "%" that was none.
            let stray = out.ends_with(b"%")
                || out.len() >= 2
                    && out[out.len() - 2] == b'%'
                    && out[out.len() - 1].is_ascii_hexdigit();
            if is_unreserved(value) && !(stray && value.is_ascii_hexdigit()) {
                out.push(value);
            } else {
                out.extend(format!("%{value:02X}").bytes());
            }
            at += 3;
            continue;
        }
        let stays = match octet {
            b'*' => is_pattern,
            b'$' | b'#' => false,
            b'%' => true,
            _ => is_unreserved(octet) || is_reserved(octet),
        };
        // A "#" can only stand in text that no line and no URL would give.
        if stays || octet == b'#' {
            out.push(octet);
        } else {
            out.extend(format!("%{octet:02X}").bytes());
        }
        at += 1;
    }
    out
}

/// Form C2 of what is in form C1 already.
#[must_use]
pub fn c2(c1: &[u8]) -> Vec<u8> {
    let query = c1.iter().position(|&octet| octet == b'?');
    let mut out = Vec::new();
    for (at, &octet) in c1.iter().enumerate() {
        let in_query = query.is_some_and(|query| at > query);
        let stays = match octet {
            b'*' => true,
            b'/' => !in_query,
            b'?' => query == Some(at),
            b'=' | b'&' => in_query,
            _ => !is_reserved(octet),
        };
        if stays {
            out.push(octet);
        } else {
            out.extend(format!("%{octet:02X}").bytes());
        }
    }
    out
}

/// Whether a pattern matches a path, by dynamic programming: `reached[p]` tells whether the pattern
/// so far can end at octet `p` of the path. `*` is any run of octets, `anchored` a final `$`.
#[must_use]
pub fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for &octet in pattern {
        let before = reached.clone();
        for at in 0..reached.len() {
            reached[at] = if octet == b'*' {
                before[at] || at > 0 && reached[at - 1]
            } else {
                at > 0 && before[at - 1] && path[at - 1] == octet
            };
        }
    }
    if anchored {
        reached[path.len()]
    } else {
        reached.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(robots: &str, agent: &str, path: &str) -> bool {
        let (agents, purposes): (Vec<_>, Vec<_>) = match agent.split_once('+') {
            Some((agent, purpose)) => (vec![agent], vec![purpose]),
            None => (vec![agent], vec![]),
        };
        let (robots, path) = (robots.as_bytes(), path.as_bytes());
        decide(&Question {
            robots,
            agents: &agents,
            purposes: &purposes,
            nonstandard_token: false,
            path,
        })
        .allowed
    }

    #[test]
    fn the_model_answers_the_examples_of_the_specifications() {
        let simple = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
            User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
            User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n";
        assert!(allowed(simple, "foobot", "/example/allowed.gif"));
        assert!(!allowed(simple, "foobot", "/"));
        assert!(allowed(simple, "other", "/publications/a.gif"));
        assert!(!allowed(simple, "other", "/x.gif"));
        assert!(!allowed(simple, "bazbot", "/example/page.html"));
        assert!(allowed(simple, "quxbot", "/example/"));
        let purpose = "User-Agent: FooBot\nUser-Agent-Purpose: EXAMPLE-PURPOSE-1\nDisallow: /\nUser-Agent-Purpose: EXAMPLE-PURPOSE-2\n";
        assert!(!allowed(purpose, "FooBot+EXAMPLE-PURPOSE-2", "/x"));
        assert!(allowed(purpose, "b+example-purpose-2", "/x"));
    }

    #[test]
    fn the_model_knows_the_forms_of_figure_4() {
        let form = |path: &str| String::from_utf8(c2(&c1(path.as_bytes(), false))).expect("ASCII");
        assert_eq!(
            form("/foo/bar?baz=https://foo.bar"),
            "/foo/bar?baz=https%3A%2F%2Ffoo.bar"
        );
        assert_eq!(form("/foo/bar/ツ"), "/foo/bar/%E3%83%84");
        assert_eq!(form("/foo/bar/%62%61%7A"), "/foo/bar/baz");
    }
}
