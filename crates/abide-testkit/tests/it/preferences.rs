//! The vectors of AI preferences and the slow model check each other, and the random files show
//! everything that the model can say.

use abide_testkit::model::{self, Question};
use abide_testkit::preference_files::{self as files, Dice};
use abide_testkit::preference_model::{
    self as preferences, Association, Fetched, Outcome, Said, USAGES, Words,
};
use abide_testkit::vectors::{self, ComposedVector};
use std::collections::{BTreeMap, BTreeSet};

/// The vocabularies that a request names, or all.
fn vocabularies(vector: &ComposedVector) -> Vec<String> {
    let named = vector.preferences.as_ref().unwrap().get("vocabularies");
    let all = [
        "content-usage",
        "content-signal",
        "tdmrep",
        "rsl",
        "robots-tag",
        "control-token",
    ];
    named.and_then(toml::Value::as_array).map_or_else(
        || all.map(str::to_owned).to_vec(),
        |names| {
            names
                .iter()
                .map(|name| name.as_str().unwrap().to_owned())
                .collect()
        },
    )
}

/// A file as requests give it: its content, a status or a failure.
fn fetched(value: Option<&toml::Value>) -> Fetched<'_> {
    let Some(value) = value else {
        return Fetched::NotGiven;
    };
    if let Some(body) = value.as_str() {
        return Fetched::Body(body.as_bytes());
    }
    match value.get("status").and_then(toml::Value::as_integer) {
        Some(status) if (400..500).contains(&status) && status != 429 => Fetched::Missing,
        _ => Fetched::Unreachable,
    }
}

/// The values of fields with this name.
fn field<'a>(vector: &'a ComposedVector, wanted: &str) -> Vec<&'a str> {
    let named = vector
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
    named.map(|(_, value)| value.as_str()).collect()
}

/// Metas in the heads of both sources, if they are written as `<meta name="…" content="…">`.
fn metas(vector: &ComposedVector) -> Vec<(String, String)> {
    let pages = vector.html.iter().chain(&vector.rendered_html);
    let heads = pages.map(|page| page.to_ascii_lowercase());
    let heads = heads.map(|page| page.split("</head>").next().unwrap().to_owned());
    let read = |head: String| -> Vec<(String, String)> {
        let metas = head.split("<meta name=\"").skip(1);
        let pairs = metas.filter_map(|meta| {
            let (name, rest) = meta.split_once("\" content=\"")?;
            Some((name.to_owned(), rest.split('"').next()?.to_owned()))
        });
        pairs.collect()
    };
    heads.flat_map(read).collect()
}

/// What the model says for a vocabulary, or `None` if the vector is about more than it covers.
fn said(vector: &ComposedVector, vocabulary: &str) -> Option<Said> {
    let asked = vector.preferences.as_ref().unwrap();
    let text = |member: &str| asked.get(member).and_then(toml::Value::as_str);
    let robots = vector.bytes()?;
    let agents: Vec<&str> = vector.agent.iter().map(String::as_str).collect();
    let purposes: Vec<&str> = vector.purposes.iter().map(String::as_str).collect();
    let path = vector.url.splitn(4, '/').nth(3).unwrap_or_default();
    let path = format!("/{path}");
    let question = Question {
        robots: &robots,
        agents: &agents,
        purposes: &purposes,
        nonstandard_token: false,
        path: path.as_bytes(),
    };
    let metas = metas(vector);
    let metas: Vec<(&str, &str)> = metas
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let scope = text("signal_scope").unwrap_or("group");
    match vocabulary {
        "content-usage" => {
            let fields = field(vector, "content-usage");
            let revision = text("revision").unwrap_or("08");
            Some(preferences::content_usage(
                &question, &fields, revision, scope,
            ))
        }
        "content-signal" => {
            let outside = asked.get("signals_outside_groups");
            let outside = outside.and_then(toml::Value::as_bool).unwrap_or_default();
            let fields = field(vector, "content-signal");
            let declared = text("use");
            Some(preferences::content_signal(
                &question, &fields, outside, scope, declared,
            ))
        }
        "tdmrep" => {
            // CLA-PREF-1: silent where nobody named it.
            let is_named = asked.contains_key("vocabularies");
            let file = match fetched(asked.get("tdmrep")) {
                Fetched::NotGiven if !is_named => Fetched::Missing,
                file => file,
            };
            let fields: Vec<(&str, &str)> = vector
                .headers
                .iter()
                .map(|(a, b)| (a.as_str(), b.as_str()))
                .collect();
            Some(preferences::tdmrep(file, &fields, &metas, path.as_bytes()))
        }
        "rsl" => rsl(vector, asked, &question),
        "robots-tag" => Some(robots_tag(vector, asked, &metas)),
        "control-token" => Some(control_tokens(asked, &question)),
        _ => panic!("{vocabulary}"),
    }
}

