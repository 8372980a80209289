//! `control-token-fetcher-closed`: a control token whose robot may crawl nothing.

use crate::control_tokens::named;
use crate::file::File;
use crate::rule::{Findings, Rule};
use crate::rules::rep::site_closed::closing_line;
use abide::Code;
use abide_known_robots::Robot;

pub(crate) static RULE: Rule = Rule::engine(
    Code::ControlTokenFetcherClosed,
    include_str!("control_token_fetcher_closed.md"),
)
.with_check(check);

fn check(file: &File<'_>, found: &mut Findings) {
    for token in named(file) {
        let is_closed = closing_line(file, &Robot::known(token.robot)).is_some();
        let fetchers = token.robot.fetchers.iter();
        let fetchers = fetchers.filter_map(|name| abide_known_robots::named(name));
        let mut closed = fetchers.map(|fetcher| {
            let line = closing_line(file, &Robot::known(fetcher));
            (fetcher, line)
        });
        // Content that one of several robots fetches can still be used.
        let Some((fetcher, Some(line))) = closed.next().filter(|_| !is_closed) else {
            continue;
        };
        if !closed.all(|(_, line)| line.is_some()) {
            continue;
        }
        let message = format!(
            "{} is allowed, but {} may not crawl the site, so there is nothing to use",
            token.robot.token, fetcher.token
        );
        let place = File::statement(token.line);
        let finding = found.say(Some(token.line.number), place, message);
        file.relate(finding, line, "this closes the site to the robot");
    }
}
