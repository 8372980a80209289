//! Laws that hold for every input. `PROPTEST_CASES` sets the number of cases; the default keeps a
//! check under a minute, and CONTRIBUTING.md has the command for a long run.

use crate::generate::{TOKENS, bytes, names, path, pattern, robots, token};
use abide::Limits;
use abide::acap::AcapProfile;
use abide::preference::{ControlToken, PreferenceProfile, SignalScope};
use abide::syntax::{Inspect, PathPattern, normal};
use abide::verdict::{Reason, Sense, Source};
use abide::{
    Client, DecidingRule, Outcome, Policy, ProductToken, Profile, PurposeToken, Robots, Target,
    Usage,
};
use abide_testkit::model;
use proptest::prelude::*;

/// A client that reads only conventional records; ACAP has its own laws.
fn client(tokens: &[&str], purposes: &[&str]) -> Client {
    let mut tokens = tokens.iter().map(|token| ProductToken::new(token).unwrap());
    let first = Client::new(tokens.next().unwrap());
    let named = tokens.fold(first, Client::with_product_token);
    purposes
        .iter()
        .map(|p| PurposeToken::new(p).unwrap())
        .fold(crate::conventional(&named), Client::with_purpose)
}

/// The line that decided about crawl, if a rule decided.
fn deciding_line(policy: &Policy, path: &str) -> (Outcome, Option<u32>) {
    let decision = policy.decide(&Target::new(path).unwrap());
    let crawl = decision.usage(Usage::Crawl).unwrap();
    let rule = crawl
        .evidence
        .first()
        .filter(|evidence| evidence.bytes.is_some());
    (
        crawl.outcome,
        rule.and_then(|evidence| evidence.place)
            .map(|place| place.line),
    )
}

/// The part of an answer that does not depend on line numbers.
fn answers(bytes: &[u8], client: &Client, paths: &[String]) -> Vec<bool> {
    let policy = Policy::compile(bytes, client);
    paths.iter().map(|path| policy.allows(path)).collect()
}

