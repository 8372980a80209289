//! Registries: the same entries in every form, and bad ones with their line.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use abide_contract::registry::{read, read_all};
use serde_json::{Value, json};

const TOML: &str = r#"
version = 1

[[application]]
id = "examplesearch"
product_tokens = ["ExampleSearch", "ExampleSearchImages"]
change_controller = "Example Search Ltd."

[application.directive.train]
type = "boolean"
overrides = ["train-ai"]
means = { true = "y", false = "n" }
description = "Whether content may be used for training"
documentation = "https://search.example/train"

[application.directive.boxes]
type = "byte-sequence"
status = "deprecated"

[[purpose]]
token = "EXAMPLE-PURPOSE-1"

[[rule]]
name = "noindex"
description = "Not in the index"
reference = "Section 3.1.3"

[[rule]]
name = "nosnippet"
"#;

/// That registry as tables, whose columns are in another order than in the drafts.
const TABLES: [&str; 4] = [
    "Application Identifier,Directive Name,Directive Value Type,Status,Directive Description,\
     Documentation URL,Overrides,Means\r\n\
     examplesearch,train,Boolean,active,Whether content may be used for training,\
     https://search.example/train,train-ai,true=y false=n\r\n\
     examplesearch,boxes,Byte Sequence,deprecated,,,,\r\n",
    "\u{feff}application identifier,Change Controller,Product Token\n\
     examplesearch,Example Search Ltd.,\"ExampleSearch, ExampleSearchImages\"\n",
    "Purpose Token\nEXAMPLE-PURPOSE-1\n",
    "Rule Name,Description,Reference\nnoindex,Not in the index,Section 3.1.3\nnosnippet,,\n",
];

fn json_form() -> Value {
    json!({
        "version": 1,
        "application": [{
            "id": "examplesearch",
            "product_tokens": ["ExampleSearch", "ExampleSearchImages"],
            "change_controller": "Example Search Ltd.",
            "directive": {
                "train": {
                    "type": "boolean", "overrides": ["train-ai"], "means": {"true": "y", "false": "n"},
                    "description": "Whether content may be used for training",
                    "documentation": "https://search.example/train",
                },
                "boxes": {"type": "byte-sequence", "status": "deprecated"},
            },
        }],
        "purpose": [{"token": "EXAMPLE-PURPOSE-1"}],
        "rule": [
            {"name": "noindex", "description": "Not in the index", "reference": "Section 3.1.3"},
            {"name": "nosnippet"},
        ],
    })
}

/// Cells may have commas, quotation marks and ends of lines.
#[test]
fn a_cell_in_quotation_marks() {
    let text = "Rule Name,Description\r\nnoindex,\"a, \"\"b\"\"\r\nc\"\r\nnosnippet,d \"e\"\r\n";
    let rules = read(text).unwrap().rules.unwrap();
    let said = |name: &str| rules[name].description.clone().unwrap();
    assert_eq!(said("noindex"), "a, \"b\"\r\nc");
    assert_eq!(said("nosnippet"), "d \"e\"");
}

#[test]
fn three_forms_say_the_same() {
    let shown = |registries| format!("{registries:?}");
    let from_toml = shown(read(TOML).unwrap());
    assert_eq!(from_toml, shown(read(&json_form().to_string()).unwrap()));
    assert_eq!(
        from_toml,
        shown(read(&format!("{:#}", json_form())).unwrap())
    );
    assert_eq!(from_toml, shown(read_all(&TABLES).unwrap()));
}

/// The answer to a request with a registry.
fn answered(registry: &Value) -> String {
    let robots = "User-agent: *\nContent-Usage: train-ai=n\n\
        App-Directives: examplesearch;train;boxes=?1;new\n";
    let request = json!({
        "url": "https://e.example/a", "agent": "f", "robots": robots, "now": "2026-01-01T00:00:00Z",
        "applications": ["examplesearch"], "purposes": ["example-purpose-1"], "preferences": {},
        "headers": [["Robots-Tag", "*;noindex;noarchive"]], "registry": registry,
    });
    abide_contract::answer(request.to_string().as_bytes()).line
}

/// A registry in a request is an object, or the text of a file; the answer has the same bytes.
#[test]
fn a_request_takes_every_form() {
    let by_object = answered(&json_form());
    assert_eq!(by_object, answered(&TOML.into()));
    assert_eq!(by_object, answered(&json_form().to_string().into()));
    let decision: Value = serde_json::from_str(&by_object).unwrap();
    let said = &decision["applications"]["examplesearch"];
    let registered = &said["registered"]["train"];
    assert_eq!(registered["documentation"], "https://search.example/train");
    assert_eq!(
        registered["description"],
        "Whether content may be used for training"
    );
    assert_eq!(said["overrides"], json!({"train": ["train-ai"]}));
    assert_eq!(said["type_mismatch"], json!(["boxes"]));
    assert_eq!(said["unregistered"], json!(["new"]));
    // Only the registered rules count.
    assert_eq!(decision["usages"]["index"]["outcome"], "prohibited");
    let preserved = &decision["usages"]["present-currentcopy"]["outcome"];
    assert_eq!(preserved, "unspecified");
    assert_eq!(decision["unknown_tag_rules"], json!(["noarchive"]));
}

