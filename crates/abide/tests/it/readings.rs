//! The readings of ambiguous points that a client can choose.

use abide::{Client, Policy, ProductToken, Profile, PurposeToken, Reading, Robots, Target, Usage};
use abide_testkit::vectors;

/// The guide lists each reading, and a vector shows each.
#[test]
fn each_reading_is_documented_and_shown() {
    let guide = include_str!("../../../../docs/decisions.md");
    let rows = guide.lines().filter(|line| line.starts_with("| `AMB-"));
    let rows: Vec<_> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    let names: Vec<_> = Reading::ALL.iter().map(|reading| reading.name()).collect();
    assert_eq!(rows, names);
    let files = vectors::load();
    let composed = files.iter().flat_map(|(_, file)| &file.composed);
    let shown: Vec<_> = composed.flat_map(|vector| &vector.readings).collect();
    for name in names {
        assert!(shown.iter().any(|shown| **shown == name), "{name}");
    }
}

/// The ways to a policy agree in every reading, on the files of all vectors.
#[test]
fn the_ways_to_an_answer_agree_in_every_reading() {
    let mut differing = 0;
    for (name, file) in vectors::load() {
        for vector in &file.decision {
            let (Some(bytes), None) = (vector.bytes(), &vector.profile) else {
                continue;
            };
            let robots = Robots::parse(&bytes);
            let tokens = vector.agent.iter();
            let tokens = tokens.map(|token| ProductToken::nonstandard(token).unwrap());
            let own = tokens.fold(Client::unnamed(), Client::with_product_token);
            let purposes = vector.purposes.iter();
            let purposes = purposes.map(|purpose| PurposeToken::new(purpose).unwrap());
            let own = purposes.fold(own, Client::with_purpose);
            let plain = Policy::compile(&bytes, &own).allows(&vector.url);
            for reading in Reading::ALL {
                let client = own.clone().with_reading(*reading);
                let policy = Policy::compile(&bytes, &client);
                let allowed = policy.allows(&vector.url);
                let name = format!("{name}: {} as {reading}", vector.name);
                assert_eq!(
                    abide::allows(&bytes, &client, &vector.url),
                    allowed,
                    "{name}"
                );
                assert_eq!(
                    robots.policy(&client).allows(&vector.url),
                    allowed,
                    "{name}"
                );
                let chosen = robots.chosen_groups(&client);
                assert_eq!(chosen, policy.chosen_groups(), "{name}");
                assert!(!reading.is_default() || allowed == plain, "{name}");
                differing += usize::from(allowed != plain);
            }
        }
    }
    assert!(differing > 10, "{differing} answers differ");
}

#[test]
fn readings_are_of_the_careful_profile() {
    let file = b"User-agent: *\nDisallow: x\n";
    let client = Client::unnamed().with_reading(Reading::SlashImplied);
    assert!(!abide::allows(file, &client, "/x"));
    assert_eq!(
        client.readings().collect::<Vec<_>>(),
        [Reading::SlashImplied]
    );
    let google = client.with_profile(Profile::Google);
    assert!(abide::allows(file, &google, "/x"));
    assert_eq!(google.readings().count(), 0);
}

/// What a control token of the operator may do is read as the rest of the file is.
#[test]
fn control_tokens_have_the_readings_of_their_client() {
    use abide::preference::{ControlToken, PreferenceProfile};
    let file = b"User-agent: f\nContent-Usage: search=y\nUser-agent: Own-Extended\nDisallow: /\n\nUser-agent: Own-Extended/2\nAllow: /\n";
    let token = ControlToken {
        token: ProductToken::new("Own-Extended").unwrap(),
        usages: vec![Usage::Train],
    };
    let asked = PreferenceProfile {
        control_tokens: vec![token],
        ..PreferenceProfile::default()
    };
    let client = Client::new(ProductToken::new("f").unwrap()).with_preferences(asked);
    let target = Target::new("https://e.example/x").unwrap();
    let outcome = |client: &Client| {
        let policy = Policy::compile(file, client);
        policy.decide(&target).outcome(Usage::Train).name()
    };
    assert_eq!(outcome(&client), "permitted");
    assert_eq!(
        outcome(&client.with_reading(Reading::AgentWhole)),
        "prohibited"
    );
}
