//! What `abide::write` writes reads back as what it was given, without a finding.

use abide::app::DirectiveValue;
use abide::app::field::Directives;
use abide::preference::{PreferenceProfile, Revision};
use abide::syntax::{FieldKind, Line};
use abide::tag::{FieldLine, Scope, StatedRule, header};
use abide::verdict::Sense;
use abide::write::{DirectivesWriter, GroupWriter, PreferenceWriter, RobotsTagWriter, WriteFault};
use abide::{Client, Code, ProductToken, PurposeToken, Robots, Usage};
use abide_testkit::preference_files::Dice;

/// How many models are written.
const MODELS: usize = 3_000;

/// Names and texts that grammars allow and writers could get wrong.
const ROBOTS: [&str; 7] = [
    "examplebot",
    "b",
    "example-bot_news",
    "mj12bot",
    "80legs",
    "archive.org_bot",
    "-x",
];
const RULES: [&str; 6] = [
    "noindex",
    "nosnippet",
    "nofollow",
    "noarchive",
    "x-own.rule_1",
    "*",
];
const TEXTS: [&str; 9] = ["", "x", "a b", "\"", "\\", "é", "?1", "-0", "007"];

fn text(dice: &mut Dice) -> String {
    const PIECES: [&str; 12] = ["a", "Z", "0", "-", ".", " ", "\"", "\\", ";", ",", "=", "%"];
    (0..dice.below(6)).map(|_| dice.pick(&PIECES)).collect()
}

fn number(dice: &mut Dice) -> i64 {
    let number = i64::try_from(dice.below(999_999_999_999_999)).unwrap();
    let number = if dice.chance(50) {
        number % 100
    } else {
        number
    };
    if dice.chance(30) { -number } else { number }
}

fn path(dice: &mut Dice) -> String {
    const PIECES: [&str; 8] = ["a", "/", "*", "%20", "?", "=", "é", "$"];
    let rest: String = (0..dice.below(6)).map(|_| dice.pick(&PIECES)).collect();
    format!("/{rest}")
}

/// Some of these, each once, in another order.
fn some<T: Copy>(of: &[T], dice: &mut Dice) -> Vec<T> {
    let mut left = of.to_vec();
    let count = 1 + dice.below(of.len());
    (0..count)
        .map(|_| left.remove(dice.below(left.len())))
        .collect()
}

type Tags = Vec<(Scope, Vec<StatedRule>)>;

fn tags(dice: &mut Dice) -> Tags {
    let mut tags = Tags::new();
    for name in some(
        &[
            "*", ROBOTS[0], ROBOTS[1], ROBOTS[2], ROBOTS[3], ROBOTS[4], ROBOTS[5], ROBOTS[6],
        ],
        dice,
    ) {
        let scope = match name {
            "*" => Scope::Everyone,
            name => Scope::Token(name.to_owned()),
        };
        let rules = some(&RULES, dice).into_iter();
        let mut rules: Vec<_> = rules
            .map(|name| {
                let has_value = name == "x-own.rule_1";
                StatedRule::new(name, has_value.then(|| text(dice)))
            })
            .collect();
        if dice.chance(50) {
            let value = number(dice).to_string();
            rules.push(StatedRule::new("max-snippet", Some(value)));
        }
        tags.push((scope, rules));
    }
    tags
}

fn writer(tags: &Tags) -> RobotsTagWriter {
    let rules = tags
        .iter()
        .flat_map(|(scope, rules)| rules.iter().map(move |rule| (scope, rule)));
    rules.fold(RobotsTagWriter::new(), |writer, (scope, rule)| {
        writer.with_rule(scope.clone(), rule.clone())
    })
}

#[test]
fn robots_tags() {
    let mut dice = Dice::new(11);
    for _ in 0..MODELS {
        let tags = tags(&mut dice);
        let value = writer(&tags).robots_tag().unwrap();
        let (read, findings) = header::read(&[FieldLine::new("Robots-Tag", &*value)]);
        let read: Tags = read.into_iter().map(|one| (one.scope, one.rules)).collect();
        assert_eq!(read, tags, "{value}");
        assert!(findings.is_empty(), "{value}: {findings:?}");
    }
}

