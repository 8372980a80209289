//! `abide check`
//!
//! One URL is a list of one: the arguments and a list take the same way from text to answer, and
//! only what is written differs.

mod human;
mod totals;

use crate::args::{CheckArgs, Format};
use crate::bulk::{Answers, Bulk};
use crate::chunks::{Chunk, Input};
use crate::exit::{Exit, ExitRank, complain, written};
use crate::fetch::{AskedPage, Network};
use crate::file_arg::FileArg;
use crate::page_args::{self, PageContext, warn_of_whole_urls};
use crate::robot_args::{RobotOptions, robots};
use crate::sitemaps::{self, NamedSitemaps, SitemapPages};
use crate::source::{self, Findings, Source};
use crate::table::{Layout, RowFormat, columns, write_list};
use crate::url_answers::{
    Answer, AnswerCache, Asking, CRAWL, InputUrl, MAX_URL_BYTES, Requested, Rules, answerer,
    write_objects,
};
use crate::url_list;
use abide::explain::{visible, visible_url};
use abide::preference::{Documents, Vocabulary};
use abide::{Client, Policy, Usage};
use abide_fetch::http::now;
use abide_known_robots::Robot;
use anyhow::{Context, bail, ensure};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write as _};
use std::sync::Arc;

/// How many sites are compiled at a time; the others are in the cache.
const MAX_SITES: usize = 64;

/// How many pages are fetched at a time.
const MAX_PAGES: usize = 256;

/// Decides every URL for every robot and writes the answers; the exit status shows the strictest
/// one.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.table.list_fields {
        written(write_list())?;
        return Ok(Exit::Done);
    }
    refuse_flags_without_effect(args)?;
    let client = &args.client;
    let agents = args.network.agents(client);
    let robots = robots(agents, client.literal, client.nonstandard_token)?;
    let (usages, exit_usages) = (usages(args), args.exit_usages());
    let layout = layout(args, &usages, &robots)?;
    let mut options = RobotOptions::new(client, Some(&args.acap))?;
    if layout.as_ref().is_some_and(Layout::asks_preferences) {
        // A column shows all preferences.
        options = options.asking(&args.preference, &[]);
    } else if args.asks_preferences() {
        options = options.asking(&args.preference, &exit_usages);
    }
    let documents = page_args::documents(&args.preference.vocabulary)?;
    warn_of_whole_urls(&documents, &args.urls, "name pages by whole URLs");
    let page = PageContext {
        response: page_args::response(&args.tags)?,
        documents,
        now: args.now.or(args.at).unwrap_or_else(now),
        acap: Some(&args.acap),
    };
    let asking = Asking {
        robots: &robots,
        profile: client.profile,
        usages: &usages,
        shows_mentioned: shows_mentioned(args),
        exit_usages: &exit_usages,
        page: &page,
        requested: match (&args.robots, args.page) {
            (None, _) => Requested::RobotsTxt,
            (Some(_), true) => Requested::Page,
            (Some(_), false) => Requested::Nothing,
        },
        ends_on_a_problem: layout.is_none(),
        layout: layout.as_ref(),
        only_disallowed: args.shows_only_disallowed(),
        write: &|text: &mut Vec<u8>, number: u64, answers: &[Answer<'_>]| {
            write(args, text, number, answers).expect("memory takes all that is written");
        },
    };
    let network = Network::new(options.sender(&robots)?, &args.network, args.at);
    let fetches_pages = args.page && (args.list.is_some() || args.urls.len() > 1);
    let network = network.paced(fetches_pages);
    let mut sites = Sites {
        args,
        asking: &asking,
        options: &options,
        network: &network,
        references: source::references(&args.acap, options.limit())?,
        known: HashMap::new(),
    };
    let Some(standing) = sites.answer_all()? else {
        return Ok(Exit::Failed);
    };
    // Without the page, its tags are unknown.
    let page = if network.lacks_a_page() {
        ExitRank::Unknown
    } else {
        ExitRank::Fine
    };
    Ok(standing.max(page).exit())
}

