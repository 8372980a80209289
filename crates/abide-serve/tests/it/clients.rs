//! The examples of docs/serve.md and of turns in docs/crawlers.md, run against a real
//! service, and a client that is made from /openapi.json.

use crate::client::get;
use crate::{config, run, site};
use abide_serve::Config;
use abide_testkit::needs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The block of docs/serve.md in this language that contains `mark`.
fn example(language: &str, mark: &str) -> String {
    example_of("docs/serve.md", language, mark)
}

fn example_of(page: &str, language: &str, mark: &str) -> String {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let fence = format!("\n```{language}\n");
    let blocks = text.split(&fence).skip(1);
    let mut blocks = blocks.map(|rest| rest.split("\n```").next().unwrap());
    let block = blocks.find(|block| block.contains(mark));
    block
        .unwrap_or_else(|| panic!("{page} has no example in {language}"))
        .to_owned()
}

/// What an example prints, asked about a site that disallows /private to `ExampleBot`. `None` if
/// the machine lacks the program.
fn printed(test: &str, program: &str, file: &str, source: &str) -> Option<String> {
    let site = site("User-agent: ExampleBot\nDisallow: /private\n");
    let service = run(&Config {
        turns: Some(true),
        min_delay: Some(0),
        ..config()
    });
    let source = source
        .replace("https://news.example/", &site.url("/"))
        .replace(
            "http://127.0.0.1:8080",
            &format!("http://{}", service.address),
        );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, source).unwrap();
    let Ok(output) = Command::new(program).arg(&path).output() else {
        needs::missing(test, program);
        return None;
    };
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{errors}");
    assert_eq!(site.requests().len(), 1);
    Some(printed)
}

#[test]
fn curl() {
    let source = example("sh", "--data-urlencode");
    if Command::new("curl").arg("--version").output().is_err() {
        needs::missing("curl", "curl");
        return;
    }
    if let Some(text) = printed("curl", "sh", "ask.sh", &source) {
        assert_eq!(text, "\"crawl\":{\"outcome\":\"prohibited\"\n");
    }
}

#[test]
fn python() {
    let source = example("python", "urlopen");
    if let Some(text) = printed("python", "python3", "ask.py", &source) {
        assert_eq!(text, "prohibited\n");
    }
}

#[test]
fn turns_in_python() {
    let source = example_of("docs/crawlers.md", "python", "/v1/turn");
    if let Some(text) = printed("turns_in_python", "python3", "ask.py", &source) {
        assert!(text.starts_with("fetch http://"), "{text}");
    }
}

#[test]
fn node() {
    let source = example("js", "fetch");
    if let Some(text) = printed("node", "node", "ask.mjs", &source) {
        assert_eq!(text, "prohibited\n");
    }
}

#[test]
fn java() {
    let source = example("java", "HttpClient");
    if let Some(text) = printed("java", "java", "Ask.java", &source) {
        assert_eq!(text, "prohibited\npermitted\n");
    }
}

/// What `.ci/run` installs: openapi-typescript, openapi-fetch and typescript.
fn generator() -> Option<PathBuf> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let folder = target.join("openapi-client");
    folder
        .join("node_modules/.bin/tsc")
        .exists()
        .then_some(folder)
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}{errors}");
    text
}

#[test]
fn a_client_made_from_the_document_compiles_and_works() {
    let Some(folder) = generator() else {
        needs::missing(
            "a_client_made_from_the_document",
            "openapi-typescript in target/openapi-client",
        );
        return;
    };
    let site = site("User-agent: ExampleBot\nDisallow: /private\n");
    let service = run(&config());
    let own = tempfile::tempdir_in(&folder).unwrap();
    let bin = |name: &str| folder.join("node_modules/.bin").join(name);
    std::fs::write(
        own.path().join("openapi.json"),
        get(service.address, "/openapi.json").body,
    )
    .unwrap();
    let mut generate = Command::new(bin("openapi-typescript"));
    succeeds(
        generate
            .args(["openapi.json", "-o", "schema.ts"])
            .current_dir(own.path()),
    );
    let source = include_str!("../client/ask.ts");
    std::fs::write(own.path().join("ask.ts"), source).unwrap();
    let mut compile = Command::new(bin("tsc"));
    let options = [
        "--strict",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--skipLibCheck",
        "ask.ts",
    ];
    succeeds(compile.args(options).current_dir(own.path()));
    let mut ask = Command::new("node");
    ask.arg(own.path().join("ask.js"))
        .arg(format!("http://{}", service.address))
        .arg(site.url("/private/x"));
    assert_eq!(
        succeeds(&mut ask),
        "prohibited\nprohibited\nGooglebot allowed -\nGPTBot closed 2\n3 misspelt-field\ninvalid-url /url\n"
    );
}
