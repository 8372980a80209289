//! Files that are written from wishes.

use abide::Robots;
use abide_analysis::Bound;
use abide_analysis::matrix::{Matrix, MatrixSettings, RobotAccess, every_robot};
use abide_analysis::wishes::{Draft, WishError, Wishes};
use abide_known_robots::{AnyGroup, Purpose, Selection};
use std::collections::BTreeMap;

fn draft(wishes: &Wishes) -> Draft {
    wishes
        .draft()
        .unwrap_or_else(|error| panic!("{wishes:?}: {error}"))
}

fn why_not(wishes: &Wishes) -> String {
    wishes.draft().unwrap_err().to_string()
}

fn blocking(lists: &[&str]) -> Wishes {
    Wishes {
        block: lists.iter().map(|&list| list.to_owned()).collect(),
        ..Wishes::default()
    }
}

/// What each robot may crawl by a file.
fn access(text: &str) -> BTreeMap<String, RobotAccess> {
    let file = Robots::parse(text);
    let robots = every_robot(&file);
    let settings = MatrixSettings::default();
    let matrix = Matrix::of(&file, &robots, &settings, Bound::default()).unwrap();
    let rows = matrix.sections.into_iter().flat_map(|section| section.rows);
    rows.map(|row| (row.name, row.access)).collect()
}

/// Every combination of the wishes without values.
fn combinations() -> impl Iterator<Item = Wishes> {
    (1..16_u8).map(|bits| Wishes {
        no_training: bits & 1 != 0,
        no_ai_input: bits & 2 != 0,
        keep_search: bits & 4 != 0,
        staging: bits & 8 != 0,
        ..Wishes::default()
    })
}

#[test]
fn each_robot_gets_what_was_wished() {
    for wishes in combinations() {
        if wishes.staging && wishes.keep_search {
            let why = why_not(&wishes);
            assert!(
                why.starts_with("staging and keep-search contradict each other"),
                "{why}"
            );
            continue;
        }
        let access = access(&draft(&wishes).text);
        for robot in abide_known_robots::all()
            .iter()
            .filter(|row| !row.is_legacy())
        {
            let purposes = [
                (wishes.no_training, Purpose::AiTraining),
                (wishes.no_ai_input, Purpose::AiInput),
            ];
            let mut unwanted = purposes.iter().filter(|(is_wished, _)| *is_wished);
            let follows = robot.follows_robots_txt != Some(false);
            let is_closed = wishes.staging
                || unwanted.any(|(_, purpose)| robot.is_for(*purpose))
                    && !robot.searches()
                    && follows;
            let needs_name = robot.follows_any_group == Some(AnyGroup::NotAsPermission)
                && !(wishes.keep_search && robot.searches());
            let expected = match (is_closed, needs_name) {
                (true, _) => RobotAccess::Closed,
                (false, false) => RobotAccess::Allowed,
                (false, true) => continue,
            };
            if follows {
                assert_eq!(access[robot.token], expected, "{} {wishes:?}", robot.token);
            }
        }
        assert_eq!(access["*"] == RobotAccess::Closed, wishes.staging);
    }
}

#[test]
fn no_file_has_a_name_or_a_line_that_asks_nobody() {
    for wishes in combinations().filter(|wishes| !(wishes.staging && wishes.keep_search)) {
        let text = draft(&wishes).text;
        for robot in abide_known_robots::all()
            .iter()
            .filter(|row| row.is_legacy())
        {
            let line = format!("User-agent: {}\n", robot.token);
            assert!(!text.contains(&line), "{line}");
        }
        assert!(!text.contains("Content-"), "{text}");
        let checked = abide_known_robots::all().iter().map(|row| row.checked);
        assert!(text.contains(checked.max().unwrap()));
    }
}

#[test]
fn names_and_sets_to_block() {
    let text = draft(&blocking(&["@seo - AhrefsBot", "EvilBot"])).text;
    let access = access(&text);
    let left: Selection = "@seo - AhrefsBot".parse().unwrap();
    for robot in left.robots() {
        assert_eq!(access[robot.token], RobotAccess::Closed, "{}", robot.token);
    }
    assert_eq!(access["AhrefsBot"], RobotAccess::Allowed);
    assert_eq!(access["EvilBot"], RobotAccess::Closed);
    // A robot is named once, whatever closes the site to it.
    let twice = Wishes {
        no_training: true,
        ..blocking(&["GPTBot", "gptbot"])
    };
    assert_eq!(
        draft(&twice).text.matches("User-agent: GPTBot\n").count(),
        1
    );
}

#[test]
fn a_robot_that_follows_the_group_of_a_closed_one_is_named() {
    let notes = draft(&blocking(&["Googlebot"])).notes;
    assert!(
        notes.iter().any(|note| note
            == "Another robot is closed out too: no group names Googlebot-Image, so it follows \
                the group for Googlebot."),
        "{notes:?}"
    );
}

