//! Writes robots tags in another form (TAG-3, TAG-7, TAG-22, TAG-24, TAG-25, TAG-39, AMB-TAG-3,
//! AMB-TAG-4, AMB-TAG-18).

use super::{Conversion, ConversionFinding, Loss, MAX_OF_A_KIND};
use abide::explain::misleads;
use abide::preference::PreferenceProfile;
use abide::tag::{
    Binding, FieldLine, Meta, RuleKind, Scope, StatedRule, Statement, TagPlace, header,
};
use abide::verdict::Source;
use abide::write::{RobotsTagWriter, WriteError};
use abide::{Client, ProductToken};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// The forms of robots tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TagForm {
    /// A `Robots-Tag` field: one structured list.
    RobotsTag,
    /// `X-Robots-Tag` fields: one line for all robots, and one for each product token. Deprecated.
    XRobotsTag,
    /// Robots meta elements of a page.
    Meta,
}

/// Writes `statements` in the form `to`. The result is read again: if it does not bind every client
/// that `statements` name, and one that they do not, by the same rules, it is refused. Rules that
/// permit are left out, and `none` is written as the two rules that it means.
///
/// ```
/// use abide::tag::{FieldLine, header};
/// use abide_analysis::convert::{TagForm, tags};
/// let value = "noindex, ExampleBot: nosnippet, max-snippet: 10";
/// let fields = [FieldLine::new("X-Robots-Tag", value)];
/// let (statements, _) = header::read(&fields);
/// assert_eq!(
///     tags(&statements, TagForm::RobotsTag).text(),
///     Some("Robots-Tag: *;noindex, examplebot;nosnippet;max-snippet=10\n")
/// );
/// assert_eq!(
///     tags(&statements, TagForm::Meta).text(),
///     Some(
///         "<meta name=\"robots\" content=\"noindex\">\n\
///          <meta name=\"examplebot\" content=\"nosnippet, max-snippet:10\">\n"
///     )
/// );
/// ```
#[must_use]
pub fn tags(statements: &[Statement], to: TagForm) -> Conversion {
    let mut findings = Vec::new();
    let bound = bound(statements, &mut findings);
    let written = match to {
        TagForm::RobotsTag => fields("Robots-Tag", &bound, |writer| {
            Ok(vec![writer.robots_tag()?])
        }),
        TagForm::XRobotsTag => {
            let message =
                "X-Robots-Tag is deprecated by draft-illyes-repext: write Robots-Tag as well";
            findings.push(ConversionFinding::warning(Loss::Deprecated, None, message));
            fields("X-Robots-Tag", &bound, RobotsTagWriter::x_robots_tag)
        }
        TagForm::Meta => Ok(meta(&bound)),
    };
    let text = match written {
        Ok((text, again)) => {
            findings.extend(prove(statements, &again));
            text
        }
        Err(error) => {
            findings.push(ConversionFinding::refusal(
                Loss::Value,
                None,
                error.to_string(),
            ));
            String::new()
        }
    };
    Conversion::new(text, findings)
}

/// Rules by whom they bind; only rules that restrict something, each once.
type BindingRules = Vec<(Scope, Vec<StatedRule>)>;

fn bound(statements: &[Statement], findings: &mut Vec<ConversionFinding>) -> BindingRules {
    let mut bound: Vec<(Scope, OwnRules)> = Vec::new();
    let mut places = HashMap::new();
    for statement in statements {
        let Some(scope) = reached(&statement.scope, findings) else {
            continue;
        };
        let at = *places.entry(scope).or_insert_with_key(|scope| {
            bound.push((scope.clone(), OwnRules::default()));
            bound.len() - 1
        });
        let Some((_, own)) = bound.get_mut(at) else {
            continue;
        };
        for rule in &statement.rules {
            for rule in spoken(rule, findings) {
                own.add(rule);
            }
        }
    }
    let bound = bound.into_iter().map(|(scope, own)| (scope, own.rules));
    bound.filter(|(_, rules)| !rules.is_empty()).collect()
}

/// The rules for the robots of one scope, in order.
#[derive(Default)]
struct OwnRules {
    rules: Vec<StatedRule>,
    /// Where the first rule of a name is, and the values that were stated: a page can have
    /// thousands.
    by_name: BTreeMap<String, (usize, BTreeSet<Option<String>>)>,
}

impl OwnRules {
    fn add(&mut self, rule: StatedRule) {
        let known = self.by_name.entry(rule.name.clone());
        let (at, values) = known.or_insert_with(|| (self.rules.len(), BTreeSet::new()));
        if !values.insert(rule.value.clone()) {
            return;
        }
        let own = self.rules.get_mut(*at);
        match own.and_then(|own| Some((stricter(own, &rule)?, own))) {
            Some((stricter, own)) => *own = stricter,
            None => self.rules.push(rule),
        }
    }
}

