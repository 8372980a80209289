//! Everything that the tables say about one file, computed once for equal bodies.

use crate::capture::Body;
use crate::options::{Options, WhatIf};
use crate::schema::{
    AcapRow, AgentRow, ChangeRow, DirectiveRow, FileRow, FindingRow, GroupRow, PreferenceRow,
    RobotRow, RuleRow, SitemapRow, Table,
};
use crate::what_if::{self, AskedRobot, asking};
use crate::words::{count, cut, text, words};
use abide::app::ValueType;
use abide::app::field::Directives;
use abide::preference::{Revision, Vocabulary};
use abide::rep::{Access, CrawlDelay};
use abide::syntax::{
    Addressee, Content, Encoding, FieldKind, ForeignBody, Inspect, Line, preference_vocabulary,
};
use abide::verdict::{Place, SelectedBy, Sense};
use abide::{
    Client, Limits, Outcome, Policy, ProductToken, Profile, PurposeToken, Reading, Robots,
    Severity, Target, Usage,
};
use abide_analysis::Bound;
use abide_analysis::compare::AccessSurvey;
use abide_analysis::matrix::{self, Category};
use abide_analysis::view::{self, SiteOutcomes};
use abide_analysis::{ShortAnswer, preferences};
use abide_known_robots::Robot;
use abide_lint::{Context, Finding, Linter};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What the tables say about a file.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Without the cells that differ between equal bodies.
    pub(crate) file: FileRow<'static>,
    /// One entry per robot, with one answer per path. They name neither.
    pub(crate) answers: Vec<Arc<[RobotRow<'static>]>>,
    pub(crate) groups: Vec<GroupRow<'static>>,
    pub(crate) agents: Vec<AgentRow<'static>>,
    pub(crate) rules: Vec<RuleRow<'static>>,
    pub(crate) findings: Vec<FindingRow<'static>>,
    pub(crate) sitemaps: Vec<SitemapRow<'static>>,
    pub(crate) directives: Vec<DirectiveRow<'static>>,
    pub(crate) acap: Vec<AcapRow<'static>>,
    pub(crate) preferences: Vec<PreferenceRow<'static>>,
    pub(crate) changes: Vec<ChangeRow<'static>>,
}

/// A robot that is asked about, prepared.
#[derive(Debug)]
struct SurveyedRobot {
    robot: Robot,
    /// The client that asks, with preferences. `None` if it depends on the file.
    client: Option<Client>,
    /// Every name that can make a difference for the robot, in lower case.
    names: Vec<String>,
    /// Robots with this number get the same answers from a file that has none of their names.
    kin: usize,
}

/// Computes facts.
#[derive(Debug)]
pub(crate) struct Analyst {
    robots: Vec<SurveyedRobot>,
    /// The purposes that every robot claims.
    purposes: Vec<PurposeToken>,
    paths: Vec<String>,
    profile: Profile,
    tables: BTreeSet<Table>,
    what_if: BTreeSet<WhatIf>,
    linter: Option<Linter>,
}

impl Analyst {
    pub(crate) fn new(options: &Options) -> Self {
        let mut kin: HashMap<String, usize> = HashMap::new();
        let robots = asked_robots(options);
        let surveyed = robots.map(|(_, _, robot)| SurveyedRobot::new(robot, options, &mut kin));
        let lints = options.tables.contains(&Table::Findings);
        Self {
            robots: surveyed.collect(),
            purposes: options.purposes.clone(),
            paths: options.paths.clone(),
            profile: options.profile,
            tables: options.tables.clone(),
            what_if: options.what_if.clone(),
            linter: lints.then(|| Linter::new().without_fixes()),
        }
    }

    fn needs(&self, table: Table) -> bool {
        self.tables.contains(&table)
    }

