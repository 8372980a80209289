//! A slow, direct model of robots.txt in the careful profile, which the engine is compared with. It
//! implements the requirements as literally as possible, shares no code with the engine, and
//! ignores speed.

/// A question for the model.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Body of robots.txt.
    pub robots: &'a [u8],
    /// Product tokens of the client, in order.
    pub agents: &'a [&'a str],
    /// Purposes that the client claims.
    pub purposes: &'a [&'a str],
    /// Whether user-agent values end at SP, HTAB or `/` instead of at the first byte that a product
    /// token may not contain.
    pub nonstandard_token: bool,
    /// Path and query of the URL, without fragment; begins with `/`.
    pub path: &'a [u8],
}

/// The model's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the URL may be crawled.
    pub allowed: bool,
    /// Line of the deciding rule, counted from 1: the first line among the strongest rules of the
    /// winning kind. `None` if no rule decided.
    pub line: Option<u32>,
    /// Number of bytes in its pattern, by which it won.
    pub bytes: Option<usize>,
}

const BY_DEFAULT: Answer = Answer {
    allowed: true,
    line: None,
    bytes: None,
};

/// The parsing limit (REP-82).
const MAX_FILE_BYTES: usize = 512_000;

/// Decides by the requirements, step by step.
#[must_use]
pub fn decide(question: &Question<'_>) -> Answer {
    let path = c1(question.path, false);
    if path == b"/robots.txt" {
        return BY_DEFAULT; // REP-46
    }
    let file = File::read(question.robots);
    let chosen = choose(&file.groups, question);
    let mut best: Option<(usize, bool, u32)> = None;
    for rule in chosen.iter().flat_map(|group| &group.rules) {
        let Some(bytes) = strength_if_matching(&rule.value, &path) else {
            continue;
        };
        // REP-42, then REP-44; of equal rules the first remains.
        if best.is_none_or(|(most, allow, _)| (bytes, rule.allow) > (most, allow)) {
            best = Some((bytes, rule.allow, rule.line));
        }
    }
    best.map_or(BY_DEFAULT, |(bytes, allowed, line)| Answer {
        allowed,
        line: Some(line),
        bytes: Some(bytes),
    })
}

/// The conventional records of a robots.txt.
#[derive(Debug, Default)]
pub(crate) struct File {
    /// Other records before the first user-agent line.
    pub(crate) outside: Vec<OtherRecord>,
    pub(crate) groups: Vec<Group>,
}

#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) agents: Vec<Vec<u8>>,
    purposes: Vec<Vec<u8>>,
    rules: Vec<Rule>,
    /// Records that are neither rules nor user-agent lines, in order.
    pub(crate) records: Vec<OtherRecord>,
}

/// A record that the conventional rules do not know. It ends no group.
#[derive(Clone, Debug)]
pub(crate) struct OtherRecord {
    /// The key in lower case.
    pub(crate) key: String,
    pub(crate) value: Vec<u8>,
}

#[derive(Debug)]
struct Rule {
    allow: bool,
    value: Vec<u8>,
    line: u32,
}