/// The older grammar has no rule `*` and no values of unknown rules, and one finding: that it is
/// the older one.
#[test]
fn x_robots_tags() {
    let mut dice = Dice::new(12);
    for _ in 0..MODELS {
        let mut tags = tags(&mut dice);
        for (_, rules) in &mut tags {
            rules.retain(|rule| !rule.name.starts_with(['x', '*']));
        }
        tags.retain(|(_, rules)| !rules.is_empty());
        if tags.is_empty() {
            continue;
        }
        let lines = writer(&tags).x_robots_tag().unwrap();
        let fields = lines
            .iter()
            .map(|value| FieldLine::new("X-Robots-Tag", &**value));
        let (statements, findings) = header::read(&fields.collect::<Vec<_>>());
        let mut read = Tags::new();
        for one in statements {
            match read.last_mut() {
                Some((scope, rules)) if *scope == one.scope => rules.extend(one.rules),
                _ => read.push((one.scope, one.rules)),
            }
        }
        assert_eq!(read, tags, "{lines:?}");
        let codes: Vec<_> = findings.iter().map(|found| found.code.name()).collect();
        assert_eq!(codes, ["x-robots-tag-deprecated"], "{lines:?}");
    }
}

fn directive_value(dice: &mut Dice) -> DirectiveValue {
    match dice.below(8) {
        0 => DirectiveValue::Integer(number(dice)),
        1 => DirectiveValue::Decimal(format!("{}.{}", dice.below(1_000_000), 1 + dice.below(9))),
        2 => DirectiveValue::String(text(dice)),
        3 => DirectiveValue::Token(
            dice.pick(&["a", "*", "a/b:c", "A!$%&'*+-.^_`|~"])
                .to_owned(),
        ),
        4 => DirectiveValue::ByteSequence(
            (0..6)
                .map(|_| u8::try_from(dice.below(256)).unwrap())
                .collect(),
        ),
        5 => DirectiveValue::Boolean(dice.chance(50)),
        6 => DirectiveValue::Date(number(dice)),
        _ => DirectiveValue::DisplayString(format!("{}#%ü", text(dice))),
    }
}

type Applications = Vec<(String, Vec<(String, DirectiveValue)>)>;

fn applications(dice: &mut Dice) -> Applications {
    let ids = some(&["examplesearch", "a/b", "*x", "App.1"], dice);
    let ids = ids.into_iter().map(|id| {
        let names = some(&["widgets", "boxes", "*", "a.b-c_d"], dice);
        let count = dice.below(names.len() + 1);
        let names = names.into_iter().take(count);
        let directives = names.map(|name| (name.to_owned(), directive_value(dice)));
        (id.to_owned(), directives.collect())
    });
    ids.collect()
}

fn directives(path: Option<&str>, of: &Applications) -> DirectivesWriter {
    let mut writer = DirectivesWriter::new();
    if let Some(path) = path {
        writer = writer.with_path(path);
    }
    for (id, directives) in of {
        writer = writer.with_application(id);
        for (name, value) in directives {
            writer = writer.with_directive(id, name, value.clone());
        }
    }
    writer
}

/// A group with everything that it can have.
struct Model {
    purposes: Vec<&'static str>,
    robots: Vec<&'static str>,
    rules: Vec<(Sense, String)>,
    path: Option<String>,
    applications: Applications,
    preference: (Option<String>, Vec<(Usage, bool)>),
}

impl Model {
    fn new(dice: &mut Dice) -> Self {
        let sense = |dice: &mut Dice| dice.pick(&[Sense::Allow, Sense::Disallow]);
        let optional = |dice: &mut Dice| dice.chance(50).then(|| path(dice));
        let usages = some(&[Usage::Train, Usage::AiInput, Usage::Search], dice);
        Self {
            purposes: some(&["EXAMPLE-PURPOSE-1", "AI-TRAINING", "x_1"], dice),
            robots: if dice.chance(50) {
                Vec::new()
            } else {
                some(&["ExampleBot", "f", "-x_y"], dice)
            },
            rules: (0..dice.below(4))
                // No two rules meet each other, or the other lines.
                .map(|at| (sense(dice), format!("/rule-{at}{}", path(dice))))
                .collect(),
            path: optional(dice),
            applications: applications(dice),
            preference: (
                optional(dice),
                usages
                    .into_iter()
                    .map(|usage| (usage, dice.chance(50)))
                    .collect(),
            ),
        }
    }

