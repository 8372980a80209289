//! Tools end on files that keep them busy, and their reports do not grow without end.

use abide::Robots;
use abide::preference::Revision;
use abide::tag::Meta;
use abide::verdict::Source;
use abide_analysis::compare::{self, Review};
use abide_analysis::convert::{self, FileForm, TagForm};
use abide_analysis::expectation;
use abide_analysis::matrix::{Category, Matrix, MatrixSettings};
use abide_analysis::{Bound, GoesOn};
use abide_lint::finding::Safety;
use abide_lint::{Context, Linter, format};
use abide_testkit::hostile;
use abide_testkit::work::Work;
use std::time::Duration;

const FORMS: [FileForm; 5] = [
    FileForm::Acap,
    FileForm::Robots,
    FileForm::ContentUsage,
    FileForm::ContentSignal,
    FileForm::Tdmrep,
];

fn matrix(file: &[u8]) -> Matrix {
    let robots = Robots::parse(file);
    Matrix::of_file(&robots, &[], &MatrixSettings::default(), Bound::default()).unwrap()
}

#[test]
fn every_tool_ends_on_every_recipe() {
    for (id, what) in hostile::FOR_TOOLS {
        let file = hostile::for_tools(id, 64 << 10).unwrap();
        let told = |tool: &str, work: &dyn Fn() -> usize| {
            let start = Work::begin();
            let report = work();
            let took = start.took();
            println!("{took:>10.1?} {report:>6} {id} {tool}: {what}");
            assert!(took < Duration::from_secs(20), "{id} {tool}: {took:?}");
        };
        let context = Context::default();
        told("lint", &|| Linter::new().robots_txt(&file, &context).len());
        told("lint --fix", &|| {
            Linter::new().fixed(&file, &context, Safety::Safe).fixed
        });
        told("matrix", &|| matrix(&file).sections.len());
        told("diff", &|| {
            let (old, new) = (
                Robots::parse(b"User-agent: *\nDisallow: /x\n"),
                Robots::parse(&file),
            );
            let clients = compare::known_clients(&old, &new);
            let differences = compare::files(&old, &new, &clients, Bound::default());
            let review = Review::new(&old, &new, &differences, true, Bound::default());
            review.causes.len() + review.not_compared.len()
        });
        told("fmt", &|| {
            format::format(&file).map_or(0, |formatted| formatted.as_bytes().len())
        });
        told("test --init", &|| {
            expectation::make(&file, "robots.txt").len()
        });
        for form in FORMS {
            told(&format!("{form:?}"), &|| {
                let converted = convert::robots_txt(&file, form, Revision::latest());
                let listed: usize = converted
                    .findings()
                    .iter()
                    .map(|finding| finding.message.len())
                    .sum();
                assert!(listed < 20 * file.len(), "{id} {form:?}: {listed}");
                listed
            });
        }
    }
}

#[test]
fn tools_end_early_if_they_are_told_to() {
    let file = b"User-agent: *\nAllow: /*a\nDisallow: /*b\nContent-Signal: ai-train=no\n";
    let never = || false;
    let acap = convert::robots_txt_while(file, FileForm::Acap, Revision::latest(), never);
    assert_eq!(acap, None);
    let usage = convert::robots_txt_while(file, FileForm::ContentUsage, Revision::latest(), never);
    assert_eq!(usage, None);
    let robots = Robots::parse(file);
    let settings = MatrixSettings::default();
    let matrix = Matrix::of_file_while(&robots, &[], &settings, Bound::default(), never);
    assert_eq!(matrix, Ok(None));
    let context = Context::default();
    let fixed = Linter::new().fixed_file_while("robots.txt", file, &context, Safety::Safe, never);
    assert!(fixed.is_none());
    let found = Linter::new().file_while("robots.txt", file, &context, never);
    assert!(found.is_none());
    assert_eq!(format::format_while(file, &never), None);
    let clients = compare::known_clients(&robots, &robots);
    let compare = |goes_on: GoesOn<'_>| {
        compare::files_while(&robots, &robots, &clients, Bound::default(), goes_on)
    };
    assert_eq!(compare(&never), None);
    let differences = compare(&|| true).unwrap();
    let review = Review::new_while(
        &robots,
        &robots,
        &differences,
        true,
        Bound::default(),
        &never,
    );
    assert_eq!(review, None);
}

