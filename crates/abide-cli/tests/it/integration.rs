//! Integrations for other pipelines: the action and the hooks.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn root(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(name),
    )
    .unwrap()
}

/// The script of a step of the action.
fn script(step: &str) -> String {
    let action = root("action.yml");
    let (_, after) = action.split_once(&format!("- name: {step}\n")).unwrap();
    let own = after.split("\n    - name: ").next().unwrap();
    let (_, script) = own.split_once("      run: |\n").unwrap();
    let lines = script
        .lines()
        .map(|line| line.strip_prefix("        ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// A checkout and the folder for temporary files of a runner.
struct Runner {
    checkout: TempDir,
    temp: TempDir,
}

impl Runner {
    fn with(files: &[(&str, &str)]) -> Self {
        let (checkout, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = checkout.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { checkout, temp }
    }

    fn temporary(&self, name: &str) -> String {
        fs::read_to_string(self.temp.path().join(name)).unwrap_or_default()
    }

    /// Runs the script of a step as a workflow does.
    fn run(&self, step: &str, variables: &[(&str, &str)]) -> Output {
        let temp = self.temp.path();
        let abide = Path::new(env!("CARGO_BIN_EXE_abide")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{}:{path}", temp.display(), abide.display());
        Command::new("bash")
            .args(["-eo", "pipefail", "-c", &script(step)])
            .current_dir(self.checkout.path())
            .env("PATH", path)
            .env("RUNNER_TEMP", temp)
            .env("GITHUB_STEP_SUMMARY", temp.join("summary"))
            .envs([
                ("FILES", ""),
                ("FAIL_ON", ""),
                ("LAYOUT", "false"),
                ("CASES", ""),
                ("SARIF", "false"),
            ])
            .envs(variables.iter().copied())
            .output()
            .unwrap()
    }

    fn act(&self, variables: &[(&str, &str)]) -> (i32, String) {
        let ran = self.run("Run abide", variables);
        let stderr = String::from_utf8(ran.stderr).unwrap();
        let output = String::from_utf8(ran.stdout).unwrap() + &stderr;
        (ran.status.code().unwrap(), output)
    }

    fn git(&self, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b.example"])
            .args(args)
            .current_dir(self.checkout.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A program of this name that runs the script.
    #[cfg(unix)]
    fn fake(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.temp.path().join(name);
        fs::write(&path, format!("#!/usr/bin/env bash\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn act(file: &str, variables: &[(&str, &str)]) -> (i32, String) {
    Runner::with(&[("robots.txt", file)]).act(variables)
}

const GOOD: &str = "User-agent: *\nDisallow: /press/\n";
const BAD: &str = "User-agent: *\nDisallow: press/\n";

#[test]
fn the_action_annotates_and_fails() {
    let (status, output) = act(BAD, &[("FILES", "robots.txt\n")]);
    assert_eq!(status, 1);
    assert!(
        output.starts_with("::error file=robots.txt,line=2,"),
        "{output}"
    );
    assert_eq!(act(GOOD, &[]).0, 0);
    let note = "User-agent: *\nDisallow: /backup/\n";
    assert_eq!(act(note, &[]).0, 0);
    assert_eq!(act(note, &[("FAIL_ON", "info")]).0, 1);
}

#[test]
fn the_action_asks_for_the_layout_where_it_is_told_to() {
    let file = "user-agent:*\ndisallow:/press/\n";
    assert_eq!(act(file, &[]).0, 0);
    let (status, output) = act(file, &[("LAYOUT", "true")]);
    assert_eq!(status, 1);
    assert!(output.contains("+User-agent: *"), "{output}");
}

/// Stumble 7: patterns, lists with Windows line ends, and nothing to check.
#[test]
fn the_action_takes_patterns_and_fails_if_nothing_matches() {
    let runner = Runner::with(&[
        ("public/robots.txt", BAD),
        ("sites/a/robots.txt", GOOD),
        ("with space/robots.txt", BAD),
    ]);
    for (files, status, named) in [
        ("public/*.txt", 1, "file=public/robots.txt"),
        ("public/*.txt\r\nsites\r\n", 1, "file=public/robots.txt"),
        ("  sites/  \n", 0, ""),
        ("", 1, "file=public/robots.txt"),
        ("\n\n", 1, "file=public/robots.txt"),
        ("with space/robots.txt", 1, "file=with space/robots.txt"),
        ("publik/*.txt", 2, "no file matches publik/*.txt"),
        ("sites\npublik/*.txt", 2, "no file matches publik/*.txt"),
    ] {
        let (ended, output) = runner.act(&[("FILES", files)]);
        assert_eq!(ended, status, "{files:?}: {output}");
        assert!(output.contains(named), "{files:?}: {output}");
    }
    let nothing = Runner::with(&[("README.md", "none")]);
    let (status, output) = nothing.act(&[]);
    assert_eq!(status, 2);
    assert!(output.contains("found no robots.txt"), "{output}");
}

/// The report for code scanning is complete, and the step still fails.
#[test]
fn the_action_writes_sarif() {
    let runner = Runner::with(&[("robots.txt", BAD)]);
    let (status, output) = runner.act(&[("SARIF", "true")]);
    assert_eq!(status, 1);
    assert!(output.contains("::error file=robots.txt"), "{output}");
    let log: serde_json::Value = serde_json::from_str(&runner.temporary("abide.sarif")).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "pattern-no-slash");
    let action = root("action.yml");
    let upload = action.split("- name: Upload findings\n").nth(1).unwrap();
    assert!(upload.contains("uses: github/codeql-action/upload-sarif@"));
    assert!(upload.contains("sarif_file: ${{ runner.temp }}/abide.sarif"));
}

/// The comment of a pull request: which calls reach GitHub, and with which text.
#[cfg(unix)]
#[test]
fn the_action_comments_the_diff() {
    let runner = Runner::with(&[("robots.txt", GOOD), ("public/robots.txt", GOOD)]);
    runner.git(&["init", "-q"]);
    runner.git(&["add", "."]);
    runner.git(&["commit", "-qm", "base"]);
    let base = runner.git(&["rev-parse", "HEAD"]);
    runner.git(&["remote", "add", "origin", "."]);
    let abide = env!("CARGO_BIN_EXE_abide");
    runner.fake(
        "abide",
        &format!(
            "if [ \"$1\" = diff ]; then echo \"$@\" >> \"$RUNNER_TEMP/diffs\"; \
             cat \"${{@: -2:1}}\" > \"$RUNNER_TEMP/compared\"; echo \"**changes**\"; \
             exit \"${{DIFF_STATUS:-1}}\"; fi; exec {abide} \"$@\""
        ),
    );
    runner.fake(
        "gh",
        "echo \"$*\" >> \"$RUNNER_TEMP/calls\"\n\
         case \"$*\" in *--paginate*) printf '%s' \"$KNOWN\"; exit \"${READ_STATUS:-0}\";; esac\n\
         exit \"${WRITE_STATUS:-0}\"",
    );
    let comment = |known: &str, more: &[(&str, &str)]| {
        for name in ["calls", "diffs", "summary", "compared"] {
            let _ = fs::remove_file(runner.temp.path().join(name));
        }
        assert_eq!(runner.act(&[]).0, 0);
        let variables = [
            ("REPOSITORY", "o/r"),
            ("PULL_REQUEST", "7"),
            ("BASE", base.as_str()),
            ("KNOWN", known),
        ];
        let variables: Vec<_> = variables.into_iter().chain(more.iter().copied()).collect();
        let ran = runner.run("Comment the diff", &variables);
        let output = String::from_utf8_lossy(&ran.stdout).into_owned();
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        (
            ran.status.code().unwrap(),
            output + &told,
            runner.temporary("calls"),
        )
    };
    // Nothing changed, and no comment so far: no comment.
    let (status, output, calls) = comment("", &[]);
    assert_eq!((status, calls.lines().count()), (0, 1), "{output}");
    // Nothing differs any more from the base: the comment says so.
    let (status, _, calls) = comment("41\n42", &[]);
    assert_eq!(status, 0);
    assert!(
        calls.contains("--method PATCH repos/o/r/issues/comments/41 "),
        "{calls}"
    );
    assert!(runner.temporary("abide-diff.md").contains("are as before"));

    fs::write(
        runner.checkout.path().join("robots.txt"),
        format!("{GOOD}Disallow: /x\n"),
    )
    .unwrap();
    fs::create_dir(runner.checkout.path().join("static")).unwrap();
    fs::write(runner.checkout.path().join("static/robots.txt"), GOOD).unwrap();
    let (status, output, calls) = comment("", &[]);
    assert_eq!(status, 0, "{output}");
    assert!(
        calls.contains("--method POST repos/o/r/issues/7/comments "),
        "{calls}"
    );
    let body = runner.temporary("abide-diff.md");
    assert_eq!(
        body,
        "<!-- abide diff -->\n\n#### `robots.txt`\n\n**changes**\n\n#### `static/robots.txt`\n\n\
         This file is new.\n"
    );
    assert_eq!(runner.temporary("compared"), GOOD);
    assert_eq!(runner.temporary("summary"), body);
    let diffs = runner.temporary("diffs");
    assert!(diffs.starts_with("diff --format markdown -- ") && diffs.lines().count() == 1);
    let (_, _, calls) = comment("41", &[]);
    assert!(calls.contains("--method PATCH"), "{calls}");
    // A fork may not comment, which is no failure; files that cannot be compared are one.
    let (status, output, _) = comment("", &[("WRITE_STATUS", "1")]);
    assert_eq!(status, 0);
    assert!(output.contains("::warning::"), "{output}");
    let (status, output, _) = comment("", &[("READ_STATUS", "1")]);
    assert_eq!(status, 0);
    assert!(output.contains("::warning::"), "{output}");
    let (status, _, _) = comment("", &[("DIFF_STATUS", "2")]);
    assert_eq!(status, 1);
    assert!(
        runner
            .temporary("abide-diff.md")
            .contains("could not be compared")
    );
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

/// The hooks take the names that a folder of `abide lint` takes.
#[test]
fn hooks_match_the_names_of_robots_txt_files() {
    let hooks = root(".pre-commit-hooks.yaml");
    let mut patterns = hooks
        .lines()
        .filter_map(|line| line.trim().strip_prefix("files: "));
    let pattern = patterns.next().unwrap();
    assert!(patterns.all(|other| other == pattern));
    for (name, is_one) in [
        ("robots.txt", true),
        ("public/robots.txt", true),
        ("a/staging.robots.txt", true),
        ("robots.staging.txt", true),
        ("robots-staging.txt", true),
        ("robots.toml", false),
        ("myrobots.txt", false),
        ("robots.txt/notes.md", false),
    ] {
        let runner = Runner::with(&[(name, GOOD)]);
        let found = Command::new("grep")
            .args(["-cE", pattern])
            .stdin({
                let file = runner.temp.path().join("name");
                fs::write(&file, name).unwrap();
                fs::File::open(file).unwrap()
            })
            .output()
            .unwrap();
        assert_eq!(found.status.success(), is_one, "{name}");
        let ran = crate::abide_in(runner.checkout.path(), &["lint", "--show-files", "."], b"");
        assert_eq!(ran.status == 0, is_one, "{name}: {}", ran.stdout);
    }
}
