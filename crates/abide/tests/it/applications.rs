//! App-Directives: the vectors, and requirements that only a registry can show.

use abide::app::field::Directives;
use abide::app::{
    Application, DirectiveEntry, DirectiveStatus, NoteKind, Registry, RegistryError, ValueType,
};
use abide::preference::PreferenceProfile;
use abide::tag::{FieldLine, Response};
use abide::verdict::{Role, Sense};
use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
use abide_testkit::vectors;
use proptest::prelude::*;

fn tokens(names: &[&str]) -> Vec<ProductToken> {
    names
        .iter()
        .map(|name| ProductToken::new(name).unwrap())
        .collect()
}

#[test]
fn vectors() {
    for (_, file) in vectors::load() {
        for vector in &file.applications {
            let name = format!("{} {}", vector.id, vector.name);
            let names: Vec<&str> = vector.product_tokens.iter().map(String::as_str).collect();
            let application = Application::new(&vector.application, tokens(&names)).unwrap();
            let client = crate::client("client").with_application(application);
            let policy = Policy::compile(vector.robots.as_bytes(), &client);
            let decision = policy.decide(&Target::new(&vector.url).unwrap());
            let said = &decision.applications[0];
            let found = said
                .directives
                .iter()
                .map(|(name, value)| (name.clone(), value.to_string()));
            assert_eq!(
                found.collect::<std::collections::BTreeMap<_, _>>(),
                vector.expect,
                "{name}"
            );
            assert_eq!(said.crawl_disallowed, vector.crawl_disallowed, "{name}");
            let codes: Vec<_> = policy
                .diagnostics()
                .iter()
                .map(|found| found.code.name())
                .collect();
            vectors::check_codes(&name, &codes, &vector.diagnostics, &vector.no_diagnostics);
        }
    }
}

#[test]
fn structured_lists() {
    for (_, file) in vectors::load() {
        for vector in file
            .structured
            .iter()
            .filter(|vector| vector.id.contains("APP"))
        {
            let read = Directives::read(vector.value.as_bytes());
            assert_eq!(
                read.is_some(),
                vector.valid,
                "{} {}",
                vector.id,
                vector.value
            );
        }
    }
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry
        .application("search", &["SearchBot".to_owned()])
        .unwrap();
    let entry = |value_type, status, overrides: &[&str]| DirectiveEntry {
        value_type,
        status,
        overrides: overrides
            .iter()
            .map(|&category| category.to_owned())
            .collect(),
        means: [("true", Sense::Allow), ("false", Sense::Disallow)]
            .map(|(value, sense)| (value.to_owned(), sense))
            .into(),
        ..DirectiveEntry::new(value_type)
    };
    registry
        .directive(
            "search",
            "widgets",
            entry(ValueType::Boolean, DirectiveStatus::Active, &[]),
        )
        .unwrap();
    registry
        .directive(
            "search",
            "old",
            entry(ValueType::Integer, DirectiveStatus::Deprecated, &[]),
        )
        .unwrap();
    registry
        .directive(
            "search",
            "train",
            entry(ValueType::Boolean, DirectiveStatus::Active, &["train-ai"]),
        )
        .unwrap();
    registry
        .directive(
            "search",
            "level",
            entry(ValueType::Integer, DirectiveStatus::Active, &["train-ai"]),
        )
        .unwrap();
    registry
        .directive(
            "search",
            "share",
            entry(ValueType::Decimal, DirectiveStatus::Active, &[]),
        )
        .unwrap();
    registry
}

fn asked(robots: &str) -> (Vec<String>, Vec<(String, NoteKind)>, Vec<&'static str>) {
    let application = Application::new("search", tokens(&["SearchBot"])).unwrap();
    let client = crate::client("f")
        .with_application(application)
        .with_registry(registry());
    let policy = Policy::compile(robots.as_bytes(), &client);
    let decision = policy.decide(&Target::new("/x").unwrap());
    let said = &decision.applications[0];
    let of_decision = policy.diagnostics_of(&decision);
    let codes = policy
        .diagnostics()
        .iter()
        .chain(&of_decision)
        .map(|found| found.code.name());
    (
        said.directives.keys().cloned().collect(),
        said.notes
            .iter()
            .map(|note| (note.name.clone(), note.kind.clone()))
            .collect(),
        codes.collect(),
    )
}