fn rsl(vector: &ComposedVector, asked: &toml::Table, question: &Question<'_>) -> Option<Said> {
    let on_page = |page: &String| page.contains("rsl+xml");
    if vector.html.iter().chain(&vector.rendered_html).any(on_page) {
        return None;
    }
    let documents = asked.get("rsl");
    let document = |url: &str| fetched(documents.and_then(|all| all.get(url)));
    let site = preferences::licences(question);
    let site: Vec<Fetched<'_>> = site.iter().map(|url| document(url)).collect();
    let links = field(vector, "link");
    let links = links.iter().filter_map(|link| {
        let (_, link) = link.rsplit_once('<')?;
        let target = link.strip_suffix(">; rel=\"license\"; type=\"application/rsl+xml\"")?;
        target.starts_with("https:").then(|| document(target))
    });
    let page: Vec<Fetched<'_>> = links.collect();
    Some(match (&page[..], &site[..]) {
        ([], [one]) => preferences::rsl_document(*one, Association::Site, &vector.url),
        _ => preferences::rsl_together(&page, &site, &vector.url),
    })
}

fn robots_tag(vector: &ComposedVector, asked: &toml::Table, metas: &[(&str, &str)]) -> Said {
    let vendor_tags = asked.get("vendor_tags").and_then(toml::Value::as_bool);
    if vendor_tags == Some(false) {
        return Said::default();
    }
    let fields = field(vector, "x-robots-tag");
    let new_fields = field(vector, "robots-tag");
    let new_fields = new_fields.iter().filter_map(|line| line.strip_prefix("*;"));
    let metas = metas.iter().filter(|(name, _)| *name == "robots");
    let lines = fields.into_iter().chain(new_fields);
    let lines = lines.chain(metas.map(|(_, content)| *content));
    let rules: Vec<&str> = lines
        .flat_map(|line| line.split([',', ';']))
        .map(str::trim)
        .collect();
    let types = field(vector, "content-type");
    let is_image = types.iter().any(|kind| kind.starts_with("image/"));
    preferences::robots_tag(&rules, is_image)
}

fn control_tokens(asked: &toml::Table, question: &Question<'_>) -> Said {
    let robots = question.robots;
    let named = asked.get("control_tokens").and_then(toml::Value::as_array);
    let Some(named) = named else {
        let tokens = preferences::control_tokens(question.agents);
        let tokens: Vec<_> = tokens
            .iter()
            .map(|token| (*token, shipped(token)))
            .collect();
        return preferences::control_token_usages(robots, &tokens, question.path);
    };
    let of = |value: &toml::Value| {
        if let Some(token) = value.as_str() {
            let tokens = [(token, shipped(token))];
            return preferences::control_token_usages(robots, &tokens, question.path);
        }
        let usages = value["usages"].as_array().unwrap().iter();
        let usages: Vec<&str> = usages.map(|usage| usage.as_str().unwrap()).collect();
        let tokens = [(value["token"].as_str().unwrap(), usages.as_slice())];
        preferences::control_token_usages(robots, &tokens, question.path)
    };
    let all: Vec<Said> = named.iter().map(of).collect();
    Said {
        words: all.iter().flat_map(|said| said.words.clone()).collect(),
        usages: preferences::strictest(&all),
    }
}

/// The usages of a token that ships.
fn shipped(token: &str) -> &'static [&'static str] {
    let row = preferences::CONTROL_TOKENS
        .iter()
        .find(|(known, ..)| *known == token);
    row.unwrap().2
}

/// Whether a vector is about something that the model does not cover.
fn is_beyond(vector: &ComposedVector) -> bool {
    let acap = |robots: &Vec<u8>| robots.windows(5).any(|part| part == b"ACAP-");
    vector.bytes().as_ref().is_none_or(acap)
        || vector.error.is_some()
        || vector.profile.as_deref() == Some("google")
}

