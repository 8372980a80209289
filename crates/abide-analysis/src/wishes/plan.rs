//! Which robots wishes close the site to, and which they let in.

use super::Wishes;
use super::error::{MAX_NAMES, WishError};
use crate::compare::prominence;
use crate::words::enumerated;
use abide::rep::CrawlDelay;
use abide::{ProductToken, Target, Usage};
use abide_known_robots::{AnyGroup, KnownRobot, Purpose, Robot};

/// What the file has to do.
pub(super) struct Plan<'w> {
    pub(super) wishes: &'w Wishes,
    /// The wishes, as people write them.
    pub(super) names: Vec<String>,
    /// The robots that the site is closed to, each once, by the wish that closes it.
    pub(super) closings: Vec<Closing>,
    /// Those that it is open to.
    pub(super) kept: Vec<&'static KnownRobot>,
    /// Those that a wish is about, and that do not follow robots.txt.
    deaf: Vec<&'static KnownRobot>,
}

/// The robots that a wish closes the site to.
pub(super) struct Closing {
    /// The wish.
    pub(super) wish: String,
    pub(super) robots: Vec<ClosedRobot>,
}

/// A robot that the site is closed to.
pub(super) struct ClosedRobot {
    /// The name that the file has.
    pub(super) name: String,
    pub(super) row: Option<&'static KnownRobot>,
}

impl<'w> Plan<'w> {
    pub(super) fn new(wishes: &'w Wishes) -> Result<Self, WishError> {
        let mut plan = Self {
            wishes,
            names: names(wishes),
            closings: Vec::new(),
            kept: Vec::new(),
            deaf: Vec::new(),
        };
        if plan.names.is_empty() {
            return Err(WishError::Nothing);
        }
        plan.check_values()?;
        plan.check_staging()?;
        if wishes.keep_search {
            let kept = known().filter(|row| row.searches());
            plan.kept = kept.collect();
        }
        if wishes.staging {
            let ignore = known().filter(|row| row.follows_any_group == Some(AnyGroup::Ignored));
            plan.close("staging", ignore.map(ClosedRobot::from));
        }
        let deaf = known().filter(|row| row.follows_robots_txt == Some(false));
        let is_about = |row: &&KnownRobot| {
            let mut purposes = wishes.purposes();
            wishes.staging || purposes.any(|(_, purpose, _)| row.is_for(purpose))
        };
        plan.deaf = deaf.filter(is_about).collect();
        for (wish, purpose, _) in wishes.purposes() {
            plan.close(wish, closed_for(purpose));
        }
        for list in &wishes.block {
            plan.block(list)?;
        }
        Ok(plan)
    }

    /// Closes the site to robots that no wish closes it to yet.
    fn close(&mut self, wish: &str, robots: impl Iterator<Item = ClosedRobot>) {
        let mut closing = Closing {
            wish: wish.to_owned(),
            robots: Vec::new(),
        };
        for robot in robots {
            let is_known = |known: &ClosedRobot| known.name.eq_ignore_ascii_case(&robot.name);
            if !self.closed().any(is_known) && !closing.robots.iter().any(is_known) {
                closing.robots.push(robot);
            }
        }
        self.closings.push(closing);
    }

    /// All robots that the site is closed to.
    pub(super) fn closed(&self) -> impl Iterator<Item = &ClosedRobot> {
        self.closings.iter().flat_map(|closing| &closing.robots)
    }

    fn block(&mut self, list: &str) -> Result<(), WishError> {
        let mut robots = Vec::new();
        for robot in Robot::list(list)? {
            match to_block(&robot, list)? {
                Block::Close(robot) => robots.push(robot),
                Block::Deaf(row) if self.deaf.contains(&row) => {}
                Block::Deaf(row) => self.deaf.push(row),
                Block::Nothing => {}
            }
        }
        let wish = format!("block {list}");
        let kept = self.kept.iter().filter(|row| {
            let mut robots = robots.iter();
            robots.any(|robot| robot.name == row.token)
        });
        let kept: Vec<_> = kept.map(|row| row.token.to_owned()).collect();
        if !kept.is_empty() {
            return Err(WishError::Contradiction {
                first: "keep-search".to_owned(),
                second: wish,
                robots: kept,
            });
        }
        self.close(&wish, robots.into_iter());
        Ok(())
    }