#[test]
fn app_25_applications_have_a_token_and_product_tokens() {
    let mut registry = Registry::default();
    assert!(matches!(
        registry.application("foo bar", &[]),
        Err(RegistryError::Identifier { .. })
    ));
    let token = registry.application("foo", &["Foo/1".to_owned()]);
    assert!(matches!(token, Err(RegistryError::ProductToken { .. })));
    assert!(Application::new("foo bar", Vec::new()).is_err());
}

#[test]
fn app_26_identifiers_that_differ_in_case_alone_are_refused() {
    let mut registry = registry();
    assert!(matches!(
        registry.application("Search", &[]),
        Err(RegistryError::Twice { .. })
    ));
}

/// An identifier must not mislead about who controls the application, and neither must the robot
/// that it claims.
#[test]
fn app_26_a_product_token_belongs_to_one_controller() {
    let tokens = |token: &str| [token.to_owned()];
    let mut registry = registry();
    assert!(matches!(
        registry.application("other", &tokens("searchbot")),
        Err(RegistryError::TokenTaken { owner, .. }) if owner == "search"
    ));
    let mut add = |id: &str, of| registry.application_of(id, &tokens("NewsBot"), of);
    assert!(add("news", Some("News Ltd.")).is_ok());
    assert!(add("news-images", Some("News Ltd.")).is_ok());
    assert!(add("olds", Some("Olds Ltd.")).is_err());
    assert!(add("olds", None).is_err());
}

#[test]
fn app_27_names_of_directives_are_keys() {
    let entry = DirectiveEntry::new(ValueType::Boolean);
    let refused = registry().directive("search", "Widgets", entry);
    assert!(matches!(refused, Err(RegistryError::Directive { .. })));
}

#[test]
fn app_29_deprecated_directives_are_delivered_and_told_of() {
    let (directives, notes, codes) = asked("User-agent: *\nApp-Directives: search;old=1\n");
    assert_eq!(directives, ["old"]);
    assert_eq!(notes, [("old".to_owned(), NoteKind::Deprecated)]);
    assert!(codes.contains(&"directive-deprecated"));
}

#[test]
fn app_30_directives_belong_to_registered_applications() {
    let entry = DirectiveEntry::new(ValueType::Boolean);
    let refused = registry().directive("nobody", "widgets", entry);
    assert!(matches!(
        refused,
        Err(RegistryError::NoSuchApplication { .. })
    ));
}

#[test]
fn amb_app_16_values_of_another_type_are_not_applied() {
    let (directives, notes, codes) =
        asked("User-agent: *\nApp-Directives: search;widgets=1;train=?0;share=1\n");
    assert_eq!(directives, ["train"]);
    assert!(notes.contains(&("widgets".to_owned(), NoteKind::TypeMismatch)));
    assert!(
        notes.contains(&("share".to_owned(), NoteKind::TypeMismatch)),
        "an Integer is no Decimal"
    );
    assert!(codes.contains(&"directive-type"));
}

#[test]
fn amb_app_14_overrides_are_declared_or_not_there() {
    let (_, notes, _) = asked(
        "User-agent: *\nContent-Usage: train-ai=y\nApp-Directives: search;train=?0;widgets\n",
    );
    assert_eq!(
        notes,
        [(
            "train".to_owned(),
            NoteKind::Overrides(vec!["train-ai".to_owned()])
        )]
    );
}