/// Selects the groups (PUR-9, REP-32): product tokens in their order, then purposes, then `*`; each
/// level alone.
pub(crate) fn choose<'a>(groups: &'a [Group], question: &Question<'_>) -> Vec<&'a Group> {
    let having = |wanted: &dyn Fn(&Group) -> bool| -> Vec<&'a Group> {
        groups.iter().filter(|group| wanted(group)).collect()
    };
    for agent in question.agents {
        let named = having(&|group| {
            group.agents.iter().any(|value| {
                !is_star(value)
                    && same(
                        &product_token(value, agent, question.nonstandard_token),
                        agent,
                    )
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

/// Whether a value is the wildcard (AMB-REP-6): `*` alone, or `*` before a space or tab.
fn is_star(value: &[u8]) -> bool {
    value == b"*" || value.starts_with(b"* ") || value.starts_with(b"*\t")
}

/// The product token at the start of a value (AMB-REP-6), or the longer one for an agent whose name
/// does not fit the grammar (AMB-REP-7).
fn product_token(value: &[u8], agent: &str, nonstandard: bool) -> Vec<u8> {
    let in_grammar = |byte: u8| byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_';
    let whole_word = nonstandard && !agent.bytes().all(in_grammar);
    let belongs = |byte: u8| {
        if whole_word {
            !matches!(byte, b' ' | b'\t' | b'/')
        } else {
            in_grammar(byte)
        }
    };
    value
        .iter()
        .copied()
        .take_while(|&byte| belongs(byte))
        .collect()
}

impl File {
    /// Reads the records of a robots.txt.
    pub(crate) fn read(robots: &[u8]) -> Self {
        let mut file = Self::default();
        let groups = &mut file.groups;
        let mut in_head = false;
        for (line, content) in lines(&text(robots)) {
            let Some((key, value)) = key_and_value(&content) else {
                continue;
            };
            let control = content.iter().any(|&byte| byte < 0x20 && byte != b'\t');
            match key.as_str() {
                "user-agent" | "useragent" | "user agent" | "user-agent-purpose" => {
                    if !in_head {
                        groups.push(Group::default());
                    }
                    in_head = true;
                    let group = groups.last_mut().expect("one was pushed");
                    if control {
                        continue; // AMB-REP-12: it addresses no robot
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
                _ if control => {}
                _ => {
                    let records = match groups.last_mut() {
                        Some(group) => &mut group.records,
                        None => &mut file.outside,
                    };
                    records.push(OtherRecord { key, value });
                }
            }
        }
        file
    }
}

/// Decodes the text: the limit (AMB-REP-10), UTF-16 (AMB-REP-11), the byte order mark (AMB-REP-13).
fn text(robots: &[u8]) -> Vec<u8> {
    let utf16 = |big: bool| {
        let kept = &robots[2..robots.len().min(MAX_FILE_BYTES)];
        let unit = |pair: &[u8]| match (pair, big) {
            (&[a, b], true) => u16::from_be_bytes([a, b]),
            (&[a, b], false) => u16::from_le_bytes([a, b]),
            _ => 0xFFFD,
        };
        let units: Vec<u16> = kept.chunks(2).map(unit).collect();
        let mut text = String::from_utf16_lossy(&units).into_bytes();
        let next = robots.get(MAX_FILE_BYTES..MAX_FILE_BYTES + 2).map(unit);
        if robots.len() > MAX_FILE_BYTES && !matches!(next, Some(10 | 13)) {
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
    let mut kept = robots[..robots.len().min(MAX_FILE_BYTES)].to_vec();
    if robots.len() > MAX_FILE_BYTES && !matches!(robots[MAX_FILE_BYTES], b'\n' | b'\r') {
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
        .is_some_and(|byte| !matches!(byte, b'\n' | b'\r'))
    {
        text.pop();
    }
}

/// Splits the text into numbered lines without comments (REP-11, REP-13, REP-14).
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
            byte => {
                line.push(byte);
                at += 1;
            }
        }
    }
    lines.push(line);
    let uncommented = |line: Vec<u8>| line.into_iter().take_while(|&byte| byte != b'#').collect();
    (1..).zip(lines.into_iter().map(uncommented)).collect()
}

/// The key in lower case, and the value (REP-7 to REP-10, AMB-REP-5, AMB-ACAP-16).
fn key_and_value(content: &[u8]) -> Option<(String, Vec<u8>)> {
    let content = trim(content);
    if content.to_ascii_lowercase().starts_with(b"acap-") {
        return None;
    }
    let (key, value) = if let Some(colon) = content.iter().position(|&byte| byte == b':') {
        (&content[..colon], &content[colon + 1..])
    } else {
        let words: Vec<&[u8]> = content
            .split(|&byte| byte == b' ' || byte == b'\t')
            .filter(|word| !word.is_empty())
            .collect();
        let [key, value] = words[..] else { return None };
        (key, value)
    };
    let key = String::from_utf8(trim(key).to_ascii_lowercase()).ok()?;
    Some((key, trim(value).to_vec()))
}

pub(crate) fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = bytes {
        bytes = rest;
    }
    bytes
}

/// The number of bytes in the pattern if it matches `path`, which is in form C1.
pub(crate) fn strength_if_matching(value: &[u8], path: &[u8]) -> Option<usize> {
    if !value.starts_with(b"/") && !value.starts_with(b"*") {
        return None; // REP-20, AMB-REP-3
    }
    let anchored = value.ends_with(b"$");
    let body = if anchored {
        &value[..value.len() - 1]
    } else {
        value
    };
    let hit = matches_in_a_form(body, anchored, path);
    hit.then_some(c1(body, true).len() + usize::from(anchored))
}

/// Whether a pattern, without its final `$`, matches a path in form C1: in that form or in form C2
/// (AMB-REP-1). With a `%` that begins no escape, only in form C1 (CLA-21).
#[must_use]
pub fn matches_in_a_form(body: &[u8], anchored: bool, path: &[u8]) -> bool {
    let pattern = c1(body, true);
    let is_stray = |at: usize| body[at] == b'%' && escaped(&body[at..]).is_none();
    matches(&pattern, anchored, path)
        || !(0..body.len()).any(is_stray) && matches(&c2(&pattern), anchored, &c2(path))
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

/// Decodes the escape at the start of `bytes`, if there is one.
fn escaped(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = bytes else {
        return None;
    };
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Whether a hex digit after `out` would complete, or bring closer to completion, an escape from a
/// `%` that began none.
fn stray_percent(out: &[u8]) -> bool {
    match out {
        [.., b'%'] => true,
        [.., b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    }
}

/// Converts a path, or a pattern without its final `$`, to form C1 (AMB-REP-1). In a pattern, `*`
/// stays as it is.
///
/// An escaped hex digit after a stray `%` stays escaped: `%%36%31` becomes `%%361`, which C1 leaves
/// unchanged. Decoding both digits would yield `%61`, an escape that the input did not contain.
#[must_use]
pub fn c1(path: &[u8], is_pattern: bool) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < path.len() {
        let byte = path[at];
        if let Some(value) = escaped(&path[at..]) {
            let misleads = value.is_ascii_hexdigit() && stray_percent(&out);
            if is_unreserved(value) && !misleads {
                out.push(value);
            } else {
                out.extend(format!("%{value:02X}").bytes());
            }
            at += 3;
            continue;
        }
        let stays = match byte {
            b'*' => is_pattern,
            b'$' => false,
            b'%' => true,
            _ => is_unreserved(byte) || is_reserved(byte),
        };
        if stays {
            out.push(byte);
        } else {
            out.extend(format!("%{byte:02X}").bytes());
        }
        at += 1;
    }
    out
}

/// Converts a path or pattern from form C1 to form C2.
#[must_use]
pub fn c2(c1: &[u8]) -> Vec<u8> {
    let query = c1.iter().position(|&byte| byte == b'?');
    let mut out = Vec::new();
    for (at, &byte) in c1.iter().enumerate() {
        let in_query = query.is_some_and(|query| at > query);
        let stays = match byte {
            b'*' => true,
            b'/' => !in_query,
            b'?' => query == Some(at),
            b'=' | b'&' => in_query,
            _ => !is_reserved(byte),
        };
        if stays {
            out.push(byte);
        } else {
            out.extend(format!("%{byte:02X}").bytes());
        }
    }
    out
}

/// Whether a pattern matches a path, by dynamic programming: `reached[p]` is true if the pattern so
/// far can end at byte `p` of the path. `*` is any run of bytes, `anchored` a final `$`.
#[must_use]
pub fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for &byte in pattern {
        let before = reached.clone();
        for at in 0..reached.len() {
            reached[at] = if byte == b'*' {
                before[at] || at > 0 && reached[at - 1]
            } else {
                at > 0 && before[at - 1] && path[at - 1] == byte
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

    /// Asks the model. `client` is a product token, or a product token and a purpose: `f+P1`.
    fn ask(robots: impl AsRef<[u8]>, client: &str, path: &str) -> Answer {
        let (agent, purpose) = client.split_once('+').unwrap_or((client, ""));
        decide(&Question {
            robots: robots.as_ref(),
            agents: &[agent],
            purposes: &[purpose],
            nonstandard_token: false,
            path: path.as_bytes(),
        })
    }

    fn allows(robots: impl AsRef<[u8]>, client: &str, path: &str) {
        assert!(ask(robots, client, path).allowed, "{client} {path}");
    }

    fn denies(robots: impl AsRef<[u8]>, client: &str, path: &str) {
        assert!(!ask(robots, client, path).allowed, "{client} {path}");
    }

    /// Checks a line of the form `NORM[path] = in_c1 ~ in_c2`.
    fn forms(path: &str, in_c1: &str, in_c2: &str) {
        let first = c1(path.as_bytes(), false);
        assert_eq!(String::from_utf8_lossy(&first), in_c1);
        assert_eq!(String::from_utf8_lossy(&c2(&first)), in_c2);
        assert_eq!(c1(&first, false), first, "C1 of {path} is its own form");
    }

    #[test]
    fn rep_4_a_last_group_without_rules_shields() {
        allows(
            "User-agent: *\nDisallow: /\nUser-agent: quxbot",
            "quxbot",
            "/x",
        );
    }

    #[test]
    fn rep_8_blanks_round_key_and_colon() {
        denies("\t User-agent\t:\tf\n Disallow : \t/x", "f", "/x");
    }

    #[test]
    fn rep_11_comments() {
        denies("User-agent: f#one#two\nDisallow: /foo#bar", "f", "/foo/x");
    }

    #[test]
    fn rep_13_line_ends_mixed() {
        let robots = "User-agent: f\rDisallow: /x\r\nDisallow: /y\nDisallow: /z";
        denies(robots, "f", "/x");
        denies(robots, "f", "/z");
    }

    #[test]
    fn rep_14_crlf_is_one_line_end() {
        for (end, line) in [("\n", 2), ("\r", 2), ("\r\n", 2), ("\n\r", 3), ("\r\r", 3)] {
            let answer = ask(format!("User-agent: f{end}Disallow: /"), "f", "/x");
            assert_eq!(answer.line, Some(line), "{end:?}");
        }
    }

    #[test]
    fn rep_20_an_empty_pattern_says_nothing() {
        allows("User-agent: f\nDisallow:", "f", "/x");
        denies("User-agent: f\nDisallow:\nDisallow: /x", "f", "/x");
        denies("User-agent: f\nDisallow: /\nAllow:", "f", "/x");
    }

    #[test]
    fn rep_28_whole_tokens() {
        allows("User-agent: foobot\nDisallow: /", "foobot-news", "/x");
        allows("User-agent: foobot-news\nDisallow: /", "foobot", "/x");
        allows("User-agent: bot\nDisallow: /", "foobot", "/x");
    }

    #[test]
    fn rep_31_merging_is_by_agent() {
        let robots = "User-agent: a\nUser-agent: b\nDisallow: /ab\nUser-agent: a\nDisallow: /a2";
        allows(robots, "b", "/a2");
        denies(robots, "a", "/ab");
        denies(robots, "a", "/a2");
    }

    #[test]
    fn rep_35_an_unusable_agent_ends_the_group() {
        let robots = "User-agent: f\nDisallow: /internal\n\nUser-agent: 5emeRue\nDisallow: /";
        allows(robots, "f", "/x");
        let robots = "User-agent: *\nDisallow: /internal\nUser-agent:\nDisallow: /";
        allows(robots, "f", "/x");
    }

    #[test]
    fn rep_36_rules_before_any_group() {
        allows("Disallow: /\nUser-agent: f\nDisallow: /y", "f", "/x");
    }

    #[test]
    fn rep_42_most_bytes_decide() {
        let answer = ask(
            "User-agent: f\nAllow: /page\nDisallow: /*.htm",
            "f",
            "/page.htm",
        );
        assert_eq!(
            (answer.allowed, answer.line, answer.bytes),
            (false, Some(3), Some(6))
        );
        allows(
            "User-agent: f\nAllow: /x/page.\nDisallow: /*.html",
            "f",
            "/x/page.html",
        );
    }

    #[test]
    fn rep_44_of_equal_rules_the_first_allow_is_told() {
        let robots = "User-agent: f\nDisallow: /folder\nAllow: /folder\nAllow: /folder";
        let answer = ask(robots, "f", "/folder/page");
        assert_eq!(
            (answer.allowed, answer.line, answer.bytes),
            (true, Some(3), Some(7))
        );
    }

    #[test]
    fn rep_46_robots_txt_itself() {
        allows("User-agent: f\nDisallow: /robots.txt", "f", "/robots.txt");
        allows("User-agent: f\nDisallow: /", "f", "/%72obots.txt");
        denies("User-agent: f\nDisallow: /", "f", "/robots.txt?x=1");
    }

    #[test]
    fn rep_49_figure_4() {
        let figure = "/foo/bar?baz=https%3A%2F%2Ffoo.bar";
        forms("/foo/bar?baz=quz", "/foo/bar?baz=quz", "/foo/bar?baz=quz");
        forms(
            "/foo/bar?baz=https://foo.bar",
            "/foo/bar?baz=https://foo.bar",
            figure,
        );
        forms(figure, figure, figure);
        forms("/foo/bar/ツ", "/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84");
        forms("/foo/bar/%62%61%7A", "/foo/bar/baz", "/foo/bar/baz");
    }

    #[test]
    fn rep_51_reserved_bytes_stay_encoded() {
        allows("User-agent: f\nDisallow: /a%2Fb", "f", "/a/b");
        allows("User-agent: f\nDisallow: /a/b", "f", "/a%2Fb");
    }

    #[test]
    fn rep_58_the_end_of_the_match() {
        denies(
            "User-agent: f\nDisallow: /this/path/exactly$",
            "f",
            "/this/path/exactly",
        );
        allows(
            "User-agent: f\nDisallow: /this/path/exactly$",
            "f",
            "/this/path/exactly/",
        );
        allows("User-agent: f\nDisallow: /a.php$", "f", "/a.php?x");
    }

    #[test]
    fn rep_59_any_run_of_bytes() {
        denies(
            "User-agent: f\nDisallow: /this/*/exactly",
            "f",
            "/this/a/b/exactly",
        );
        denies(
            "User-agent: f\nDisallow: /this/*/exactly",
            "f",
            "/this//exactly",
        );
        denies("User-agent: f\nDisallow: /fish*", "f", "/fish");
    }

    #[test]
    fn rep_61_special_bytes_taken_literally() {
        let robots = "User-agent: f\nDisallow: /path/file-with-a-%2A.html\nDisallow: /foo-%24";
        denies(robots, "f", "/path/file-with-a-*.html");
        denies(robots, "f", "/foo-$");
        allows(robots, "f", "/path/file-with-a-b.html");
    }

    #[test]
    fn rep_66_other_records_end_no_group() {
        let robots = "User-agent: BarBot\nSitemap: https://foo.bar/s\nUser-agent: *\nDisallow: /";
        denies(robots, "BarBot", "/");
    }

    #[test]
    fn rep_86_the_simple_example() {
        let robots = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\n\
            Allow: /publications/\n\nUser-Agent: foobot\nDisallow:/\nAllow:/example/page.html\n\
            Allow:/example/allowed.gif\n\nUser-Agent: barbot\nUser-Agent: bazbot\n\
            Disallow: /example/page.html\n\nUser-Agent: quxbot\n";
        allows(robots, "foobot", "/example/allowed.gif");
        denies(robots, "foobot", "/");
        allows(robots, "other", "/publications/a.gif");
        denies(robots, "other", "/x.gif");
        denies(robots, "bazbot", "/example/page.html");
        allows(robots, "bazbot", "/x");
        allows(robots, "quxbot", "/example/");
    }

    #[test]
    fn amb_rep_1_two_forms() {
        denies(
            "User-agent: f\nDisallow: /*url=http://evil",
            "f",
            "/r?url=http://evil/x",
        );
        denies("User-agent: f\nDisallow: /a%3Ab", "f", "/a:b");
        forms(
            "/a;b=c?d=e&f=g+h",
            "/a;b=c?d=e&f=g+h",
            "/a%3Bb%3Dc?d=e&f=g%2Bh",
        );
        forms("/a%zz%7e", "/a%zz~", "/a%zz~");
        forms("/%%36%31", "/%%361", "/%%361");
        forms("/%2%30", "/%2%30", "/%2%30");
    }

    #[test]
    fn cla_21_a_stray_percent_is_one_of_the_url_as_sent() {
        let robots = "User-agent: f\nDisallow: /*%\nDisallow: /u,*url%2*";
        denies(robots, "f", "/100%");
        denies(robots, "f", "/a%20b");
        denies(robots, "f", "/u,url%2Fx");
        allows(robots, "f", "/a,b");
        allows(robots, "f", "/u,url,x");
    }

    #[test]
    fn amb_rep_5_typos() {
        denies("User-agent f\nDisalow: /x", "f", "/x");
        allows("User-agent: f\nDisallowed: /x", "f", "/x");
    }

    #[test]
    fn amb_rep_6_tokens_are_cut() {
        denies("User-agent: Foo/1.0\nDisallow: /", "foo", "/x");
        denies("User-agent: Foo Bar\nDisallow: /", "foo", "/x");
        allows("User-agent: *foo\nDisallow: /", "foo", "/x");
    }

    #[test]
    fn amb_rep_7_nonstandard_tokens() {
        let question = |nonstandard_token| Question {
            robots: b"User-agent: MJ12bot/v1.4\nDisallow: /",
            agents: &["mj12bot"],
            purposes: &[],
            nonstandard_token,
            path: b"/x",
        };
        assert!(!decide(&question(true)).allowed);
        assert!(decide(&question(false)).allowed);
    }

    #[test]
    fn amb_rep_10_the_cut_line_is_dropped() {
        let rule = "Disallow: /private/x";
        let filled = |size: usize| {
            let mut robots = b"User-agent: f\n".to_vec();
            robots.resize(size - rule.len() - 1, b'#');
            [robots.as_slice(), b"\n", rule.as_bytes()].concat()
        };
        denies(filled(MAX_FILE_BYTES), "f", "/private/x");
        denies(
            [filled(MAX_FILE_BYTES), b"\n".to_vec()].concat(),
            "f",
            "/private/x",
        );
        allows(
            [filled(MAX_FILE_BYTES), b"y".to_vec()].concat(),
            "f",
            "/private/x",
        );
        allows(filled(MAX_FILE_BYTES + 1), "f", "/private/x");
    }

    #[test]
    fn amb_rep_11_utf_16_is_transcoded() {
        let text = "\u{feff}User-agent: f\nDisallow: /ä";
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        denies(big, "f", "/%C3%A4");
        denies(little, "f", "/%C3%A4");
    }

    #[test]
    fn amb_rep_12_blanks_and_controls() {
        denies("User-agent: f\nDisallow: /a b", "f", "/a%20b/c");
        denies("User-agent: f\nDisallow: /a\x7fb", "f", "/a%7Fb");
        allows("User-agent: f\nDisallow: /a\0b", "f", "/a%00b");
        allows(
            "User-agent: a\nDisallow: /\0\nUser-agent: f\nDisallow: /",
            "a",
            "/x",
        );
        allows(
            "User-agent: f\nDisallow: /y\nUser-agent: \0\nDisallow: /",
            "f",
            "/x",
        );
    }

    #[test]
    fn amb_rep_13_a_byte_order_mark_once() {
        denies("\u{feff}User-agent: f\nDisallow: /", "f", "/x");
        allows("\u{feff}\u{feff}User-agent: f\nDisallow: /", "f", "/x");
    }

    #[test]
    fn amb_rep_23_the_first_token_with_a_group_decides() {
        let robots = b"User-agent: *\nDisallow: /\nUser-agent: f\nDisallow: /f\n\
            User-agent: f-news\nDisallow: /news";
        let question = |agents, path| Question {
            robots,
            agents,
            purposes: &[],
            nonstandard_token: false,
            path,
        };
        assert!(decide(&question(&["f-news", "f"], b"/f")).allowed);
        assert!(!decide(&question(&["f-images", "f"], b"/f")).allowed);
        assert!(decide(&question(&["f-images", "f"], b"/news")).allowed);
    }

    #[test]
    fn pur_9_product_tokens_before_purposes() {
        let robots = "User-Agent: f\nDisallow: /y\nUser-Agent-Purpose: P1\nDisallow: /x";
        allows(robots, "f+P1", "/x");
        denies(robots, "f+P1", "/y");
        denies(robots, "other+p1", "/x");
    }

    #[test]
    fn pur_13_the_example_of_the_draft() {
        let robots = "# robots.txt with purpose\nUser-Agent: FooBot\n\
            User-Agent-Purpose: EXAMPLE-PURPOSE-1\nDisallow: /\n# x\n\
            User-Agent-Purpose: EXAMPLE-PURPOSE-2";
        allows(robots, "b+EXAMPLE-PURPOSE-2", "/x");
        denies(robots, "b+EXAMPLE-PURPOSE-1", "/x");
        denies(robots, "FooBot+EXAMPLE-PURPOSE-2", "/x");
    }

    #[test]
    fn amb_pur_11_mixed_groups() {
        let robots = "User-agent: f\nUser-Agent-Purpose: P1\nDisallow: /a\n\
            User-Agent-Purpose: P1\nDisallow: /b";
        allows(robots, "f+P1", "/b");
        denies(robots, "g+P1", "/b");
    }

    #[test]
    fn amb_app_2_directives_end_the_head_of_a_group() {
        let robots = "User-Agent: a\nApp-Directives: x;y\nUser-Agent: b\nDisallow: /";
        allows(robots, "a", "/p");
        denies(robots, "b", "/p");
    }

    #[test]
    fn amb_acap_16_two_streams() {
        let robots = "User-agent: f\nDisallow: /a\nACAP-crawler: *\nACAP-disallow-crawl: /b\n\
            Disallow: /c";
        denies(robots, "f", "/c");
        allows(robots, "f", "/b");
    }
}