    /// Whether wishes contradict the one to close the site to everybody.
    fn check_staging(&self) -> Result<(), WishError> {
        let wishes = self.wishes;
        let other = match wishes {
            _ if !wishes.staging => None,
            _ if wishes.keep_search => Some("keep-search"),
            _ if wishes.delay.is_some() => Some("delay"),
            _ if !wishes.sitemaps.is_empty() => Some("sitemap"),
            _ => None,
        };
        match other {
            None => Ok(()),
            Some(other) => Err(WishError::Contradiction {
                first: "staging".to_owned(),
                second: other.to_owned(),
                robots: Vec::new(),
            }),
        }
    }

    fn check_values(&self) -> Result<(), WishError> {
        if let Some(seconds) = self.wishes.delay
            && seconds > CrawlDelay::MAX_SECONDS
        {
            return Err(WishError::Delay { seconds });
        }
        for url in &self.wishes.sitemaps {
            let scheme = url.split_once("://").map(|(scheme, _)| scheme);
            let is_web = scheme.is_some_and(|scheme| {
                scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
            });
            let is_bare = !url.contains(|c: char| c == '#' || c.is_whitespace() || c.is_control());
            if !is_web || !is_bare || Target::new(url).is_err() {
                return Err(WishError::Sitemap { url: url.clone() });
            }
        }
        Ok(())
    }

    /// Kept robots that need a group of their own: groups for `*` do not let them in, or they would
    /// follow one that closes the site.
    pub(super) fn kept_by_name(&self) -> Vec<&'static KnownRobot> {
        let is_closed = |name: &&str| self.closed().any(|closed| closed.name == **name);
        let needs =
            |row: &&&KnownRobot| comes_by_name(row) || row.falls_back_to.iter().any(is_closed);
        self.kept.iter().filter(needs).copied().collect()
    }

    /// What no robots.txt can do about the wishes, in sentences.
    pub(super) fn limits(&self) -> Vec<String> {
        let mut limits = Vec::new();
        let everybody = self.wishes.staging;
        let asked = self.wishes.purposes().filter(|_| !everybody);
        for (_, purpose, usage) in asked {
            let both = known().filter(|row| {
                let is_closed = self.closed().any(|closed| closed.name == row.token);
                row.searches() && row.is_for(purpose) && !is_closed && !has_control(row, usage)
            });
            if let Some(names) = shown(both) {
                limits.push(format!(
                    "Robots for both search and {} stay in, because no line of robots.txt \
                     separates the two: {names}.",
                    purpose.title()
                ));
            }
        }
        if self.wishes.no_training && !self.wishes.no_ai_input {
            let wider = self.closed().filter_map(|closed| closed.row);
            let wider = wider.filter(|row| {
                row.controls.contains(&Usage::Train) && row.controls.contains(&Usage::AiInput)
            });
            if let Some(names) = shown(wider) {
                limits.push(format!(
                    "One name stands for training and AI answers, so both are asked for: {names}."
                ));
            }
        }
        if let Some(names) = shown(self.deaf.iter().copied()) {
            limits.push(format!(
                "A robots.txt does not keep out robots that do not follow it: {names}."
            ));
        }
        let own_name = known().filter(|row| comes_by_name(row));
        let out = own_name.filter(|row| row.searches() && !self.kept.contains(row));
        if let Some(names) = shown(out.filter(|_| !everybody)) {
            limits.push(format!(
                "Search robots that come in only by their own name stay out: {names}. To name \
                 them, wish keep-search."
            ));
        }
        for unknown in self.closed().filter(|robot| robot.row.is_none()) {
            limits.extend(abide_known_robots::misspelt(&unknown.name).map(|meant| {
                format!(
                    "{} is not a known robot; did you mean {meant}?",
                    unknown.name
                )
            }));
        }
        if everybody {
            limits.push(
                "A robots.txt protects nothing: put a password before a site that nobody should \
                 see."
                    .to_owned(),
            );
        }
        limits
    }
}

impl From<&'static KnownRobot> for ClosedRobot {
    fn from(row: &'static KnownRobot) -> Self {
        Self {
            name: row.token.to_owned(),
            row: Some(row),
        }
    }
}