/// An override needs a conflict: both may say the same, or the registry does not say what the value
/// means.
#[test]
fn amb_app_14_only_opposites_override() {
    let file = |preference: &str, directive: &str| {
        let directive = format!("App-Directives: search;{directive}\n");
        asked(&format!("User-agent: *\n{preference}\n{directive}")).1
    };
    let note = |name: &str, kind: fn(Vec<String>) -> NoteKind, word: &str| {
        vec![(name.to_owned(), kind(vec![word.to_owned()]))]
    };
    let overrides = note("train", NoteKind::Overrides, "train-ai");
    assert_eq!(file("Content-Usage: train-ai=n", "train"), overrides);
    assert_eq!(file("Content-Usage: train-ai=n", "train=?0"), []);
    assert_eq!(file("Content-Usage: train-ai=y", "train"), []);
    // The longest path that states the word counts, and of equally long ones the stricter line.
    let longer = "Content-Usage: train-ai=y\nContent-Usage: /x train-ai=n";
    assert_eq!(file(longer, "train=?0"), []);
    assert_eq!(file(longer, "train"), overrides);
    let twice = "Content-Usage: train-ai=n\nContent-Usage: train-ai=y";
    assert_eq!(file(twice, "train=?0"), []);
    // What 1 means is not registered.
    let unclear = note("level", NoteKind::MayOverride, "train-ai");
    assert_eq!(file("Content-Usage: train-ai=n", "level=1"), unclear);
}