/// The product tokens of an application are those of the registry, and without any the client's.
#[test]
fn an_application_looks_in_the_group_that_the_registry_names() {
    let asked = |tokens: &Value| {
        let robots =
            "User-agent: SearchBot\nApp-Directives: a;x=1\nUser-agent: f\nApp-Directives: a;x=2\n";
        let request = json!({
            "url": "https://e.example/", "agent": "f", "robots": robots, "applications": ["a"],
            "registry": {"application": [{"id": "a", "product_tokens": tokens}]},
        });
        let answer = abide_contract::answer(request.to_string().as_bytes()).line;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        answer["applications"]["a"]["directives"]["x"].clone()
    };
    assert_eq!(asked(&json!(["SearchBot"])), 1);
    assert_eq!(asked(&json!([])), 2);
}

#[test]
fn only_registered_purposes_can_be_claimed() {
    let request = json!({
        "url": "https://e.example/", "agent": "f", "robots": "", "purposes": ["EXAMPLE-PURPSE-1"],
        "registry": TOML,
    });
    let answer = abide_contract::answer(request.to_string().as_bytes());
    let error = answer.error.unwrap();
    assert_eq!(
        (error.code(), error.pointer()),
        ("invalid-purpose", "/purposes/0")
    );
    let reason = error.reason();
    assert!(
        reason.ends_with("did you mean \"EXAMPLE-PURPOSE-1\"?"),
        "{reason}"
    );
}

/// Bad entries, with their lines and parts of the messages.
const BAD: &[(&str, Option<usize>, &str)] = &[
    (
        "version = 2",
        Some(1),
        "in \"version\": expected version = 1",
    ),
    (
        "version = 1\nname = 'x'",
        Some(2),
        "unknown member \"name\"",
    ),
    (
        "version = 1\n[[aplication]]\n",
        Some(2),
        "did you mean application?",
    ),
    (
        "[[application]]\nid = 'a b'",
        Some(2),
        "expected an application identifier such as examplesearch, but found \"a b\"",
    ),
    (
        "[[application]]\nproduct_tokens = []",
        Some(1),
        "the member \"application[0].id\" is missing",
    ),
    (
        "[[application]]\nid = 'a'\n\n[[application]]\nid = 'A'",
        Some(5),
        "is registered already",
    ),
    (
        "[[application]]\nid = 'a'\nproduct_tokens = [\n 'B',\n 'b/1',\n]",
        Some(5),
        "in \"application[0].product_tokens[1]\": of the application \"a\": expected a product token",
    ),
    (
        "[[application]]\nid = 'a'\nproduct_tokens = ['Bot']\n[[application]]\nid = 'b'\nproduct_tokens = ['bot']",
        Some(6),
        "the product token \"bot\" of the application \"b\" is that of \"a\" too",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.W]\ntype = 'boolean'",
        Some(3),
        "in lower case such as widgets",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'bolean'",
        Some(4),
        "did you mean \"boolean\"?",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'boolean'\noverrides = ['nonsense']",
        Some(5),
        "no AI preference has the word \"nonsense\"; expected one of ai-input, ai-train, ai-use, search, train-ai",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'boolean'\noverides = []",
        Some(5),
        "did you mean overrides?",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'boolean'\ndocumentation = 'not a url'",
        Some(5),
        "expected an address such as https://example.com/directives, but found \"not a url\"",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'boolean'\ndocumentation = 'mailto:a@b.example'",
        Some(5),
        "expected an address",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'boolean'\nmeans = { yes = 'y' }",
        Some(5),
        "expected a value of type boolean such as true, but found \"yes\"",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'string'\nmeans = { some = 'y' }",
        Some(5),
        "expected a value of type string such as \"some\", but found \"some\"",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'decimal'\nmeans = { 1 = 'y' }",
        Some(5),
        "expected a value of type decimal such as 1.5, but found \"1\"",
    ),
    (
        "[[application]]\nid = 'a'\nproduct_tokens = [\n 'B',\n 'b',\n]",
        Some(5),
        "has this product token already",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'boolean'\nmeans = { true = 'yes' }",
        Some(5),
        "expected y or n, but found \"yes\"",
    ),
    (
        "[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'boolean'\nstatus = 'obsolete'",
        Some(5),
        "expected active or deprecated",
    ),
    (
        "[[purpose]]\ntoken = 'A B'",
        Some(2),
        "expected a purpose token",
    ),
    (
        "[[purpose]]\ntoken = 'A'\n[[purpose]]\ntoken = 'a'",
        Some(4),
        "is registered already",
    ),
    (
        "[[rule]]\nname = 'NoIndex'",
        Some(2),
        "expected a rule in lower case",
    ),
    (
        "[[rule]]\nname = 'x'\n[[rule]]\nname = 'x'",
        Some(4),
        "is registered already",
    ),
    (
        "[[rule]]\nname = 'x'\nname = 'y'",
        Some(3),
        "not valid TOML",
    ),
    ("a = [", Some(1), "not valid TOML"),
    ("application = 1", Some(1), "expected a list"),
    (
        "{\n \"application\": [\n  {\"id\": \"a\"},\n  {\"id\": \"a b\"}\n ]\n}",
        Some(4),
        "application[1].id",
    ),
    ("{\n \"rules\": []\n}", Some(2), "did you mean rule?"),
    ("{", None, "it ends inside an object"),
    (
        "Rule Name,Descripton\nnoindex,x\n",
        Some(1),
        "unknown column \"Descripton\"; did you mean \"Description\"?",
    ),
    ("Rule Name,Rule Name\nnoindex,x\n", Some(1), "occurs twice"),
    (
        "Directive Name,Directive Value Type\ntrain,Boolean\n",
        Some(1),
        "the column \"Application Identifier\" is missing",
    ),
    (
        "Rule Name,Description\nnoindex\n",
        Some(2),
        "expected 2 cells",
    ),
    (
        "Rule Name,Description\nnoindex,\n,x\n",
        Some(3),
        "in \"Rule Name\": the cell is empty",
    ),
    (
        "Rule Name\nnoindex\n\nNOINDEX\n",
        Some(4),
        "in \"Rule Name\": expected a rule in lower case",
    ),
    (
        "Application Identifier,Directive Name,Directive Value Type\nexamplesearch,train,Boolean\n",
        Some(2),
        "in \"Application Identifier\": expected directives of registered applications",
    ),
    (
        "Application Identifier,Directive Name,Directive Value Type,Means\na,w,Token,some=y some=n\n",
        Some(2),
        "in \"Means\": a value occurs twice",
    ),
    (
        "Rule Name,Description\nnoindex,x\nnosnippet,\"y\nnoarchive,z\n",
        Some(3),
        "a quotation mark begins a cell, and none ends it",
    ),
    (
        "Rule Name,Description\nnosnippet,\"y\nnoarchive,\"z\n",
        Some(2),
        "a quotation mark begins a cell, and none ends it",
    ),
    ("Rule Name\n\"", Some(2), "none ends it"),
    (
        "Names\nnoindex\n",
        Some(1),
        "the first line of a table in CSV names its columns",
    ),
    (
        "noindex,a=b\n",
        Some(1),
        "the first line of a table in CSV names its columns",
    ),
];