#[test]
fn the_vectors_agree_with_the_model() {
    let files = vectors::load();
    let (_, file) = files.iter().find(|(name, _)| name == "preference").unwrap();
    let (mut compared, mut all) = (0, 0);
    for vector in &file.composed {
        if vector.preferences.is_none() || is_beyond(vector) {
            continue;
        }
        all += 1;
        let mut by_vocabulary = BTreeMap::new();
        for vocabulary in vocabularies(vector) {
            if let Some(said) = said(vector, &vocabulary) {
                by_vocabulary.insert(vocabulary, said);
            }
        }
        let name = &vector.name;
        for (vocabulary, expected) in &vector.words {
            if let Some(said) = by_vocabulary.get(vocabulary) {
                assert_eq!(said.words, *expected, "{name}: words of {vocabulary}");
            }
        }
        for (vocabulary, expected) in &vector.by_vocabulary {
            if let Some(said) = by_vocabulary.get(vocabulary) {
                for (usage, outcome) in expected {
                    assert_eq!(said.outcome(usage).name(), outcome, "{name}: {usage}");
                }
            }
        }
        if by_vocabulary.len() < vocabularies(vector).len() {
            continue;
        }
        compared += 1;
        let all: Vec<Said> = by_vocabulary.into_values().collect();
        let strictest = preferences::strictest(&all);
        for (usage, verdict) in strictest {
            if let Some(expected) = vector.outcomes.get(usage) {
                assert_eq!(verdict.outcome.name(), expected, "{name}: {usage}");
            }
            if let Some(expected) = vector.conditions.get(usage) {
                let found: Vec<&String> = verdict.conditions.iter().collect();
                assert_eq!(
                    found,
                    expected.iter().collect::<Vec<_>>(),
                    "{name}: {usage}"
                );
            }
        }
    }
    assert!(compared > 270 && all - compared < 10, "{compared} of {all}");
}

#[test]
fn the_documents_agree_with_the_model() {
    let files = vectors::load();
    let (_, file) = files.iter().find(|(name, _)| name == "preference").unwrap();
    let mut compared = 0;
    for vector in &file.composed {
        let (Some(expected), Some(robots)) = (&vector.documents, vector.bytes()) else {
            continue;
        };
        if !vector.headers.is_empty() || vector.html.is_some() {
            continue;
        }
        let agents: Vec<&str> = vector.agent.iter().map(String::as_str).collect();
        let question = Question {
            robots: &robots,
            agents: &agents,
            purposes: &[],
            nonstandard_token: false,
            path: b"/",
        };
        assert_eq!(
            preferences::licences(&question),
            *expected,
            "{}",
            vector.name
        );
        compared += 1;
    }
    assert!(compared > 15, "{compared}");
}

/// Seeds of the random files.
const SEEDS: u64 = 4_000;

