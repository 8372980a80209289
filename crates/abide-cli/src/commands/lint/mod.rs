//! `abide lint`

mod flags;

use crate::args::{LintArgs, LintFormat};
use crate::config::{Configs, ForFile};
use crate::exit::{Exit, complain, put, warn, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::replace::{create_or_replace, replace};
use crate::report::{self, Footer, LintedFile, Statistics};
use crate::robots_files;
use crate::sitemaps::{self, NamedSitemaps, SitemapPages};
use crate::source::{ServedFile, Source};
use crate::{page_args, robot_args, unified_diff};
use abide::explain::visible_url;
use abide::preference::Documents;
use abide::syntax::Text;
use abide::{Limits, Moment, Robots, Target};
use abide_contract::registry::Registries;
use abide_fetch::as_sent;
use abide_fetch::http::now;
use abide_html::{ResourceKind, Resources};
use abide_lint::Rule;
use abide_lint::document::DocumentKind;
use abide_lint::fix::FixResult;
use abide_lint::rules::{self, UnknownCodeError};
use abide_lint::{Context, Linter, PageResource};
use anyhow::{Context as _, bail, ensure};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use url::Url;

/// Lints the files, fixes them with `--fix`, and reports.
pub(crate) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    flags::check_codes(args)?;
    let mut trouble = None;
    let mut files = Vec::new();
    if !args.files.is_empty() || !args.has_response() {
        for name in robots_files::named(&args.files) {
            match name {
                Ok(name) => files.push(name),
                Err(error) => report_trouble(&mut trouble, &error),
            }
        }
    }
    if args.show_files {
        let names: Vec<_> = files.iter().map(|file| format!("{file}\n")).collect();
        written(put(names.concat()))?;
        return Ok(trouble.unwrap_or(Exit::Done));
    }
    if files.is_empty() && !args.has_response() {
        return Ok(trouble.unwrap_or(Exit::Failed));
    }
    flags::refuse_idle(args, &files)?;
    let run = Run {
        args,
        files: &files,
        given: robot_args::registries(&args.registries)?,
        purposes: flags::purposes(args)?,
        now: args.now.unwrap_or_else(now),
    };
    let mut done = run.all(&mut trouble)?;
    if let Some(least) = args.min_severity {
        for one in &mut done.linted {
            one.findings.retain(|finding| finding.severity() >= least);
        }
    }
    if done.linted.is_empty() {
        return Ok(trouble.unwrap_or(Exit::Failed));
    }
    run.report(&done)?;
    let says_no = if args.diff {
        done.linted.iter().any(|one| one.fixed > 0)
    } else {
        report::all(&done.linted).any(|(one, finding)| one.fails(finding))
    };
    Ok(match trouble {
        Some(trouble) => trouble,
        None if says_no && !args.exit_zero => Exit::Prohibited,
        None => Exit::Done,
    })
}

/// Reports an error and keeps how the run ends because of it: a mistake weighs more than what could
/// not be found out.
fn report_trouble(trouble: &mut Option<Exit>, error: &anyhow::Error) {
    complain(&format!("{error:#}"));
    if *trouble != Some(Exit::Failed) {
        *trouble = Some(Exit::of(error));
    }
}

/// Prints the page of a code, or all codes.
fn explain(code: &str) -> anyhow::Result<Exit> {
    // What abide check reports can have another name here.
    let diagnostic = || code.parse().ok().and_then(rules::of_diagnostic);
    let page = match rules::of(code).or_else(diagnostic) {
        Some(rule) => rule.markdown().to_owned(),
        None if code == "all" => rules::ALL.iter().map(|rule| line(rule)).collect(),
        None => bail!("{}; --explain all lists them", UnknownCodeError::of(code)),
    };
    written(put(page))?;
    Ok(Exit::Done)
}

fn line(rule: &Rule) -> String {
    let (code, severity) = (rule.code(), rule.severity().name());
    let severity = match rule.other_severity() {
        Some(other) => format!("{severity} or {}", other.name()),
        None => severity.to_owned(),
    };
    format!("{code:<30} {severity:<16} {}\n", rule.page().summary)
}

/// The URLs of pages, as web clients send them.
fn sent_urls(pages: &SitemapPages) -> Vec<String> {
    let mut urls = Vec::new();
    pages.for_each(|url| {
        let target = Target::new(url).with_context(|| visible_url(url))?;
        urls.push(as_sent(&target).unwrap_or_else(|| target.url().to_owned()));
        Ok(())
    });
    urls
}

