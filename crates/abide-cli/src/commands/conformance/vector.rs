//! Runs one vector: asks the engine, and says what differs from the expected answer.

use abide::acap::{AcapPattern, Narrower};
use abide::app::field::Directives;
use abide::rep::Cause;
use abide::syntax::normal;
use abide::tag::{FieldLine, header};
use abide::{Client, Moment, ProductToken, PurposeToken, Robots, Target, Usage};
use abide_fetch::Body;
use abide_fetch::machine::{
    AfterGrace, Chain, Event, Field, Hop, NextFetch, ResponseTimes, RetrievalSettings, State,
    TooManyRequests,
};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Nothing, or what differs.
type Checked = Result<(), String>;

/// Runs a vector of any table.
pub(super) fn run(vector: &Value) -> Checked {
    match text(&vector["table"]) {
        "decision" => decision(vector),
        "tags" => tags(vector),
        "applications" => applications(vector),
        "composed" => composed(vector),
        "normal" => normal_forms(vector),
        "token" => token(vector),
        "parse" => parse(vector),
        "structured" => structured(vector),
        "scope" => scope(vector),
        "retrieval" => retrieval(vector),
        other => Err(format!("no such table: {other}")),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Compares a part of the answer with the expected one.
fn same(what: &str, found: &Value, expected: &Value) -> Checked {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: expected {expected}, but found {found}"))
}

/// Compares a part of the answer with the member of the vector, if it has one.
fn same_if_given(vector: &Value, member: &str, found: &Value) -> Checked {
    match vector.get(member) {
        Some(expected) => same(member, found, expected),
        None => Ok(()),
    }
}

/// The text that a recipe of a vector makes.
fn repeated(recipe: &Value) -> String {
    let times = recipe["times"]
        .as_u64()
        .and_then(|times| usize::try_from(times).ok());
    let unit = text(&recipe["unit"]).repeat(times.unwrap_or_default());
    format!("{}{unit}{}", text(&recipe["head"]), text(&recipe["tail"]))
}

/// A request with these members of the vector, as far as it has them, and the body of robots.txt.
fn request(vector: &Value, names: &[&str]) -> Map<String, Value> {
    let given = |name: &&str| Some(((*name).to_owned(), vector.get(*name)?.clone()));
    let mut request: Map<String, Value> = names.iter().filter_map(given).collect();
    if let Some(recipe) = vector.get("robots_repeat") {
        request.insert("robots".to_owned(), repeated(recipe).into());
    }
    request
}

fn answer(request: Map<String, Value>) -> Result<Value, String> {
    let line = abide_contract::answer(Value::Object(request).to_string().as_bytes()).line;
    serde_json::from_str(&line).map_err(|error| format!("the answer is not JSON: {error}"))
}

/// The diagnostics that the vector expects or excludes.
fn diagnostics(vector: &Value, answer: &Value) -> Checked {
    let found: Vec<&Value> = list(&answer["diagnostics"])
        .iter()
        .map(|one| &one["code"])
        .collect();
    let is_missing = |code: &&Value| !found.contains(code);
    if let Some(code) = list(&vector["diagnostics"]).iter().find(is_missing) {
        return Err(format!("the diagnostic {code} is missing"));
    }
    match list(&vector["no_diagnostics"])
        .iter()
        .find(|code| found.contains(code))
    {
        Some(code) => Err(format!("the diagnostic {code} is given")),
        None => Ok(()),
    }
}

fn decision(vector: &Value) -> Checked {
    let answer = answer(request(
        vector,
        &[
            "url",
            "agent",
            "purposes",
            "nonstandard_token",
            "profile",
            "robots",
            "robots_base64",
            "robots_status",
            "robots_error",
        ],
    ))?;
    let crawl = &answer["usages"]["crawl"];
    let decided = &crawl["evidence"][0];
    same("crawl", &crawl["outcome"], &vector["expect"])?;
    same_if_given(vector, "line", &decided["line"])?;
    same_if_given(vector, "statement", &decided["statement"])?;
    same_if_given(vector, "selected_by", &decided["selected_by"]["by"])?;
    same_if_given(vector, "bytes", &decided["bytes"])?;
    same_if_given(vector, "sitemaps", &answer["sitemaps"])?;
    same_if_given(vector, "robots_url", &answer["robots_url"])?;
    if let Some(delay) = vector.get("crawl_delay") {
        let found = answer["crawl_delay"].as_f64().unwrap_or(0.0);
        same("crawl_delay", &json!(found), &json!(delay.as_f64()))?;
    }
    diagnostics(vector, &answer)
}

fn tags(vector: &Value) -> Checked {
    let mut asks = request(
        vector,
        &[
            "agent",
            "purposes",
            "robots",
            "html",
            "rendered_html",
            "profile",
            "now",
        ],
    );
    let field = |name: &'static str| move |value: &Value| json!([name, value]);
    let long = vector
        .get("robots_tag_repeat")
        .map(|recipe| json!(["Robots-Tag", repeated(recipe)]));
    let fields = list(&vector["robots_tag"])
        .iter()
        .map(field("Robots-Tag"))
        .chain(long);
    let older = list(&vector["x_robots_tag"])
        .iter()
        .map(field("X-Robots-Tag"));
    let fields: Vec<Value> = fields
        .chain(older)
        .chain(list(&vector["fields"]).to_vec())
        .collect();
    asks.insert("headers".to_owned(), fields.into());
    asks.insert("url".to_owned(), "https://e.example/x".into());
    asks.entry("robots").or_insert_with(|| "".into());
    asks.entry("now")
        .or_insert_with(|| "2000-01-01T00:00:00Z".into());
    let answer = answer(asks)?;
    same("rules", &answer["tags"], &vector["expect"])?;
    same_if_given(vector, "unknown", &answer["unknown_tag_rules"])?;
    usages(vector, &answer)?;
    diagnostics(vector, &answer)
}

/// What the vector expects by usage.
fn usages(vector: &Value, answer: &Value) -> Checked {
    for (member, part) in [
        ("outcomes", "outcome"),
        ("lines", "line"),
        ("sources", "source"),
        ("reasons", "reason"),
    ] {
        for (usage, expected) in members(&vector[member]) {
            let said = &answer["usages"][usage];
            let found = if part == "outcome" {
                &said[part]
            } else {
                &said["evidence"][0][part]
            };
            same(&format!("{part} of {usage}"), found, expected)?;
        }
    }
    for (usage, expected) in members(&vector["conditions"]) {
        let found = list(&answer["usages"][usage]["conditions"]).iter();
        let found = found.map(|one| format!("{} {}", text(&one["kind"]), text(&one["value"])));
        let found: Vec<String> = found.collect();
        same(&format!("conditions of {usage}"), &json!(found), expected)?;
    }
    for (usage, expected) in members(&vector["notes"]) {
        let found = list(&answer["usages"][usage]["evidence"][0]["notes"]);
        same(&format!("notes of {usage}"), &json!(found), expected)?;
    }
    Ok(())
}

fn applications(vector: &Value) -> Checked {
    let mut asks = request(vector, &["url", "robots"]);
    let id = text(&vector["application"]);
    let application = json!({"id": id, "product_tokens": vector["product_tokens"]});
    asks.insert("agent".to_owned(), "client".into());
    asks.insert("applications".to_owned(), json!([application]));
    let answer = answer(asks)?;
    directives(&answer["applications"][id], &vector["expect"])?;
    let disallowed = vector
        .get("crawl_disallowed")
        .unwrap_or(&Value::Bool(false));
    same(
        "crawl_disallowed",
        &answer["applications"][id]["crawl_disallowed"],
        disallowed,
    )?;
    diagnostics(vector, &answer)
}

/// The directives of one application.
fn directives(said: &Value, expected: &Value) -> Checked {
    let found = members(&said["directives"]).map(|(name, value)| (name.clone(), written(value)));
    let found: Map<String, Value> = found.map(|(name, value)| (name, value.into())).collect();
    let expected = members(expected);
    let expected =
        expected.map(|(name, value)| (name.clone(), text(value).replace('"', "").into()));
    same(
        "directives",
        &found.into(),
        &expected.collect::<Map<_, _>>().into(),
    )
}

/// The value of a directive as structured fields write it, without quotes.
fn written(value: &Value) -> String {
    let escaped = |byte: u8| match byte {
        b' '..=b'~' if !b"%\"".contains(&byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02x}"),
    };
    let inner = &value["value"];
    match (value["type"].as_str(), inner) {
        (Some("byte-sequence"), Value::String(encoded)) => format!(":{encoded}:"),
        (Some("display-string"), Value::String(text)) => {
            format!("%{}", text.bytes().map(escaped).collect::<String>())
        }
        (Some("date"), seconds) => format!("@{seconds}"),
        (Some(_), Value::String(text)) => text.clone(),
        _ => match value {
            Value::Bool(stated) => format!("?{}", u8::from(*stated)),
            Value::String(text) => text.clone(),
            number => number.to_string(),
        },
    }
}

fn composed(vector: &Value) -> Checked {
    let mut asks = request(
        vector,
        &[
            "url",
            "agent",
            "purposes",
            "acap",
            "robots",
            "robots_status",
            "robots_error",
            "references",
            "headers",
            "html",
            "rendered_html",
            "now",
            "first_indexed",
            "first_copied",
            "version",
            "profile",
            "readings",
            "preferences",
            "registry",
        ],
    );
    asks.entry("now")
        .or_insert_with(|| "2000-01-01T00:00:00Z".into());
    let application = |id: &Value| match text(id).split_once('@') {
        Some((id, token)) => json!({"id": id, "product_tokens": [token]}),
        None => id.clone(),
    };
    let asked: Vec<Value> = list(&vector["applications"])
        .iter()
        .map(application)
        .collect();
    asks.insert("applications".to_owned(), asked.into());
    let answer = answer(asks)?;
    if vector.get("error").is_some() || answer.get("error").is_some() {
        return same("error", &answer["error"]["code"], &vector["error"]);
    }
    usages(vector, &answer)?;
    vocabularies(vector, &answer["preferences"])?;
    same_if_given(vector, "needs", &answer["needs"])?;
    let requests = list(&answer["action_requests"]).iter();
    let requests = requests.map(|one| format!("{} {}", text(&one["action"]), text(&one["path"])));
    same_if_given(
        vector,
        "action_requests",
        &json!(requests.collect::<Vec<_>>()),
    )?;
    for (id, expected) in members(&vector["directives"]) {
        directives(&answer["applications"][id], expected)?;
    }
    for_applications(vector, &answer["applications"])?;
    diagnostics(vector, &answer)
}

/// What the preferences for applications are.
fn for_applications(vector: &Value, said: &Value) -> Checked {
    let members_of = |member: &str| -> Vec<(String, String, Value)> {
        let each = members(&vector[member]);
        let each = each.flat_map(|(id, usages)| {
            members(usages)
                .map(move |(usage, expected)| (id.clone(), usage.clone(), expected.clone()))
        });
        each.collect()
    };
    for (id, usage, expected) in members_of("application_outcomes") {
        let found = &said[&id]["preferences"][&usage]["outcome"];
        same(&format!("{usage} for {id}"), found, &expected)?;
    }
    for (id, usage, expected) in members_of("application_lines") {
        let found = &said[&id]["preferences"][&usage]["evidence"][0]["line"];
        same(&format!("line of {usage} for {id}"), found, &expected)?;
    }
    for (id, usage, expected) in members_of("application_overridden") {
        let evidence = list(&said[&id]["preferences"][&usage]["evidence"]).iter();
        let overridden = evidence.filter(|one| one["reason"] == "directive-overrides");
        let lines: Vec<&Value> = overridden.map(|one| &one["line"]).collect();
        same(
            &format!("overridden {usage} for {id}"),
            &json!(lines),
            &expected,
        )?;
    }
    Ok(())
}

/// What each vocabulary of AI preferences says.
fn vocabularies(vector: &Value, said: &Value) -> Checked {
    for (vocabulary, expected) in members(&vector["words"]) {
        let plain = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let found = members(&said[vocabulary]["words"]);
        let found: Map<String, Value> = found
            .map(|(word, value)| (word.clone(), plain(value).into()))
            .collect();
        same(&format!("words of {vocabulary}"), &found.into(), expected)?;
    }
    for (vocabulary, expected) in members(&vector["by_vocabulary"]) {
        for (usage, outcome) in members(expected) {
            let found = &said[vocabulary]["usages"][usage];
            same(&format!("{usage} in {vocabulary}"), found, outcome)?;
        }
    }
    let documents: Vec<&Value> = list(&said["rsl"]["documents"])
        .iter()
        .map(|one| &one["url"])
        .collect();
    same_if_given(vector, "documents", &json!(documents))
}

fn normal_forms(vector: &Value) -> Checked {
    let input = text(&vector["input"]).as_bytes();
    let forms = match vector["pattern"].as_bool() {
        Some(true) => normal::pattern(input),
        _ => normal::target(input),
    };
    let form = |bytes: &[u8]| Value::from(String::from_utf8_lossy(bytes).into_owned());
    same("C1", &form(&forms.c1), &vector["c1"])?;
    same("C2", &form(forms.c2()), &vector["c2"])
}

fn token(vector: &Value) -> Checked {
    let token = text(&vector["token"]);
    let is_valid = match text(&vector["kind"]) {
        "product" => ProductToken::new(token).is_ok(),
        "nonstandard" => ProductToken::nonstandard(token).is_ok(),
        "purpose" => PurposeToken::new(token).is_ok(),
        other => return Err(format!("no such kind: {other}")),
    };
    same("valid", &is_valid.into(), &vector["valid"])
}

fn parse(vector: &Value) -> Checked {
    let robots = Robots::parse(text(&vector["robots"]).as_bytes());
    same("lines", &robots.lines().len().into(), &vector["lines"])?;
    let Some(expected) = vector.get("line_of") else {
        return Ok(());
    };
    let wanted = text(&expected["text"]).as_bytes();
    let mut lines = robots.lines().iter();
    let found = lines.find(|line| line.span.of(robots.text().as_bytes()) == wanted);
    same(
        "number",
        &json!(found.map(|line| line.number)),
        &expected["number"],
    )
}

fn structured(vector: &Value) -> Checked {
    let value = text(&vector["value"]);
    let is_valid = if text(&vector["id"]).contains("APP") {
        Directives::read(value.as_bytes()).is_some()
    } else {
        let (_, found) = header::read(&[FieldLine::new("Robots-Tag", value)]);
        let refused = ["robots-tag-malformed", "robots-tag-key-case"];
        !found.iter().any(|one| refused.contains(&one.code.name()))
    };
    same("valid", &is_valid.into(), &vector["valid"])
}

fn scope(vector: &Value) -> Checked {
    let read = |member: &str| {
        let pattern = text(&vector[member]);
        AcapPattern::read(pattern.as_bytes()).map_err(|error| format!("{pattern}: {error}"))
    };
    let found = match read("a")?.compare(&read("b")?) {
        Narrower::First => "a",
        Narrower::Second => "b",
        Narrower::Same => "same",
        Narrower::Undecidable => "undecidable",
    };
    same("narrower", &found.into(), &vector["narrower"])
}

fn settings(chosen: &Value) -> Result<RetrievalSettings, String> {
    let mut settings = RetrievalSettings::default();
    if let Some(seconds) = chosen["min_lifetime"].as_u64() {
        settings.min_lifetime = Duration::from_secs(seconds);
    }
    if let Some(seconds) = chosen["grace"].as_u64() {
        settings.grace = Duration::from_secs(seconds);
    }
    settings.after_grace = match text(&chosen["after_grace"]) {
        "" | "copy-else-allow" => AfterGrace::CopyElseAllow,
        "copy-else-disallow" => AfterGrace::CopyElseDisallow,
        "disallow" => AfterGrace::Disallow,
        other => return Err(format!("no such after_grace: {other}")),
    };
    settings.while_429 = match text(&chosen["while_429"]) {
        "" | "unreachable" => TooManyRequests::Unreachable,
        "unavailable" => TooManyRequests::Unavailable,
        other => return Err(format!("no such while_429: {other}")),
    };
    Ok(settings)
}

/// The event that results from an attempt: follows its redirects up to the limit.
fn event(attempt: &Value, settings: &RetrievalSettings) -> Result<Event<Body>, String> {
    let came = instant(attempt);
    if let Some(error) = attempt["error"].as_str() {
        let cause = error.parse::<Cause>().map_err(|error| error.to_string())?;
        return Ok(Event::failure(cause, came));
    }
    let mut chain =
        Chain::new("https://e.example/robots.txt").map_err(|cause| format!("{cause:?}"))?;
    for hop in 0..attempt["redirects"].as_u64().unwrap_or_default() {
        let location = format!("https://hop{hop}.example/robots.txt");
        if let Hop::End(cause) = chain.follow(&[location.as_bytes()], settings) {
            return Ok(Event::failure(cause, came));
        }
    }
    let fields = list(&attempt["headers"]).iter();
    let fields: Vec<Field<'_>> = fields
        .map(|field| Field::new(text(&field[0]), text(&field[1]).as_bytes()))
        .collect();
    let status = attempt["status"]
        .as_u64()
        .and_then(|status| u16::try_from(status).ok());
    let status = status.ok_or("an attempt without a status")?;
    let body = text(&attempt["body"]).as_bytes().to_vec();
    let event = Event::response(status, &fields, body, ResponseTimes::at(came), settings);
    Ok(event.with_body(Body::new))
}

fn instant(at: &Value) -> Moment {
    Moment::from_unix_seconds(at["at"].as_i64().unwrap_or_default())
}

fn retrieval(vector: &Value) -> Checked {
    let settings = settings(&vector["settings"])?;
    let client = Client::new(ProductToken::new("f").map_err(|error| error.to_string())?);
    for asked in list(&vector["ask"]) {
        let now = instant(asked);
        let mut state = State::default();
        for attempt in list(&vector["events"])
            .iter()
            .filter(|one| instant(one) <= now)
        {
            state = state.after(event(attempt, &settings)?, &settings);
        }
        let plan = state.plan(now, &settings);
        let policy = plan.current.policy(&client);
        for path in ["x", "y"] {
            let url = format!("/{path}");
            let target = Target::new(&url).map_err(|error| error.to_string())?;
            let outcome = policy.decide(&target).outcome(Usage::Crawl).name();
            same(path, &outcome.into(), &asked[path])?;
        }
        same_if_given(asked, "why", &plan.why.name().into())?;
        let next = match plan.next {
            NextFetch::Now => 0,
            NextFetch::At(moment) => moment.unix_seconds() - now.unix_seconds(),
        };
        same_if_given(asked, "next", &next.into())?;
    }
    Ok(())
}