    /// The facts about a site without rules.
    pub(crate) fn without_rules(&self, access: Option<Access>, state: &'static str) -> Facts {
        let access = access.unwrap_or(Access::Unknown);
        let (class, is_exact, rest) = match access {
            Access::Unavailable(_) => ("open", true, "permitted"),
            Access::Unreachable(_) => ("closed", true, "prohibited"),
            _ => ("unknown", false, "unknown"),
        };
        let answers = self
            .robots
            .iter()
            .filter(|_| self.needs(Table::Robots))
            .map(|robot| {
                let client = robot.client.clone().unwrap_or_else(Client::unnamed);
                let policy = Policy::without_rules(access, &client);
                let answers = self.paths.iter().map(|path| RobotRow {
                    class: class.into(),
                    exact: is_exact,
                    rest: rest.into(),
                    ..answer(&policy, path, robot)
                });
                answers.collect::<Vec<_>>().into()
            });
        let none = self.linter.is_some().then_some(0);
        Facts {
            file: FileRow {
                state: state.into(),
                errors: none,
                warnings: none,
                infos: none,
                ..FileRow::default()
            },
            answers: answers.collect(),
            ..Facts::default()
        }
    }

    /// The facts about a file.
    pub(crate) fn facts(&self, body: &Body) -> Facts {
        let bytes = body.to_parse();
        let robots = Robots::parse_as(bytes, self.profile, Limits::default());
        let mut facts = Facts {
            file: FileRow {
                state: state(&robots, bytes, body.is_cut).into(),
                encoding: Some(encoding(&robots, bytes).into()),
                lines: count(robots.lines().len()),
                acap_lines: count(robots.acap_lines().count()),
                groups: count(robots.groups().len()),
                sitemaps: count(robots.sitemaps().count()),
                ..FileRow::default()
            },
            ..Facts::default()
        };
        for line in robots.lines() {
            count_line(&mut facts.file, &robots, line);
        }
        self.add_rules(&robots, &mut facts);
        if self.needs(Table::Agents) || self.needs(Table::Groups) {
            self.add_agents(&robots, &mut facts);
        }
        if self.needs(Table::Sitemaps) {
            facts.sitemaps = sitemaps(&robots);
        }
        if self.needs(Table::Directives) {
            facts.directives = directives(&robots);
        }
        if self.needs(Table::Preferences) && states_preferences(&facts.file) {
            facts.preferences = preference_rows(&robots);
        }
        if self.needs(Table::Acap) {
            facts.acap = acap(&robots);
        }
        if let Some(linter) = &self.linter {
            let text = robots.text().as_bytes();
            // The linter has one reading of a file.
            let context = Context::default();
            let found = match self.profile {
                Profile::Careful => linter.parsed(bytes, &robots, &context),
                _ => linter.robots_txt(bytes, &context),
            };
            let of = |severity| {
                let found = found.iter().filter(|one| one.severity() == severity);
                Some(count(found.count()))
            };
            facts.file.errors = of(Severity::Error);
            facts.file.warnings = of(Severity::Warning);
            facts.file.infos = of(Severity::Info);
            facts.findings = found.iter().map(|one| finding_row(one, text)).collect();
        }
        if self.needs(Table::Changes) {
            facts.changes = self.changes(&robots);
        }
        if self.needs(Table::Robots) {
            facts.answers = self.answers(&robots, states_preferences(&facts.file));
        }
        facts
    }