#[test]
fn a_matrix_has_the_first_two_thousand_robots_that_the_table_does_not_have() {
    let names: Vec<String> = (0..2_234).map(|at| format!("Own{at}Bot")).collect();
    let of = |names: &[String]| {
        let agents = names.iter().map(|name| format!("User-agent: {name}\n"));
        matrix(format!("{}Disallow: /\n", agents.collect::<String>()).as_bytes())
    };
    let large = of(&names);
    assert_eq!(large.left_out, 234);
    let unknown = large.sections.last().unwrap();
    assert_eq!(
        (unknown.category, unknown.rows.len()),
        (Category::Unknown, 2_000)
    );
    assert_eq!(of(&names[..2_000]).left_out, 0);
    let long = matrix(format!("User-agent: *\nDisallow: /{}\n", "a".repeat(400)).as_bytes());
    let exception = long.sections[0].rows[0].exception.clone().unwrap();
    let statement = String::from_utf8(exception.decided_by.unwrap().statement).unwrap();
    assert!(statement.ends_with("aa…") && statement.len() == 256 + "…".len());
}

#[test]
fn a_conversion_lists_the_first_findings_of_a_kind() {
    let file = hostile::for_tools("k05", 8 << 10).unwrap();
    let converted = convert::to_acap(&file);
    let findings = converted.findings();
    let of_kind = |code: &str| {
        let of_kind = findings.iter().filter(|one| one.loss.name() == code);
        of_kind.count()
    };
    assert!(converted.is_refused() && findings[0].refuses);
    assert_eq!(of_kind("convert-precedence"), 501);
    let last = &findings.last().unwrap().message;
    assert_eq!(
        last,
        "there are more findings of this kind; the first 500 are listed"
    );
}

/// The fixes that are safe together are found although others are among them.
#[test]
fn many_fixes_are_proved_in_few_proofs() {
    let file = hostile::for_tools("k07", 64 << 10).unwrap();
    let file = [b"User-agent: *\nDisallow: /x\n", &file[..]].concat();
    let start = Work::begin();
    let fixed = Linter::new().fixed(&file, &Context::default(), Safety::Safe);
    assert!(start.took() < Duration::from_secs(20));
    println!("{} fixed", fixed.fixed);
}

/// All robots that a file names with all applications that it names would take gigabytes.
#[test]
fn robots_and_applications_make_a_bounded_number_of_pairs() {
    let purposes = (0..1_000).map(|at| format!("User-agent-purpose: p{at}\n"));
    let lines = (0..500).map(|at| format!("App-Directives: z{at};a\n"));
    let file: String = purposes.chain(lines).collect();
    let (old, new) = (Robots::parse("User-agent: *\n"), Robots::parse(&file));
    let clients = compare::clients(&old, &new);
    assert_eq!(clients.len(), 1_001);
    for one in &clients {
        let own = one.client.applications().len();
        assert_eq!((own, one.left_out_applications), (199, 301));
    }
    let differences = compare::files(&old, &new, &clients, Bound::default());
    assert!(!differences.is_complete());
    let review = Review::new(&old, &new, &differences, true, Bound::default());
    let told = review.not_compared.iter().map(ToString::to_string);
    let told = told.collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("App-Directives for 301 more applications"),
        "{told}"
    );
}

/// A file of 33 KB with 900,000 rules: robots would read the first 500 KiB of them.
#[test]
fn a_set_of_paths_is_written_out_as_far_as_robots_read() {
    let members = |count| (0..count).map(|at| format!(" /p{at}")).collect::<String>();
    let converted = |members: &str, fields: usize| {
        let fields = "ACAP-disallow-crawl: the-acap:resource-set:s\n".repeat(fields);
        let file = format!("ACAP-resource-set: s{members}\nACAP-crawler: *\n{fields}");
        convert::to_robots(file.as_bytes())
    };
    let refusals = |converted: &convert::Conversion| {
        let refusals = converted.findings().iter().filter(|one| one.refuses);
        let told = refusals.map(|one| format!("{:?} {} {}", one.line, one.loss, one.message));
        told.collect::<Vec<_>>()
    };
    let start = Work::begin();
    assert_eq!(
        refusals(&converted(&members(3_000), 300)),
        [
            "Some(15) convert-size-limit with the sets of paths written out, the rules are longer \
             than 512000 bytes: robots read no further"
        ]
    );
    assert!(start.took() < Duration::from_secs(20));
    let kept = converted(&members(3_000), 2);
    let text = kept.text().expect("two times 3,000 rules are read");
    assert_eq!(text.matches("Disallow: ").count(), 6_000);
}

