//! A robots.txt, prepared for the rules of the linter.

use crate::facts::{Disagreement, ParserDifference, UnusedRule};
use crate::finding::{Fix, Safety};
use crate::peers::Peer;
use abide::Span;
use abide::app::Registry;
use abide::syntax::{Addressee, Line, Rule};
use abide::syntax::{Field, FieldKind};
use abide::{Client, Diagnostic, Moment, Policy, Profile, Robots, Target};
use abide_known_robots::Robot;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many rules are looked at for what makes a line needless, so that the time is bounded.
const MAX_LOOKS: usize = 200_000;

/// What the linter knows beside the bytes of a robots.txt.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Context {
    /// The value of `Content-Type` that it was served with.
    pub media_type: Option<String>,
    /// Whether the file continues after its bytes: only the first ones were fetched.
    pub is_cut: bool,
    /// The URL that the file was fetched from, before redirects.
    pub fetched_from: Option<String>,
    /// The robots.txt in a folder above that of the file, if that folder is the root of its site.
    pub root_file: Option<String>,
    /// Where the site redirected to when the file was fetched, if it did.
    pub redirected_to: Option<String>,
    /// The registry of applications and their directives.
    pub registry: Option<Arc<Registry>>,
    /// The known purposes. If empty, all well-formed purposes are known.
    pub purposes: Vec<abide::PurposeToken>,
    /// Whether the site is known to have a `tdmrep.json`.
    pub has_tdmrep: bool,
    /// A URL of the site. With it, licence documents that are only about other hosts are reported.
    pub url: Option<String>,
    /// The URLs of pages that sitemaps of the site list.
    pub sitemap_urls: Vec<String>,
    /// What a page of the site loads from the site itself.
    pub page_resources: Vec<PageResource>,
    /// Whether a closed site is meant to be closed.
    pub allow_closed: bool,
    /// The names of the robots that matter to the site [default: Googlebot and bingbot]. Closing
    /// the site to one of them is a warning, closing it to another robot is a note.
    pub robots: Vec<String>,
    /// The tools whose complaints are reported.
    pub peers: Vec<Peer>,
    /// The instant of the check. With it, rows of the table of known robots that were checked long
    /// ago are reported.
    pub now: Option<Moment>,
}

/// A file that a page of the site loads from the site itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct PageResource {
    /// Its URL, as web clients send it.
    pub url: String,
    /// Whether it is an image: without one, a page is not broken.
    pub is_image: bool,
}

impl Context {
    /// The robots that matter by default, as people read it.
    pub(crate) const MATTERING: &str = "Googlebot, bingbot";

    /// The names of the robots that matter to the site.
    pub(crate) fn mattering(&self) -> Vec<&str> {
        if self.robots.is_empty() {
            Self::MATTERING.split(", ").collect()
        } else {
            self.robots.iter().map(String::as_str).collect()
        }
    }

    /// A URL of the site, if it is known.
    pub(crate) fn site_url(&self) -> Option<&str> {
        let url = self.url.as_deref();
        url.or(self.fetched_from.as_deref())
    }

    /// The robots that matter to the site.
    pub(crate) fn mattering_robots(&self) -> impl Iterator<Item = Robot> {
        let names = self.mattering().into_iter();
        names.filter_map(|name| Robot::named(name).ok())
    }

    /// Whether the robot matters to the site.
    pub(crate) fn matters(&self, robot: &Robot) -> bool {
        let name = robot.name();
        let is_it = |own: &&str| own.eq_ignore_ascii_case(&name);
        self.mattering().iter().any(is_it)
    }
}

/// The robots.txt that robots ask for in place of the file at `url`. `None` if this is the file
/// that they ask for (REP-67).
///
/// ```
/// use abide_lint::asked_instead;
/// let asked = asked_instead("https://e.example/docs/robots.txt");
/// assert_eq!(asked.as_deref(), Some("https://e.example/robots.txt"));
/// assert_eq!(asked_instead("https://e.example/robots.txt"), None);
/// ```
#[must_use]
pub fn asked_instead(url: &str) -> Option<String> {
    let target = Target::new(url).ok()?;
    let sent = target.path_as_sent();
    let path = sent.as_deref().unwrap_or(target.path_and_query());
    (path != "/robots.txt").then(|| target.robots_url())?
}

/// A robots.txt, read once for all rules.
#[derive(Debug)]
pub(crate) struct File<'a> {
    /// All bytes, as they came.
    pub(crate) bytes: &'a [u8],
    pub(crate) robots: &'a Robots,
    /// The client that reads it.
    pub(crate) client: &'a Client,
    pub(crate) context: &'a Context,
    /// The `Allow` and `Disallow` lines of each group.
    pub(crate) rules: Vec<Vec<Rule<'a>>>,
    /// Whom each group names.
    pub(crate) addressees: Vec<Vec<Addressee<'a>>>,
    pub(crate) unused_rules: OnceCell<Vec<(&'a Line, UnusedRule)>>,
    pub(crate) differences: OnceCell<Vec<ParserDifference>>,
    pub(crate) disagreements: OnceCell<Vec<Disagreement>>,
    pub(crate) doubtful_lines: OnceCell<BTreeSet<u32>>,
    /// How many more rules are looked at for what makes a line needless.
    pub(crate) looks_left: Cell<usize>,
    diagnostics: OnceCell<Vec<Diagnostic>>,
}

