//! Integrations for other pipelines: the action and the hooks.

use std::fs;
use std::path::Path;
use std::process::Command;

fn root(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(name),
    )
    .unwrap()
}

/// The script of the action's last step.
fn script() -> String {
    let action = root("action.yml");
    let (_, script) = action.rsplit_once("      run: |\n").unwrap();
    let lines = script
        .lines()
        .map(|line| line.strip_prefix("        ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Runs the script as a workflow does, in a folder that contains this file.
fn act(file: &str, variables: &[(&str, &str)]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("robots.txt"), file).unwrap();
    let abide = Path::new(env!("CARGO_BIN_EXE_abide")).parent().unwrap();
    let path = format!("{}:{}", abide.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell
        .args(["-eo", "pipefail", "-c", &script()])
        .current_dir(folder.path())
        .env("PATH", path)
        .envs([
            ("FILES", "robots.txt\n"),
            ("FAIL_ON", "warning"),
            ("LAYOUT", "false"),
            ("CASES", ""),
        ])
        .envs(variables.iter().copied());
    let ran = shell.output().unwrap();
    (
        ran.status.code().unwrap(),
        String::from_utf8(ran.stdout).unwrap(),
    )
}

#[test]
fn the_action_annotates_and_fails() {
    let (status, said) = act("User-agent: *\nDisallow: press/\n", &[]);
    assert_eq!(status, 1);
    assert!(
        said.starts_with("::error file=robots.txt,line=2,"),
        "{said}"
    );
    assert_eq!(act("User-agent: *\nDisallow: /press/\n", &[]).0, 0);
}

#[test]
fn the_action_asks_for_the_layout_where_it_is_told_to() {
    let file = "user-agent:*\ndisallow:/press/\n";
    assert_eq!(act(file, &[]).0, 0);
    let (status, said) = act(file, &[("LAYOUT", "true")]);
    assert_eq!(status, 1);
    assert!(said.contains("+User-agent: *"), "{said}");
}

/// The hooks name existing subcommands and match the files that they are meant for.
#[test]
fn hooks_run_what_there_is() {
    let hooks = root(".pre-commit-hooks.yaml");
    let entries = hooks
        .lines()
        .filter_map(|line| line.trim().strip_prefix("entry: abide "));
    let mut known = 0;
    for entry in entries {
        let ran = crate::abide(&[entry, "--help"], b"");
        assert_eq!(ran.status, 0, "{entry}");
        known += 1;
    }
    assert_eq!(known, 2);
}