/// Whether the answers are a table.
fn is_table(args: &CheckArgs) -> bool {
    args.has_list()
        || !args.table.fields.is_empty()
        || matches!(args.format(), Format::Csv | Format::Parquet)
}

/// Refuses options that would change nothing.
fn refuse_flags_without_effect(args: &CheckArgs) -> anyhow::Result<()> {
    let is_stdin = |name: &Option<FileArg>| name.as_ref().is_some_and(FileArg::is_stdin);
    let is_local = args
        .robots
        .as_ref()
        .is_some_and(|name| !matches!(Source::named(name), Source::Url(_)));
    let fetches = args.page || sitemaps::are_fetched(&args.sitemaps);
    let names_robot = |flag: &str| flag == "--user-agent" && args.client.agents.is_empty();
    let given = args.network.given().filter(|flag| !names_robot(flag));
    if let Some(flag) = given.filter(|_| is_local && !fetches) {
        bail!("{flag} has no effect here: --robots names a file, so nothing is fetched");
    }
    if !is_table(args) {
        ensure!(
            args.table.output.is_none() && args.table.jobs.is_none(),
            "--output and --jobs are for tables; add --urls, --fields, or --format csv or parquet"
        );
        ensure!(
            args.only.is_none(),
            "--only is for many URLs; add --urls or --sitemap"
        );
        return Ok(());
    }
    ensure!(
        args.format() != Format::Json,
        "--format json is one value, and a list of URLs may have no end; use --format jsonl, or \
         `abide batch --robots` for whole decisions"
    );
    ensure!(
        args.robots.is_some() || args.table.jobs.is_none(),
        "--jobs needs --robots: without it, abide asks up to 32 sites at a time, whatever the number of threads"
    );
    let sitemaps = args.sitemaps.iter().filter(|name| name.is_stdin()).count();
    ensure!(
        usize::from(is_stdin(&args.robots)) + usize::from(is_stdin(&args.list)) + sitemaps < 2,
        "stdin can be read only once; name a file for the robots.txt or for the URLs"
    );
    ensure!(
        args.robots.is_some() || !sitemaps::asks_robots(&args.sitemaps),
        "--sitemap robots means the sitemaps that the robots.txt names; name it with --robots FILE or \
         --robots https://example.com"
    );
    Ok(())
}

/// Whether rows are about every usage that the site mentions: what is said in a response or asked
/// about preferences must not be without effect. Columns without the usage cannot tell such rows
/// apart, and can have the answers themselves.
fn shows_mentioned(args: &CheckArgs) -> bool {
    let is_asked = args.preference.preferences || args.tags.are_given() || args.page;
    let mut fields = args.table.fields.iter();
    let shows_usage = args.table.fields.is_empty() || fields.any(|name| name.trim() == "usage");
    is_asked && shows_usage && args.usages.is_empty() && args.for_usages.is_empty()
}

/// The usages that have a row: crawling, if none is asked for.
fn usages(args: &CheckArgs) -> Vec<Usage> {
    match (args.for_usages.as_slice(), args.usages.as_slice()) {
        ([], []) if args.preference.preferences => [CRAWL, Usage::PREFERENCES].concat(),
        ([], []) => CRAWL.to_vec(),
        ([], usages) | (usages, _) => usages.to_vec(),
    }
}

/// What the table looks like; `None` for whole answers.
fn layout(args: &CheckArgs, usages: &[Usage], robots: &[Robot]) -> anyhow::Result<Option<Layout>> {
    const MIN_URLS: usize = 9;
    if !is_table(args) {
        return Ok(None);
    }
    let mentioned: &[Usage] = if shows_mentioned(args) {
        Usage::ALL
    } else {
        &[]
    };
    let has_usage = shows_mentioned(args) || usages != CRAWL || !args.usages.is_empty();
    let named = usages.iter().chain(mentioned);
    let widest = named.map(|usage| usage.name().len()).max();
    let widths = robots.iter().map(|robot| robot.name().chars().count());
    Ok(Some(Layout {
        format: match args.format() {
            Format::Human | Format::Json => RowFormat::Human,
            Format::Jsonl => RowFormat::Jsonl,
            Format::Csv => RowFormat::Csv,
            Format::Parquet => RowFormat::Parquet,
        },
        columns: columns(&args.table, false, has_usage)?,
        is_chosen: !args.table.fields.is_empty(),
        robot_width: widths.max().unwrap_or_default(),
        usage_width: widest.unwrap_or_default().max(MIN_URLS),
    }))
}