fn paths() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(path(), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// G-13: the engine agrees with the slow model, and quotes the line that the model names.
    #[test]
    fn g_13_engine_equals_model(bytes in bytes(), (tokens, purposes) in names(), paths in paths()) {
        let policy = Policy::compile(&bytes, &client(&tokens, &purposes));
        for path in &paths {
            let answer = model::decide(&model::Question {
                robots: &bytes,
                agents: &tokens,
                purposes: &purposes,
                nonstandard_token: false,
                path: path.as_bytes(),
            });
            let (outcome, line) = deciding_line(&policy, path);
            prop_assert_eq!(outcome == Outcome::Permitted, answer.allowed, "{}", path);
            prop_assert_eq!(line, answer.line, "{}", path);
        }
    }

    #[test]
    fn pattern_matches_as_the_slow_matcher_does(pattern in pattern(), path in path()) {
        let Ok(compiled) = PathPattern::read(pattern.as_bytes()) else { return Ok(()) };
        let body = pattern.strip_suffix('$').unwrap_or(&pattern);
        let anchored = body.len() < pattern.len();
        let path_c1 = model::c1(path.as_bytes(), false);
        let expected = model::matches_in_a_form(body.as_bytes(), anchored, &path_c1);
        prop_assert_eq!(compiled.matches(path.as_bytes()), expected);
        let bytes = model::c1(body.as_bytes(), true).len();
        prop_assert_eq!(compiled.length(), bytes + usize::from(anchored));
    }

    #[test]
    fn normalisation_is_idempotent_and_equals_the_model(path in prop::collection::vec(any::<u8>(), 0..40)) {
        let once = normal::target(&path);
        prop_assert_eq!(&*normal::target(&once.c1).c1, &*once.c1);
        let twice = normal::target(once.c2());
        prop_assert_eq!(twice.c2(), once.c2());
        prop_assert_eq!(&*once.c1, &*model::c1(&path, false));
        prop_assert_eq!(once.c2(), &*model::c2(&once.c1));
    }

    /// Paths about as long as the buffer in which they are rewritten, and longer: a rule that is
    /// one of their forms with a final `$` matches them, and matches no longer path. With a stray
    /// `%` only form C1 is compared (CLA-21).
    #[test]
    fn paths_of_any_length_are_rewritten(piece in "(%61|%2f|%C3|[a:=,?*%]|\u{e9}){1,4}", times in 1..200_usize) {
        let path = format!("/{}", piece.repeat(times));
        let forms = normal::target(path.as_bytes());
        let c1 = model::c1(path.as_bytes(), false);
        prop_assert_eq!(&*forms.c1, &*c1);
        prop_assert_eq!(forms.c2(), &*model::c2(&c1));
        let is_stray = PathPattern::read(&forms.c1).unwrap().has_stray_percent();
        for form in [&*forms.c1, if is_stray { &forms.c1 } else { forms.c2() }] {
            let robots = [b"User-agent: *\nDisallow: ", form, b"$\n"].concat();
            let policy = Policy::compile(&robots, &client(&["f"], &[]));
            prop_assert!(!policy.allows(&path));
            let longer = format!("{path}x");
            prop_assert!(policy.allows(&longer));
        }
    }

    #[test]
    fn normalisation_of_odd_pieces_is_idempotent(path in path(), pattern in pattern()) {
        let once = normal::target(path.as_bytes());
        prop_assert_eq!(&*normal::target(&once.c1).c1, &*once.c1);
        prop_assert_eq!(&*once.c1, &*model::c1(path.as_bytes(), false));
        let once = normal::pattern(pattern.as_bytes());
        prop_assert_eq!(&*normal::pattern(&once.c1).c1, &*once.c1);
        prop_assert_eq!(&*once.c1, &*model::c1(pattern.as_bytes(), true));
    }

    #[test]
    fn lines_rebuild_the_input(bytes in bytes()) {
        let robots = Robots::parse(&bytes);
        prop_assert_eq!(robots.to_bytes(), robots.text().as_bytes());
        if !bytes.starts_with(b"\xFF\xFE") && !bytes.starts_with(b"\xFE\xFF") {
            prop_assert_eq!(robots.to_bytes(), bytes);
        }
    }

    #[test]
    fn allows_equals_decide(bytes in bytes(), (tokens, purposes) in names(), paths in paths(), google in any::<bool>()) {
        let profile = if google { Profile::Google } else { Profile::Careful };
        let client = client(&tokens, &purposes).with_profile(profile);
        let policy = Policy::compile(&bytes, &client);
        for path in &paths {
            // With a host of one letter, the bytes before a short path are no longer all part of
            // the host.
            for url in [path.clone(), format!("https://e.example{path}#x"), format!("http://a{path}")] {
                let target = Target::new(&url).unwrap();
                let decided = policy.decide(&target).outcome(Usage::Crawl);
                prop_assert_eq!(policy.allows(&url), decided == Outcome::Permitted, "{}", url);
                prop_assert_eq!(policy.allows(&url), abide::allows(&bytes, &client, &url), "{}", url);
                decided_by_the_rule_of_the_evidence(&policy, &target)?;
            }
        }
    }

    #[test]
    fn compile_equals_the_whole_parse(bytes in bytes(), (tokens, purposes) in names(), paths in paths(), google in any::<bool>()) {
        let profile = if google { Profile::Google } else { Profile::Careful };
        let conventional = client(&tokens, &purposes).with_profile(profile);
        let asking = conventional.clone().with_acap(AcapProfile::default());
        let token = |name: &&str| ControlToken {
            token: ProductToken::new(name).unwrap(),
            usages: Usage::PREFERENCES.to_vec(),
        };
        let asking = asking.with_preferences(PreferenceProfile {
            control_tokens: TOKENS.iter().take(2).map(token).collect(),
            ..PreferenceProfile::default()
        });
        let robots = Robots::parse_as(&bytes, profile, Limits::default());
        for client in [conventional, asking] {
            let compiled = Policy::compile(&bytes, &client);
            let parsed = robots.policy(&client);
            for path in &paths {
                let target = Target::new(path).unwrap();
                prop_assert_eq!(compiled.decide(&target), parsed.decide(&target));
            }
            prop_assert_eq!(compiled.diagnostics(), parsed.diagnostics());
            prop_assert!(compiled.sitemaps().eq(parsed.sitemaps()));
            prop_assert_eq!(compiled.chosen_groups(), parsed.chosen_groups());
            prop_assert_eq!(compiled.chosen_groups(), robots.chosen_groups(&client));
            prop_assert_eq!(Inspect::of(&compiled).other_matching_groups(), Inspect::of(&parsed).other_matching_groups());
            prop_assert_eq!(compiled.crawl_delay(), parsed.crawl_delay());
            prop_assert_eq!(Inspect::of(&compiled).preference_lines(), Inspect::of(&parsed).preference_lines());
            prop_assert_eq!(Inspect::of(&compiled).acap_fields(), Inspect::of(&parsed).acap_fields());
        }
    }

    /// Only what does not count is missing.
    #[test]
    fn a_counting_policy_decides_as_the_whole_one(bytes in bytes(), (tokens, purposes) in names(), paths in paths(), google in any::<bool>(), of_file in any::<bool>()) {
        let profile = if google { Profile::Google } else { Profile::Careful };
        let scope = if of_file { SignalScope::File } else { SignalScope::Group };
        let token = ControlToken {
            token: ProductToken::new(TOKENS[0]).unwrap(),
            usages: Usage::PREFERENCES.to_vec(),
        };
        let client = client(&tokens, &purposes).with_profile(profile).with_acap(AcapProfile::default());
        let client = client.with_preferences(PreferenceProfile {
            control_tokens: vec![token],
            signal_scope: scope,
            ..PreferenceProfile::default()
        });
        let robots = Robots::parse_as(&bytes, profile, Limits::default());
        let (whole, counting) = (robots.policy(&client), robots.counting_policy(&client));
        for path in &paths {
            let target = Target::new(path).unwrap();
            let (all, own) = (whole.decide(&target), counting.decide(&target));
            for (all, own) in all.usages.iter().zip(&own.usages) {
                prop_assert_eq!((all.usage, all.outcome, &all.conditions), (own.usage, own.outcome, &own.conditions));
                let counting = all.evidence.iter().filter(|one| of_file || one.reason != Reason::OtherGroup);
                prop_assert!(counting.eq(own.evidence.iter()));
            }
            prop_assert_eq!(all.preferences, own.preferences);
            prop_assert_eq!(all.crawl_delay, own.crawl_delay);
        }
        prop_assert_eq!(whole.chosen_groups(), counting.chosen_groups());
        prop_assert_eq!(Inspect::of(&whole).preference_statements(), Inspect::of(&counting).preference_statements());
        prop_assert_eq!(Inspect::of(&whole).acap_fields(), Inspect::of(&counting).acap_fields());
    }

    /// P1 and P5: any bytes as a file, any text as a URL.
    #[test]
    fn p1_p5_any_bytes_and_any_url_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..300), url in any::<String>(), token in token()) {
        for profile in [Profile::Careful, Profile::Google] {
            let client = crate::client(token).with_profile(profile);
            let policy = Policy::compile(&bytes, &client);
            let allowed = policy.allows(&url);
            prop_assert_eq!(allowed, abide::allows(&bytes, &client, &url));
            if profile == Profile::Careful && Target::new(&url).is_err() {
                prop_assert!(!allowed, "no permission for text that is no target");
            }
            let _ = policy.diagnostics();
            if let Ok(target) = Target::new(&url) {
                let decision = policy.decide(&target);
                let _ = abide::explain::text(&policy, &decision, abide::explain::Layout::default());
                let _ = target.robots_url();
            }
        }
    }

    /// Deciding twice yields equal evidence.
    #[test]
    fn decisions_are_deterministic(bytes in bytes(), token in token(), path in path()) {
        let client = crate::client(token);
        let target = Target::new(&path).unwrap();
        let (once, again) = (Policy::compile(&bytes, &client), Policy::compile(&bytes, &client));
        prop_assert_eq!(once.decide(&target), again.decide(&target));
    }

    // G-17: changes to a file that must not change an answer.

    #[test]
    fn g_17_line_ends_do_not_matter(bytes in robots(), token in token(), paths in paths()) {
        let client = crate::client(token);
        let lf = String::from_utf8(bytes.clone()).unwrap().replace("\r\n", "\n").replace('\r', "\n");
        let expected = answers(&bytes, &client, &paths);
        prop_assert_eq!(&answers(lf.replace('\n', "\r\n").as_bytes(), &client, &paths), &expected);
        prop_assert_eq!(&answers(lf.replace('\n', "\r").as_bytes(), &client, &paths), &expected);
        prop_assert_eq!(&answers(lf.as_bytes(), &client, &paths), &expected);
    }

    #[test]
    fn g_17_blank_comment_and_unknown_lines_do_not_matter(bytes in robots(), token in token(), paths in paths()) {
        let client = crate::conventional(&crate::client(token));
        let lf = String::from_utf8(bytes.clone()).unwrap().replace("\r\n", "\n").replace('\r', "\n");
        let expected = answers(&bytes, &client, &paths);
        for inserted in ["\n", "# Disallow: /\n", "Unicorn: /\n", "Sitemap: https://e.example/\n", "ACAP-disallow-crawl: /\n", "<p>\n"] {
            let more = lf.replace('\n', &format!("\n{inserted}"));
            prop_assert_eq!(&answers(more.as_bytes(), &client, &paths), &expected, "{}", inserted);
        }
    }

    #[test]
    fn g_17_case_of_keys_and_agents_does_not_matter(bytes in robots(), token in token(), paths in paths()) {
        let client = crate::client(token);
        let upper: String = String::from_utf8(bytes.clone()).unwrap().split_inclusive(['\n', '\r']).map(|line| {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            let colon = if key.len() < line.len() { ":" } else { "" };
            if key.to_ascii_lowercase().contains("agent") { line.to_uppercase() }
            else if colon.is_empty() { key.to_owned() }
            else { format!("{}{colon}{value}", key.to_uppercase()) }
        }).collect();
        prop_assert_eq!(answers(upper.as_bytes(), &client, &paths), answers(&bytes, &client, &paths));
    }

    #[test]
    fn g_17_case_of_the_clients_token_does_not_matter(bytes in robots(), token in token(), paths in paths()) {
        let upper = crate::client(&token.to_uppercase());
        prop_assert_eq!(answers(&bytes, &upper, &paths), answers(&bytes, &crate::client(token), &paths));
    }

    #[test]
    fn g_17_order_and_repetition_of_rules_do_not_matter(
        rules in prop::collection::vec((any::<bool>(), pattern()), 0..8),
        paths in paths(),
    ) {
        let write = |rules: &mut dyn Iterator<Item = &(bool, String)>| {
            let lines = rules.map(|(allow, pattern)| format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" }));
            format!("User-agent: f\n{}", lines.collect::<String>())
        };
        let client = crate::client("f");
        let forward = answers(write(&mut rules.iter()).as_bytes(), &client, &paths);
        prop_assert_eq!(&answers(write(&mut rules.iter().rev()).as_bytes(), &client, &paths), &forward);
        prop_assert_eq!(&answers(write(&mut rules.iter().chain(&rules)).as_bytes(), &client, &paths), &forward);
    }

    #[test]
    fn g_17_order_of_groups_does_not_matter(
        groups in prop::collection::vec((token(), prop::collection::vec((any::<bool>(), pattern()), 1..4)), 0..5),
        token in token(),
        paths in paths(),
    ) {
        let write = |groups: &mut dyn Iterator<Item = &(&str, Vec<(bool, String)>)>| {
            groups.map(|(agent, rules)| {
                let lines = rules.iter().map(|(allow, pattern)| format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" }));
                format!("User-agent: {agent}\n{}", lines.collect::<String>())
            }).collect::<String>()
        };
        let client = crate::client(token);
        prop_assert_eq!(
            answers(write(&mut groups.iter()).as_bytes(), &client, &paths),
            answers(write(&mut groups.iter().rev()).as_bytes(), &client, &paths)
        );
    }

    #[test]
    fn g_17_a_group_may_be_split(rules in prop::collection::vec((any::<bool>(), pattern()), 1..6), at in any::<prop::sample::Index>(), paths in paths()) {
        let client = crate::client("f");
        let line = |(allow, pattern): &(bool, String)| format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" });
        let (head, tail) = rules.split_at(1 + at.index(rules.len()));
        let whole = format!("User-agent: f\n{}", rules.iter().map(line).collect::<String>());
        let split = format!(
            "User-agent: f\n{}User-agent: other\nDisallow: /\nUser-agent: F\n{}",
            head.iter().map(line).collect::<String>(), tail.iter().map(line).collect::<String>()
        );
        prop_assert_eq!(answers(split.as_bytes(), &client, &paths), answers(whole.as_bytes(), &client, &paths));
    }

    #[test]
    fn g_17_escapes_of_unreserved_bytes_do_not_matter(bytes in robots(), token in token(), paths in paths()) {
        let client = crate::client(token);
        let escaped: Vec<String> = paths.iter().map(|path| path.replace('b', "%62").replace('x', "%78")).collect();
        let plain: Vec<String> = paths.clone();
        // A stray "%" before an escape may form another escape.
        prop_assume!(paths.iter().all(|path| !path.contains("%b") && !path.contains("%x") && !path.contains("%6b") && !path.contains("%6x")));
        prop_assert_eq!(answers(&bytes, &client, &escaped), answers(&bytes, &client, &plain));
    }

    #[test]
    fn g_17_raw_and_encoded_text_are_the_same(bytes in robots(), token in token(), paths in paths()) {
        let client = crate::client(token);
        let encoded: Vec<String> = paths.iter().map(|path| path.replace('ä', "%C3%A4").replace(' ', "%20")).collect();
        prop_assert_eq!(answers(&bytes, &client, &encoded), answers(&bytes, &client, &paths));
    }

    #[test]
    fn g_17_a_stranger_sees_only_the_group_of_all(bytes in robots(), paths in paths()) {
        prop_assert_eq!(
            answers(&bytes, &crate::client("Stranger"), &paths),
            answers(&bytes, &crate::client("Other-Stranger"), &paths)
        );
    }

    #[test]
    fn g_17_a_fragment_and_a_site_do_not_matter(bytes in robots(), token in token(), paths in paths()) {
        let client = crate::client(token);
        for other in ["https://e.example", "HTTP://u:p@[::1]:8080", "ftp://x"] {
            let urls: Vec<String> = paths.iter().map(|path| format!("{other}{path}#a?b")).collect();
            prop_assert_eq!(answers(&bytes, &client, &urls), answers(&bytes, &client, &paths));
        }
    }

    #[test]
    fn g_17_a_limit_is_a_prefix(lines in 0_usize..40, more in robots(), paths in paths()) {
        // Nothing after the limit counts, and neither does a line that the limit cuts.
        let mut bytes = b"User-agent: *\nDisallow: /a\n".to_vec();
        while bytes.len() < Limits::FLOOR - lines {
            bytes.extend_from_slice(b"# filling up with comments until the limit is near\n");
        }
        let kept = bytes.iter().take(Limits::FLOOR).rposition(|&byte| byte == b'\n').unwrap() + 1;
        let client = crate::client("f");
        let expected = answers(&bytes[..kept], &client, &paths);
        bytes.truncate(kept);
        bytes.extend(std::iter::repeat_n(b'#', Limits::FLOOR - kept + 1));
        bytes.push(b'\n');
        bytes.extend_from_slice(&more);
        prop_assert_eq!(answers(&bytes, &client, &paths), expected);
    }
}

/// Rules for the index of many wildcard rules: few letters, so that literals overlap. Some lack the
/// three bytes that the index requires, some are as long as the part that is kept of long paths.
fn many_wild_rules() -> impl Strategy<Value = String> {
    let literal = prop_oneof![4 => "[ab/.]{1,5}", 4 => "[ab]{1,2}", 1 => "[ab]{7,12}"];
    let value = (
        proptest::option::of(literal.clone()),
        prop::collection::vec(literal, 1..6),
        any::<bool>(),
    )
        .prop_map(|(prefix, literals, anchored)| {
            let prefix = prefix
                .map(|prefix| format!("/{prefix}"))
                .unwrap_or_default();
            let end = if anchored { "$" } else { "" };
            format!("{prefix}*{}{end}", literals.join("*"))
        });
    let rule = (any::<bool>(), value).prop_map(|(allow, value)| {
        let key = if allow { "Allow" } else { "Disallow" };
        format!("{key}: {value}\n")
    });
    prop::collection::vec(rule, 1..400)
        .prop_map(|rules| format!("User-agent: *\n{}", rules.concat()))
}

/// The deciding rule is that of the first piece of evidence.
fn decided_by_the_rule_of_the_evidence(
    policy: &Policy,
    target: &Target<'_>,
) -> Result<(), TestCaseError> {
    let decision = policy.decide(target);
    let crawl = decision.usages.crawl();
    let first = crawl.evidence.first().unwrap();
    let sense = match crawl.outcome {
        Outcome::Permitted => Sense::Allow,
        _ => Sense::Disallow,
    };
    let by_rule = (first.source == Source::RobotsTxt).then(|| first.place.unwrap().line);
    match (policy.deciding_rule(target), by_rule) {
        (DecidingRule::Rule { line, sense: said }, Some(by_rule)) => {
            prop_assert_eq!((line, said), (by_rule, sense), "{}", target.url());
        }
        (DecidingRule::NoRule, None) => {
            prop_assert!(matches!(
                first.reason,
                Reason::NoRuleMatches | Reason::NoGroup
            ));
        }
        (DecidingRule::Other, _) => prop_assert_eq!(first.reason, Reason::RobotsTxtItself),
        (rule, _) => prop_assert!(false, "{rule:?}, not {by_rule:?} for {}", target.url()),
    }
    Ok(())
}

/// The decision with evidence agrees with `allows`.
fn decides_as_it_allows(policy: &Policy, paths: &[String]) -> Result<(), TestCaseError> {
    for path in paths {
        let target = Target::new(path).unwrap();
        let outcome = policy.decide(&target).outcome(Usage::Crawl);
        prop_assert_eq!(
            outcome != Outcome::Prohibited,
            policy.allows(path),
            "{}",
            path
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The cold path tries every rule, the compiled one asks its index which to try.
    #[test]
    fn many_wild_rules_decide_as_each_of_them_would(robots in many_wild_rules(), paths in prop::collection::vec("/[ab/.]{0,60}|/b{100,130}[ab/.]{0,60}", 1..8)) {
        let client = client(&["f"], &[]);
        let policy = Policy::compile(robots.as_bytes(), &client);
        for path in &paths {
            prop_assert_eq!(policy.allows(path), abide::allows(robots.as_bytes(), &client, path), "{} in\n{}", path, robots);
            let decided = policy.decide(&Target::new(path).unwrap()).outcome(Usage::Crawl);
            prop_assert_eq!(policy.allows(path), decided == Outcome::Permitted, "{} in\n{}", path, robots);
            decided_by_the_rule_of_the_evidence(&policy, &Target::new(path).unwrap())?;
        }
        decides_as_it_allows(&policy, &paths)?;
    }

    /// Form C2 is computed only if it can add a match (AMB-REP-1): few bytes, so that escapes of
    /// both forms meet, and rules begin and end inside them.
    #[test]
    fn rules_match_in_either_form(
        rules in prop::collection::vec((any::<bool>(), "/?\\*?([=?/,*2DF]|%3D|%2f|%2|%C3){0,4}\\$?"), 1..4),
        paths in prop::collection::vec("/([=?/,2DF]|%3D|%2f|%2|%C3){0,5}", 1..12),
    ) {
        let key = |allow| if allow { "Allow" } else { "Disallow" };
        let rules: Vec<String> = rules.iter().map(|(allow, value)| format!("{}: {value}\n", key(*allow))).collect();
        let robots = format!("User-agent: *\n{}", rules.concat());
        let policy = Policy::compile(robots.as_bytes(), &client(&["f"], &[]));
        for path in &paths {
            let answer = model::decide(&model::Question {
                robots: robots.as_bytes(),
                agents: &["f"],
                purposes: &[],
                nonstandard_token: false,
                path: path.as_bytes(),
            });
            prop_assert_eq!(policy.allows(path), answer.allowed, "{} in\n{}", path, robots);
            let url = format!("http://a{path}");
            prop_assert_eq!(policy.allows(&url), answer.allowed, "{} at a host in\n{}", path, robots);
        }
    }

    /// Literal prefixes that contain each other in every way.
    #[test]
    fn many_plain_rules_decide_as_each_of_them_would(
        rules in prop::collection::vec((any::<bool>(), "/(abbabbab|abba|abbabbababba)?[ab]{0,9}\\*{0,2}\\$?"), 1..120),
        paths in prop::collection::vec("/(abbabbab|abba|abbabbababba)?[ab]{0,10}", 1..12),
    ) {
        let key = |allow| if allow { "Allow" } else { "Disallow" };
        let rules: Vec<String> = rules.iter().map(|(allow, value)| format!("{}: {value}\n", key(*allow))).collect();
        let robots = format!("User-agent: *\n{}", rules.concat());
        let client = client(&["f"], &[]);
        let policy = Policy::compile(robots.as_bytes(), &client);
        for path in &paths {
            let cold = abide::allows(robots.as_bytes(), &client, path);
            prop_assert_eq!(policy.allows(path), cold, "{} in\n{}", path, robots);
            prop_assert_eq!(policy.allows(&format!("http://a{path}")), cold, "{} at a host in\n{}", path, robots);
        }
        decides_as_it_allows(&policy, &paths)?;
    }
}

/// Any number of wildcard rules: up to a limit each is a bit of a number, beyond it they have an
/// index.
#[test]
fn each_of_many_wild_rules_is_asked() {
    for count in [1, 2, 63, 64, 65, 66, 128, 129, 300] {
        let rules: String = (0..count)
            .map(|rule| format!("Disallow: /*-{rule}-\n"))
            .collect();
        let policy = Policy::compile(
            format!("User-agent: *\n{rules}").as_bytes(),
            &client(&["f"], &[]),
        );
        assert!(policy.allows("/a--a"), "{count} rules");
        for rule in 0..count {
            let path = format!("/a-{rule}-a");
            assert!(!policy.allows(&path), "{path} of {count} rules");
            let target = Target::new(&path).unwrap();
            let decision = policy.decide(&target);
            let place = decision.usages.crawl().evidence[0].place;
            let line = place.map(|place| place.line);
            assert_eq!(line, Some(rule + 2), "{path} of {count} rules");
        }
    }
}

/// The first rule of a group that a better match sets aside is read, because it ends the group's
/// names, but it is no evidence.
#[test]
fn a_counting_policy_has_no_evidence_of_groups_that_a_better_match_sets_aside() {
    let robots = Robots::parse(
        "User-Agent-Purpose: train\nDisallow: *\n\nUser-agent: Foo_Bar\nDisallow: /x\n",
    );
    let client = client(&["Foo_Bar"], &["train"]);
    let evidence = |policy: &Policy| -> Vec<Reason> {
        let decision = policy.decide(&Target::new("/").unwrap());
        let evidence = decision.usages.crawl().evidence.iter();
        evidence.map(|one| one.reason).collect()
    };
    assert_eq!(
        evidence(&robots.policy(&client)),
        [Reason::NoRuleMatches, Reason::OtherGroup]
    );
    assert_eq!(
        evidence(&robots.counting_policy(&client)),
        [Reason::NoRuleMatches]
    );
}
