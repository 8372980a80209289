//! `robots_txt` 0.7. It borrows the file as text, takes a path, and knows no `*` and no `$`.

use super::{AGENT, Parser};
use crate::corpus::Case;
use robots_txt::Robots;
use robots_txt::matcher::SimpleMatcher;
use url::{Position, Url};

/// `robots_txt`.
#[derive(Debug)]
pub struct RobotsTxt;

impl Parser for RobotsTxt {
    const NAME: &'static str = "robots_txt";
    type Robots<'o> = Robots<'o>;

    fn parse(case: &Case) -> Option<Robots<'_>> {
        Some(Robots::from_str_lossy(case.as_text()))
    }

    fn allows(robots: &Robots<'_>, url: &str) -> bool {
        // The matcher borrows from the section, so it is made anew for each decision.
        let matcher = SimpleMatcher::new(&robots.choose_section(AGENT).rules);
        Url::parse(url)
            .is_ok_and(|url| matcher.check_path(&url[Position::BeforePath..Position::AfterQuery]))
    }
}