    fn changes(&self, robots: &Robots) -> Vec<ChangeRow<'static>> {
        let policies = self.robots.iter().map(|robot| {
            let policy = |reading| robot.policy_as(robots, self, Some(reading));
            (robot.robot.name(), policy)
        });
        let policies: Vec<_> = policies.collect();
        let asked = policies.iter();
        let asked: Vec<AskedRobot<'_>> = asked
            .map(|(name, policy)| (name.clone(), policy as &dyn Fn(Reading) -> Policy))
            .collect();
        let changes = self.what_if.iter();
        let changes = changes
            .flat_map(|one| what_if::changes(robots, *one, &asked, &self.purposes, &self.paths));
        changes.collect()
    }

    fn add_rules(&self, robots: &Robots, facts: &mut Facts) {
        for (number, group) in (0..).zip(robots.groups()) {
            let lines = |places: &[usize]| group_lines(robots, places);
            let mut rules = 0;
            for line in lines(&group.rules) {
                let Some(rule) = robots.rule(line) else {
                    continue;
                };
                if rule.pattern.is_err() {
                    continue;
                }
                rules += 1;
                let is_allow = rule.sense == abide::verdict::Sense::Allow;
                let is_wild = rule.value.contains(&b'*') || rule.value.ends_with(b"$");
                let file = &mut facts.file;
                file.allow_rules += i64::from(is_allow);
                file.disallow_rules += i64::from(!is_allow);
                file.longest_rule = file.longest_rule.max(count(rule.value.len()));
                file.wildcard_rules += i64::from(is_wild);
                if self.needs(Table::Rules) {
                    facts.rules.push(RuleRow {
                        group: number,
                        line: line.number.into(),
                        offset: line.span.start.into(),
                        field: if is_allow { "allow" } else { "disallow" }.into(),
                        pattern: text(rule.value).into(),
                    });
                }
            }
            if self.needs(Table::Groups) {
                let starters = lines(&group.starters);
                let others = lines(&group.others);
                facts.groups.push(GroupRow {
                    group: number,
                    rules,
                    ..group_row(robots, &starters, &others)
                });
            }
        }
    }

    /// Adds one row for each `User-agent` line, and what the robots of a group may crawl.
    fn add_agents(&self, robots: &Robots, facts: &mut Facts) {
        let mut access = NamedAccess::new(robots);
        for line in robots.lines() {
            let field = line.field();
            let Some(field) = field.filter(|field| field.kind == FieldKind::UserAgent) else {
                continue;
            };
            let token = named(robots, line);
            let crawling = token.as_deref().and_then(|token| access.of(line, token));
            let (class, rest) = crawling.unzip();
            let group = line.group.and_then(|group| facts.groups.get_mut(group));
            if let Some(group) = group.filter(|group| group.class.is_none()) {
                group.class = class.map(Into::into);
                group.rest = rest.map(Into::into);
            }
            if self.needs(Table::Agents) {
                let kind = token.as_deref().and_then(known_kind);
                facts.agents.push(AgentRow {
                    group: line.group.map(count),
                    line: line.number.into(),
                    offset: line.span.start.into(),
                    text: text(field.value.of(robots.text().as_bytes())).into(),
                    token: token.map(Into::into),
                    known: kind.is_some(),
                    kind: kind.map(Into::into),
                    class: class.map(Into::into),
                    rest: rest.map(Into::into),
                });
            }
        }
    }

    fn answers(&self, robots: &Robots, has_preferences: bool) -> Vec<Arc<[RobotRow<'static>]>> {
        let mut survey = AccessSurvey::new(robots, Bound::default());
        let addressed = addressed(robots);
        let mut unnamed: HashMap<usize, Arc<[RobotRow<'static>]>> = HashMap::new();
        let mut all = Vec::with_capacity(self.robots.len());
        for robot in &self.robots {
            let is_named = robot.names.is_empty()
                || robot
                    .names
                    .iter()
                    .any(|name| memchr::memmem::find(&addressed, name.as_bytes()).is_some());
            if let Some(answers) = unnamed.get(&robot.kin).filter(|_| !is_named) {
                all.push(Arc::clone(answers));
                continue;
            }
            let policy = robot.policy(robots, self);
            let (class, is_exact) = survey.class_of(&policy);
            let preferences =
                if has_preferences || Inspect::of(&policy).control_tokens().next().is_some() {
                    view::site_outcomes(&policy, robots)
                } else {
                    SiteOutcomes::default()
                };
            let preference = |usage| preferences.outcome(usage).name().into();
            let answers = self.paths.iter().map(|path| RobotRow {
                class: class.name().into(),
                exact: is_exact,
                rest: rest(&policy).into(),
                train: preference(Usage::Train),
                ai_input: preference(Usage::AiInput),
                search: preference(Usage::Search),
                ..answer(&policy, path, robot)
            });
            let answers: Arc<[_]> = answers.collect::<Vec<_>>().into();
            if !is_named {
                unnamed.insert(robot.kin, Arc::clone(&answers));
            }
            all.push(answers);
        }
        all
    }

    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }
}

/// The robots that are asked about: name, kind, and with which facts.
pub(crate) fn asked_robots(
    options: &Options,
) -> impl Iterator<Item = (String, Option<&'static str>, Robot)> {
    options.robots.iter().map(|robot| {
        let name = robot.name();
        let robot = robot.clone().with_any_name();
        let robot = if options.literal {
            robot.without_known_facts()
        } else {
            robot
        };
        let kind = known_kind(&name);
        (name, kind, robot)
    })
}