#[test]
fn tags_of_thousands_of_rules_convert() {
    let distinct = (0..60_000).map(|at| format!("r{at}"));
    let valued = (0..40_000).map(|at| format!("rule: {at}"));
    for rules in [distinct.collect::<Vec<_>>(), valued.collect()] {
        let meta = Meta {
            name: "robots".to_owned(),
            content: rules.join(", "),
            offset: 0,
        };
        let statements = [meta.statement(Source::Meta)];
        for form in [TagForm::RobotsTag, TagForm::XRobotsTag, TagForm::Meta] {
            let start = Work::begin();
            let converted = convert::tags(&statements, form);
            let took = start.took();
            println!("{took:>10.1?} {form:?}");
            assert!(took < Duration::from_secs(20), "{form:?}: {took:?}");
            // Fields are no longer than robots read.
            assert_eq!(converted.is_refused(), form != TagForm::Meta, "{form:?}");
        }
    }
}

/// Patterns and names whose combinations are not all looked at.
#[test]
fn acap_records_with_many_names_or_patterns_become_tags_or_are_refused() {
    let records = |line: fn(usize) -> String, count| {
        let lines: String = (0..count).map(line).collect();
        format!("ACAP-crawler: *\n{lines}")
    };
    let named = |at| format!("ACAP-crawler: n{at}\nACAP-disallow-index: /{at}\n");
    let starred = |at| format!("ACAP-disallow-index: /*x{at}y\n");
    let valued = |at| format!("ACAP-allow-index: /{at} time-limit={at}-days\n");
    for (file, is_refused) in [
        (
            records(|at| format!("ACAP-disallow-index: /{at}/\n"), 400),
            false,
        ),
        (records(named, 150), false),
        (records(named, 5_000), true),
        (records(starred, 400), true),
        (records(valued, 400), true),
    ] {
        let start = Work::begin();
        let converted =
            convert::robots_txt(file.as_bytes(), TagForm::RobotsTag, Revision::latest());
        let took = start.took();
        println!("{took:>10.1?} {} bytes", file.len());
        assert!(took < Duration::from_secs(20), "{took:?}: {file:.100}");
        assert_eq!(converted.is_refused(), is_refused, "{file:.100}");
    }
}

#[test]
fn thousands_of_rules_convert() {
    let wild = (0..1_000).map(|at| format!("Disallow: /*x{at}y\n"));
    let plain = (0..2_000).map(|at| format!("Disallow: /{at}/\nAllow: /{at}/x\n"));
    let [wild, plain] = [wild.collect::<String>(), plain.collect()];
    for rules in [wild, plain] {
        let file = format!("User-agent: *\n{rules}");
        let converted = convert::to_acap(file.as_bytes());
        assert!(converted.text().is_some(), "{:?}", converted.findings());
    }
}

/// In ACAP, all records of a name count, so one of them says that the rest is allowed.
#[test]
fn a_name_has_one_permission_for_everything() {
    let groups = "User-agent: a\nDisallow: /x\n\nUser-agent: A\nDisallow: /y\n\nUser-agent: a\n";
    let file = format!("{groups}Allow:\n\nUser-agent: *\nDisallow: /z\n");
    let converted = convert::to_acap(file.as_bytes());
    assert_eq!(
        converted.text(),
        Some(
            "##ACAP version=1.0\n\nACAP-crawler: a\nACAP-allow-crawl: /\nACAP-disallow-crawl: /x\n\n\
             ACAP-crawler: A\nACAP-disallow-crawl: /y\n\n\
             ACAP-crawler: *\nACAP-disallow-crawl: /z\n"
        )
    );
}
