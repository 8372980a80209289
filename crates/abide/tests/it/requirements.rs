//! Requirements that a vector cannot show; each has a test named after it.

use crate::client;
use abide::acap::{AcapMode, AcapProfile};
use abide::rep::UserAgentLine;
use abide::syntax::{Encoding, LineEnding};
use abide::{
    Client, Code, IdentificationError, Policy, ProductToken, Profile, PurposeRegistry,
    PurposeToken, Robots, Target,
};
use abide::{LimitError, Limits};

/// A decision reports what a site asks for, and does not claim to block or protect.
#[test]
fn rep_1_a_decision_is_a_request() {
    for robots in [
        "User-agent: *\nDisallow: /\n",
        "User-agent: *\nAllow: /\n",
        "",
    ] {
        let policy = Policy::compile(robots.as_bytes(), &client("f"));
        let decision = policy.decide(&Target::new("/x").unwrap());
        let told = abide::explain::text(&policy, &decision, abide::explain::Layout::default());
        for word in ["block", "forbid", "protect", "denied", "access control"] {
            assert!(!told.contains(word), "{told}");
        }
    }
}

#[test]
fn rep_14_line_numbers_count_every_line_end_once() {
    for (bytes, number) in [("a\r\nb", 2), ("a\r\rb", 3), ("a\n\rb", 3), ("a\n\nb", 3)] {
        let robots = Robots::parse(bytes.as_bytes());
        assert_eq!(robots.lines().last().unwrap().number, number, "{bytes:?}");
    }
}

#[test]
fn rep_15_nothing_else_ends_a_line() {
    for other in ["\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1e}"] {
        let bytes = format!("User-agent: f{other}Disallow: /");
        assert_eq!(
            Robots::parse(bytes.as_bytes()).lines().len(),
            1,
            "{other:?}"
        );
        assert!(
            Policy::compile(bytes.as_bytes(), &client("f")).allows("/x"),
            "{other:?}"
        );
    }
}

#[test]
fn rep_16_the_end_of_the_file_ends_the_last_line() {
    let robots = Robots::parse(b"User-agent: f\nDisallow: /x");
    let endings: Vec<_> = robots.lines().iter().map(|line| line.ending).collect();
    assert_eq!(endings, [LineEnding::Lf, LineEnding::EndOfFile]);
    assert!(!robots.policy(&client("f")).allows("/x"));
}

#[test]
fn rep_25_the_product_token_is_part_of_the_identification_string() {
    let sent = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    assert_eq!(client("examplebot").check_identification(sent), []);
    let found = client("OtherBot").check_identification(sent);
    assert!(
        matches!(&*found, [IdentificationError::ProductTokenMissing { token }] if **token == *"OtherBot")
    );
}

#[test]
fn rep_26_the_identification_string_leads_to_a_description() {
    let found = client("ExampleBot").check_identification("ExampleBot/0.1");
    assert_eq!(found, [IdentificationError::NoContact]);
    assert_eq!(
        client("ExampleBot").check_identification("ExampleBot (bots@example.com)"),
        []
    );
}

#[test]
fn pur_4_the_purpose_is_part_of_the_identification_string() {
    let client = client("ExampleBot").with_purpose(PurposeToken::new("ExamplePurpose").unwrap());
    let sent = "Mozilla/5.0 (compatible; ExampleBot/0.1; ExamplePurpose; https://www.example.com/bot.html)";
    assert_eq!(client.check_identification(sent), []);
    let found = client.check_identification("ExampleBot/0.1 (+https://www.example.com/bot.html)");
    assert!(matches!(
        &*found,
        [IdentificationError::PurposeMissing { .. }]
    ));
}