/// What a known robot is for.
fn known_kind(name: &str) -> Option<&'static str> {
    let known = abide_known_robots::named(name)?;
    Some(Category::of(known).name())
}

impl SurveyedRobot {
    fn new(robot: Robot, options: &Options, kin: &mut HashMap<String, usize>) -> Self {
        let seen = RefCell::new(Vec::new());
        let compiled = robot.policy(options.profile, |client| {
            let client = asking(client, &options.purposes);
            seen.borrow_mut().push(client.clone());
            Policy::without_rules(Access::Unknown, &client)
        });
        let clients = seen.into_inner();
        let tokens = clients.iter().flat_map(|client| {
            let tokens = client.product_tokens().iter().map(ProductToken::as_str);
            let controls = client.preferences().into_iter();
            let controls = controls.flat_map(|robots| &robots.control_tokens);
            tokens.chain(controls.map(|control| control.token.as_str()))
        });
        // A User-Agent line has many names, and the file says which counts.
        let has_line = robot.user_agent_line().is_some();
        let tokens = tokens.filter(|_| !has_line);
        let names: Vec<String> = tokens.map(str::to_ascii_lowercase).collect();
        // The google profile asks for one name after the other, depending on the file.
        let client = match clients.as_slice() {
            [only] if compiled.is_ok() && !has_line => Some(only.clone()),
            _ => None,
        };
        let alike = match &client {
            Some(client) => format!("{} {:?}", client.any_group(), client.preferences()),
            None => robot.name(),
        };
        let next = kin.len();
        Self {
            kin: *kin.entry(alike).or_insert(next),
            robot,
            client,
            names,
        }
    }

    fn policy(&self, robots: &Robots, analyst: &Analyst) -> Policy {
        self.policy_as(robots, analyst, None)
    }

    /// The rules in a reading.
    fn policy_as(&self, robots: &Robots, analyst: &Analyst, reading: Option<Reading>) -> Policy {
        let compile = |client: &Client| match reading {
            None => robots.policy(client),
            Some(reading) => robots.policy(&client.clone().with_reading(reading)),
        };
        if let Some(client) = &self.client {
            return compile(client);
        }
        let compile = |client: &Client| compile(&asking(client, &analyst.purposes));
        let compiled = self.robot.policy(analyst.profile, compile);
        // A name that no client can have finds no group.
        compiled.unwrap_or_else(|_| compile(&Client::unnamed()))
    }
}

/// What a policy answers about a path, without a class.
fn answer(policy: &Policy, path: &str, robots: &SurveyedRobot) -> RobotRow<'static> {
    let chosen = policy.chosen_groups();
    let by = chosen.first().map(|group| &group.by);
    let own = |token: &str| {
        let robot = robots.robot.in_file(policy);
        let mut names = robot.names().iter();
        names.any(|name| name.eq_ignore_ascii_case(token))
    };
    let answer = Target::new(path)
        .map(|target| ShortAnswer::new(policy.decide(&target).usages.crawl()))
        .ok();
    let outcome = answer
        .as_ref()
        .map_or(Outcome::Unknown, |answer| answer.outcome);
    let decided_by = answer.and_then(|answer| answer.decided_by);
    let rule = decided_by.and_then(|by| Some((by.line?, text(&by.statement))));
    let (line, rule) = rule.unzip();
    let unspecified = || Outcome::Unspecified.name().into();
    RobotRow {
        outcome: outcome.name().into(),
        group: by.map(|by| by.token().to_owned().into()),
        own_group: matches!(by, Some(SelectedBy::ProductToken(token)) if own(token)),
        line: line.map(Into::into),
        rule: rule.map(Into::into),
        delay: policy
            .crawl_delay()
            .map(|(delay, _)| delay.duration().as_secs_f64()),
        train: unspecified(),
        ai_input: unspecified(),
        search: unspecified(),
        ..RobotRow::default()
    }
}

/// Whether any line can state a preference.
const fn states_preferences(file: &FileRow<'_>) -> bool {
    file.content_usage + file.content_signal + file.licenses + file.control_tokens > 0
}

