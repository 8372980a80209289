//! Robots as people name them: in arguments, test cases and requests.

use crate::robot::{AnyGroup, KnownRobot};
use crate::selection::{Selection, SelectionError};
use crate::sender::{SentLine, TakenName};
use abide::explain::visible;
use abide::verdict::{SelectedBy, Selection as ChosenGroup};
use abide::{Client, Policy, ProductToken, Profile};
use std::borrow::Cow;
use std::fmt;

/// A robot that somebody asks about.
///
/// It is written as a name (`GPTBot`), as `*` for every robot that a file does not name, as a whole
/// `User-Agent` line, or as a list of names in order of preference (`NewsBot>Bot`). What the table
/// documents about it applies, unless [`Robot::without_known_facts`] is called.
///
/// ```
/// use abide::{Policy, Profile};
/// use abide_known_robots::Robot;
/// let file = b"User-agent: Googlebot\nDisallow: /drafts/\n";
/// let robot = Robot::named("Googlebot-News")?;
/// let policy = robot.policy(Profile::Careful, |client| Policy::compile(file, client))?;
/// assert!(!policy.allows("/drafts/1"));
/// assert!(robot.applied(&policy)[0].starts_with("no group names Googlebot-News"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robot {
    /// The names, in order of preference; empty for `*`.
    names: Vec<String>,
    known: Option<&'static KnownRobot>,
    /// The `User-Agent` line that the name was taken from.
    line: Option<Box<SentLine>>,
    /// Whether what the table documents does not apply.
    is_literal: bool,
    /// Whether names outside RFC 9309 are accepted, even if neither the table nor the file has
    /// them.
    any_name: bool,
}

impl Robot {
    /// Every robot that a file does not name: `*`.
    #[must_use]
    pub const fn unnamed() -> Self {
        Self {
            names: Vec::new(),
            known: None,
            line: None,
            is_literal: false,
            any_name: false,
        }
    }