impl<'a> File<'a> {
    pub(crate) fn new(
        bytes: &'a [u8],
        robots: &'a Robots,
        client: &'a Client,
        context: &'a Context,
    ) -> Self {
        let lines = robots.lines();
        let of_group = |members: &[usize]| -> Vec<Rule<'a>> {
            let lines = members.iter().filter_map(|at| lines.get(*at));
            lines.filter_map(|line| robots.rule(line)).collect()
        };
        let named = |members: &[usize]| -> Vec<Addressee<'a>> {
            let lines = members.iter().filter_map(|at| lines.get(*at));
            lines.filter_map(|line| robots.addressee(line)).collect()
        };
        let groups = robots.groups();
        Self {
            bytes,
            robots,
            client,
            context,
            rules: groups.iter().map(|group| of_group(&group.rules)).collect(),
            addressees: groups.iter().map(|group| named(&group.starters)).collect(),
            unused_rules: OnceCell::new(),
            differences: OnceCell::new(),
            disagreements: OnceCell::new(),
            doubtful_lines: OnceCell::new(),
            looks_left: Cell::new(MAX_LOOKS),
            diagnostics: OnceCell::new(),
        }
    }

    /// What the engine finds in the file itself.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        let found = || self.robots.diagnostics(self.client);
        self.diagnostics.get_or_init(found)
    }

    /// How robots that only follow RFC 9309 differ for a robot of group `group`: `for ExampleBot
    /// they allow /x`.
    pub(crate) fn effect_for_legacy(&self, group: usize) -> Option<String> {
        let addressees = self.addressees.get(group)?;
        let is_named = |agent: &str| {
            addressees.iter().any(|addressee| match addressee {
                Addressee::Anybody => agent == "*",
                Addressee::Token(token) => agent == *token,
                Addressee::Purpose(_) | Addressee::Nobody => false,
            })
        };
        let mut all = self.differences().iter();
        let one = all.find(|one| one.aware != one.legacy && is_named(&one.agent))?;
        let verb = if one.legacy { "allow" } else { "disallow" };
        Some(format!("for {} they {verb} {}", one.agent, one.path))
    }

    /// The rules for a robot, with what is documented about it.
    pub(crate) fn policy_of(&self, robot: &Robot) -> Option<Policy> {
        let policy = robot.policy(Profile::Careful, |client| self.robots.policy(client));
        policy.ok()
    }

    /// Whether a line is the first rule of its group.
    fn is_first_of_its_group(&self, line: &Line) -> bool {
        let group = line.group.and_then(|group| self.robots.groups().get(group));
        let first = group.and_then(|group| self.robots.lines().get(*group.rules.first()?));
        first.is_none_or(|first| first.number == line.number)
    }

    /// From key to value, without blanks and comment.
    pub(crate) fn statement(line: &Line) -> Span {
        line.field().map_or(line.span, |field| {
            Span::new(field.key.start, field.value.end.max(field.key.end))
        })
    }

    /// The decoded text.
    pub(crate) fn text(&self) -> &'a [u8] {
        self.robots.text().as_bytes()
    }

    /// The bytes of a span, quoted for a message.
    pub(crate) fn shown(&self, span: Span) -> String {
        abide::explain::shown(span.of(self.text()))
    }

    /// Every line that has a field, with its field.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'a Line, &'a Field)> {
        let lines = self.robots.lines().iter();
        lines.filter_map(|line| Some((line, line.field()?)))
    }

    /// The fields of a kind, with their values.
    pub(crate) fn fields_of(
        &self,
        kind: FieldKind,
    ) -> impl Iterator<Item = (&'a Line, &'a Field, &'a [u8])> {
        let text = self.text();
        let fields = self.fields().filter(move |(_, field)| field.kind == kind);
        fields.map(move |(line, field)| (line, field, field.value.of(text)))
    }

    /// The pattern of a rule, or the path before directives or preferences.
    pub(crate) fn pattern(&self, number: u32) -> Option<Span> {
        let field = self.line(number)?.field()?;
        if !matches!(field.kind, FieldKind::AppDirectives | FieldKind::Other) {
            return Some(field.value);
        }
        let mut bytes = field.value.of(self.text()).iter();
        let end = bytes.position(|byte| matches!(byte, b' ' | b'\t'));
        let end = end.and_then(|end| field.value.start.checked_add(u32::try_from(end).ok()?));
        Some(Span::new(field.value.start, end.unwrap_or(field.value.end)))
    }

    /// The line with this number.
    pub(crate) fn line(&self, number: u32) -> Option<&'a Line> {
        self.robots.lines().get((number as usize).checked_sub(1)?)
    }

    /// The whole line, its end included.
    pub(crate) fn whole(line: &Line) -> Span {
        let ending = line.ending.as_bytes().len();
        let end = u32::try_from(ending).unwrap_or_default();
        Span::new(line.span.start, line.span.end.saturating_add(end))
    }

    /// A fix that removes a rule and keeps its comment on a line of its own. `None` for the first
    /// rule of a group: without any rule, the group would merge with the next one.
    pub(crate) fn without(&self, line: &Line, safety: Safety) -> Option<Fix> {
        if self.is_first_of_its_group(line) {
            return None;
        }
        let span = match line.comment {
            Some(comment) => Span::new(line.span.start, comment.start),
            None => Self::whole(line),
        };
        Some(Fix::remove(safety, "remove the line", span))
    }
}