fn count_line(file: &mut FileRow<'_>, robots: &Robots, line: &Line) {
    let Some(field) = line.field() else {
        return;
    };
    let bytes = robots.text().as_bytes();
    match field.kind {
        FieldKind::CrawlDelay => {
            file.crawl_delays += 1;
            file.crawl_delay_max = longer(file.crawl_delay_max, delay(robots, line));
        }
        FieldKind::UserAgentPurpose => file.purpose_lines += 1,
        FieldKind::AppDirectives => file.app_directive_lines += 1,
        FieldKind::UserAgent => {
            let names_one = preferences::named_token(robots, line).is_some();
            file.control_tokens += i64::from(names_one);
        }
        FieldKind::Other => match preference_vocabulary(field.key.of(bytes)) {
            Some(Vocabulary::ContentUsage) => file.content_usage += 1,
            Some(Vocabulary::ContentSignal) => file.content_signal += 1,
            Some(Vocabulary::Rsl) => file.licenses += 1,
            Some(_) => {}
            None => file.unknown_fields += 1,
        },
        _ => {}
    }
}

fn finding_row(finding: &Finding, text: &[u8]) -> FindingRow<'static> {
    let has_place = finding.line.is_some();
    let (column, _) = finding.span.columns(text);
    FindingRow {
        code: finding.rule.code().into(),
        severity: finding.severity().name().into(),
        line: finding.line.map(Into::into),
        column: has_place.then(|| count(column)),
        offset: has_place.then(|| finding.span.start.into()),
        message: finding.message.clone(),
    }
}

/// The text of the lines that can address a robot, in lower case.
fn addressed(robots: &Robots) -> Vec<u8> {
    let bytes = robots.text().as_bytes();
    let mut text = Vec::new();
    for line in robots.lines() {
        let is_other = |kind| {
            !matches!(
                kind,
                FieldKind::Allow | FieldKind::Disallow | FieldKind::Sitemap | FieldKind::CrawlDelay
            )
        };
        if line.field().is_some_and(|field| is_other(field.kind)) {
            text.extend(line.span.of(bytes).iter().map(u8::to_ascii_lowercase));
            text.push(b'\n');
        }
    }
    text
}

fn state(robots: &Robots, bytes: &[u8], is_cut: bool) -> &'static str {
    let body = bytes.trim_ascii_start();
    let is_image = [
        &b"\x89PNG"[..],
        b"\xff\xd8\xff",
        b"GIF8",
        b"RIFF",
        b"\0\0\x01\0",
    ];
    let mut lines = robots.lines().iter();
    let has_robots = !robots.groups().is_empty();
    match () {
        () if robots.foreign_body() == Some(ForeignBody::Html) => "html",
        () if robots.foreign_body() == Some(ForeignBody::Sitemap) => "no-fields",
        () if robots.foreign_body().is_some() => "compressed",
        () if !has_robots && is_image.iter().any(|magic| bytes.starts_with(magic)) => "image",
        () if !has_robots && matches!(body.first(), Some(b'{' | b'[')) => "json",
        () if is_cut || robots.text().is_truncated() => "cut",
        () if lines.all(|line| line.content == Content::Blank) => "empty",
        () if robots.lines().iter().all(|line| {
            line.field()
                .is_none_or(|field| field.kind == FieldKind::Other && !robots.is_preference(line))
        }) =>
        {
            "no-fields"
        }
        () => "rules",
    }
}

fn encoding(robots: &Robots, bytes: &[u8]) -> &'static str {
    match robots.text().encoding() {
        Encoding::Utf16Le => "utf-16le",
        Encoding::Utf16Be => "utf-16be",
        Encoding::NotUtf8 => "not-utf-8",
        _ if bytes.starts_with(b"\xef\xbb\xbf") => "utf-8-bom",
        _ => "utf-8",
    }
}

/// The path of a page that no file mentions.
const REST: &str = "/x7f3q9kd";

/// What a file says about pages that it does not mention.
fn rest(policy: &Policy) -> &'static str {
    let outcome = if policy.allows(REST) {
        Outcome::Permitted
    } else {
        Outcome::Prohibited
    };
    outcome.name()
}

