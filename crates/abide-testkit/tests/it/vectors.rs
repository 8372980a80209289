//! The vectors as JSON are those of the TOML, and the example for peers in `vectors/README.md`
//! runs.

use abide_testkit::{generated, needs, spec, vector_json, vectors};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

#[test]
fn the_json_is_up_to_date_and_says_what_the_toml_says() {
    for name in vectors::FILES {
        let tables = vector_json::tables(name);
        let json = vector_json::write(&tables).unwrap_or_else(|unknown| panic!("{unknown}"));
        generated::assert_up_to_date(&format!("vectors/json/{name}.json"), &json);
        assert!(vector_json::read(&json) == tables, "{name}");
    }
}

/// The guide of applications shows a table of vectors, with their outcomes for the robot and for
/// the application.
#[test]
fn the_guide_of_applications_shows_its_vectors() {
    let guide = fs::read_to_string(vectors::folder().join("../docs/applications.md")).unwrap();
    let files = vectors::load();
    let vectors: BTreeMap<_, _> = files
        .iter()
        .flat_map(|(_, file)| &file.composed)
        .filter(|vector| vector.id == "AMB-APP-24")
        .map(|vector| (vector.name.as_str(), vector))
        .collect();
    let rows = guide.lines().filter_map(|line| line.strip_prefix("| `a-"));
    let mut shown = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = format!("a-{}", cells[0].trim_end_matches('`'));
        let vector = vectors
            .get(name.as_str())
            .unwrap_or_else(|| panic!("no vector {name}"));
        let words = |outcome: &str| match outcome {
            "permitted" => "allowed",
            "prohibited" => "disallowed",
            _ => "no preference",
        };
        let outcomes = [
            &vector.outcomes,
            &vector.application_outcomes["examplesearch"],
        ];
        let outcomes = outcomes.map(|outcomes| words(&outcomes["train"]));
        assert_eq!(cells[4..6], outcomes, "{name}");
        let robots = vector.robots.as_deref().unwrap();
        for stated in [cells[1], cells[3]] {
            let stated = stated.split('`').nth(1).unwrap_or_default();
            assert!(robots.contains(&format!("{stated}\n")), "{name}: {stated}");
        }
        let field = vector
            .headers
            .first()
            .map(|(_, value)| format!("`{value}`"));
        assert_eq!(cells[2], field.unwrap_or_default(), "{name}");
        shown += 1;
    }
    assert_eq!(shown, 12);
}

#[test]
fn a_vector_without_a_requirement_is_an_error() {
    let of = |id: &str| {
        let text = format!("[[token]]\nid = '{id}'\nname = 'n'\nkind = 'product'\n");
        vector_json::write(&toml::from_str(&text).unwrap())
    };
    let json = of("TAG-6").unwrap();
    let (section, level) = (&spec::requirements()["TAG-6"].section, "should");
    assert!(
        json.contains(&format!(r#""section":"{section}","level":"{level}""#)),
        "{json}"
    );
    assert_eq!(
        of("REP-x").unwrap_err(),
        "n: docs/spec does not define REP-x\n"
    );
}

/// The example asks a parser that is not ours, so its numbers are not ours either. But it has to
/// count every vector that it says it takes, by level.
#[test]
fn the_example_for_peers_scores_by_level() {
    let page = fs::read_to_string(vectors::folder().join("README.md")).unwrap();
    let code = page
        .split("```python\n")
        .nth(1)
        .expect("an example in Python");
    let code = code.split("```").next().unwrap();
    assert!(code.lines().count() <= 25, "{} lines", code.lines().count());
    let run = Command::new("python3")
        .args(["-c", code])
        .current_dir(vectors::folder())
        .output();
    let Ok(run) = run else {
        return needs::missing("the example for peers", "python3");
    };
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let printed = String::from_utf8(run.stdout).unwrap();
    let mut counted = BTreeMap::new();
    for line in printed.lines() {
        let (level, rest) = line.split_once(": ").expect("a level");
        let (right, rest) = rest.split_once(" of ").expect("a score");
        let (all, rest) = rest.split_once("; ").expect("a total");
        let what = match level {
            "resolution" => "another reading",
            _ => "breaks the text",
        };
        let [right, all]: [usize; 2] = [right, all].map(|number| number.parse().unwrap());
        assert_eq!(rest, format!("{what}: {}", all - right), "{line}");
        counted.insert(level.to_owned(), all);
    }
    let mut expected = BTreeMap::new();
    for vector in vectors::load().iter().flat_map(|(_, file)| &file.decision) {
        let is_taken = vector.robots.is_some()
            && vector.purposes.is_empty()
            && vector.robots_status.is_none()
            && vector.robots_error.is_none()
            && vector.profile.as_deref().unwrap_or("careful") == "careful";
        if is_taken && vector.agent.len() == 1 {
            let level = spec::requirements()[&vector.id].level.name();
            *expected.entry(level.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(counted, expected);
}
