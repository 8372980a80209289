//! `group-boundary-divergence`: App-Directives or Content-Usage that end a group for some parsers
//! only.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::preference::Vocabulary;
use abide::syntax::{Addressee, FieldKind, Line};
use abide::{Client, Code, ProductToken, Robots, Severity};
use abide_analysis::sample;

pub(crate) static RULE: Rule = Rule::new(
    "group-boundary-divergence",
    Severity::Error,
    include_str!("group_boundary_divergence.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    of_directives(file, found);
    of_content_usage(file, found);
}

fn of_directives(file: &File<'_>, found: &mut Findings) {
    let kind = |at: &usize| {
        file.robots
            .lines()
            .get(*at)?
            .field()
            .map(|field| field.kind)
    };
    let groups = file.robots.groups();
    for (at, (group, next)) in groups.iter().zip(groups.iter().skip(1)).enumerate() {
        let has_directives = group
            .rules
            .iter()
            .any(|at| kind(at) == Some(FieldKind::AppDirectives));
        let has_rules = group
            .rules
            .iter()
            .any(|at| kind(at) != Some(FieldKind::AppDirectives));
        let starter = next
            .starters
            .first()
            .and_then(|at| file.robots.lines().get(*at));
        let (true, false, Some(starter)) = (has_directives, has_rules, starter) else {
            continue;
        };
        if let Some(diagnostic) = file.effect_for_legacy(at) {
            let message = format!(
                "robots that do not know App-Directives do not end a group here: {diagnostic}, which this group does not say"
            );
            found.say(Some(starter.number), starter.span, message);
        }
    }
}

/// Groups that only a `Content-Usage` line divides (AMB-PREF-1). The draft that defines it calls it
/// a rule, so that it ends a group.
fn of_content_usage(file: &File<'_>, found: &mut Findings) {
    /// How many groups are looked at. Hardly any file has one.
    const MAX_GROUPS: usize = 8;
    let reported = file.diagnostics().iter();
    let divided = reported.filter(|one| one.code == Code::PreferenceOnlyGroup);
    let starters = divided.filter_map(|one| file.line(one.line?));
    for starter in starters
        .filter(|line| follows_content_usage(file, line))
        .take(MAX_GROUPS)
    {
        if let Some(effect) = effect_of_end(file, starter) {
            let message = format!(
                "robots that take Content-Usage for a rule, as its draft does, begin a group here: {effect}"
            );
            found.say(Some(starter.number), starter.span, message);
        }
    }
}

/// Whether a `Content-Usage` line is between a line that starts a group and the one before it.
fn follows_content_usage(file: &File<'_>, starter: &Line) -> bool {
    let lines = file.robots.lines().iter().rev();
    let above = lines.skip_while(|line| line.number >= starter.number);
    let is_starter = |line: &&Line| {
        let kind = line.field().map(|field| field.kind);
        matches!(
            kind,
            Some(FieldKind::UserAgent | FieldKind::UserAgentPurpose)
        )
    };
    let mut between = above.take_while(|line| !is_starter(line));
    between.any(|line| {
        let stated = file.preference(line);
        stated.is_some_and(|at| at.stated.vocabulary == Vocabulary::ContentUsage)
    })
}

/// A robot and a path that get another answer if a group ends before `starter`.
fn effect_of_end(file: &File<'_>, starter: &Line) -> Option<String> {
    /// How many robots and paths are asked about.
    const MAX_QUESTIONS: usize = 16;
    let at = starter.span.start as usize;
    let (before, after) = file.text().split_at_checked(at)?;
    let ended = Robots::parse([before, b"Allow:\n", after].concat());
    let group = starter.group?;
    let rules = file.rules.get(group)?.iter().take(MAX_QUESTIONS);
    let patterns = rules.filter_map(|rule| rule.pattern.as_ref().ok());
    let paths: Vec<_> = patterns.filter_map(sample::matching).collect();
    let names = file.addressees.get(group)?.iter().take(MAX_QUESTIONS);
    names.into_iter().find_map(|name| {
        let (shown, client) = match name {
            Addressee::Anybody => ("*", Client::unnamed()),
            Addressee::Token(token) => (*token, Client::new(ProductToken::new(token).ok()?)),
            Addressee::Purpose(_) | Addressee::Nobody => return None,
        };
        let (own, other) = (file.robots.policy(&client), ended.policy(&client));
        let path = paths
            .iter()
            .find(|path| own.allows(path) != other.allows(path))?;
        let (own, other) = if own.allows(path) {
            ("allow", "disallow")
        } else {
            ("disallow", "allow")
        };
        Some(format!(
            "for {shown} they {other} {path}, which robots that follow RFC 9309 {own}"
        ))
    })
}