    fn group(&self) -> GroupWriter {
        let mut group = GroupWriter::new();
        for purpose in &self.purposes {
            group = group.for_purpose(&PurposeToken::new(purpose).unwrap());
        }
        for robot in &self.robots {
            group = group.for_robot(&ProductToken::nonstandard(robot).unwrap());
        }
        for (sense, pattern) in &self.rules {
            group = group.with_rule(*sense, &**pattern);
        }
        let (path, says) = &self.preference;
        let mut preference = PreferenceWriter::content_usage(Revision::latest());
        if let Some(path) = path {
            preference = preference.with_path(&**path);
        }
        for (usage, permits) in says {
            preference = preference.with(*usage, *permits);
        }
        group
            .with_directives(directives(self.path.as_deref(), &self.applications))
            .with_preference(preference)
    }

    /// Checks that the file says what the model says.
    fn check(&self, robots: &Robots) {
        let text = robots.text().as_bytes();
        let value = |line: &Line| {
            let value = line.field().expect("a field").value;
            String::from_utf8_lossy(value.of(text)).into_owned()
        };
        let of = |kind: FieldKind| -> Vec<&Line> {
            let lines = robots.lines().iter();
            lines
                .filter(|line| line.field().is_some_and(|field| field.kind == kind))
                .collect()
        };
        let values = |kind| of(kind).into_iter().map(value).collect::<Vec<_>>();
        assert_eq!(values(FieldKind::UserAgentPurpose), self.purposes);
        assert_eq!(values(FieldKind::UserAgent), self.robots);
        assert_eq!(robots.groups().len(), 1);
        let rules = robots.lines().iter().filter_map(|line| robots.rule(line));
        let rules =
            rules.map(|rule| (rule.sense, String::from_utf8_lossy(rule.value).into_owned()));
        assert!(rules.eq(self.rules.iter().cloned()));
        let asked = values(FieldKind::AppDirectives);
        let asked = Directives::read(asked[0].as_bytes()).expect("a list");
        assert_eq!(asked.path, self.path.as_deref().map(str::as_bytes));
        assert_eq!(asked.applications, self.applications);
        let mut stated = robots.lines().iter();
        let stated = stated.find_map(|line| robots.preference_statement(line, Revision::latest()));
        let stated = stated.expect("a statement");
        assert_eq!(stated.path, self.preference.0.as_deref().map(str::as_bytes));
        for &usage in Usage::PREFERENCES {
            let said = self.preference.1.iter().find(|(about, _)| *about == usage);
            assert_eq!(
                stated.says.permits(usage),
                said.map(|(_, permits)| *permits)
            );
        }
    }
}

#[test]
fn groups_with_purposes_directives_and_preferences() {
    let mut dice = Dice::new(13);
    for _ in 0..MODELS {
        let model = Model::new(&mut dice);
        let text = model.group().text().unwrap();
        let robots = Robots::parse(&text);
        model.check(&robots);
        let purposes = model
            .purposes
            .iter()
            .map(|name| PurposeToken::new(name).unwrap());
        let client = purposes.fold(Client::unnamed(), Client::with_purpose);
        let client = client.with_preferences(PreferenceProfile::default());
        let findings = robots.diagnostics(&client);
        // These are about what is said, and not about how it is written.
        let meaning = [Code::AppDirectivesNotUnderStar, Code::ContentUsageNewerWord];
        let mut others = findings
            .iter()
            .filter(|found| !meaning.contains(&found.code));
        assert_eq!(others.next(), None, "{text}");
    }
}

