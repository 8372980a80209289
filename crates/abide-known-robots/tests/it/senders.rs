//! Which robot a `User-Agent` line names, for a file and for none (CLA-23).

use abide::rep::UserAgentLine;
use abide::{Client, Policy, ProductToken, Profile};
use abide_known_robots::{Robot, TakenName, sender};
use proptest::prelude::*;

const REAL: &str = include_str!("user_agent_lines.txt");

/// The lines of a table that are no comments.
fn rows(table: &str) -> impl Iterator<Item = &str> {
    let lines = table.lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The real lines: the name, whether a server takes the sender for a robot, and the line.
fn real() -> impl Iterator<Item = (&'static str, bool, &'static str)> {
    rows(REAL).map(|row| {
        let [name, server, line] = row
            .splitn(3, '|')
            .map(str::trim)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        assert!(["robot", "-"].contains(&server), "{row}");
        (name, server == "robot", line)
    })
}

fn none(_: &ProductToken) -> bool {
    false
}

#[test]
fn real_lines_name_the_robot_that_people_read_in_them() {
    let mut wrong = Vec::new();
    for (name, is_robot, line) in real() {
        let robot = Robot::of_user_agent(line);
        let of_server = sender(line, none).map(|robot| robot.name());
        let expected = is_robot.then(|| name.to_owned());
        if robot.name() != name || of_server != expected {
            wrong.push(format!(
                "{}, {of_server:?}, not {name}: {line}",
                robot.name()
            ));
        }
    }
    assert!(real().count() >= 200);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn browsers_are_no_robots_and_robots_are() {
    for row in rows(include_str!("senders.txt")) {
        let (name, user_agent) = row.split_once('|').expect("a name and a line");
        let named = ["examplefetch", "mj12bot"];
        let is_named = |name: &ProductToken| named.contains(&&*name.as_str().to_ascii_lowercase());
        let robot = sender(user_agent.trim(), is_named);
        let found = robot.map_or_else(|| "-".to_owned(), |robot| robot.name());
        assert_eq!(found, name.trim(), "{user_agent}");
    }
}

/// A robots.txt is for robots: a browser passes even if a group has its name.
#[test]
fn browsers_pass_where_the_file_names_them() {
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    assert_eq!(sender(firefox, |name| name.as_str() == "Mozilla"), None);
    let robot = sender("Mozilla/5.0 (compatible; ExampleBot/1)", |name| {
        name.as_str() == "Mozilla"
    });
    assert_eq!(robot.unwrap().name(), "Mozilla");
}

fn policy(robot: &Robot, file: &str, profile: Profile) -> Policy {
    let compile = |client: &Client| Policy::compile(file.as_bytes(), client);
    robot.policy(profile, compile).unwrap()
}

#[test]
fn cla_23_the_file_decides_which_name_counts() {
    for (line, file, name, taken, allows) in [
        (
            "MyCrawler/Nutch-1.19",
            "MyCrawler",
            "MyCrawler",
            TakenName::InFile,
            false,
        ),
        (
            "MyCrawler/Nutch-1.19",
            "Nutch",
            "Nutch",
            TakenName::InFile,
            false,
        ),
        (
            "MyCrawler/Nutch-1.19",
            "heritrix",
            "MyCrawler",
            TakenName::Product,
            true,
        ),
        (
            "search.engine.example Java/22",
            "search.engine.example",
            "search.engine.example",
            TakenName::InFile,
            false,
        ),
        (
            "Mozilla/5.0 (compatible; crawler)",
            "crawler",
            "crawler",
            TakenName::InFile,
            false,
        ),
        (
            "Mozilla/5.0 Edg/120 VirusTotalBot",
            "virustotalbot",
            "VirusTotalBot",
            TakenName::InFile,
            false,
        ),
        (
            "Mozilla/5.0 (X11) Firefox/128.0",
            "Mozilla",
            "Mozilla",
            TakenName::InFile,
            false,
        ),
        (
            "Mozilla/5.0 (X11) Firefox/128.0",
            "Opera",
            "*",
            TakenName::Nobody,
            true,
        ),
        (
            "Googlebot-Image/1.0",
            "Googlebot",
            "Googlebot-Image",
            TakenName::Known,
            false,
        ),
        (
            "Mozilla/5.0 Googlebot-Image/1.0",
            "Mozilla\nAllow: /\n\nUser-agent: Googlebot",
            "Mozilla",
            TakenName::InFile,
            true,
        ),
        ("Bad Bot/", "Bot", "Bot", TakenName::InFile, false),
        ("curl/8.5.0", "wget", "curl", TakenName::Software, true),
    ] {
        let file = format!("User-agent: {file}\nDisallow: /\n");
        let robot = Robot::of_user_agent(line);
        let policy = policy(&robot, &file, Profile::Careful);
        let found = robot.in_file(&policy);
        assert_eq!(found.name(), name, "{line} for {file}");
        assert_eq!(found.taken(), Some(taken), "{line} for {file}");
        assert_eq!(policy.allows("/x"), allows, "{line} for {file}");
        assert_eq!(found.in_file(&policy), found);
    }
}

/// The robot of another name of the line keeps what it is: the tags and control tokens of its
/// operator still concern it.
#[test]
fn a_robot_that_the_file_calls_mozilla_keeps_its_own_name_too() {
    let robot = Robot::named("Mozilla/5.0 (compatible; Googlebot/2.1)").unwrap();
    let policy = policy(
        &robot,
        "User-agent: Mozilla\nDisallow: /x\n",
        Profile::Careful,
    );
    let tokens = policy.client().product_tokens().iter();
    let tokens: Vec<_> = tokens.map(ProductToken::as_str).collect();
    assert_eq!(tokens, ["Mozilla", "Googlebot"]);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// A group for a product or word of the line always binds, whatever else the file has: no line
    /// escapes to `*`, or to the group that a known robot falls back to.
    #[test]
    fn cla_23_a_group_for_a_name_of_the_line_binds(
        at in 0..real().count(),
        name in any::<prop::sample::Index>(),
        is_first in any::<bool>(),
        profile in prop::sample::select(vec![Profile::Careful, Profile::Google]),
    ) {
        let (_, _, line) = real().nth(at).unwrap();
        let sent = UserAgentLine::new(line);
        let names: Vec<_> = sent.names().map(|(name, _)| name).collect();
        let name = names[name.index(names.len())];
        let is_standard = ProductToken::new(name).is_ok();
        // The google profile knows no other names.
        prop_assume!(is_standard || profile == Profile::Careful);
        let others = "User-agent: *\nUser-agent: Googlebot\nUser-agent: Baiduspider\nAllow: /\n";
        let own = format!("User-agent: {name}\nDisallow: /\n");
        let is_other = others.to_lowercase().contains(&format!(": {}\n", name.to_lowercase()));
        prop_assume!(!is_other);
        let file = if is_first { format!("{own}\n{others}") } else { format!("{others}\n{own}") };
        let robot = Robot::of_user_agent(line);
        let policy = policy(&robot, &file, profile);
        // A group for `gwene.org` is one for `Gwene`, too (AMB-REP-6).
        let (identifier, _) = name.split_at(name.find(|c: char| !(c.is_ascii_alphabetic() || "-_".contains(c))).unwrap_or(name.len()));
        let is_named = |found: &str| found == name || found.eq_ignore_ascii_case(identifier);
        let is_in_file = |found: &&&str| {
            ["googlebot", "baiduspider"].contains(&&*found.to_ascii_lowercase()) || is_named(found)
        };
        let is_own = names.iter().find(is_in_file).is_some_and(|found| is_named(found));
        prop_assert_eq!(policy.allows("/x"), !is_own, "{} for {}", line, name);
    }
}