/// How many bytes of a file are read for the robots that it names, over all of them: a file can
/// name a hundred thousand.
const MAX_NAMED_BYTES: usize = 64 << 20;

/// What each robot may crawl that a file names, by its name alone.
struct NamedAccess<'r> {
    robots: &'r Robots,
    survey: AccessSurvey<'r>,
    /// The groups of each token, in lower case.
    groups: HashMap<String, Vec<usize>>,
    known: HashMap<NameKey, (&'static str, &'static str)>,
    bytes: usize,
}

/// What a name is answered by: the groups that have exactly this token, or else the name.
#[derive(PartialEq, Eq, Hash)]
enum NameKey {
    Groups(Vec<usize>),
    Name(String),
}

impl<'r> NamedAccess<'r> {
    fn new(robots: &'r Robots) -> Self {
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        for line in robots.lines() {
            if let (Some(token), Some(group)) = (Self::token(robots, line), line.group) {
                let own = groups.entry(token.to_ascii_lowercase()).or_default();
                if own.last() != Some(&group) {
                    own.push(group);
                }
            }
        }
        Self {
            robots,
            survey: AccessSurvey::new(robots, Bound::default()),
            groups,
            known: HashMap::new(),
            bytes: 0,
        }
    }

    /// The token that the engine compares.
    fn token(robots: &'r Robots, line: &Line) -> Option<&'r str> {
        match robots.addressee(line)? {
            Addressee::Anybody => Some("*"),
            Addressee::Token(token) => Some(token),
            _ => None,
        }
    }

    /// The class, and the rest, of the robot that a line names.
    fn of(&mut self, line: &Line, name: &str) -> Option<(&'static str, &'static str)> {
        let token = Self::token(self.robots, line);
        let token = token.filter(|token| token.eq_ignore_ascii_case(name));
        let lower = name.to_ascii_lowercase();
        let own = token.and_then(|_| self.groups.get(&lower));
        let key = match own {
            Some(groups) => NameKey::Groups(groups.clone()),
            None => NameKey::Name(lower),
        };
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        self.bytes += self.robots.text().as_bytes().len();
        if self.bytes > MAX_NAMED_BYTES {
            return None;
        }
        let client = match name {
            "*" => Client::unnamed(),
            name => Client::new(ProductToken::nonstandard(name).ok()?),
        };
        let policy = self.robots.policy(&client);
        let (class, _) = self.survey.class_of(&policy);
        let found = (class.name(), rest(&policy));
        self.known.insert(key, found);
        Some(found)
    }
}

/// The lines at these places.
fn group_lines<'r>(robots: &'r Robots, places: &[usize]) -> Vec<&'r Line> {
    let lines = places.iter().filter_map(|at| robots.lines().get(*at));
    lines.collect()
}

/// The robots that these lines name.
fn names(robots: &Robots, starters: &[&Line]) -> String {
    let names = starters.iter().filter_map(|line| named(robots, line));
    names.collect::<Vec<_>>().join(" ")
}

/// The robot that a line names; `*` for every other one.
fn named(robots: &Robots, line: &Line) -> Option<String> {
    match robots.addressee(line)? {
        Addressee::Anybody => Some("*".to_owned()),
        _ => matrix::named_robot(robots, line),
    }
}

/// A group, without its number and the number of its rules.
fn group_row(robots: &Robots, starters: &[&Line], others: &[&Line]) -> GroupRow<'static> {
    let first = starters.first();
    let delays = others.iter().filter_map(|line| delay(robots, line));
    GroupRow {
        line: first.map_or(0, |line| line.number.into()),
        offset: first.map_or(0, |line| line.span.start.into()),
        names: names(robots, starters).into(),
        crawl_delay: delays.fold(None, |longest, delay| longer(longest, Some(delay))),
        ..GroupRow::default()
    }
}

fn sitemaps(robots: &Robots) -> Vec<SitemapRow<'static>> {
    let sitemaps = robots.sitemaps().map(|(line, url)| {
        let shown = text(url);
        SitemapRow {
            line: line.number.into(),
            offset: line.span.start.into(),
            valid: abide_fetch::RequestUrl::new(&shown).is_ok(),
            sitemap: shown.into(),
        }
    });
    sitemaps.collect()
}