/// A finding is about the line that states the directive, not about the first line that applies.
#[test]
fn app_29_findings_are_about_the_line_that_states_the_directive() {
    let robots = "User-agent: *\nApp-Directives: search;widgets\nApp-Directives: search;train=5\n\
        App-Directives: search;old=1\n";
    let application = Application::new("search", Vec::new()).unwrap();
    let client = crate::client("f")
        .with_application(application)
        .with_registry(registry());
    let policy = Policy::compile(robots.as_bytes(), &client);
    let decision = policy.decide(&Target::new("/x").unwrap());
    let found = policy.diagnostics_of(&decision);
    let found = found.iter();
    let mut found: Vec<_> = found.map(|one| (one.code.name(), one.line)).collect();
    found.sort_unstable();
    let expected = [
        ("directive-deprecated", Some(4)),
        ("directive-type", Some(3)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn app_22_only_preferences_of_the_same_file_are_overridden() {
    let directive = "App-Directives: search;train=?0\n";
    for without in [
        format!("User-agent: *\n{directive}"),
        format!("User-agent: *\nContent-Usage: search=n\n{directive}"),
        format!("User-agent: *\nContent-Usage: /other train-ai=n\n{directive}"),
        format!("User-agent: g\nContent-Usage: train-ai=n\nDisallow:\nUser-agent: *\n{directive}"),
    ] {
        let (_, notes, _) = asked(&without);
        assert_eq!(notes, [], "{without}");
    }
}

#[test]
fn app_24_unregistered_directives_are_noted() {
    let (directives, notes, _) = asked("User-agent: *\nApp-Directives: search;new=1\n");
    assert_eq!(directives, ["new"]);
    assert_eq!(notes, [("new".to_owned(), NoteKind::Unregistered)]);
}

/// Directives change no outcome, whatever their content (APP-11).
#[test]
fn amb_x_10_outcomes_do_not_depend_on_directives() {
    let with = "User-agent: *\nDisallow: /x\nApp-Directives: search;crawl=?1;index=?1\n";
    let without = "User-agent: *\nDisallow: /x\n";
    let outcomes = |robots: &str| -> Vec<Outcome> {
        let application = Application::new("search", Vec::new()).unwrap();
        let policy = Policy::compile(
            robots.as_bytes(),
            &crate::client("f").with_application(application),
        );
        let decision = policy.decide(&Target::new("/x").unwrap());
        Usage::ACAP
            .iter()
            .map(|usage| decision.outcome(*usage))
            .collect()
    };
    assert_eq!(outcomes(with), outcomes(without));
}

/// AMB-APP-23: a file that was not read has no directives; the google profile reads none (CLA-16).
#[test]
fn amb_app_23_no_file_no_directives() {
    let application = Application::new("search", Vec::new()).unwrap();
    let client: Client = crate::client("f").with_application(application);
    let target = Target::new("/x").unwrap();
    let gone = Policy::without_rules(abide::rep::Access::from_status(503), &client);
    assert!(gone.decide(&target).applications[0].directives.is_empty());
    let google = client.with_profile(abide::Profile::Google);
    let policy = Policy::compile(b"User-agent: *\nApp-Directives: search;x\n", &google);
    assert!(policy.decide(&target).applications.is_empty());
}

/// A line about training: of which field, for which path, and whether it says no.
type TrainingLine = (usize, &'static str, bool);

fn training_lines() -> impl Strategy<Value = Vec<TrainingLine>> {
    let paths = prop::sample::select(vec!["", "/a ", "/a/b ", "/c "]);
    prop::collection::vec((0..3_usize, paths, any::<bool>()), 0..8)
}

fn training_file(lines: &[TrainingLine], fields: &[usize]) -> String {
    let each = lines.iter().filter(|(field, ..)| fields.contains(field));
    let each = each.map(|&(field, path, says_no)| match (field, says_no) {
        (0, true) => format!("Content-Usage: {path}train-ai=n\n"),
        (0, false) => format!("Content-Usage: {path}train-ai=y\n"),
        (1, true) => format!("Content-Signal: {path}ai-train=no\n"),
        (1, false) => format!("Content-Signal: {path}ai-train=yes\n"),
        (_, true) => format!("App-Directives: {path}x;train=?0\n"),
        (_, false) => format!("App-Directives: {path}x;train\n"),
    });
    let lines: String = each.collect();
    format!("User-agent: *\n{lines}")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// AMB-APP-24: the answer for an application is the strictest of the directive, of each
    /// vocabulary that it does not override, and of the field; and no usage changes.
    #[test]
    fn amb_app_24_equals_the_parts_one_by_one(
        lines in training_lines(),
        words in prop::sample::subsequence(vec!["train-ai", "ai-train"], 0..=2),
        field in prop::option::of(any::<bool>()),
        url in prop::sample::select(vec!["/a", "/a/b", "/c", "/d"]),
    ) {
        let mut registry = Registry::default();
        registry.application("x", &[]).unwrap();
        let mut entry = DirectiveEntry::new(ValueType::Boolean);
        entry.overrides = words.iter().map(|word| (*word).to_owned()).collect();
        entry.means.insert("true".to_owned(), Sense::Allow);
        entry.means.insert("false".to_owned(), Sense::Disallow);
        registry.directive("x", "train", entry).unwrap();
        let plain = crate::client("bot").with_preferences(PreferenceProfile::default());
        let application = Application::new("x", tokens(&["bot"])).unwrap();
        let asking = plain.clone().with_application(application).with_registry(registry);
        let value = field.map(|says_no| if says_no { "train-ai=n" } else { "train-ai=y" });
        let fields: Vec<_> = value
            .iter()
            .map(|value| FieldLine::new("Content-Usage", value.as_bytes()))
            .collect();
        let (with_field, without) = (Response::new(&fields), Response::new(&[]));
        let target = Target::new(url).unwrap();
        let of = |client: &Client, fields: &[usize], response: &Response| {
            let policy = Policy::compile(training_file(&lines, fields).as_bytes(), client);
            policy.decide(&target.with_response(response)).outcome(Usage::Train)
        };
        let policy = Policy::compile(training_file(&lines, &[0, 1, 2]).as_bytes(), &asking);
        let target = target.with_response(&with_field);
        let decision = policy.decide(&target);
        let own = Policy::compile(training_file(&lines, &[0, 1, 2]).as_bytes(), &plain);
        prop_assert_eq!(&decision.usages, &own.decide(&target).usages);

        let said = decision.applications[0].preferences.iter();
        let said = said.clone().find(|one| one.usage == Usage::Train).unwrap();
        let directive = decision.applications[0].directives.get("train");
        let directive = directive.filter(|_| !words.is_empty());
        let directive = directive.map(|value| match value.to_string().as_str() {
            "?0" => Outcome::Prohibited,
            _ => Outcome::Permitted,
        });
        let part = |vocabulary: usize, word: &str| {
            let stated = of(&plain, &[vocabulary], &without);
            let is_overridden = words.contains(&word)
                && directive.is_some_and(|directive| directive != stated)
                && stated != Outcome::Unspecified;
            if is_overridden { Outcome::Unspecified } else { stated }
        };
        let of_field = of(&plain, &[], &with_field);
        let parts = [part(0, "train-ai"), part(1, "ai-train"), of_field];
        let expected = parts.into_iter().chain(directive).max().unwrap();
        prop_assert_eq!(said.outcome, expected);
        let decides = said.evidence.iter().filter(|one| one.role == Role::Decided).count();
        prop_assert_eq!(decides, usize::from(expected != Outcome::Unspecified));
    }
}
