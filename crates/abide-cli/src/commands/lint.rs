//! `abide lint`

use crate::args::{LintArgs, LintFormat, SeverityArg};
use crate::exit::{Exit, complain, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::replace::replace;
use crate::report::{self, Linted};
use crate::source::{Served, Source};
use crate::{client, head, unified};
use abide::Limits;
use abide::syntax::Text;
use abide::{Client, ProductToken, PurposeToken, Severity};
use abide_lint::Rule;
use abide_lint::fix::Fixed;
use abide_lint::rules::{self, UnknownCodeError};
use abide_lint::{Context, Linter};
use anyhow::{Context as _, bail, ensure};
use std::io::{self, Write};

/// Lints the files, fixes them with `--fix`, and reports.
pub(crate) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let mut linter = Linter::new();
    if !args.select.is_empty() {
        linter = linter.select(codes(&args.select)).context("in --select")?;
    }
    linter = linter.ignore(codes(&args.ignore)).context("in --ignore")?;
    let (linted, is_whole) = lint(args, &linter)?;
    if args.diff {
        let changes = linted.iter().any(|one| one.fixed > 0);
        written(report::summary(&mut anstream::stderr().lock(), &linted))?;
        return Ok(exit(is_whole, changes));
    }
    if linted.is_empty() {
        return Ok(Exit::Failed);
    }
    let least = match args.fail_on {
        SeverityArg::Info => Severity::Info,
        SeverityArg::Warning => Severity::Warning,
        SeverityArg::Error => Severity::Error,
    };
    let fails = report::all(&linted).any(|(_, finding)| finding.severity() >= least);
    written(write(args, &linted))?;
    Ok(exit(is_whole, fails))
}

fn exit(is_whole: bool, says_no: bool) -> Exit {
    match (is_whole, says_no) {
        (false, _) => Exit::Failed,
        (true, true) => Exit::Prohibited,
        (true, false) => Exit::Done,
    }
}

fn codes(named: &[String]) -> impl Iterator<Item = &str> {
    named.iter().map(|code| code.trim())
}

/// Prints the page of a code, or all codes.
fn explain(code: &str) -> anyhow::Result<Exit> {
    let page = match rules::of(code) {
        Some(rule) => rule.markdown().to_owned(),
        None if code == "all" => rules::ALL.iter().map(|rule| line(rule)).collect(),
        None => bail!("{}; --explain all lists them", UnknownCodeError::of(code)),
    };
    let mut out = io::stdout().lock();
    written(out.write_all(page.as_bytes()).and_then(|()| out.flush()))?;
    Ok(Exit::Done)
}

fn line(rule: &Rule) -> String {
    let (code, severity) = (rule.code(), rule.severity().name());
    format!("{code:<30} {severity:<8} {}\n", rule.page().summary)
}

/// The files given; stdin if none is.
fn files(args: &LintArgs) -> Vec<FileArg> {
    if args.files.is_empty() && !args.has_response() {
        return vec![FileArg::from("-")];
    }
    args.files.clone()
}

/// Whether fixed text goes to stdout, so that findings must not.
fn goes_to_stdout(args: &LintArgs, files: &[FileArg]) -> bool {
    args.safety().is_some() && !args.diff && files.iter().any(FileArg::is_stdin)
}