/// Answers URLs of many sites.
struct Sites<'a> {
    args: &'a CheckArgs,
    asking: &'a Asking<'a>,
    options: &'a RobotOptions,
    network: &'a Network<'a>,
    /// The files of `--reference`, by locator.
    references: Vec<(String, Vec<u8>)>,
    /// The files that were read, with what was answered by each.
    known: HashMap<Source, (Rules, AnswerCache)>,
}

impl Sites<'_> {
    /// Reads the URLs, and writes the answers about each of them. Returns how they count together;
    /// `None` if some lines could not be read.
    fn answer_all(&mut self) -> anyhow::Result<Option<ExitRank>> {
        let (args, asking) = (self.args, self.asking);
        if asking.ends_on_a_problem {
            for url in &args.urls {
                let read = asking.read(1, url.as_bytes());
                read.map_err(|refused| anyhow::Error::msg(refused.problem.message))?;
            }
        }
        // The file is read before the list, so that a missing file is reported at once.
        let file = args.robots.as_ref().map(Source::named);
        if let Some(file) = &file {
            self.load(file)?;
        }
        let sitemaps = self.sitemaps(file.as_ref())?;
        let totals = sitemaps.as_ref().map(|pages| self.totals(pages));
        let totals = totals.transpose()?;
        let mut trouble = ExitRank::Fine;
        let mut is_broken = false;
        for error in sitemaps.iter().flat_map(|pages| &pages.trouble) {
            complain(&format!("{error:#}"));
            match Exit::of(error) {
                Exit::Unknown => trouble = ExitRank::Unknown,
                _ => is_broken = true,
            }
        }
        let input = if let Some(pages) = sitemaps {
            let (name, lines) = pages.into_lines();
            Input::listed(name, lines, MAX_URL_BYTES)
        } else if let Some(list) = &args.list {
            let hint = "--urls takes a file of URLs, a sitemap, or \"-\" for stdin";
            url_list::open(list, hint, MAX_URL_BYTES)?
        } else {
            let urls = (1..).zip(args.urls.iter().cloned()).collect();
            Input::listed("the arguments".to_owned(), urls, MAX_URL_BYTES)
        };
        let is_sitemap = input.is_sitemap;
        let inputs = args.list.iter().chain(&args.robots).chain(&args.sitemaps);
        let inputs: Vec<_> = inputs.collect();
        let mut bulk = Bulk::new(
            &input,
            asking.layout,
            args.format() == Format::Human,
            &args.table,
            &inputs,
            Some(asking.profile.name()),
            args.quiet || !args.has_list(),
        )?;
        if let Some(totals) = totals {
            bulk.begin_with(&totals, args.format() == Format::Human)?;
        }
        let mut input = asking.in_portions(input);
        if args.page {
            input = input.with_at_most(MAX_PAGES);
        }
        match file.filter(|_| asking.layout.is_some() && !args.page) {
            Some(file) => {
                let (rules, _) = &self.known[&file];
                bulk.run(input, args.table.jobs, || answerer(asking, rules))?;
            }
            None => bulk.run_here(input, |chunk| self.answer(chunk))?,
        }
        if is_sitemap {
            let whom = match asking.robots {
                [only] => visible(only.name().as_bytes()),
                _ => "at least one of the robots".to_owned(),
            };
            bulk.sum_up_sitemap(&whom);
        }
        let is_read = bulk.unread.is_empty() && !is_broken;
        Ok(is_read.then_some(bulk.counts.standing.max(trouble)))
    }

    /// The pages of the sitemaps, if any are asked about. `file` is the robots.txt of `--robots`.
    fn sitemaps(&self, file: Option<&Source>) -> anyhow::Result<Option<SitemapPages>> {
        let asked = &self.args.sitemaps;
        if asked.is_empty() {
            return Ok(None);
        }
        let rules = file.and_then(|file| Some((file, self.known.get(file)?.0.policies.first()?)));
        let named = rules.map(|(file, policy)| NamedSitemaps::new(file, policy.sitemaps()));
        SitemapPages::read(asked, named.as_ref(), self.network).map(Some)
    }

    /// Answers the URLs of a chunk in their order, after fetching all their sites at once.
    fn answer(&mut self, chunk: &Chunk) -> anyhow::Result<Answers> {
        let asking = self.asking;
        let mut answers = Answers::new(asking.layout, chunk.size());
        let mut urls: Vec<_> = asking.urls(chunk).collect();
        self.fetch_ahead(urls.iter().flatten())?;
        if self.args.page {
            self.fetch_pages(urls.iter_mut().flatten())?;
        }
        for url in urls {
            match url {
                Ok(mut url) => {
                    let source = self.source(&url)?;
                    self.load(&source)?;
                    let (rules, _) = &self.known[&source];
                    self.look_beside(rules, &mut url)?;
                    if let Some((rules, known)) = self.known.get_mut(&source) {
                        asking.about(rules, known, &url, &mut answers);
                    }
                }
                Err(refused) => asking.refuse(refused, &mut answers),
            }
        }
        Ok(answers)
    }

    /// Fetches the robots.txt files of several sites at once.
    fn fetch_ahead<'u>(&self, urls: impl Iterator<Item = &'u InputUrl<'u>>) -> anyhow::Result<()> {
        if self.args.robots.is_some() {
            return Ok(());
        }
        let sites: BTreeSet<_> = urls.filter_map(|url| url.target().robots_url()).collect();
        let is_known = |url: &String| self.known.contains_key(&Source::Url(url.as_str().into()));
        let missing: Vec<_> = sites.into_iter().filter(|url| !is_known(url)).collect();
        if missing.len() > 1 {
            self.network.site()?.fetch_ahead(missing)?;
        }
        Ok(())
    }

    /// Where the robots.txt of a URL is.
    fn source(&self, url: &InputUrl<'_>) -> anyhow::Result<Source> {
        if let Some(name) = &self.args.robots {
            return Ok(Source::named(name));
        }
        let target = url.target();
        let site = target.robots_url();
        let site = site.with_context(|| format!("no robots.txt for {}", visible_url(target.url())));
        Ok(Source::Url(FileArg::from(site?)))
    }

    /// Reads and compiles the robots.txt at `source`, once, and warns of what is wrong with it.
    fn load(&mut self, source: &Source) -> anyhow::Result<()> {
        if self.known.contains_key(source) {
            return Ok(());
        }
        if self.known.len() >= MAX_SITES {
            self.known.clear();
        }
        let (args, options) = (self.args, self.options);
        let content = source.read(options.limit(), self.network)?;
        let which = match (args.quiet, args.verbose) {
            (true, _) => Findings::None,
            (false, true) => Findings::All,
            // The findings about thousands of sites would hide everything else.
            (false, false) if args.has_list() && args.robots.is_none() => Findings::None,
            (false, false) => Findings::OfRobots,
        };
        let compile =
            |client: &Client| source.compile(&content, client, &self.references, self.network);
        let policy = |robot: &Robot| options.policy(robot, compile);
        let rules = Rules::new(source, &content, self.asking.robots, which, policy)?;
        self.known
            .insert(source.clone(), (rules, AnswerCache::default()));
        Ok(())
    }

    /// Fetches the documents beside robots.txt, as far as they are asked for.
    fn look_beside(&self, rules: &Rules, url: &mut InputUrl<'_>) -> anyhow::Result<()> {
        let asks = |policy: &Policy| policy.client().preferences().is_some();
        if self.args.robots.is_none() && rules.policies.iter().any(asks) {
            let robots = 0..rules.policies.len();
            let documents = robots.map(|at| self.documents(rules, at, url));
            url.documents = documents.collect::<anyhow::Result<_>>()?;
        }
        Ok(())
    }

    /// Fetches pages, several at once. The request is abide's own, for all robots: it is sent only
    /// if each of them may.
    fn fetch_pages<'i, 'u: 'i>(
        &mut self,
        urls: impl Iterator<Item = &'i mut InputUrl<'u>>,
    ) -> anyhow::Result<()> {
        let mut urls: Vec<_> = urls.collect();
        let mut asked = Vec::new();
        for url in &urls {
            let source = self.source(url)?;
            self.load(&source)?;
            let (rules, _) = &self.known[&source];
            let target = url.target();
            let delays = rules.policies.iter().filter_map(Policy::crawl_delay);
            asked.push(AskedPage {
                url: target.url().to_owned(),
                policies: Arc::clone(&rules.policies),
                delay: delays.map(|(delay, _)| delay.duration()).max(),
            });
        }
        let pages = self.network.site()?.pages(asked)?;
        for (url, page) in urls.iter_mut().zip(pages) {
            url.page = page;
        }
        Ok(())
    }

    /// What is known of the documents beside the robots.txt of `url`, for one robot.
    fn documents(&self, rules: &Rules, at: usize, url: &InputUrl<'_>) -> anyhow::Result<Documents> {
        let target = self.asking.target(at, url);
        let mut known = self.asking.page.documents.clone();
        for policy in asking_alone(self.args, &rules.policies[at]) {
            let target = target.with_documents(&known);
            known = self.network.site()?.documents(&policy, &target)?;
        }
        Ok(known)
    }
}

