//! `abide report`, on tables that are written here.

use crate::abide;

#[cfg(not(feature = "survey"))]
#[test]
fn without_surveys_the_command_says_how_to_get_them() {
    let ran = abide(&["report", "."], b"");
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    assert!(ran.stderr.contains("--features survey"), "{}", ran.stderr);
}

#[cfg(feature = "survey")]
mod with_surveys {
    use super::abide;
    use serde_json::Value;
    use std::fs;
    use std::path::Path;
    use tempfile::TempDir;

    const FILES: &str = "capture,host,date,status,state,bytes,content_usage,content_signal,licenses,control_tokens,acap_lines\r\n\
        0,a.example,2026-05-01T00:00:00Z,200,rules,10,0,0,0,0,0\r\n\
        1,b.example,2026-05-02T00:00:00Z,503,unreachable,0,0,0,0,0,0\r\n";

    const GROUPS: &str = "capture,names\r\n0,GPTBot a|b_c\r\n";

    fn survey() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (table, rows) in [("files", FILES), ("groups", GROUPS)] {
            fs::create_dir(folder.path().join(table)).unwrap();
            fs::write(folder.path().join(table).join("part-00000.csv"), rows).unwrap();
        }
        folder
    }

    fn report(folder: &Path, args: &[&str]) -> String {
        let folder = folder.to_str().unwrap();
        let ran = abide(&[&["report", folder], args].concat(), b"");
        assert_eq!((ran.status, &*ran.stderr), (0, ""));
        ran.stdout
    }

    #[test]
    fn a_page_a_text_and_numbers() {
        let folder = survey();
        let page = report(folder.path(), &["--title", "News & more"]);
        assert!(page.starts_with("<!doctype html>") && page.contains("News &#38; more"));
        assert_eq!(page, report(folder.path(), &["--title", "News & more"]));
        insta::assert_snapshot!(report(folder.path(), &["--format", "markdown"]));
        let numbers = report(folder.path(), &["--format", "json"]);
        let numbers: Value = serde_json::from_str(&numbers).unwrap();
        let schema = include_str!("../../../../schema/report.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        assert!(jsonschema::is_valid(&schema, &numbers), "{numbers}");
        assert_eq!(numbers["coverage"]["sites"], 2);
    }

    #[test]
    fn the_name_of_the_file_chooses_the_format() {
        let folder = survey();
        for (name, begin) in [
            ("report.html", "<!doctype html>"),
            ("report", "<!doctype html>"),
            ("report.md", "# What 2 sites"),
            ("report.json", "{\n"),
        ] {
            let file = folder.path().join(name);
            assert_eq!(report(folder.path(), &["-o", file.to_str().unwrap()]), "");
            let written = fs::read_to_string(&file).unwrap();
            assert!(written.starts_with(begin), "{name}: {written}");
        }
        let file = folder.path().join("numbers.html");
        let args = ["-o", file.to_str().unwrap(), "--format", "json"];
        report(folder.path(), &args);
        assert!(fs::read_to_string(&file).unwrap().starts_with('{'));
    }

    #[test]
    fn charts_are_files() {
        let folder = survey();
        let charts = folder.path().join("new/charts");
        let args = ["--charts", charts.to_str().unwrap()];
        // Twice, because a second report replaces the files of the first.
        assert_eq!(report(folder.path(), &args), "");
        assert_eq!(report(folder.path(), &args), "");
        let mut names: Vec<String> = fs::read_dir(&charts)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let expected = ["names", "sizes", "states", "statuses", "vocabularies"];
        let expected = expected.map(|name| [format!("{name}.csv"), format!("{name}.svg")]);
        assert_eq!(names, expected.concat());
        insta::assert_snapshot!(fs::read_to_string(charts.join("states.csv")).unwrap());
        let with_page = [&args[..], &["--format", "html"]].concat();
        assert!(report(folder.path(), &with_page).starts_with("<!doctype html>"));
        let args = ["report", folder.path().to_str().unwrap(), "--charts"];
        let ran = abide(&[&args[..], &["/dev/null/charts"]].concat(), b"");
        assert_eq!(ran.status, 2);
        assert!(
            ran.stderr.contains("cannot write /dev/null/charts"),
            "{}",
            ran.stderr
        );
    }

    #[test]
    fn weights_and_a_panel() {
        let folder = survey();
        let weights = folder.path().join("weights.csv");
        fs::write(&weights, "host,weight\nA.example,2.5\nc.example,1\n").unwrap();
        let shown = folder.path().to_str().unwrap().to_owned();
        let weights = weights.to_str().unwrap().to_owned();
        let args = ["report", &shown, "--format", "json", "--panel", "balanced"];
        let ran = abide(&[&args[..], &["--weights", &weights]].concat(), b"");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        insta::assert_snapshot!(ran.stderr);
        let numbers: Value = serde_json::from_str(&ran.stdout).unwrap();
        let answered = &numbers["coverage"]["answered"];
        assert_eq!(*answered, serde_json::json!({"sites": 1, "weight": 2.5}));
        fs::write(&weights, "host,weight\na.example,much\n").unwrap();
        let ran = abide(&["report", &shown, "--weights", &weights], b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""));
        assert!(
            ran.stderr
                .contains("weights.csv, line 2, column weight: expected a number")
        );
    }

    #[test]
    fn a_survey_that_is_not_complete_is_named_as_such() {
        let folder = survey();
        let state = folder.path().join(".abide-survey");
        fs::create_dir(&state).unwrap();
        fs::write(state.join("journal.jsonl"), "{}\n").unwrap();
        for format in ["html", "markdown", "json"] {
            let args = [
                "report",
                folder.path().to_str().unwrap(),
                "--format",
                format,
            ];
            let ran = abide(&args, b"");
            let told = "warning: ";
            assert!(ran.stderr.starts_with(told), "{}", ran.stderr);
            assert!(
                ran.stderr.contains("the survey is not complete"),
                "{}",
                ran.stderr
            );
            assert!(
                ran.stderr.contains("abide survey --resume"),
                "{}",
                ran.stderr
            );
            let output = match format {
                "json" => "\"complete\": false",
                _ => "The survey is not complete",
            };
            assert_eq!(
                (ran.status, ran.stdout.contains(output)),
                (0, true),
                "{format}"
            );
        }
    }

    #[test]
    fn what_is_no_survey_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let ran = abide(&["report", folder.path().to_str().unwrap()], b"");
        assert_eq!(ran.status, 2);
        assert!(
            ran.stderr.contains("there are no tables of a survey"),
            "{}",
            ran.stderr
        );
        let ran = abide(&["report", "/absent/folder"], b"");
        assert_eq!(ran.status, 2);
        assert!(
            ran.stderr
                .contains("/absent/folder: the folder cannot be read: No such file")
        );
        let folder = survey();
        let file = folder.path().join("no/report.html");
        let args = [
            "report",
            folder.path().to_str().unwrap(),
            "-o",
            file.to_str().unwrap(),
        ];
        let ran = abide(&args, b"");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("cannot write"), "{}", ran.stderr);
    }
}