/// A run over the files.
struct Run<'a> {
    args: &'a LintArgs,
    files: &'a [FileArg],
    /// The registries of `--registry`.
    given: Option<Registries>,
    /// The purposes of `--purpose`.
    purposes: Vec<abide::PurposeToken>,
    /// The instant of the check, the same for all files.
    now: Moment,
}

/// What came of it.
#[derive(Default)]
struct LintOutput {
    linted: Vec<LintedFile>,
    /// The diffs of all files, if they go to a file.
    diffs: Vec<u8>,
}

impl Run<'_> {
    /// Lints each file. One that cannot be read does not stop the others.
    fn all(&self, trouble: &mut Option<Exit>) -> anyhow::Result<LintOutput> {
        let args = self.args;
        let network = Network::of_abide(&args.network);
        let response = page_args::response(&args.tags)?;
        let mut configs = Configs::new(args.config.config.as_ref(), args.config.no_config)?;
        let mut done = LintOutput::default();
        let mut site = Site::default();
        let sitemaps = self.sitemaps(None, &network, trouble)?;
        for name in self.files {
            match self.one(
                name,
                &network,
                &mut configs,
                &sitemaps,
                (&mut done, trouble),
            ) {
                Ok(bytes) => site.add(&name.to_string(), bytes),
                Err(error) => report_trouble(trouble, &error),
            }
        }
        if args.has_response() {
            let (linter, settings) = self.linter(&mut configs, None)?;
            let url = args.url.as_deref().unwrap_or("/");
            // The URL counts without a robots.txt, too: a rule of tdmrep.json can be about it.
            let robots = Some((site.robots.as_deref().unwrap_or_default(), url));
            done.linted.push(LintedFile {
                name: FileArg::from("the response"),
                text: Vec::new(),
                findings: linter.response_with(&response, robots, &site.documents),
                fixed: 0,
                fail_on: settings.settings.fail_on.value,
            });
        }
        Ok(done)
    }

    /// The URLs of the sitemaps that `named` names, for the word `robots`; those of the other
    /// sitemaps, if there is none.
    fn sitemaps(
        &self,
        named: Option<&NamedSitemaps>,
        network: &Network<'_>,
        trouble: &mut Option<Exit>,
    ) -> anyhow::Result<Vec<String>> {
        let asked = self.args.sitemaps.iter();
        let asked = asked.filter(|name| sitemaps::is_robots(name) == named.is_some());
        let asked: Vec<FileArg> = asked.cloned().collect();
        let pages = SitemapPages::read(&asked, named, network)?;
        if !self.args.quiet {
            pages.tell_notes();
        }
        for error in &pages.trouble {
            report_trouble(trouble, error);
        }
        Ok(sent_urls(&pages))
    }

    /// Lints one file; returns its bytes.
    fn one(
        &self,
        name: &FileArg,
        network: &Network<'_>,
        configs: &mut Configs,
        sitemaps: &[String],
        (done, trouble): (&mut LintOutput, &mut Option<Exit>),
    ) -> anyhow::Result<Vec<u8>> {
        let source = Source::named(name);
        let local = match &source {
            Source::File(name) => Some(name),
            Source::Stdin | Source::Url(_) => None,
        };
        let (linter, of) = self.linter(configs, local)?;
        let served = source.served(Limits::MAX, network)?;
        robots_files::ensure_content(&source.name().to_string(), &served.bytes)?;
        let registries = match &self.given {
            Some(given) => Some(given.clone()),
            None => configs.registry(&of)?,
        };
        let registries = registries.unwrap_or_default();
        let mut context = of.settings.context(registries.applications.clone());
        if context.purposes.is_empty() {
            context.purposes = registries.purpose_tokens();
        }
        context.media_type = self.media_type(&served);
        context.is_cut = served.is_cut;
        context.redirected_to.clone_from(&served.redirected_to);
        context.now = Some(self.now);
        context.url.clone_from(&self.args.url);
        context.has_tdmrep = has_tdmrep(&source, self.files);
        // A tdmrep.json or a licence names neither pages nor sitemaps.
        let is_robots = DocumentKind::of(source.name().as_str(), &served.bytes).is_none();
        if self.args.page && is_robots {
            context.page_resources = self.page_resources(&source, network)?;
        }
        context.sitemap_urls = sitemaps.to_vec();
        if sitemaps::asks_robots(&self.args.sitemaps) && is_robots {
            let robots = Robots::parse(&served.bytes);
            let named = NamedSitemaps::new(&source, robots.sitemaps().map(|(_, value)| value));
            // Without its sitemaps, the file is still worth its other findings.
            match self.sitemaps(Some(&named), network, trouble) {
                Ok(urls) => context.sitemap_urls.extend(urls),
                Err(error) => report_trouble(trouble, &error),
            }
        }
        match &source {
            Source::Url(url) => context.fetched_from = Some(url.as_str().to_owned()),
            Source::File(file) => context.root_file = robots_files::above(file.as_ref()),
            Source::Stdin => {}
        }
        let mut linted = self.file(&linter, &source, &served.bytes, &context, done)?;
        linted.fail_on = of.settings.fail_on.value;
        done.linted.push(linted);
        Ok(served.bytes)
    }

    /// What the page loads from its site: of `--html`, or fetched as abide, if the robots.txt of
    /// the site lets it. The file that is linted may be another version of it.
    fn page_resources(
        &self,
        source: &Source,
        network: &Network<'_>,
    ) -> anyhow::Result<Vec<PageResource>> {
        let args = self.args;
        let site = match source {
            Source::Url(url) => Some(Url::parse(url.as_str())?.join("/")?),
            Source::File(_) | Source::Stdin => None,
        };
        let url = args.url.as_deref().map(Url::parse).transpose();
        let url = url
            .context("--page needs a whole URL in --url")?
            .or_else(|| site.clone());
        let url =
            url.context("--page needs the URL of a page: lint a URL, or name one with --url")?;
        let other = |linted: &Url| linted.origin() != url.origin();
        ensure!(
            !site.as_ref().is_some_and(other),
            "--page needs a page of the site whose robots.txt is linted, and {} is on another; lint that site, or change --url",
            visible_url(url.as_str())
        );
        let (url, loaded) = if args.tags.html.is_some() {
            (url, page_args::resources(&args.tags)?)
        } else {
            let page = network.site()?.own_page(&Target::new(url.as_str())?)?;
            let Some(page) = page else {
                let shown = visible_url(url.as_str());
                warn(&format!(
                    "{shown}: no page was read, so --page checks nothing"
                ));
                return Ok(Vec::new());
            };
            (Url::parse(page.url.as_str())?, page.resources())
        };
        Ok(own_resources(&url, loaded))
    }

    /// The settings for a file, with the flags, and the linter that follows from them.
    fn linter(
        &self,
        configs: &mut Configs,
        file: Option<&FileArg>,
    ) -> anyhow::Result<(Linter, ForFile)> {
        let mut of = configs.for_file(file)?;
        flags::apply(self.args, &self.purposes, &mut of.settings)?;
        Ok((of.settings.linter()?, of))
    }

    fn media_type(&self, served: &ServedFile) -> Option<String> {
        let given = self.args.tags.headers.iter().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            let is_type = name.trim().eq_ignore_ascii_case("content-type");
            is_type.then(|| value.trim().to_owned())
        });
        given.or_else(|| served.media_type.clone())
    }

    /// Lints one file, and fixes it with `--fix`.
    fn file(
        &self,
        linter: &Linter,
        source: &Source,
        bytes: &[u8],
        context: &Context,
        done: &mut LintOutput,
    ) -> anyhow::Result<LintedFile> {
        let args = self.args;
        let name = source.name();
        let fixed = match args.safety() {
            Some(safety) => linter.fixed_file(name.as_str(), bytes, context, safety),
            None => FixResult {
                bytes: bytes.to_vec(),
                fixed: 0,
                findings: linter.file(name.as_str(), bytes, context),
            },
        };
        if args.diff && args.output_file.is_some() {
            let (out, form) = (&mut done.diffs, unified_diff::Form::Data);
            unified_diff::write(out, form, &name, bytes, &fixed.bytes)?;
        } else if args.diff && !args.quiet {
            written(unified_diff::to_stdout(&name, bytes, &fixed.bytes))?;
        } else if args.safety().is_some() && !args.diff {
            put_back(source, bytes, &fixed.bytes)?;
        }
        Ok(LintedFile {
            name,
            text: Text::new(&fixed.bytes, Limits::default())
                .as_bytes()
                .to_vec(),
            findings: fixed.findings,
            fixed: fixed.fixed,
            fail_on: abide::Severity::Warning,
        })
    }

    /// Writes the report to its place.
    fn report(&self, done: &LintOutput) -> anyhow::Result<()> {
        let (args, linted) = (self.args, &*done.linted);
        let footer = Footer {
            is_diff: args.diff,
            // Whoever names no file wants to know which ones were found.
            has_names: args.files.is_empty(),
        };
        let summary = || report::summary(&mut anstream::stderr().lock(), linted, footer);
        if let Some(file) = &args.output_file {
            let report = if args.diff {
                done.diffs.clone()
            } else {
                let mut out = anstream::StripStream::new(Vec::new());
                self.write(&mut out, linted)?;
                out.into_inner()
            };
            create_or_replace(file, &report).with_context(|| format!("cannot write {file}"))?;
            return written(summary());
        }
        if args.diff {
            return written(summary());
        }
        let mut out: Box<dyn Write> = match args.format {
            LintFormat::Human if flags::goes_to_stdout(args, self.files) => {
                Box::new(anstream::stderr().lock())
            }
            LintFormat::Human => Box::new(anstream::stdout().lock()),
            _ => Box::new(io::stdout().lock()),
        };
        if !args.quiet {
            written(self.write(&mut out, linted))?;
        }
        match args.format {
            LintFormat::Human => written(report::summary(&mut out, linted, footer)),
            _ => Ok(()),
        }
    }

    fn write(&self, out: &mut dyn Write, linted: &[LintedFile]) -> io::Result<()> {
        if self.args.statistics {
            let statistics = Statistics::of(linted);
            return match self.args.format {
                LintFormat::Json => statistics.json(out),
                LintFormat::Jsonl => statistics.jsonl(out),
                _ => statistics.human(out),
            };
        }
        match self.args.format {
            LintFormat::Human => report::human(out, linted, self.args.all),
            LintFormat::Json => report::json(out, linted, self.args.all),
            LintFormat::Jsonl => report::jsonl(out, linted, self.args.all),
            LintFormat::Sarif => report::sarif(out, linted),
            LintFormat::Github => report::github(out, linted, self.args.all),
            LintFormat::Gitlab => report::gitlab(out, linted),
            LintFormat::Junit => report::junit(out, linted),
        }
    }
}