/// The directives of the lines that can be read, in file order.
fn directives(robots: &Robots) -> Vec<DirectiveRow<'static>> {
    let bytes = robots.text().as_bytes();
    let mut rows = Vec::new();
    for line in robots.lines() {
        let field = line.field();
        let field = field.filter(|field| field.kind == FieldKind::AppDirectives);
        let read = field.and_then(|field| Directives::read(field.value.of(bytes)));
        let Some(read) = read else { continue };
        for (application, directives) in read.applications {
            let own = DirectiveRow {
                group: line.group.map(count),
                line: line.number.into(),
                offset: line.span.start.into(),
                path: read.path.map(|path| cut(text(path)).into()),
                application: cut(application).into(),
                ..DirectiveRow::default()
            };
            if directives.is_empty() {
                rows.push(own.clone());
            }
            rows.extend(directives.into_iter().map(|(name, value)| DirectiveRow {
                name: Some(name.into()),
                value_type: Some(ValueType::of(&value).name().into()),
                value: Some(value.to_string().into()),
                ..own.clone()
            }));
        }
    }
    rows
}

/// What the lines with AI preferences say, in file order.
fn preference_rows(robots: &Robots) -> Vec<PreferenceRow<'static>> {
    let mut rows = Vec::new();
    let mut last: Option<(usize, String)> = None;
    for line in robots.lines() {
        let Some(found) = robots.preference_statement(line, Revision::latest()) else {
            continue;
        };
        if let Some(group) = line.group
            && last.as_ref().is_none_or(|(known, _)| *known != group)
        {
            let starters = robots.groups().get(group).map(|group| &*group.starters);
            let starters = group_lines(robots, starters.unwrap_or_default());
            last = Some((group, cut(names(robots, &starters))));
        }
        let own_group = |(known, _): &&(usize, String)| Some(*known) == line.group;
        let names = last
            .as_ref()
            .filter(own_group)
            .map(|(_, names)| names.clone());
        let own = PreferenceRow {
            found_in: "robots.txt".into(),
            path: found.path.map(|path| cut(text(path)).into()),
            readable: found.says.is_readable,
            group: line.group.map(count),
            names: names.map(Into::into),
            line: Some(line.number.into()),
            offset: Some(line.span.start.into()),
            ..PreferenceRow::default()
        };
        rows.extend(words(found.vocabulary, ("license", found.statement), &own));
    }
    rows
}

/// What the ACAP records say, in file order.
fn acap(robots: &Robots) -> Vec<AcapRow<'static>> {
    let bytes = robots.text().as_bytes();
    let value = |place: Place| {
        let field = place.span.of(bytes);
        let colon = field.iter().position(|byte| *byte == b':');
        let value = colon.and_then(|colon| field.get(colon + 1..));
        text(value.unwrap_or_default().trim_ascii())
    };
    let rows = robots.acap_statements().into_iter().map(|statement| {
        let mut qualifiers = String::new();
        for condition in statement.conditions {
            let separator = if qualifiers.is_empty() { "" } else { ", " };
            qualifiers = cut(format!("{qualifiers}{separator}{condition}"));
        }
        let written = value(statement.place);
        let resource = written.split([' ', '\t']).next().unwrap_or_default();
        AcapRow {
            line: statement.place.line.into(),
            offset: statement.place.span.start.into(),
            record: statement.crawler.line.into(),
            usage: statement.usage.name().into(),
            effect: match (statement.sense, statement.is_valid) {
                (Sense::Disallow, _) => "prohibition",
                (Sense::Allow, true) => "permission",
                (Sense::Allow, false) => "void",
            }
            .into(),
            qualifiers: (!qualifiers.is_empty()).then(|| qualifiers.into()),
            resource: resource.to_owned().into(),
        }
    });
    rows.collect()
}

fn delay(robots: &Robots, line: &Line) -> Option<f64> {
    let field = line
        .field()
        .filter(|field| field.kind == FieldKind::CrawlDelay)?;
    let delay = CrawlDelay::read(field.value.of(robots.text().as_bytes()))?;
    Some(delay.duration().as_secs_f64())
}

fn longer(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}