/// The policies whose questions decide which documents are fetched. `--for` shows what each
/// vocabulary says, so it asks each of them alone: then no other can settle the answer before.
fn asking_alone<'p>(args: &CheckArgs, policy: &'p Policy) -> Vec<Cow<'p, Policy>> {
    let profile = policy.client().preferences();
    let Some(profile) = profile.filter(|_| !args.for_usages.is_empty()) else {
        return vec![Cow::Borrowed(policy)];
    };
    let alone = |vocabulary| Cow::Owned(policy.clone().with_vocabularies(&[vocabulary]));
    let documented = [Vocabulary::Tdmrep, Vocabulary::Rsl].into_iter();
    let vocabularies = documented.filter(|vocabulary| profile.asks(*vocabulary));
    vocabularies.map(alone).collect()
}

/// Writes the whole answers about the URL with a number, one for each robot.
fn write(
    args: &CheckArgs,
    out: &mut Vec<u8>,
    number: u64,
    answers: &[Answer<'_>],
) -> io::Result<()> {
    match args.format() {
        Format::Json => return json(args.urls.len() as u64, out, number, answers),
        Format::Jsonl | Format::Csv | Format::Parquet => {
            write_objects(out, answers, false);
            return Ok(());
        }
        Format::Human => {}
    }
    if number > 1 {
        writeln!(out)?;
    }
    match (args.for_usages.as_slice(), answers) {
        ([], [only]) => human::one(out, only, &args.usages),
        ([], several) => human::several(out, several, &args.usages),
        (purposes, _) => human::purposes(out, answers, purposes),
    }
}

/// Writes the decisions about the URL with a number, of so many URLs: one value, which is an array
/// if there are several decisions.
fn json(urls: u64, out: &mut Vec<u8>, number: u64, answers: &[Answer<'_>]) -> io::Result<()> {
    let (begin, end) = match (urls, answers) {
        (1, [_]) => ("", ""),
        _ => ("[\n", "\n]"),
    };
    for (at, answer) in answers.iter().enumerate() {
        let is_first = (number, at) == (1, 0);
        let before = if is_first { begin } else { ",\n" };
        write!(out, "{before}{}", answer.json().to_pretty())?;
    }
    if number == urls {
        writeln!(out, "{end}")?;
    }
    Ok(())
}