/// Outcomes and words that the model gives for random files.
fn seen(
    mut of: impl FnMut(&mut Dice) -> Said,
) -> (BTreeSet<(&'static str, Outcome)>, BTreeSet<String>) {
    let (mut outcomes, mut words) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..SEEDS {
        let said = of(&mut Dice::new(seed));
        outcomes.extend(USAGES.map(|usage| (usage, said.outcome(usage))));
        let pairs = said
            .words
            .iter()
            .map(|(word, value)| format!("{word}={value}"));
        words.extend(pairs);
    }
    (outcomes, words)
}

/// A random file, and a question about it.
fn with_question<T>(dice: &mut Dice, ask: impl FnOnce(&mut Dice, &Question<'_>) -> T) -> T {
    let robots = files::robots(dice);
    let (agents, purposes) = files::client(dice);
    let path = files::path(dice);
    let question = Question {
        robots: robots.as_bytes(),
        agents: &agents,
        purposes: &purposes,
        nonstandard_token: false,
        path: path.as_bytes(),
    };
    ask(dice, &question)
}

fn texts(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

#[test]
fn random_files_show_every_word() {
    let (outcomes, words) = seen(|dice| {
        with_question(dice, |dice, question| {
            let fields = files::usage_fields(dice);
            let scope = dice.pick(&["group", "group", "file"]);
            preferences::content_usage(question, &texts(&fields), "08", scope)
        })
    });
    assert_eq!((outcomes.len(), words.len()), (9, 6), "{words:?}");
    let (outcomes, words) = seen(|dice| {
        with_question(dice, |dice, question| {
            let fields = files::signal_fields(dice);
            let declared = dice.pick(&[None, None, Some("reference"), Some("full")]);
            let outside = dice.chance(30);
            let scope = dice.pick(&["group", "group", "file"]);
            preferences::content_signal(question, &texts(&fields), outside, scope, declared)
        })
    });
    assert_eq!((outcomes.len(), words.len()), (12, 9), "{words:?}");
    let (outcomes, words) = seen(|dice| {
        let file = files::tdmrep(dice);
        let file = match dice.below(20) {
            0 => Fetched::Missing,
            1 => Fetched::Unreachable,
            _ => Fetched::Body(file.as_bytes()),
        };
        let (fields, metas) = (files::tdm_lines(dice), files::tdm_lines(dice));
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        let metas: Vec<(&str, &str)> = metas
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        preferences::tdmrep(file, &fields, &metas, files::path(dice).as_bytes())
    });
    assert_eq!((outcomes.len(), words.len()), (9, 6), "{words:?}");
    let (outcomes, words) = seen(|dice| {
        let document = files::rsl(dice);
        preferences::rsl(&document, &files::url(dice))
    });
    assert_eq!((outcomes.len(), words.len()), (12, 12), "{words:?}");
    let (outcomes, _) = seen(|dice| {
        with_question(dice, |_, question| {
            let tokens = preferences::CONTROL_TOKENS.map(|(token, _, usages)| (token, usages));
            preferences::control_token_usages(question.robots, &tokens, question.path)
        })
    });
    assert_eq!(outcomes.len(), 7, "{outcomes:?}");
    let mut licences = BTreeSet::new();
    for seed in 0..SEEDS {
        let found = with_question(&mut Dice::new(seed), |_, question| {
            preferences::licences(question)
        });
        licences.insert(found);
    }
    assert!(licences.len() > 8, "{licences:?}");
}

/// PREF-3: the verdict on crawling is that of the file without its preference lines.
#[test]
fn pref_3_preference_lines_move_no_verdict() {
    let is_preference = |line: &str| {
        let key = line.split(':').next().unwrap_or_default();
        let key = key.trim_matches([' ', '\t']).to_ascii_lowercase();
        key.starts_with("content-") || key == "license"
    };
    for seed in 0..SEEDS {
        with_question(&mut Dice::new(seed), |_, question| {
            let text = std::str::from_utf8(question.robots).unwrap();
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let kept = text
                .lines()
                .map(|line| if is_preference(line) { "" } else { line });
            let stripped = kept.collect::<Vec<_>>().join("\n");
            let without = Question {
                robots: stripped.as_bytes(),
                ..*question
            };
            assert_eq!(model::decide(question), model::decide(&without), "{text}");
            let none = [
                preferences::content_usage(&without, &[], "08", "file"),
                preferences::content_signal(&without, &[], true, "file", None),
            ];
            assert!(none.iter().all(|said| said.words == Words::new()), "{text}");
        });
    }
}

/// PREF-22 and PREF-60: the order of preference lines means nothing within a group.
#[test]
fn pref_22_order_means_nothing() {
    let mut moved = 0;
    for seed in 0..SEEDS {
        let mut dice = Dice::new(seed);
        let mut lines: Vec<String> = Vec::new();
        for _ in 0..dice.below(6) {
            let blank = dice.pick(&["", " "]);
            let path = if dice.chance(60) {
                files::pattern(&mut dice) + " "
            } else {
                String::new()
            };
            let usage = files::usage(&mut dice);
            let signal = files::signal(&mut dice);
            lines.push(format!("Content-Usage:{blank}{path}{usage}\n"));
            lines.push(format!("Content-Signal:{blank}{path}{signal}\n"));
        }
        let path = files::path(&mut dice);
        let answer = |lines: &[String]| {
            let robots = format!("User-agent: *\n{}", lines.concat());
            let question = Question {
                robots: robots.as_bytes(),
                agents: &["f"],
                purposes: &[],
                nonstandard_token: false,
                path: path.as_bytes(),
            };
            let usage = preferences::content_usage(&question, &[], "08", "group");
            (
                usage,
                preferences::content_signal(&question, &[], false, "group", None),
            )
        };
        let before = answer(&lines);
        moved += usize::from(!before.0.words.is_empty());
        lines.reverse();
        assert_eq!(answer(&lines), before, "{lines:?} {path}");
    }
    assert!(moved > 500, "{moved}");
}