impl Wishes {
    /// The wishes about what robots fetch for: the name, the purpose, and the usage that control
    /// tokens are about.
    fn purposes(&self) -> impl Iterator<Item = (&'static str, Purpose, Usage)> + use<> {
        let all = [
            (
                self.no_training,
                ("no-training", Purpose::AiTraining, Usage::Train),
            ),
            (
                self.no_ai_input,
                ("no-ai-input", Purpose::AiInput, Usage::AiInput),
            ),
        ];
        let wished = all.into_iter().filter(|(is_wished, _)| *is_wished);
        wished.map(|(_, about)| about)
    }
}

/// Whether a robot comes in only where a group names it.
pub(super) fn comes_by_name(row: &KnownRobot) -> bool {
    row.follows_any_group == Some(AnyGroup::NotAsPermission)
}

/// The wishes, as people write them.
fn names(wishes: &Wishes) -> Vec<String> {
    let others = [
        (wishes.keep_search, "keep-search"),
        (wishes.staging, "staging"),
    ];
    let others = others.iter().filter(|(is_wished, _)| *is_wished);
    let flags = wishes.purposes().map(|(name, ..)| name);
    let flags = flags.chain(others.map(|(_, name)| *name));
    let mut names: Vec<_> = flags.map(str::to_owned).collect();
    names.extend(wishes.block.iter().map(|list| format!("block {list}")));
    names.extend(wishes.delay.map(|seconds| format!("delay {seconds}")));
    names.extend(wishes.sitemaps.iter().map(|url| format!("sitemap {url}")));
    names
}

/// The robots of the table whose names operators have today.
fn known() -> impl Iterator<Item = &'static KnownRobot> {
    let all = abide_known_robots::all().iter();
    all.filter(|row| !row.is_legacy())
}

/// The robots that a file without this purpose is closed to.
fn closed_for(purpose: Purpose) -> impl Iterator<Item = ClosedRobot> {
    let robots = known().filter(move |row| {
        row.is_for(purpose) && !row.searches() && row.follows_robots_txt != Some(false)
    });
    robots.map(ClosedRobot::from)
}

/// What blocking a robot takes.
enum Block {
    /// A line that names it.
    Close(ClosedRobot),
    /// Nothing, for one of a set: it does not follow robots.txt.
    Deaf(&'static KnownRobot),
    /// Nothing, for one of a set: its operator does not list the name any more.
    Nothing,
}

/// What blocking a robot of the list `list` takes.
fn to_block(robot: &Robot, list: &str) -> Result<Block, WishError> {
    let not_one = |name: String, remedy| Err(WishError::NotOneRobot { name, remedy });
    let name = match robot.names() {
        [] => return not_one(robot.name(), "to close the site to everybody, wish staging"),
        [name] => name,
        _ => return not_one(robot.name(), "name one"),
    };
    let Some(row) = robot.row().or_else(|| abide_known_robots::named(name)) else {
        ProductToken::new(name)?;
        let name = name.clone();
        return Ok(Block::Close(ClosedRobot { name, row: None }));
    };
    // A set has it without having been asked for it.
    let mut written = list.split(',').map(str::trim);
    let is_of_set = written.all(|one| !one.eq_ignore_ascii_case(name));
    if is_of_set && row.follows_robots_txt == Some(false) {
        return Ok(Block::Deaf(row));
    }
    if !row.is_legacy() {
        return Ok(Block::Close(row.into()));
    }
    if is_of_set {
        return Ok(Block::Nothing);
    }
    Err(WishError::Legacy {
        name: row.token,
        replaced_by: row.replaced_by,
    })
}

/// Whether a name of robots.txt says of what this robot fetches that it is not for a usage.
fn has_control(robot: &KnownRobot, usage: Usage) -> bool {
    let mut all = known();
    all.any(|row| row.fetchers.contains(&robot.token) && row.controls.contains(&usage))
}

/// The names of these robots in a sentence, those that people look for first; `None` without any.
fn shown(robots: impl Iterator<Item = &'static KnownRobot>) -> Option<String> {
    let mut names: Vec<_> = robots.map(|row| row.token).collect();
    names.sort_by_cached_key(|name| prominence(name));
    (!names.is_empty()).then(|| enumerated(&names, MAX_NAMES))
}