#[test]
fn cla_23_a_group_for_another_name_of_the_line_counts_without_one_for_the_client() {
    let sent = "Mozilla/5.0 (compatible; ExampleBot/0.1; +https://www.example.com/) Nutch-1.19";
    let allows = |file: &str, profile| {
        let client = client("ExampleBot")
            .with_profile(profile)
            .with_identification(sent);
        let compiled = Policy::compile(file.as_bytes(), &client).allows("/x");
        assert_eq!(compiled, abide::allows(file.as_bytes(), &client, "/x"));
        let robots = Robots::parse_as(file, profile, Limits::default());
        assert_eq!(compiled, robots.policy(&client).allows("/x"));
        compiled
    };
    for profile in [Profile::Careful, Profile::Google] {
        for (group, others) in [
            ("nutch", "User-agent: *\nAllow: /\n"),
            ("Mozilla", "User-agent: *\nAllow: /\n"),
            ("Nutch", "User-agent: Mozilla\nAllow: /\n"),
            ("ExampleBot", "User-agent: Nutch\nAllow: /\n"),
        ] {
            let file = format!("{others}\nUser-agent: {group}\nDisallow: /\n");
            assert!(!allows(&file, profile), "{file}");
        }
        let other = "User-agent: Other\nDisallow: /\n\nUser-agent: *\nAllow: /\n";
        assert!(allows(other, profile));
    }
}

#[test]
fn cla_22_purposes_of_the_line_are_compared_with_those_of_the_file_and_the_client() {
    let file = b"User-agent-purpose: ExamplePurpose\nDisallow: /x\n\nUser-agent-purpose: other\nDisallow: /y\n\nUser-agent: *\nAllow: /\n";
    let codes = |sent: &str, claimed: &[&str], profile| {
        let mut client = client("ExampleBot")
            .with_profile(profile)
            .with_identification(sent);
        for purpose in claimed {
            client = client.with_purpose(PurposeToken::new(purpose).unwrap());
        }
        let policy = Policy::compile(file, &client);
        // The words of the line claim no purpose (AMB-PUR-9). To the google profile, the purpose
        // is a name, which is in the line (CLA-23).
        let binds = !claimed.is_empty() || profile == Profile::Google;
        assert_eq!(policy.allows("/x"), !binds);
        let found = policy.diagnostics().iter();
        let found = found.filter(|found| found.code.name().starts_with("purpose-"));
        found
            .map(|found| (found.code, found.line))
            .collect::<Vec<_>>()
    };
    let sent = "Mozilla/5.0 (compatible; ExampleBot/0.1; examplepurpose; https://www.example.com/bot.html)";
    let careful = Profile::Careful;
    assert_eq!(
        codes(sent, &[], careful),
        [(Code::PurposeNotClaimed, Some(1))]
    );
    assert_eq!(codes(sent, &["ExamplePurpose"], careful), []);
    let without = "Mozilla/5.0 (compatible; ExampleBot/0.1; no ExamplePurpose)";
    assert_eq!(codes(without, &[], careful), []);
    let claimed = codes(without, &["ExamplePurpose"], careful);
    assert_eq!(claimed, [(Code::PurposeNotSent, None)]);
    assert_eq!(codes(sent, &[], Profile::Google), []);
}

