//! One hostile source of AI preferences, read and asked about: the work that `.ci/instructions`
//! counts.
//!
//! `hostile_preferences RECIPE BYTES PATH` makes the source of BYTES at most, compiles it and
//! decides a path of PATH bytes. With a fourth argument it only makes the inputs, so that the
//! difference is abide's work alone.

use abide::preference::{ControlToken, Documents, PreferenceProfile, Vocabulary};
use abide::{Client, Policy, ProductToken, Target, Usage};
use std::fmt::Write;

const LICENCE: &str = "https://e.example/license.xml";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, recipe, bytes, path, only_inputs @ ..] = args.as_slice() else {
        panic!("usage: hostile_preferences RECIPE BYTES PATH [inputs]");
    };
    let bytes: usize = bytes.parse().expect("BYTES is a number");
    let path: usize = path.parse().expect("PATH is a number");
    let url = format!("https://e.example/{}", "a".repeat(path));
    let source = source(recipe, bytes);
    // Printed, because the optimiser drops what has no effect.
    if only_inputs.is_empty() {
        println!("{}", decide(recipe, &source, &url));
    } else {
        println!("{}", source.len() + url.len());
    }
}

/// The robots.txt, or the document beside it.
fn source(recipe: &str, bytes: usize) -> String {
    let mut text = match recipe {
        "tdmrep" => "[".to_owned(),
        "rsl" => "<rsl xmlns=\"https://rslstandard.org/rsl\">".to_owned(),
        _ => "User-agent: *\n".to_owned(),
    };
    for at in 0.. {
        if text.len() + 200 > bytes {
            break;
        }
        let stars = "a*".repeat(at % 20);
        // Writing to a String cannot fail.
        let _ = match recipe {
            // Lines that all match and all state a limit for every usage.
            "signals" => writeln!(text, "Content-Signal: use=reference"),
            // Lines of different paths that match and contradict each other.
            "usage" => writeln!(text, "Content-Usage: /{stars}{at:b} bots=n, search=y"),
            "usage-matching" => writeln!(text, "Content-Usage: /{stars} train-ai=n"),
            // Groups that name control tokens, each with a rule.
            "tokens" => {
                let letter = ["a", "b", "c", "d", "e"][at % 5];
                writeln!(text, "User-agent: t{letter}\nDisallow: /{stars}{at}")
            }
            // Licences, of which the client reads eight.
            "licences" => writeln!(text, "License: https://e.example/{at}.xml"),
            "tdmrep" => write!(
                text,
                "{{\"location\":\"/{stars}{at}\",\"tdm-reservation\":1}},"
            ),
            "rsl" => write!(
                text,
                "<content url=\"/{stars}{at}\"><license><permits type=\"usage\">search</permits></license></content>"
            ),
            _ => panic!("no recipe {recipe}"),
        };
    }
    match recipe {
        "tdmrep" => text + "{\"location\":\"/\",\"tdm-reservation\":1}]",
        "rsl" => text + "</rsl>",
        _ => text,
    }
}

/// Reads the source for a client that asks for preferences, and decides about `url`.
fn decide(recipe: &str, source: &str, url: &str) -> usize {
    let token = |name: &str| ProductToken::new(name).expect("a token");
    let control_token = |letter: char| ControlToken {
        token: token(&format!("t{letter}")),
        usages: Usage::PREFERENCES.to_vec(),
    };
    let client = Client::new(token("f")).with_preferences(PreferenceProfile {
        vocabularies: Some(Vocabulary::ALL.to_vec()),
        control_tokens: ('a'..='c').map(control_token).collect(),
        ..PreferenceProfile::default()
    });
    let documents = Documents::default();
    let (robots, documents) = match recipe {
        "tdmrep" => (
            "",
            abide_documents::add_tdmrep(documents, source.as_bytes()),
        ),
        "rsl" => {
            let documents = abide_documents::add_rsl(documents, LICENCE, source.as_bytes());
            ("License: https://e.example/license.xml\n", documents)
        }
        _ => (source, documents),
    };
    let policy = Policy::compile(robots, &client);
    let target = Target::new(url).expect("a URL").with_documents(&documents);
    let decision = policy.decide(&target);
    let evidence = decision
        .usages
        .iter()
        .map(|usage_decision| usage_decision.evidence.len());
    evidence.sum::<usize>() + policy.diagnostics().len()
}
