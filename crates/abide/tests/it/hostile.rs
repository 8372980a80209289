//! Hostile files, by the IDs of their recipes (`abide_testkit::hostile`). These tests check that
//! the files are read correctly. `.ci/instructions` counts their cost in instructions and
//! `tests/memory.rs` in bytes.

use abide::{Policy, Profile, Robots, Target, Usage};
use abide_testkit::{hostile, model};

/// Checks the engine in both profiles, and the model if `path` is short enough for it.
fn check(file: &hostile::Hostile) {
    let client = crate::client("f");
    let policy = Policy::compile(&file.robots, &client);
    let google = Policy::compile(&file.robots, &client.clone().with_profile(Profile::Google));
    let robots = Robots::parse(&file.robots);
    assert_eq!(
        robots.to_bytes(),
        robots.text().as_bytes(),
        "{} {}",
        file.id,
        file.name
    );
    let _ = policy.diagnostics();
    for path in &file.paths {
        let name = format!("{} {} {:.60}", file.id, file.name, path);
        let decision = policy.decide(&Target::new(path).unwrap());
        let crawl = decision.usage(Usage::Crawl).unwrap();
        assert_eq!(
            policy.allows(path),
            crawl.outcome == abide::Outcome::Permitted,
            "{name}"
        );
        for policy in [&policy, &google] {
            let cold = abide::allows(&file.robots, policy.client(), path);
            assert_eq!(policy.allows(path), cold, "{name}");
        }
        let work = file.robots.len().min(hostile::MAX_FILE_BYTES) * path.len();
        if work > 60_000_000 {
            continue;
        }
        let policy = Policy::compile(&file.robots, &crate::conventional(&client));
        let decision = policy.decide(&Target::new(path).unwrap());
        let crawl = decision.usage(Usage::Crawl).unwrap();
        let answer = model::decide(&model::Question {
            robots: &file.robots,
            agents: &["f"],
            purposes: &[],
            nonstandard_token: false,
            path: path.as_bytes(),
        });
        assert_eq!(policy.allows(path), answer.allowed, "{name}");
        let decided = &crawl.evidence[0];
        let line = decided.bytes.and(decided.place).map(|place| place.line);
        assert_eq!(line, answer.line, "{name}");
    }
}

macro_rules! recipes {
    ($($test:ident $id:literal)*) => {
        $(#[test]
        fn $test() {
            let files = hostile::recipe($id);
            assert!(!files.is_empty(), "no recipe {}", $id);
            files.iter().for_each(check);
        })*

        /// Every recipe has a test; otherwise nothing would run it.
        #[test]
        fn every_recipe_has_a_test() {
            let known = [$($id),*];
            for file in hostile::all() {
                assert!(known.contains(&file.id), "{} has no test", file.id);
            }
        }
    };
}

recipes! {
    r01_many_stars "r01"
    r02_some_stars "r02"
    r03_short_wildcard_rules "r03"
    r04_near_misses "r04"
    r05_runs_of_stars "r05"
    r06_cve_2026_55520 "r06"
    r07_fibonacci_literals "r07"
    r08_one_line "r08"
    r09_line_ends_only "r09"
    r10_many_agents "r10"
    r11_merged_groups "r11"
    r12_many_rules "r12"
    r13_size_of_the_limit "r13"
    r14_cut_stub "r14"
    r15_rules_past_4_kib "r15"
    r16_google_line_cut "r16"
    r18_controls_and_separators "r18"
    r19_not_utf_8 "r19"
    r20_byte_order_marks "r20"
    r21_blank_lines "r21"
    r22_crawl_delays "r22"
    r23_percent_signs "r23"
    r24_dollars_and_stars "r24"
    r25_other_media "r25"
    r26_typos "r26"
    r27_other_records "r27"
    r28_extensions_between "r28"
    r29_comment_first "r29"
    r30_odd_agents "r30"
    r31_many_applications "r31"
    c01_definitions_and_sets "c01"
    c02_qualifiers "c02"
    c03_parentheses "c03"
    c04_cut_records "c04"
    c05_references "c05"
    c06_undecidable_scopes "c06"
}

#[test]
fn r17_every_byte_everywhere() {
    hostile::bytes().for_each(|file| check(&file));
}

/// R1: a line is one piece of evidence for an application, however often it names it.
#[test]
fn r31_a_line_is_one_piece_of_evidence() {
    let ids = ["a", "a0", "a1"];
    let client = ids.iter().fold(crate::client("f"), |client, id| {
        client.with_application(abide::app::Application::new(id, Vec::new()).unwrap())
    });
    for file in hostile::recipe("r31") {
        let policy = Policy::compile(&file.robots, &client);
        let decision = policy.decide(&Target::new("/x").unwrap());
        let pieces = |said: &abide::app::ApplicationDecision<'_>| said.rules.len();
        let pieces: Vec<_> = decision.applications.iter().map(pieces).collect();
        let expected = if file.name == "many-applications" {
            [0, 1, 1]
        } else {
            [1, 0, 0]
        };
        assert_eq!(pieces, expected, "{}", file.name);
    }
}

/// P2: the worst rules with the longest paths. In one path every rule lacks a "b"; in the other it
/// finds one.
#[test]
fn p2_worst_rules_on_long_paths() {
    let path = format!("/{}", "a".repeat(65_000));
    for id in ["r01", "r02", "r03"] {
        let file = hostile::recipe(id).swap_remove(0);
        let policy = Policy::compile(&file.robots, &crate::client("f"));
        assert!(policy.allows(&path), "{id}");
        assert!(!policy.allows(&format!("{path}b")), "{id}");
    }
}

/// P4: values that are not numbers, or too large.
#[test]
fn p4_crawl_delays() {
    use abide::rep::CrawlDelay;
    for (value, expected) in [
        ("inf", None),
        ("infinity", None),
        ("nan", None),
        ("1e309", None),
        ("1e300", None),
        ("-1", None),
        ("-0", None),
        ("+1", None),
        ("5s", None),
        ("1/60", None),
        ("٣", None),
        ("0x10", None),
        ("1_000", None),
        ("", None),
        (".", None),
        ("1.2.3", None),
        ("1,5", None),
        ("0", Some("0")),
        ("10", Some("10")),
        ("0.5", Some("0.5")),
        (".5", Some("0.5")),
        ("1.", Some("1")),
        ("1.23456", Some("1.234")),
        ("86400", Some("86400")),
        ("99999999999999999999", Some("86400")),
    ] {
        let read = CrawlDelay::read(value.as_bytes()).map(|delay| delay.to_string());
        assert_eq!(read.as_deref(), expected, "{value:?}");
    }
}

/// P3: content that a limit excludes is reported.
#[test]
fn p3_a_limit_is_reported() {
    for file in hostile::recipe("r29") {
        let policy = Policy::compile(&file.robots, &crate::client("f"));
        let codes: Vec<_> = policy
            .diagnostics()
            .iter()
            .map(|found| found.code.name())
            .collect();
        assert!(
            codes.contains(&"size-limit") && codes.contains(&"cut-line"),
            "{codes:?}"
        );
    }
}

/// O9: nothing recurses on content, so a small stack suffices.
#[test]
fn o9_a_small_stack_is_enough() {
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let run = || {
        for id in ["r01", "r05", "r08", "r10", "r11"] {
            for file in hostile::recipe(id) {
                let policy = Policy::compile(&file.robots, &crate::client("f"));
                for path in &file.paths {
                    let _ = policy.allows(path);
                }
            }
        }
    };
    small.spawn(run).unwrap().join().unwrap();
}
