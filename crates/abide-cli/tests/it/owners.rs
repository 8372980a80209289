//! `docs/owners.md`: every command runs, in order, in an empty folder.

use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../../docs/owners.md");

/// The blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    let blocks = PAGE.split(start.as_str()).skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

/// The commands, each with what it prints. A line that begins with `>` goes on with a command.
fn commands() -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in blocks("console").into_iter().flat_map(str::lines) {
        let more = line
            .strip_prefix('>')
            .map(|more| more.strip_prefix(' ').unwrap_or(more));
        match (line.strip_prefix("$ "), more, commands.last_mut()) {
            (Some(command), ..) => commands.push((command.to_owned(), String::new())),
            (None, Some(more), Some((command, _))) => command.extend(["\n", more]),
            (None, None, Some((_, printed))) => printed.extend([line, "\n"]),
            (None, _, None) => panic!("no command before {line}"),
        }
    }
    commands
}

#[cfg(unix)]
#[test]
fn from_an_empty_folder_to_checks_in_ci() {
    let folder = tempfile::tempdir().unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_abide"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::iter::once(binary.parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap();
    let mut of_abide = 0;
    for (command, shown) in commands() {
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env_remove("NO_COLOR")
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let status = output.status.code();
        let finds = command == "abide lint" || command.ends_with("--diff");
        assert_eq!(status, Some(i32::from(finds)), "{command}: {printed}");
        let is_last_line = |line: &str| line.starts_with("Would fix");
        let printed: String = printed
            .lines()
            .filter(|line| !is_last_line(line) || shown.contains("Would fix"))
            .flat_map(|line| [line, "\n"])
            .collect();
        assert_eq!(printed, shown, "{command}");
        of_abide += usize::from(command.starts_with("abide "));
    }
    assert!(of_abide >= 12, "{of_abide} commands of abide");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("page.md").starts_with("# pattern-no-slash"));
    assert!(read("answer.txt").contains("disallowed"));
    assert!(read("settings.txt").contains("allow-closed"));
    assert!(read("changes.txt").contains("Googlebot"));
    assert!(read("lint.xml").contains("failures=\"0\"") && read("test.xml").contains("<testcase"));
}

/// What the page shows of the action and the hooks exists.
#[test]
fn the_pipelines_that_the_page_shows_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let action = std::fs::read_to_string(root.join("action.yml")).unwrap();
    let hooks = std::fs::read_to_string(root.join(".pre-commit-hooks.yaml")).unwrap();
    let mut inputs = 0;
    for block in blocks("yaml") {
        for id in block
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- id: "))
        {
            assert!(hooks.contains(&format!("- id: {id}\n")), "{id}");
        }
        let with = block.split("with:\n").nth(1).unwrap_or_default();
        for line in with.lines() {
            if let Some((name, _)) = line.trim().split_once(": ") {
                assert!(action.contains(&format!("\n  {name}:\n")), "{name}");
                inputs += 1;
            }
        }
    }
    assert!(inputs >= 5, "{inputs} inputs");
}
