//! What the flags of `abide lint` change, and which of them would have no effect.

use crate::args::{LintArgs, LintFormat};
use crate::file_arg::FileArg;
use crate::sitemaps;
use crate::source::Source;
use abide::PurposeToken;
use abide_lint::Linter;
use abide_lint::config::{Setting, SettingSource, Settings};
use abide_lint::rules::UnknownCodeError;
use anyhow::{Context as _, bail, ensure};
use std::fs;
use std::path::Path;

/// Finds codes that no rule has.
pub(super) fn check_codes(args: &LintArgs) -> anyhow::Result<()> {
    let linter = Linter::new();
    linter
        .clone()
        .select(codes(&args.select))
        .context("in --select")?;
    linter.ignore(codes(&args.ignore)).context("in --ignore")?;
    Ok(())
}

fn codes(named: &[String]) -> impl Iterator<Item = &str> {
    named.iter().map(|code| code.trim())
}

/// The purposes of `--purpose`.
pub(super) fn purposes(args: &LintArgs) -> anyhow::Result<Vec<PurposeToken>> {
    let purpose = |name: &String| PurposeToken::new(name).context("in --purpose");
    args.purposes.iter().map(purpose).collect()
}

/// Applies the flags to settings from a file: `--select` replaces what the file selects and
/// ignores, `--ignore` adds to it, the others replace.
pub(super) fn apply(
    args: &LintArgs,
    purposes: &[PurposeToken],
    settings: &mut Settings,
) -> Result<(), UnknownCodeError> {
    fn set<T>(value: T, flag: &'static str) -> Setting<T> {
        let source = SettingSource::Flag(flag);
        Setting { value, source }
    }
    if !args.select.is_empty() {
        settings.select(codes(&args.select), SettingSource::Flag("--select"))?;
    }
    settings.ignore(codes(&args.ignore), SettingSource::Flag("--ignore"))?;
    if let Some(severity) = args.fail_on {
        settings.fail_on = set(severity, "--fail-on");
    }
    if !args.peers.is_empty() {
        let peers = args.peers.iter();
        settings.peers = peers.map(|peer| set(*peer, "--peers")).collect();
    }
    if !purposes.is_empty() {
        let purposes = purposes.iter().cloned();
        settings.purposes = purposes.map(|one| set(one, "--purpose")).collect();
    }
    Ok(())
}

/// Whether fixed text goes to stdout, so that findings must not.
pub(super) fn goes_to_stdout(args: &LintArgs, files: &[FileArg]) -> bool {
    args.safety().is_some() && !args.diff && files.iter().any(FileArg::is_stdin)
}

/// Refuses flags that would have no effect, or one that nobody can mean.
pub(super) fn refuse_idle(args: &LintArgs, files: &[FileArg]) -> anyhow::Result<()> {
    let tags = &args.tags;
    let others = [&tags.head, &tags.html, &tags.rendered_html];
    let others = others.into_iter().flatten().chain(&args.sitemaps);
    let from_stdin = files.iter().chain(others).filter(|name| name.is_stdin());
    ensure!(
        from_stdin.count() < 2,
        "stdin can be read only once; name a file for the other input"
    );
    if let (Some(least), Some(fail_on)) = (args.min_severity, args.fail_on) {
        let (least, fail_on_name) = (least.name(), fail_on.name());
        ensure!(
            args.min_severity <= Some(fail_on),
            "--fail-on {fail_on_name} has no effect with --min-severity {least}, which leaves such \
             findings out; remove one of them"
        );
    }
    let html_is_stdin = tags.html.as_ref().is_some_and(FileArg::is_stdin);
    ensure!(
        !args.page || !html_is_stdin,
        "--page reads the file of --html again, and stdin can be read only once; name a file"
    );
    let is_human = args.format == LintFormat::Human;
    ensure!(
        is_human || args.output_file.is_some() || !goes_to_stdout(args, files),
        "--format prints findings, but the fixed file goes to stdout; name a file, or use \
         --output-file or --diff"
    );
    ensure!(
        is_human || !args.diff,
        "--format has no effect with --diff, which prints a diff; remove one of them"
    );
    ensure!(
        is_human || !args.quiet,
        "--quiet has no effect with --format, which is for programs; remove one of them"
    );
    let counts = matches!(args.format, LintFormat::Json | LintFormat::Jsonl);
    ensure!(
        is_human || counts || !args.statistics,
        "--statistics has the formats human, json and jsonl; choose one of them"
    );
    if files.is_empty() {
        for (is_given, flag) in [
            (!args.registries.is_empty(), "--registry"),
            (!args.purposes.is_empty(), "--purpose"),
            (!args.peers.is_empty(), "--peers"),
            (args.now.is_some(), "--now"),
            (!args.sitemaps.is_empty(), "--sitemap"),
            (args.page, "--page"),
            (args.fix, "--fix"),
            (args.unsafe_fixes, "--unsafe-fixes"),
            (args.diff, "--diff"),
        ] {
            ensure!(
                !is_given,
                "{flag} has no effect, because no robots.txt is named; name one, or remove the flag"
            );
        }
    }
    let is_url = |name: &FileArg| matches!(Source::named(name), Source::Url(_));
    let fetches_page = args.page && tags.html.is_none();
    let fetches = files.iter().any(is_url) || sitemaps::are_fetched(&args.sitemaps) || fetches_page;
    if let Some(flag) = args.network.given().filter(|_| !fetches) {
        bail!("{flag} has no effect, because no URL is named; remove the flag");
    }
    args.output_file
        .as_ref()
        .map_or(Ok(()), |output| usable(output, files))
}

/// Refuses a file for the report that is one of the inputs, or that cannot be written, before
/// anything is fixed.
fn usable(output: &FileArg, files: &[FileArg]) -> anyhow::Result<()> {
    ensure!(
        !output.is_stdin(),
        "--output-file takes a file; without it, findings go to stdout"
    );
    let path: &Path = output.as_ref();
    if path.is_dir() {
        bail!("cannot write {output}: it is a directory; name a file in it");
    }
    if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
        ensure!(
            folder.is_dir(),
            "cannot write {output}: its folder does not exist"
        );
    }
    let Ok(real) = fs::canonicalize(path) else {
        return Ok(());
    };
    for file in files {
        let is_same = fs::canonicalize(file).is_ok_and(|file| file == real);
        ensure!(
            !is_same,
            "--output-file {output} would overwrite the robots.txt; name another file"
        );
    }
    Ok(())
}