/// The findings in each file, and whether all files could be read.
fn lint(args: &LintArgs, linter: &Linter) -> anyhow::Result<(Vec<Linted>, bool)> {
    let files = files(args);
    let tags = &args.tags;
    let others = [&tags.head, &tags.html, &tags.rendered_html];
    let others = others.into_iter().flatten();
    let from_stdin = files.iter().chain(others).filter(|name| name.is_stdin());
    ensure!(
        from_stdin.count() < 2,
        "stdin can be read only once; name a file for the other input"
    );
    ensure!(
        !goes_to_stdout(args, &files) || args.format == LintFormat::Human,
        "--format prints findings, but the fixed file goes to stdout; name a file, or use --diff"
    );
    let client = Client::new(ProductToken::new("abide").context("cannot name the robot")?);
    let network = Network::new(&client, &args.network, None);
    let response = head::response(&args.tags)?;
    let (mut linted, mut is_whole) = (Vec::new(), true);
    let mut site = None;
    for name in files {
        let source = Source::named(&name);
        let read = source.served(Limits::MAX, &network).and_then(|served| {
            let context = context(args, &served)?;
            let linted = file(args, linter, &source, &served.bytes, &context)?;
            Ok((linted, served.bytes))
        });
        // A file that cannot be read does not stop the others.
        match read {
            Ok((one, bytes)) => {
                linted.push(one);
                site = Some(bytes);
            }
            Err(error) => {
                complain(&format!("{error:#}"));
                is_whole = false;
            }
        }
    }
    if args.has_response() {
        let site = site.as_deref().map(|bytes| (bytes, "/"));
        linted.push(Linted {
            name: FileArg::from("the response"),
            text: Vec::new(),
            findings: linter.response(&response, site),
            fixed: 0,
        });
    }
    Ok((linted, is_whole))
}

fn context(args: &LintArgs, served: &Served) -> anyhow::Result<Context> {
    let given = args.tags.headers.iter().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_type = name.trim().eq_ignore_ascii_case("content-type");
        is_type.then(|| value.trim().to_owned())
    });
    let purpose = |name: &String| PurposeToken::new(name).context("in --purpose");
    Ok(Context {
        media_type: given.or_else(|| served.media_type.clone()),
        registry: client::registry(args.registry.as_ref())?,
        purposes: args
            .purposes
            .iter()
            .map(purpose)
            .collect::<Result<_, _>>()?,
        ..Context::default()
    })
}

/// Lints one file, and fixes it with `--fix`.
fn file(
    args: &LintArgs,
    linter: &Linter,
    source: &Source,
    bytes: &[u8],
    context: &Context,
) -> anyhow::Result<Linted> {
    let fixed = match args.safety() {
        Some(safety) => linter.fixed(bytes, context, safety),
        None => Fixed {
            bytes: bytes.to_vec(),
            fixed: 0,
            findings: linter.robots_txt(bytes, context),
        },
    };
    let name = source.name();
    if args.diff {
        let mut out = anstream::stdout().lock();
        written(unified::write(&mut out, &name, bytes, &fixed.bytes))?;
    } else if args.safety().is_some() {
        put_back(source, bytes, &fixed.bytes)?;
    }
    Ok(Linted {
        name,
        text: Text::new(&fixed.bytes, Limits::default())
            .as_bytes()
            .to_vec(),
        findings: fixed.findings,
        fixed: fixed.fixed,
    })
}

/// Writes the fixed text back to its file; for stdin, to stdout.
fn put_back(source: &Source, before: &[u8], after: &[u8]) -> anyhow::Result<()> {
    match source {
        Source::File(path) if before != after => replace(path, after)
            .with_context(|| format!("cannot rewrite {path}; the file is unchanged")),
        Source::File(_) => Ok(()),
        Source::Stdin => written(io::stdout().lock().write_all(after)),
        Source::Url(url) => {
            ensure!(
                before == after,
                "{url} cannot be rewritten; fetch it into a file, or use --diff"
            );
            Ok(())
        }
    }
}

fn write(args: &LintArgs, linted: &[Linted]) -> io::Result<()> {
    if goes_to_stdout(args, &files(args)) {
        return report::human(&mut anstream::stderr().lock(), linted);
    }
    let mut out = io::stdout().lock();
    match args.format {
        LintFormat::Human => report::human(&mut anstream::stdout().lock(), linted),
        LintFormat::Json => report::json(&mut out, linted),
        LintFormat::Jsonl => report::jsonl(&mut out, linted),
        LintFormat::Sarif => report::sarif(&mut out, linted),
        LintFormat::Github => report::github(&mut out, linted),
        LintFormat::Gitlab => report::gitlab(&mut out, linted),
        LintFormat::Junit => report::junit(&mut out, linted),
    }
}