    /// Reads one robot. Sets such as `@search` are an error; [`Robot::list`] reads them.
    ///
    /// # Errors
    /// [`RobotError`] for an empty name and for a set.
    pub fn named(text: &str) -> Result<Self, RobotError> {
        let text = text.trim();
        if text == "*" {
            return Ok(Self::unnamed());
        }
        if text.starts_with('@') {
            return Err(RobotError::Set {
                name: text.to_owned(),
            });
        }
        if is_user_agent_line(text) {
            return Ok(Self::of_user_agent(text));
        }
        let taken_out = text.strip_prefix('-').unwrap_or_default().trim_start();
        if text.starts_with('!') || taken_out.starts_with('@') {
            return Err(RobotError::Minus {
                name: text.to_owned(),
            });
        }
        let names: Vec<String> = text.split('>').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return Err(RobotError::Empty);
        }
        let known = match names.as_slice() {
            [only] => crate::named(only),
            _ => None,
        };
        Ok(Self {
            names,
            known,
            ..Self::unnamed()
        })
    }

    /// Reads the robots of a list such as `GPTBot,CCBot,@ai-training - @search`. A whole
    /// `User-Agent` line is one robot, even if it has commas. Each robot is listed once.
    ///
    /// # Errors
    /// [`RobotError`] as for [`Robot::named`], and for unknown sets.
    pub fn list(text: &str) -> Result<Vec<Self>, RobotError> {
        if is_user_agent_line(text) {
            return Ok(vec![Self::of_user_agent(text)]);
        }
        let mut robots: Vec<Self> = Vec::new();
        for name in text.split(',').map(str::trim) {
            let more = match name.strip_prefix('@') {
                Some(_) => name
                    .parse::<Selection>()?
                    .robots()
                    .map(Self::known)
                    .collect(),
                None => vec![Self::named(name)?],
            };
            for robot in more {
                if !robots.contains(&robot) {
                    robots.push(robot);
                }
            }
        }
        Ok(robots)
    }

    /// Reads several lists, each written as for [`Robot::list`]. Each robot is listed once.
    ///
    /// ```
    /// use abide_known_robots::Robot;
    /// let robots = Robot::lists(&["GPTBot,CCBot", "CCBot", "*"])?;
    /// let names: Vec<_> = robots.iter().map(Robot::name).collect();
    /// assert_eq!(names, ["GPTBot", "CCBot", "*"]);
    /// # Ok::<(), abide_known_robots::RobotError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Robot::list`].
    pub fn lists<S: AsRef<str>>(lists: &[S]) -> Result<Vec<Self>, RobotError> {
        let mut robots: Vec<Self> = Vec::new();
        for list in lists {
            for robot in Self::list(list.as_ref())? {
                if !robots.contains(&robot) {
                    robots.push(robot);
                }
            }
        }
        Ok(robots)
    }

    /// A robot of the table.
    #[must_use]
    pub fn known(robot: &'static KnownRobot) -> Self {
        Self {
            names: vec![robot.token.to_owned()],
            known: Some(robot),
            ..Self::unnamed()
        }
    }

    /// The robot with these names, in order of preference.
    ///
    /// # Errors
    /// [`RobotError`] as for [`Robot::named`].
    pub fn with_fallbacks<S: AsRef<str>>(names: &[S]) -> Result<Self, RobotError> {
        match names {
            [] => Err(RobotError::Empty),
            [only] => Self::named(only.as_ref()),
            several => {
                let names: Vec<_> = several.iter().map(AsRef::as_ref).collect();
                Self::named(&names.join(">"))
            }
        }
    }

    /// The robot that sends a `User-Agent` line. Before a file is read, its name is that of a known
    /// robot with its mark in the line, or else the first product that is no browser, library or
    /// crawling software. A file may have a group for another name of the line:
    /// [`Robot::in_file`].
    ///
    /// [`Robot::named`] takes a text with a `/` or a `(` for a line. This takes any text.
    ///
    /// ```
    /// use abide_known_robots::Robot;
    /// assert_eq!(Robot::of_user_agent("ExampleBot of example.com").name(), "ExampleBot");
    /// ```
    #[must_use]
    pub fn of_user_agent(line: &str) -> Self {
        Self::of_sent(SentLine::new(line))
    }

    pub(crate) fn of_sent(sent: SentLine) -> Self {
        Self {
            names: sent.default().map(str::to_owned).into_iter().collect(),
            known: sent.known,
            line: Some(Box::new(sent)),
            ..Self::unnamed()
        }
    }

    /// This robot, if a file has a group for the name in its `User-Agent` line that is given.
    pub(crate) fn taken_as(mut self, in_file: Option<String>) -> Self {
        let Some(line) = &mut self.line else {
            return self;
        };
        line.is_settled = true;
        let Some(name) = in_file else {
            return self;
        };
        line.taken = TakenName::InFile;
        if self
            .names
            .first()
            .is_none_or(|own| !own.eq_ignore_ascii_case(&name))
        {
            self.known = crate::named(&name).filter(|_| !self.is_literal);
            self.names = vec![name];
        }
        self
    }

    /// This robot, with the name that counts in the file of `policy`, which must come from
    /// [`Robot::policy`] or [`Robot::try_policy`]. Only the names of `User-Agent` lines depend on a
    /// file.
    ///
    /// ```
    /// use abide::{Policy, Profile};
    /// use abide_known_robots::Robot;
    /// let file = b"User-agent: Mozilla\nDisallow: /\n";
    /// let robot = Robot::named("Mozilla/5.0 (compatible; Googlebot/2.1)")?;
    /// let policy = robot.policy(Profile::Careful, |client| Policy::compile(file, client))?;
    /// assert_eq!(robot.name(), "Googlebot");
    /// assert_eq!(robot.in_file(&policy).name(), "Mozilla");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_file(&self, policy: &Policy) -> Cow<'_, Self> {
        let tokens = policy.client().product_tokens().first();
        let first = tokens.filter(|first| policy.named_robots().have(first));
        self.named_as(first.map(ProductToken::as_str))
    }

    /// Like [`Robot::in_file`] for the policy whose rules are those of `chosen` groups.
    #[must_use]
    pub fn in_groups(&self, chosen: &[ChosenGroup<'_>]) -> Cow<'_, Self> {
        self.named_as(selected_token(chosen).as_deref())
    }

    /// This robot, if `first` is the name of its line that a file has a group for.
    fn named_as(&self, first: Option<&str>) -> Cow<'_, Self> {
        let Some(line) = self.line.as_ref().filter(|line| !line.is_settled) else {
            return Cow::Borrowed(self);
        };
        let name = line.in_file(|name| first.is_some_and(|own| own.eq_ignore_ascii_case(name)));
        Cow::Owned(self.clone().taken_as(name.map(str::to_owned)))
    }

    /// This robot, without what the table documents about it.
    #[must_use]
    pub fn without_known_facts(self) -> Self {
        Self {
            known: None,
            is_literal: true,
            any_name: self.any_name || self.known.is_some(),
            ..self
        }
    }

    /// This robot, with a name that neither RFC 9309 allows nor the file or the table has.
    #[must_use]
    pub fn with_any_name(self) -> Self {
        Self {
            any_name: true,
            ..self
        }
    }

    /// The name in reports: `GPTBot`, `NewsBot>Bot`, or `*`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.names.as_slice() {
            [] => "*".to_owned(),
            names => names.join(">"),
        }
    }

    /// The names, in order of preference; empty for `*`.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The row of the table, if the robot is known and its documented behaviour applies.
    #[must_use]
    pub fn row(&self) -> Option<&'static KnownRobot> {
        self.known
    }

    /// Whether it is a control token, which sends no requests.
    #[must_use]
    pub fn is_control_token(&self) -> bool {
        self.known.is_some_and(KnownRobot::is_control_token)
    }

    /// The `User-Agent` line that the name was taken from.
    #[must_use]
    pub fn user_agent_line(&self) -> Option<&str> {
        self.line.as_ref().map(|line| line.text.as_str())
    }

    /// Why the name was taken from the `User-Agent` line; `None` without a line.
    #[must_use]
    pub fn taken(&self) -> Option<TakenName> {
        self.line.as_ref().map(|line| line.taken)
    }

    /// Why the name was taken from the `User-Agent` line, in a sentence; `None` without a line.
    ///
    /// ```
    /// use abide_known_robots::Robot;
    /// let robot = Robot::named("curl/8.5.0")?;
    /// assert!(robot.identified().unwrap().starts_with("curl is the software"));
    /// # Ok::<(), abide_known_robots::RobotError>(())
    /// ```
    #[must_use]
    pub fn identified(&self) -> Option<String> {
        let taken = self.taken()?;
        Some(match taken {
            TakenName::Nobody => taken.words().to_owned(),
            _ => format!("{self} {}", taken.words()),
        })
    }

    /// The policy for this robot. `compile` reads the file for a client.
    ///
    /// The google profile has no order of preference: it merges the groups of all names
    /// (AMB-REP-23). For a known robot that falls back to another name, `compile` is called for one
    /// name after the other, until one has a group.
    ///
    /// # Errors
    /// [`RobotError::Name`] for a name that RFC 9309 does not allow, if neither the table nor the
    /// file has it.
    pub fn policy(
        &self,
        profile: Profile,
        compile: impl Fn(&Client) -> Policy,
    ) -> Result<Policy, RobotError> {
        self.try_policy(profile, |client| Ok(compile(client)))
    }

    /// Like [`Robot::policy`], if compiling can fail.
    ///
    /// # Errors
    /// The errors of [`Robot::policy`] and of `compile`.
    pub fn try_policy<E: From<RobotError>>(
        &self,
        profile: Profile,
        compile: impl Fn(&Client) -> Result<Policy, E>,
    ) -> Result<Policy, E> {
        let is_named = |policy: &Policy| selected_token(&policy.chosen_groups()).is_some();
        self.found(profile, compile, is_named, |policy| {
            let named = policy.named_robots();
            move |token: &ProductToken| named.have(token)
        })
    }

    /// The client that the robot is when it reads a file: that of [`Robot::policy`], which is not
    /// compiled for this. `chosen` has the groups of the file whose rules count for a client.
    ///
    /// ```
    /// use abide::{Profile, Robots};
    /// use abide_known_robots::Robot;
    /// let file = Robots::parse(b"User-agent: Googlebot\nDisallow: /drafts/\n");
    /// let robot = Robot::named("Googlebot-News")?;
    /// let client = robot.client(Profile::Careful, |client| file.chosen_groups(client))?;
    /// let policy = robot.policy(Profile::Careful, |client| file.policy(client))?;
    /// assert_eq!(&client, policy.client());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Robot::policy`].
    pub fn client(
        &self,
        profile: Profile,
        chosen: impl Fn(&Client) -> Vec<ChosenGroup<'_>>,
    ) -> Result<Client, RobotError> {
        let is_named = |client: &Client| selected_token(&chosen(client)).is_some();
        self.found(
            profile,
            |client| Ok(client.clone()),
            is_named,
            |_| |token: &ProductToken| is_named(&Client::new(token.clone()).with_profile(profile)),
        )
    }

    /// What `read` makes of the client that the robot is. `is_named` says of it whether a group
    /// names the client, and `names` which names its file has groups for.
    fn found<T, E: From<RobotError>, N: Fn(&ProductToken) -> bool>(
        &self,
        profile: Profile,
        read: impl Fn(&Client) -> Result<T, E>,
        is_named: impl Fn(&T) -> bool,
        names: impl Fn(&T) -> N,
    ) -> Result<T, E> {
        let Some(line) = &self.line else {
            return self.by_names(profile, None, &read, &is_named);
        };
        let read = |client: &Client| read(&client.clone().with_identification(&line.text));
        let made = self.by_names(profile, None, &read, &is_named)?;
        let names = names(&made);
        let is_in_file = |name: &str| {
            let token = ProductToken::read(name, profile, true);
            token.is_ok_and(|token| names(&token))
        };
        let own = self.names.first();
        match line.in_file(is_in_file) {
            Some(name) if own.is_none_or(|own| !own.eq_ignore_ascii_case(name)) => {
                self.by_names(profile, Some(name), &read, &is_named)
            }
            _ => Ok(made),
        }
    }

    /// What `read` makes of a client with these names. `first` is a name of the line that the file
    /// has.
    fn by_names<T, E: From<RobotError>>(
        &self,
        profile: Profile,
        first: Option<&str>,
        read: &impl Fn(&Client) -> Result<T, E>,
        is_named: &impl Fn(&T) -> bool,
    ) -> Result<T, E> {
        let is_in_file = |client: &Client| Ok::<bool, E>(is_named(&read(client)?));
        let mut tokens = Vec::new();
        for name in first
            .into_iter()
            .chain(self.names.iter().map(String::as_str))
        {
            tokens.push(self.token(name, profile, &is_in_file)?);
        }
        if let Some(known) = self.known {
            let others = known.falls_back_to.iter().map(|name| known_token(name));
            tokens.extend(others);
        }
        let follows_any = self
            .known
            .is_none_or(|known| known.follows_any_group != Some(AnyGroup::Ignored));
        let client = |tokens: &[ProductToken]| {
            let client = Client::unnamed()
                .with_profile(profile)
                .with_any_group(follows_any);
            let tokens = tokens.iter().cloned();
            tokens.fold(client, Client::with_product_token)
        };
        match (profile, tokens.as_slice()) {
            (Profile::Google, [_, _, ..]) if self.known.is_some() || self.line.is_some() => {
                let mut first = None;
                for token in &tokens {
                    let made = read(&client(std::slice::from_ref(token)))?;
                    if is_named(&made) {
                        return Ok(made);
                    }
                    first.get_or_insert(made);
                }
                first.ok_or_else(|| RobotError::Empty.into())
            }
            (_, tokens) => read(&client(tokens)),
        }
    }

    fn token<E: From<RobotError>>(
        &self,
        name: &str,
        profile: Profile,
        is_in_file: &impl Fn(&Client) -> Result<bool, E>,
    ) -> Result<ProductToken, E> {
        if let Ok(token) = ProductToken::read(name, profile, false) {
            return Ok(token);
        }
        let Ok(token) = ProductToken::nonstandard(name) else {
            return Err(RobotError::name(name).into());
        };
        // What a robot sends need not be a name of RFC 9309.
        let is_known = self.any_name
            || self.line.is_some()
            || self.known.is_some()
            || crate::named(name).is_some();
        let client = || Client::new(token.clone()).with_profile(profile);
        if is_known || is_in_file(&client())? {
            Ok(token)
        } else {
            Err(RobotError::name(name).into())
        }
    }

    /// What the table documents about the robot and what therefore matters for `policy`, in
    /// sentences: that it follows the group of another name, that it ignores groups for `*`, that
    /// it does not follow robots.txt.
    #[must_use]
    pub fn applied(&self, policy: &Policy) -> Vec<String> {
        self.in_file(policy).applied_by(&policy.chosen_groups())
    }

    /// Like [`Robot::applied`] for the policy whose rules are those of `chosen` groups.
    #[must_use]
    pub fn applied_by(&self, chosen: &[ChosenGroup<'_>]) -> Vec<String> {
        let robot = self.in_groups(chosen);
        let Some(known) = robot.known else {
            return Vec::new();
        };
        let mut sentences = Vec::new();
        let by = selected_token(chosen);
        let other = by
            .as_ref()
            .filter(|token| !token.eq_ignore_ascii_case(known.token));
        if let Some(other) = other {
            sentences.push(format!(
                "no group names {}, so it follows the group for {other}",
                known.token
            ));
        }
        match known.follows_any_group.filter(|_| by.is_none()) {
            Some(AnyGroup::Ignored) => {
                sentences.push(format!("{} ignores groups for `*`", known.token));
            }
            Some(AnyGroup::NotAsPermission) => sentences.push(format!(
                "no group names {}, and what groups for `*` allow does not let it in",
                known.token
            )),
            Some(AnyGroup::Followed) | None => {}
        }
        if known.follows_robots_txt == Some(false) {
            sentences.push(format!("{} does not follow robots.txt", known.token));
        }
        sentences
    }
}