#[test]
fn delays_and_sitemaps_are_read_back() {
    let wishes = Wishes {
        keep_search: true,
        delay: Some(10),
        sitemaps: vec![
            "https://e.example/a.xml".to_owned(),
            "HTTPS://e.example/b?x=1&y=*$".to_owned(),
        ],
        ..Wishes::default()
    };
    let text = draft(&wishes).text;
    let file = Robots::parse(&text);
    let sitemaps: Vec<_> = file.sitemaps().map(|(_, url)| url.to_owned()).collect();
    assert_eq!(
        sitemaps,
        wishes
            .sitemaps
            .iter()
            .map(String::as_bytes)
            .collect::<Vec<_>>()
    );
    assert!(text.contains("# Crawl-delay is read by bingbot"), "{text}");
    assert!(text.contains("# It is ignored by Googlebot"), "{text}");
}

#[test]
fn wishes_that_no_file_keeps() {
    let search = |list: &str| Wishes {
        keep_search: true,
        ..blocking(&[list])
    };
    let staging = |wishes: Wishes| Wishes {
        staging: true,
        ..wishes
    };
    let sitemap = |url: &str| Wishes {
        sitemaps: vec![url.to_owned()],
        ..Wishes::default()
    };
    let delay = |seconds| Wishes {
        delay: Some(seconds),
        ..Wishes::default()
    };
    for (wishes, why) in [
        (Wishes::default(), "there is no wish; "),
        (
            search("GPTBot,Googlebot,bingbot"),
            "keep-search and block GPTBot,Googlebot,bingbot contradict each other about bingbot \
             and Googlebot; leave one of them out",
        ),
        (
            search("@search"),
            "keep-search and block @search contradict each other about ",
        ),
        (
            staging(delay(5)),
            "staging and delay contradict each other; leave",
        ),
        (
            staging(sitemap("https://e.example/")),
            "staging and sitemap contradict each other; ",
        ),
        (
            blocking(&["@ai"]),
            "in block: unknown set @ai of robots; did you mean @ai-training or",
        ),
        (
            blocking(&["@seo - @all"]),
            "in block: no robot is left of @seo - @all",
        ),
        (
            blocking(&["*"]),
            "in block: * is not one robot; to close the site to everybody, wish",
        ),
        (
            blocking(&["A>B"]),
            "in block: A>B is not one robot; name one",
        ),
        (
            blocking(&["anthropic-ai"]),
            "in block: anthropic-ai blocks nothing, because its operator does not list it any \
             more; write ClaudeBot, Claude-User and Claude-SearchBot",
        ),
        (blocking(&["Evil\nAllow"]), "in block: "),
        (blocking(&["Evil Bot"]), "in block: "),
        (
            blocking(&["ChatGPT-User"]),
            "block ChatGPT-User is not kept: ChatGPT-User does not follow robots.txt",
        ),
        (
            sitemap("/sitemap.xml"),
            "in sitemap: /sitemap.xml is not the whole URL of a sitemap",
        ),
        (sitemap("ftp://e.example/"), "in sitemap: "),
        (sitemap("https://e.example/#x"), "in sitemap: "),
        (sitemap("https://e.example/\nDisallow: /"), "in sitemap: "),
        (
            delay(100_000),
            "in delay: 100000 seconds are more than a day",
        ),
    ] {
        let error = why_not(&wishes);
        assert!(error.starts_with(why), "{wishes:?}: {error}");
        assert!(
            !error.contains('\u{1b}') && !error.contains("\nAllow"),
            "{error}"
        );
    }
    // A set that has a legacy name is no mistake: the name is left out.
    let text = draft(&blocking(&["@ai-training - @search"])).text;
    assert!(text.contains("ClaudeBot") && !text.contains("anthropic-ai"));
}

#[test]
fn what_no_file_can_do_is_said() {
    let notes = |wishes: &Wishes| draft(wishes).notes.join("\n");
    let training = notes(&Wishes {
        no_training: true,
        ..Wishes::default()
    });
    // Google and Apple have control tokens.
    assert!(
        training.contains("both search and AI training stay in"),
        "{training}"
    );
    assert!(training.contains("bingbot"), "{training}");
    let wider =
        "One name stands for training and AI answers, so both are asked for: Google-Extended.";
    assert!(training.contains(wider), "{training}");
    assert!(
        !training.contains("Applebot") && !training.contains("Googlebot"),
        "{training}"
    );
    let staging = notes(&Wishes {
        staging: true,
        ..Wishes::default()
    });
    assert!(
        staging.contains("ChatGPT-User") && staging.contains("password"),
        "{staging}"
    );
    assert!(matches!(Wishes::default().draft(), Err(WishError::Nothing)));
}
