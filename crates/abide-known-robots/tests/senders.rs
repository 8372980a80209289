//! Requests of browsers, apps, libraries and robots.

#![allow(missing_docs, reason = "tests")]

use abide_known_robots::sender;

#[test]
fn browsers_are_no_robots_and_robots_are() {
    let lines = include_str!("senders.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let (name, user_agent) = line.split_once('|').expect("a name and a line");
        let named = ["examplefetch", "mj12bot"];
        let robot = sender(user_agent.trim(), |name| named.contains(&name));
        let found = robot.map_or_else(|| "-".to_owned(), |robot| robot.name());
        assert_eq!(found, name.trim(), "{user_agent}");
    }
}
