//! Which robot a `User-Agent` line names (CLA-23).

use crate::named_robot::Robot;
use crate::robot::KnownRobot;
use abide::ProductToken;
use abide::rep::{NameKind, UserAgentLine};

/// A `User-Agent` line, and what can be said of its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentLine {
    pub(crate) text: String,
    /// The names by which a file can address the sender, in the order in which they count, and
    /// whether only browsers send the name.
    names: Vec<(String, bool)>,
    /// The name if no file has a group for one of them.
    default: Option<String>,
    pub(crate) known: Option<&'static KnownRobot>,
    /// Why the name of the robot is the one that it is.
    pub(crate) taken: TakenName,
    /// Whether a file was asked for the name.
    pub(crate) is_settled: bool,
    /// Whether the table of known robots or the line says that its sender is a robot.
    is_of_robot: bool,
}

/// Why a name was taken from a `User-Agent` line. The first that holds decides (CLA-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TakenName {
    /// The file has a group for this name of the line.
    InFile,
    /// A known robot has its mark in the line.
    Known,
    /// It is the first product that is no browser, library or crawling software.
    Product,
    /// The line names no other product than this library or crawling software, and browsers.
    Software,
    /// The line has no name of a robot, so only groups for `*` apply.
    Nobody,
}

abide::named!(
    TakenName,
    [
        InFile = "in-file",
        Known = "known",
        Product = "product",
        Software = "software",
        Nobody = "nobody"
    ]
);

impl TakenName {
    /// The reason in words, behind the name.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::InFile => {
                "is the first name in the User-Agent line that the file has a group for"
            }
            Self::Known => "is a known robot with its mark in the User-Agent line",
            Self::Product => {
                "is the first product in the User-Agent line that is no browser, library or crawling software"
            }
            Self::Software => "is the software that the User-Agent line names; it names no robot",
            Self::Nobody => "the User-Agent line names no robot, so only groups for `*` apply",
        }
    }
}

impl SentLine {
    pub(crate) fn new(text: &str) -> Self {
        let text = text.trim();
        let line = UserAgentLine::new(text);
        let marked = marked(text);
        // The mark of software says nothing about who runs it.
        let known = marked.filter(|known| !is_software(known));
        let taken = match (
            known,
            line.own(),
            line.software().or(marked.map(|by| by.token)),
        ) {
            (Some(known), ..) => (TakenName::Known, Some(known.token)),
            (None, Some(own), _) => (TakenName::Product, Some(own)),
            (None, None, Some(software)) => (TakenName::Software, Some(software)),
            (None, None, None) => (TakenName::Nobody, None),
        };
        let (taken, default) = taken;
        Self {
            text: text.to_owned(),
            names: names(&line, known.map(|known| known.token)),
            known: known.or_else(|| crate::named(default?)),
            is_of_robot: marked.is_some() || (line.is_marked() && default.is_some()),
            default: default.map(str::to_owned),
            taken,
            is_settled: false,
        }
    }

    /// The name of the sender where no file says more.
    pub(crate) fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// The first name that `is_named` says a file has a group for.
    pub(crate) fn in_file(&self, mut is_named: impl FnMut(&str) -> bool) -> Option<&str> {
        let mut names = self.names.iter().map(|(name, _)| name.as_str());
        names.find(|name| is_named(name))
    }

    /// Whether the sender is a robot for a file that `is_named` describes. What browsers send
    /// marks no robot, even if a file has a group for it.
    fn is_robot(&self, mut is_named: impl FnMut(&str) -> bool) -> bool {
        let mut others = self
            .names
            .iter()
            .filter(|(_, is_of_browsers)| !is_of_browsers);
        self.is_of_robot || others.any(|(name, _)| is_named(name))
    }
}

/// The names in a line, and whether only browsers send the name. The token of a known robot need
/// not be in the line: it comes behind the products that the sender calls itself.
fn names(line: &UserAgentLine<'_>, token: Option<&str>) -> Vec<(String, bool)> {
    let is_token = |name: &str| token.is_some_and(|token| token.eq_ignore_ascii_case(name));
    let is_product = |(_, kind): &(&str, NameKind)| *kind == NameKind::Product;
    let mut names: Vec<(String, bool)> = Vec::new();
    let products = line.names().filter(is_product);
    names.extend(products.map(|(name, _)| (name.to_owned(), false)));
    if !names.iter().any(|(name, _)| is_token(name)) {
        names.extend(token.map(|token| (token.to_owned(), false)));
    }
    let others = line
        .names()
        .filter(|name| !is_product(name) && !is_token(name.0));
    names.extend(others.map(|(name, kind)| (name.to_owned(), kind == NameKind::Browser)));
    names
}

/// The known robot whose mark is in a line: of several, the one with the longest mark that is not
/// the mark of software. A mark does not begin inside a word.
fn marked(line: &str) -> Option<&'static KnownRobot> {
    let line = line.to_ascii_lowercase();
    let is_in_word = |before: char| before.is_ascii_alphanumeric() || matches!(before, '-' | '_');
    let has = |mark: &str| {
        let mark = mark.to_ascii_lowercase();
        line.match_indices(&mark).any(|(at, _)| {
            let joins = |text: &str| text.chars().next_back().is_some_and(is_in_word);
            !(mark.starts_with(is_in_word) && joins(&line[..at]))
        })
    };
    let marked = crate::all()
        .iter()
        .filter(|robot| robot.user_agent.is_some_and(has));
    marked.max_by_key(|robot| (!is_software(robot), robot.user_agent.map_or(0, str::len)))
}

/// Whether a known robot is software that anybody can run.
fn is_software(robot: &KnownRobot) -> bool {
    let line = UserAgentLine::new(robot.token);
    line.own().is_none()
}

/// The robot that sent a request with this `User-Agent` line, as a server sees it. `None` for a
/// browser, and for a program that nothing marks as a robot, such as an app or a library.
///
/// It is a robot if
/// - the table of known robots has a mark in the line;
/// - the line has what robots write and browsers do not ([`UserAgentLine::is_marked`]);
/// - `is_named` says that a robots.txt names a product or word of the line that browsers do not
///   send.
///
/// Its name is found as [`Robot::named`] does. Anybody can send any line, so this is no proof of
/// who asks.
///
/// ```
/// use abide_known_robots::sender;
/// let robot = |line| sender(line, |name| name.as_str() == "curl").map(|robot| robot.name());
/// assert_eq!(robot("Mozilla/5.0 (compatible; GPTBot/1.2)").as_deref(), Some("GPTBot"));
/// assert_eq!(robot("ExampleBot/2.0 (+https://bot.example/)").as_deref(), Some("ExampleBot"));
/// assert_eq!(robot("curl/8.5.0").as_deref(), Some("curl"));
/// assert_eq!(robot("okhttp/4.12.0"), None);
/// assert_eq!(robot("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0"), None);
/// ```
#[must_use]
pub fn sender(line: &str, is_named: impl Fn(&ProductToken) -> bool) -> Option<Robot> {
    let sent = SentLine::new(line);
    let is_named = |name: &str| ProductToken::nonstandard(name).is_ok_and(|name| is_named(&name));
    let is_robot = sent.is_robot(is_named);
    let name = sent.in_file(is_named).map(str::to_owned);
    is_robot.then(|| Robot::of_sent(sent).taken_as(name))
}