/// `abide-known-robots` chooses among these names; its tests are about whole lines and files.
#[test]
fn cla_23_the_senders_own_names_come_before_those_of_its_software() {
    let names = |line| {
        let line = UserAgentLine::new(line);
        line.names()
            .map(|(name, _)| name.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("Mozilla/5.0 (Linux; compatible; MyCrawler/Nutch-1.19; me@bot.example) Reader"),
        [
            "MyCrawler",
            "Reader",
            "Nutch-1.19",
            "me@bot.example",
            "Nutch",
            "Mozilla",
            "Linux",
            "compatible"
        ]
    );
    let token = |line| ProductToken::of_user_agent(line).map(|token| token.to_string());
    assert_eq!(token("MyCrawler/Nutch-1.19").as_deref(), Some("MyCrawler"));
    assert_eq!(
        token("heritrix/3.4 (+https://e.example/)").as_deref(),
        Some("heritrix")
    );
    assert_eq!(token("Mozilla/5.0 (X11; Linux) Firefox/128.0"), None);
    let policy = Policy::compile(b"User-agent: MyCrawler/2 *\n", &Client::unnamed());
    assert!(
        policy
            .named_robots()
            .have(&ProductToken::new("mycrawler").unwrap())
    );
}

#[test]
fn pur_5_a_purpose_is_registered_or_opted_out_of_the_registry() {
    let registry = PurposeRegistry::new(["EXAMPLE-PURPOSE-1", "EXAMPLE-PURPOSE-2"]).unwrap();
    assert_eq!(
        registry.token("Example-Purpose-2").unwrap().as_str(),
        "EXAMPLE-PURPOSE-2"
    );
    assert!(registry.token("EXAMPLE-PURPOSE-3").is_err());
    assert!(PurposeToken::new("EXAMPLE-PURPOSE-3").is_ok());
    assert!(PurposeRegistry::new(["no token"]).is_err());
}

/// A repeated rule changes nothing, and the evidence quotes the first line.
#[test]
fn rep_43_repeated_rules_count_once() {
    let policy = Policy::compile(
        b"User-agent: f\nDisallow: /a\nDisallow: /a\nDisallow: /%61\n",
        &client("f"),
    );
    let decision = policy.decide(&Target::new("/a").unwrap());
    let lines: Vec<_> = decision
        .usages
        .crawl()
        .evidence
        .iter()
        .map(|e| e.place.unwrap().line)
        .collect();
    assert_eq!(lines, [2]);
}

#[test]
fn rep_81_there_is_a_parsing_limit() {
    assert_eq!(Limits::default().bytes(), 512_000);
    let robots = Robots::parse(vec![b'\n'; 600_000]);
    assert!(robots.text().is_truncated());
    assert_eq!(robots.lines().len(), 512_000);
}

/// A file in which `rule` begins at byte `start`, counted from 1, followed by `more`.
fn with_rule_at(start: usize, rule: &str, more: &str) -> Vec<u8> {
    let mut bytes = b"User-agent: *\n".to_vec();
    bytes.resize(start - 2, b'#');
    bytes.push(b'\n');
    bytes.extend_from_slice(rule.as_bytes());
    bytes.extend_from_slice(more.as_bytes());
    bytes
}

#[test]
fn rep_82_the_limit_is_500_kib_or_more() {
    assert_eq!(
        Limits::new(511_999),
        Err(LimitError::BelowFloor { bytes: 511_999 })
    );
    assert!(Limits::new(usize::MAX).is_err());
    let rule = "Disallow: /private/x";
    let ends_at_limit = 512_000 - rule.len() + 1;
    let allows =
        |bytes: &[u8], client: &Client| Policy::compile(bytes, client).allows("/private/x");
    let f = client("f");
    for more in ["\nDisallow: /y\n", "\r\n", "\n", ""] {
        assert!(
            !allows(&with_rule_at(ends_at_limit, rule, more), &f),
            "a rule that ends at the limit, {more:?}"
        );
    }
    assert!(
        allows(&with_rule_at(ends_at_limit, rule, "y\n"), &f),
        "a rule that is cut is dropped"
    );
    assert!(
        allows(&with_rule_at(ends_at_limit + 1, rule, "\n"), &f),
        "a rule that is cut is dropped"
    );
    assert!(
        allows(&with_rule_at(512_001, rule, "\n"), &f),
        "a rule past the limit"
    );
    let more = f.with_limits(Limits::new(600_000).unwrap());
    assert!(
        !allows(&with_rule_at(512_001, rule, "\n"), &more),
        "a raised limit"
    );
}

/// A byte order mark counts towards the limit; UTF-16 is counted before it is transcoded.
#[test]
fn amb_rep_10_the_limit_counts_bytes_as_they_came() {
    let rule = "Disallow: /private/x";
    let mut bytes = b"\xEF\xBB\xBF".to_vec();
    bytes.extend(with_rule_at(512_000 - rule.len() + 1, rule, "\n"));
    assert!(Policy::compile(&bytes, &client("f")).allows("/private/x"));

    let text = format!("User-agent: *\n{}\n{rule}", "#".repeat(300_000));
    let utf16: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let robots = Robots::parse(&utf16);
    assert!(robots.text().is_truncated());
    assert_eq!(robots.text().as_bytes(), b"User-agent: *\n");
}

#[test]
fn amb_rep_11_utf_16_is_transcoded() {
    let text = "User-agent: *\r\nDisallow: /ä\r\n";
    for (encoding, unit) in [
        (Encoding::Utf16Le, u16::to_le_bytes as fn(u16) -> [u8; 2]),
        (Encoding::Utf16Be, u16::to_be_bytes),
    ] {
        let bytes: Vec<u8> = "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(unit)
            .collect();
        let robots = Robots::parse(&bytes);
        assert_eq!(robots.text().encoding(), encoding);
        assert_eq!(robots.text().as_bytes(), text.as_bytes());
        assert!(!Policy::compile(&bytes, &client("f")).allows("/%C3%A4"));
    }
}

/// Text that is not a URL is never allowed; see also the fault catalogue, P5.
#[test]
fn rep_84_text_that_is_no_target_is_not_allowed() {
    let policy = Policy::compile(b"", &client("f"));
    for text in [
        "",
        "*",
        "x",
        "?x",
        "https:",
        "https://",
        "https:///x",
        "http:x",
        "http://h\\@e/",
        "http://h t/",
        "http://h:80:81/",
        "http://h:65536/",
        "http://h:x/",
        "http://[::1",
        "http://::1/",
        "mailto:x",
        "1a://h/",
    ] {
        assert!(Target::new(text).is_err(), "{text:?}");
        assert!(!policy.allows(text), "{text:?}");
    }
    for text in [
        "/",
        "//x",
        "/..",
        "/%",
        "/%zz",
        "/%00",
        "https://u:p@h:1/",
        "https://h",
        "https://h?x#y",
        "foo:/x",
        "file:///x",
    ] {
        assert!(policy.allows(text), "{text:?}");
    }
}

#[test]
fn rep_68_the_file_lives_at_the_root_of_the_same_authority() {
    for (url, expected) in [
        (
            "https://www.example.com:8443/a/b?c",
            "https://www.example.com:8443/robots.txt",
        ),
        (
            "HTTPS://Example.COM:443/Robots.txt",
            "https://example.com/robots.txt",
        ),
        (
            "http://u:p@example.com:0080?x",
            "http://example.com/robots.txt",
        ),
        ("http://example.com:/#x", "http://example.com/robots.txt"),
        (
            "http://[2001:DB8::1]:80/",
            "http://[2001:db8::1]/robots.txt",
        ),
        (
            "ftp://ftp.example.com/pub",
            "ftp://ftp.example.com/robots.txt",
        ),
        (
            "http://example.com:443/",
            "http://example.com:443/robots.txt",
        ),
    ] {
        assert_eq!(
            Target::new(url).unwrap().robots_url().as_deref(),
            Some(expected),
            "{url}"
        );
    }
    assert_eq!(Target::new("/x").unwrap().robots_url(), None);
}

/// The stream of ACAP lines stays complete, and the conventional stream never sees it.
#[test]
fn amb_acap_16_two_streams() {
    let bytes = b"User-agent: f\nDisallow: /a\nACAP-ignore-conventional-records\n\
        ACAP-crawler: *\nACAP-disallow-crawl: /b\nDisallow: /c\n";
    let robots = Robots::parse(bytes);
    let acap: Vec<_> = robots.acap_lines().map(|line| line.number).collect();
    assert_eq!(acap, [3, 4, 5]);
    let off = client("f").with_acap(AcapProfile {
        mode: AcapMode::Off,
        ..AcapProfile::default()
    });
    let policy = robots.policy(&off);
    assert!(policy.allows("/b") && !policy.allows("/a") && !policy.allows("/c"));
    // A client that supports ACAP ignores the conventional rules, because the file asks for that.
    let policy = robots.policy(&client("f"));
    assert!(!policy.allows("/b") && policy.allows("/a") && policy.allows("/c"));
}

#[test]
fn policies_are_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Policy>();
    shared::<Robots>();
    shared::<Client>();
    shared::<ProductToken>();
}