/// The robots with the names that count in a file: [`Robot::in_file`] for each. `policies` are
/// theirs, in the same order.
#[must_use]
pub fn in_file(robots: &[Robot], policies: &[Policy]) -> Vec<Robot> {
    let each = robots.iter().zip(policies);
    each.map(|(robot, policy)| robot.in_file(policy).into_owned())
        .collect()
}

impl fmt::Display for Robot {
    /// The name, made safe to print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(self.name().as_bytes()))
    }
}

/// The product token by which the client of a policy found its group.
fn selected_token(chosen: &[ChosenGroup<'_>]) -> Option<String> {
    chosen.iter().find_map(|group| match &group.by {
        SelectedBy::ProductToken(token) => Some((*token).to_owned()),
        _ => None,
    })
}

fn known_token(name: &str) -> ProductToken {
    ProductToken::nonstandard(name).expect("the compiler checks the tokens of the table")
}

/// Whether a text is a `User-Agent` line rather than a name: a product with a version or a comment.
///
/// ```
/// use abide_known_robots::is_user_agent_line;
/// assert!(is_user_agent_line("ExampleBot/1.0") && !is_user_agent_line("ExampleBot"));
/// ```
#[must_use]
pub fn is_user_agent_line(text: &str) -> bool {
    text.contains(['/', '('])
}

/// Why a text names no robot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotError {
    /// No name.
    #[error("expected the name of a robot, such as Googlebot, but found nothing")]
    Empty,
    /// A name outside RFC 9309 that neither the table nor the file has.
    #[error(
        "{} is not a valid robot name (letters, '-' and '_'), and neither the file nor the list of known robots has it{}",
        visible(.name.as_bytes()),
        .nearest.map_or_else(String::new, |near| format!("; did you mean {near}?"))
    )]
    Name {
        /// The name.
        name: String,
        /// The most similar name in the table, if one is similar.
        nearest: Option<&'static str>,
    },
    /// A set where one robot is expected.
    #[error("expected one robot, but found the set {}", visible(.name.as_bytes()))]
    Set {
        /// The set.
        name: String,
    },
    /// Something to take out of the robots before it.
    #[error(
        "{} names no robot; to take robots out of a set, write them behind it: @ai-training - @search",
        visible(.name.as_bytes())
    )]
    Minus {
        /// What was written.
        name: String,
    },
    /// A set that does not exist, or in which no robot is left.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A name that is not in the table, where only known robots count.
    #[error(
        "{} is not a known robot{}",
        visible(.name.as_bytes()),
        .nearest.map_or_else(String::new, |near| format!("; did you mean {near}?"))
    )]
    Unknown {
        /// The name.
        name: String,
        /// The most similar name in the table, if one is similar.
        nearest: Option<&'static str>,
    },
}