#[test]
fn wrong_tags_are_refused_with_their_place() {
    let rule = |name: &str, value: Option<&str>| StatedRule::new(name, value.map(str::to_owned));
    let named = |name: &str| Scope::Token(name.to_owned());
    let new = RobotsTagWriter::new;
    let refused = |tags: RobotsTagWriter| tags.robots_tag().unwrap_err().to_string();
    let messages = [
        refused(new()),
        refused(new().with_rule(named("Foo Bar"), rule("noindex", None))),
        refused(new().with_rule(named("*"), rule("noindex", None))),
        refused(new().with_rule(named("b\r\nX: y"), rule("noindex", None))),
        refused(new().with_rule(Scope::Everyone, rule("noIndex", None))),
        refused(
            new()
                .with_rule(named("b"), rule("a", None))
                .with_rule(named("b"), rule("a", Some("1"))),
        ),
        refused(
            new()
                .with_rule(named("b"), rule("a", None))
                .with_rule(named("b"), rule("b", Some("a\nb"))),
        ),
        refused(new().with_rule(Scope::Everyone, rule("a", Some(&"x".repeat(9_000))))),
    ];
    insta::assert_snapshot!(messages.join("\n"));
    let of_x = |tags: RobotsTagWriter| tags.x_robots_tag().unwrap_err().to_string();
    let messages = [
        of_x(new()),
        of_x(new().with_rule(Scope::Everyone, rule("noai", Some("x")))),
        of_x(new().with_rule(Scope::Everyone, rule("max-snippet", Some("1, 2")))),
        of_x(new().with_rule(Scope::Everyone, rule("max-snippet", Some("1\r\nX: y")))),
        of_x(new().with_rule(named("a:b"), rule("noindex", None))),
        of_x(new().with_rule(named("b"), rule("*", None))),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn wrong_lines_are_refused_with_their_place() {
    let with = |value| {
        DirectivesWriter::new()
            .with_directive("app", "d", value)
            .line()
    };
    let app = |id: &str| DirectivesWriter::new().with_application(id);
    let usage = || PreferenceWriter::content_usage(Revision::latest()).with(Usage::Train, true);
    let group = || GroupWriter::new().for_everyone();
    let bot = ProductToken::verbatim("Foo # Bar");
    let twice = app("a").with_directive("a", "d", DirectiveValue::Boolean(true));
    let errors = [
        DirectivesWriter::new().line(),
        app("Bad id").line(),
        app("a#b").line(),
        app("a").with_path("news").line(),
        app("a").with_path("/a b").line(),
        app("a")
            .with_directive("a", "D", DirectiveValue::Boolean(true))
            .line(),
        twice
            .with_directive("a", "d", DirectiveValue::Integer(1))
            .line(),
        with(DirectiveValue::Integer(i64::MAX)),
        with(DirectiveValue::Date(i64::MIN)),
        with(DirectiveValue::Decimal("1".to_owned())),
        with(DirectiveValue::Decimal("1.2345".to_owned())),
        with(DirectiveValue::String("\u{7}".to_owned())),
        with(DirectiveValue::String("a#b".to_owned())),
        with(DirectiveValue::Token("a b".to_owned())),
        PreferenceWriter::content_signal().value(),
        usage().with(Usage::Train, true).value(),
        usage().with(Usage::Index, true).value(),
        usage().with_path("/#").line(),
        GroupWriter::new().text(),
        group().text(),
        group().with_rule(Sense::Allow, "a").text(),
        group()
            .with_rule(Sense::Allow, "/")
            .with_rule(Sense::Allow, "/\n")
            .text(),
        group().for_robot(&bot).with_rule(Sense::Allow, "/").text(),
        group().with_directives(app("")).text(),
    ];
    let messages: Vec<_> = errors.map(|error| error.unwrap_err().to_string()).into();
    insta::assert_snapshot!(messages.join("\n"));
    let fault = usage().with(Usage::Index, true).value().unwrap_err();
    assert!(matches!(
        fault.fault(),
        WriteFault::Word {
            usage: Usage::Index,
            ..
        }
    ));
}

/// Texts that look like another type keep their own.
#[test]
fn values_keep_their_text() {
    for value in TEXTS.into_iter().filter(|text| text.is_ascii()) {
        let rule = StatedRule::new("a", Some(value.to_owned()));
        let written = RobotsTagWriter::new().with_rule(Scope::Everyone, rule.clone());
        let written = written.robots_tag().unwrap();
        let (read, _) = header::read(&[FieldLine::new("Robots-Tag", &*written)]);
        assert_eq!(read[0].rules, [rule], "{written}");
    }
}