/// Whom a scope reaches, without what no robot compares with its name. `None` if it is nobody.
fn reached(scope: &Scope, findings: &mut Vec<ConversionFinding>) -> Option<Scope> {
    let Scope::Token(name) = scope else {
        return Some(scope.clone());
    };
    if clients(name).is_empty() {
        let message = format!("{name} is not a product token: its rules apply to no robot");
        findings.push(ConversionFinding::warning(Loss::Name, None, message));
        return None;
    }
    Some(Scope::Token(word(name).to_owned()))
}

/// The stricter of two rules of one name, which is the one that counts (AMB-TAG-12). `None` if it
/// is unknown what they mean.
fn stricter(one: &StatedRule, other: &StatedRule) -> Option<StatedRule> {
    let both = [one.clone(), other.clone()];
    let value = meant(both.into())?.remove(&one.name)?;
    Some(StatedRule::new(&one.name, value))
}

/// What rules for all robots mean to a client that also asks for AI preferences.
fn meant(rules: Vec<StatedRule>) -> Option<BTreeMap<String, Option<String>>> {
    let place = TagPlace::Element { offset: 0 };
    let statement = Statement::new(Source::Meta, place, Scope::Everyone, rules, String::new());
    let client = clients(UNNAMED).pop()?;
    let client = client.with_preferences(PreferenceProfile::default());
    Some(Binding::new([&statement], &client).rules)
}

/// A product token for robots that no tag names.
const UNNAMED: &str = "unnamed";

/// The rules that a stated rule means.
fn spoken(rule: &StatedRule, findings: &mut Vec<ConversionFinding>) -> Vec<StatedRule> {
    let name = &rule.name;
    match RuleKind::of(name) {
        RuleKind::Positive => {
            let message = format!("{name} permits, and tags can only restrict: it is dropped");
            findings.push(ConversionFinding::warning(
                Loss::PositiveRule,
                None,
                message,
            ));
            Vec::new()
        }
        // A rule about AI, such as `noai`.
        RuleKind::Unknown
            if meant(vec![rule.clone()]).is_some_and(|known| known.contains_key(name)) =>
        {
            vec![rule.clone()]
        }
        RuleKind::Unknown => {
            let message =
                format!("unknown rule {name}; it may mean something else in another form");
            findings.push(ConversionFinding::warning(Loss::UnknownRule, None, message));
            vec![rule.clone()]
        }
        RuleKind::Vendor if name == "none" => {
            let each = ["noindex", "nofollow"].into_iter();
            each.map(|name| StatedRule::new(name, None)).collect()
        }
        _ => vec![rule.clone()],
    }
}

/// The result, and its statements when it is read again.
type Again = (String, Vec<Statement>);

/// Writes the fields that a writer makes of the rules, if there are any.
fn fields(
    name: &str,
    bound: &BindingRules,
    write: impl Fn(&RobotsTagWriter) -> Result<Vec<String>, WriteError>,
) -> Result<Again, WriteError> {
    let stated = bound
        .iter()
        .flat_map(|(scope, rules)| rules.iter().map(move |rule| (scope, rule)));
    let writer = stated.fold(RobotsTagWriter::new(), |writer, (scope, rule)| {
        writer.with_rule(scope.clone(), rule.clone())
    });
    let values = if bound.is_empty() {
        Vec::new()
    } else {
        write(&writer)?
    };
    let fields: Vec<_> = values
        .iter()
        .map(|value| FieldLine::new(name, value.as_bytes()))
        .collect();
    let lines: String = values.iter().fold(String::new(), |mut text, value| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name}: {value}");
        text
    });
    Ok((lines, header::read(&fields).0))
}

/// Rules separated by commas.
fn list(rules: &[StatedRule], colon: &str) -> String {
    let rules: Vec<String> = rules
        .iter()
        .map(|rule| match &rule.value {
            Some(value) => format!("{}{colon}{value}", rule.name),
            None => rule.name.clone(),
        })
        .collect();
    rules.join(", ")
}

fn meta(bound: &BindingRules) -> Again {
    let (mut text, mut statements) = (String::new(), Vec::new());
    for (scope, rules) in bound {
        let name = match scope {
            Scope::Token(name) => name,
            _ => "robots",
        };
        let content = list(rules, ":");
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "<meta name=\"{}\" content=\"{}\">",
            escaped(name),
            escaped(&content)
        );
        let meta = Meta {
            name: name.to_owned(),
            content,
            offset: 0,
        };
        statements.push(meta.statement(Source::Meta));
    }
    (text, statements)
}