/// The resources of a page that its own site has, each once, as clients ask for them.
fn own_resources(page: &Url, loaded: Resources) -> Vec<PageResource> {
    let base = loaded.base.and_then(|base| page.join(&base).ok());
    // Browsers ignore such a base (the HTML Standard, "set the frozen base URL").
    let base = base.filter(|base| !matches!(base.scheme(), "data" | "javascript"));
    let base = base.as_ref().unwrap_or(page);
    // A file that is anything beside an image counts as that.
    let mut by_url: BTreeMap<String, bool> = BTreeMap::new();
    for resource in loaded.resources {
        let Ok(mut url) = base.join(&resource.url) else {
            continue;
        };
        if url.origin() == page.origin() {
            url.set_fragment(None);
            let is_image = resource.kind == ResourceKind::Image;
            *by_url.entry(url.into()).or_insert(true) &= is_image;
        }
    }
    let resource = |(url, is_image)| PageResource { url, is_image };
    by_url.into_iter().map(resource).collect()
}

/// What the files say about the site of a response.
#[derive(Default)]
struct Site {
    robots: Option<Vec<u8>>,
    documents: Documents,
}

impl Site {
    fn add(&mut self, name: &str, bytes: Vec<u8>) {
        match DocumentKind::of(name, &bytes) {
            Some(DocumentKind::Tdmrep) => {
                let documents = std::mem::take(&mut self.documents);
                self.documents = abide_documents::add_tdmrep(documents, &bytes);
            }
            // Which of the site's licences it is, nobody knows.
            Some(_) => {}
            None => self.robots = Some(bytes),
        }
    }
}

/// Whether the site of a robots.txt has a `tdmrep.json`: beside the file or in `.well-known` below
/// it, or among the files if there is no other site.
fn has_tdmrep(source: &Source, files: &[FileArg]) -> bool {
    const NAME: &str = "tdmrep.json";
    let is_tdmrep = |file: &&FileArg| file.to_string().ends_with(NAME);
    let given = files.iter().filter(is_tdmrep).count();
    if given > 0 && files.len() - given == 1 {
        return true;
    }
    let Source::File(file) = source else {
        return false;
    };
    let path: &Path = file.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    folder.join(".well-known").join(NAME).is_file() || folder.join(NAME).is_file()
}

/// Writes the fixed text back to its file; for stdin, to stdout.
fn put_back(source: &Source, before: &[u8], after: &[u8]) -> anyhow::Result<()> {
    match source {
        Source::File(path) if before != after => replace(path, after)
            .with_context(|| format!("cannot rewrite {path}; the file is unchanged")),
        Source::File(_) => Ok(()),
        Source::Stdin => written(put(after)),
        Source::Url(url) => {
            ensure!(
                before == after,
                "{url} cannot be rewritten; fetch it into a file, or use --diff"
            );
            Ok(())
        }
    }
}