impl RobotError {
    pub(crate) fn unknown(robot: &Robot) -> Self {
        let name = match robot.user_agent_line() {
            Some(line) if robot.names.is_empty() => line.to_owned(),
            _ => robot.name(),
        };
        let nearest = crate::nearest(&name);
        Self::Unknown { name, nearest }
    }

    fn name(name: &str) -> Self {
        Self::Name {
            name: name.to_owned(),
            nearest: crate::nearest(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let robots = Robot::list(text).unwrap();
        robots.iter().map(Robot::name).collect()
    }

    #[test]
    fn lists_and_lines() {
        assert_eq!(names("GPTBot, CCBot,GPTBot"), ["GPTBot", "CCBot"]);
        assert_eq!(names("*"), ["*"]);
        assert_eq!(names("NewsBot > Bot"), ["NewsBot>Bot"]);
        assert_eq!(names("Googlebot/2.1"), ["Googlebot"]);
        let line = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
        assert_eq!(names(line), ["GPTBot"]);
        let own = "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://bot.example/)";
        assert_eq!(names(own), ["ExampleBot"]);
        assert!(names("@ai-training").contains(&"GPTBot".to_owned()));
        let most = names("CCBot,@ai-training - @search - GPTBot");
        assert!(most.contains(&"ClaudeBot".to_owned()));
        for out in ["bingbot", "GPTBot"] {
            assert!(!most.contains(&out.to_owned()), "{out}");
        }
        for bare in ["@ai-training,-@search", "GPTBot,!bingbot"] {
            let error = Robot::list(bare).unwrap_err().to_string();
            assert!(
                error.contains(" names no robot; to take robots out"),
                "{error}"
            );
        }
        assert!(Robot::list("@nothing").is_err());
        assert!(Robot::list("a,,b").is_err());
        assert_eq!(names("Mozilla/5.0 (X11; Linux) Gecko/20100101"), ["*"]);
        assert_eq!(
            names("MyCrawler/Nutch-1.19 (My crawler, of mine)"),
            ["MyCrawler"]
        );
    }

    #[test]
    fn names_that_only_the_file_has() {
        let compile =
            |client: &Client| Policy::compile(b"User-agent: My Bot 2\nDisallow: /\n", client);
        let robot = Robot::named("Bot2").unwrap();
        let error = robot.policy(Profile::Careful, compile).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("Bot2 is not a valid robot name"),
            "{error}"
        );
        let in_file = |client: &Client| Policy::compile(b"User-agent: Bot2\nDisallow: /\n", client);
        assert!(!robot.policy(Profile::Careful, in_file).unwrap().allows("/"));
    }

    #[test]
    fn documented_behaviour_applies_in_both_profiles() {
        let file = b"User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /\n";
        for profile in [Profile::Careful, Profile::Google] {
            let policy = |robot: &Robot| {
                robot
                    .policy(profile, |client| Policy::compile(file, client))
                    .unwrap()
            };
            let news = Robot::named("googlebot-news").unwrap();
            assert!(policy(&news).allows("/x") && !policy(&news).allows("/g"));
            assert!(!policy(&news.clone().without_known_facts()).allows("/x"));
            let ads = Robot::named("AdsBot-Google").unwrap();
            assert!(policy(&ads).allows("/x"));
            assert_eq!(
                ads.applied(&policy(&ads)),
                ["AdsBot-Google ignores groups for `*`"]
            );
            let rovo = Robot::named("atlassian-bot").unwrap();
            assert_eq!(
                rovo.applied(&policy(&rovo)),
                ["no group names atlassian-bot, and what groups for `*` allow does not let it in"]
            );
            assert!(!policy(&Robot::unnamed()).allows("/x"));
        }
    }
}