/// The value of an attribute. Characters that act on a terminal or mislead a reader are written as
/// references, which mean the same.
fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => value.push_str("&amp;"),
            '"' => value.push_str("&quot;"),
            '<' => value.push_str("&lt;"),
            c if misleads(c) => {
                // Writing to a String cannot fail.
                let _ = write!(value, "&#x{:x};", u32::from(c));
            }
            c => value.push(c),
        }
    }
    value
}

/// Findings for clients that the result binds differently.
///
/// A page can name thousands of robots, so each robot is compared by its own statements. If these
/// did not change, and the statements for all robots did not either, nothing changed for the robot.
fn prove(before: &[Statement], after: &[Statement]) -> Vec<ConversionFinding> {
    let sides = [before, after].map(ByName::of);
    let everyone = sides.each_ref().map(|side| side.everyone.as_slice());
    let unnamed = clients(UNNAMED);
    let changed_for_all = unnamed
        .iter()
        .find_map(|client| changed(everyone, client, UNNAMED));
    let mut known = BTreeSet::new();
    let mut findings = Vec::from_iter(changed_for_all.clone().map(refusal));
    for name in before.iter().chain(after).filter_map(token) {
        if findings.len() > MAX_OF_A_KIND {
            break;
        }
        let mut clients = clients(name);
        clients.retain(|client| known.insert(keys(client).collect::<Vec<_>>()));
        let message = clients.iter().find_map(|client| {
            let own = sides.each_ref().map(|side| side.own(client));
            let own_changed = changed(own.each_ref().map(Vec::as_slice), client, name);
            if changed_for_all.is_none() && own_changed.is_none() {
                return None;
            }
            let all = [0, 1].map(|at| [everyone[at], &own[at]].concat());
            changed(all.each_ref().map(Vec::as_slice), client, name)
        });
        findings.extend(message.map(refusal));
    }
    findings
}

fn refusal(message: String) -> ConversionFinding {
    ConversionFinding::refusal(Loss::Value, None, message)
}

/// The name of the robots that a statement is for, if it is not for all.
fn token(statement: &Statement) -> Option<&str> {
    match &statement.scope {
        Scope::Token(name) => Some(name),
        _ => None,
    }
}

/// Statements by whom they may bind.
struct ByName<'s> {
    everyone: Vec<&'s Statement>,
    /// In lower case: the token at the beginning of the name, and its first word.
    named: BTreeMap<String, Vec<&'s Statement>>,
}

impl<'s> ByName<'s> {
    fn of(statements: &'s [Statement]) -> Self {
        let mut by_name = Self {
            everyone: Vec::new(),
            named: BTreeMap::new(),
        };
        for statement in statements {
            let Some(name) = token(statement) else {
                by_name.everyone.push(statement);
                continue;
            };
            let keys = [leading_token(name), word(name)].map(str::to_ascii_lowercase);
            for key in BTreeSet::from(keys) {
                by_name.named.entry(key).or_default().push(statement);
            }
        }
        by_name
    }

    /// The statements of which some bind `client`, and no others of those for named robots do.
    fn own(&self, client: &Client) -> Vec<&'s Statement> {
        let named = keys(client).filter_map(|key| self.named.get(&key));
        named.flatten().copied().collect()
    }
}

/// The product tokens of a client in lower case.
fn keys(client: &Client) -> impl Iterator<Item = String> {
    let tokens = client.product_tokens().iter();
    tokens.map(|token| token.as_str().to_ascii_lowercase())
}

/// The clients that a name may mean: those of the token at its beginning, and of its first word
/// (AMB-REP-6, AMB-REP-7).
fn clients(name: &str) -> Vec<Client> {
    let tokens = [
        ProductToken::new(leading_token(name)),
        ProductToken::nonstandard(word(name)),
    ];
    tokens.into_iter().flatten().map(Client::new).collect()
}

/// The product token at the beginning of a name; empty without one.
fn leading_token(name: &str) -> &str {
    let ends = |c: char| !(c.is_ascii_alphabetic() || matches!(c, '-' | '_'));
    name.split(ends).next().unwrap_or_default()
}

/// The first word of a name.
fn word(name: &str) -> &str {
    name.split([' ', '\t', '/']).next().unwrap_or_default()
}

/// What changes for a client of the robot `name`, in words, from some statements to others.
fn changed(statements: [&[&Statement]; 2], client: &Client, name: &str) -> Option<String> {
    let [own, other] = statements.map(|all| Binding::new(all.iter().copied(), client));
    let name = match name {
        UNNAMED => "robots that no tag names",
        name => name,
    };
    let mut rules = own.rules.iter();
    if let Some((rule, _)) = rules.find(|(rule, value)| other.rules.get(*rule) != Some(*value)) {
        return Some(format!("the other form cannot express {rule} for {name}"));
    }
    let same = own.rules == other.rules && own.unknown == other.unknown;
    (!same).then(|| format!("the other form would mean something else for {name}"))
}