#[test]
fn bad_entries_are_refused_with_their_line() {
    for (text, line, words) in BAD {
        let error = read(text).unwrap_err();
        assert_eq!(error.line(), *line, "{text}: {error}");
        let message = error.to_string();
        assert!(message.contains(words), "{text}: {message}");
        let doubled = message
            .matches("expected an application identifier")
            .count()
            > 1;
        assert!(!doubled, "{message}");
    }
}

/// A directive of an application that no file has, with the nearest one, in the file that has it.
#[test]
fn files_are_one_registry() {
    let applications = "Application Identifier\nexamplesearch\n";
    let directives = |id: &str| {
        format!("Application Identifier,Directive Name,Directive Value Type\n{id},train,Boolean\n")
    };
    assert!(read_all(&[&directives("examplesearch"), applications]).is_ok());
    let (number, error) = read_all(&[applications, &directives("exampelsearch")]).unwrap_err();
    assert_eq!((number, error.line()), (1, Some(2)));
    assert!(
        error
            .to_string()
            .contains("did you mean \"examplesearch\"?")
    );
    let twice = directives("examplesearch");
    let (number, error) = read_all(&[applications, &twice, &twice]).unwrap_err();
    assert_eq!(number, 2);
    assert!(
        error.to_string().contains("in \"Directive Name\""),
        "{error}"
    );
}

/// What is wrong in a request has a pointer.
#[test]
fn a_request_points_to_the_entry() {
    let directive = json!({"type": "boolean", "overrides": ["search", "train"]});
    let wrong = [
        (
            json!({"application": [{"id": "a"}, {"id": "a b"}]}),
            "/application/1/id",
        ),
        (
            json!({"application": [{"id": "a", "directive": {"w": directive}}]}),
            "/application/0/directive/w/overrides/1",
        ),
        (
            json!({"rule": [{"name": "x"}, {"name": "x"}]}),
            "/rule/1/name",
        ),
        (json!("Rule Name\nX\n"), ""),
    ];
    for (registry, pointer) in wrong {
        let answer: Value = serde_json::from_str(&answered(&registry)).unwrap();
        let error = &answer["error"];
        assert_eq!(error["code"], "invalid-registry", "{answer}");
        assert_eq!(error["pointer"], format!("/registry{pointer}"));
    }
}
