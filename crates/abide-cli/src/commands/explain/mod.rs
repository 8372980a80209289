//! `abide explain`

mod counted;
mod several;
mod view;

use crate::args::{ExplainArgs, ViewFormat};
use crate::exit::{Exit, complain, put, written};
use crate::fetch::Network;
use crate::page_args::{self, PageContext, warn_of_whole_urls};
use crate::robot_args::{RobotOptions, robots};
use crate::sitemaps::{NamedSitemaps, SitemapPages};
use crate::source::{self, Findings, Source};
use crate::width::{self, paragraph};
use abide::explain::{visible, visible_url};
use abide::{Client, Policy, Target};
use abide_analysis::preferences;
use abide_analysis::view::{FileView, MAX_PAGES, PageView, Tally};
use abide_contract::explain::{Explanation, Explanations};
use abide_contract::text;
use abide_fetch::http::now;
use abide_known_robots::{Robot, in_file};
use anyhow::{Context, ensure};
use std::io::{self, Write};

/// Explains the file for each robot, and its effect on the given pages.
pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let inputs = [&args.robots]
        .into_iter()
        .chain(&args.list)
        .chain(&args.sitemaps);
    ensure!(
        inputs.filter(|name| name.is_stdin()).count() < 2,
        "robots.txt and URLs cannot both come from stdin; name a file for one of them"
    );
    let has_pages = args.list.is_some() || !args.urls.is_empty() || !args.sitemaps.is_empty();
    ensure!(
        has_pages || !args.preference.vocabulary.have_documents(),
        "--tdmrep and --rsl are about pages; name at least one URL after the robots.txt"
    );
    let documents = page_args::documents(&args.preference.vocabulary)?;
    warn_of_whole_urls(&documents, &args.urls, "name pages by whole URLs");
    let client = &args.client;
    let agents = args.network.agents(client);
    let robots = robots(agents, client.literal, client.nonstandard_token)?;
    let is_asked = args.preference.are_asked(&[]);
    let mut options = RobotOptions::new(client, Some(&args.acap))?;
    if is_asked {
        options = options.asking(&args.preference, &[]);
    }
    let network = Network::new(options.sender(&robots)?, &args.network, None);
    let source = Source::named(&args.robots);
    let references = source::references(&args.acap, options.limit())?;
    let content = source.read(options.limit(), &network)?;
    let response = page_args::response(&args.tags)?;
    let file = source.compile(&content, &Client::unnamed(), &references, &network)?;
    // Without any preference, groups for `*` alone could say something about control tokens.
    let asks = is_asked || preferences::are_stated(&file.robots()) || args.tags.are_given();
    let compile = |client: &Client| {
        let asking = asks.then(|| preferences::with_all_preferences(client));
        let client = asking.as_ref().unwrap_or(client);
        source.compile(&content, client, &references, &network)
    };
    let policies = robots.iter().map(|robot| options.policy(robot, compile));
    let policies: Vec<Policy> = policies.collect::<anyhow::Result<_>>()?;
    source.warn_of(&content, &policies, Findings::OfRobots);
    let asking = Asked {
        page: PageContext {
            response,
            documents,
            now: args.now.unwrap_or_else(now),
            acap: Some(&args.acap),
        },
        width: width::columns(args.width),
        source: &source,
        args,
    };
    let robots = in_file(&robots, &policies);
    let views = FileView::for_robots(&policies, &robots);
    let readings: Vec<Reading<'_>> = robots.iter().zip(views).collect();
    if !args.sitemaps.is_empty() {
        let named = policies.first();
        let named = named.map(|policy| NamedSitemaps::new(&source, policy.sitemaps()));
        let pages = SitemapPages::read(&args.sitemaps, named.as_ref(), &network)?;
        return asking.counted(&readings, Some(&pages));
    }
    if args.list.is_some() || args.urls.len() > MAX_PAGES {
        return asking.counted(&readings, None);
    }
    asking.shown(&readings)
}

/// A robot, and the file as it reads it.
type Reading<'p> = (&'p Robot, FileView<'p>);

/// What is asked about all pages.
struct Asked<'a> {
    page: PageContext<'a>,
    width: usize,
    source: &'a Source,
    args: &'a ExplainArgs,
}

impl Asked<'_> {
    fn target<'t>(&'t self, url: &'t str) -> anyhow::Result<Target<'t>> {
        let target = Target::new(url)
            .with_context(|| format!("cannot read the URL {}", visible_url(url)))?;
        Ok(self.page.described(target))
    }

    /// Shows the file and its effect on each page.
    fn shown(&self, readings: &[Reading<'_>]) -> anyhow::Result<Exit> {
        let urls = self.args.urls.iter().map(|url| self.target(url));
        let targets: Vec<_> = urls.collect::<anyhow::Result<_>>()?;
        let mut pages: Vec<Vec<PageView<'_>>> = Vec::new();
        for (_, view) in readings {
            pages.push(targets.iter().map(|target| view.page(target)).collect());
        }
        if self.args.format == ViewFormat::Json {
            let views = readings.iter().zip(&pages);
            return written(json(views.map(|((robot, view), pages)| {
                Explanation::new(&robot.name(), view, &self.page.response).with_pages(view, pages)
            })))
            .map(|()| Exit::Done);
        }
        let views: Vec<_> = readings
            .iter()
            .zip(&pages)
            .map(|((robot, reading), pages)| {
                let view = view::View {
                    reading,
                    response: &self.page.response,
                    pages,
                    width: self.width,
                    whole: self.args.all || pages.is_empty(),
                };
                (*robot, view)
            })
            .collect();
        let name = self.source.to_string();
        let mut out = anstream::stdout().lock();
        let result = match views.as_slice() {
            [(robot, view)] => asked_by(&mut out, robot).and_then(|()| view.write(&mut out, &name)),
            views => several::write(&mut out, views, &name, self.args.all),
        };
        let result = result.and_then(|()| self.purposes(&mut out, readings));
        written(result.and_then(|()| out.flush()))?;
        Ok(Exit::Done)
    }

    /// Writes what the file asks of robots that claim a purpose, which is about the file, whoever
    /// reads it.
    fn purposes(&self, out: &mut impl Write, readings: &[Reading<'_>]) -> io::Result<()> {
        let sentences = readings.first().map(|(_, view)| view.purposes());
        let sentences: Vec<_> = sentences
            .into_iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        if sentences.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        paragraph(out, &sentences.join(" "), 0, self.width)
    }

    /// Counts the effect of each rule on many pages.
    fn counted(
        &self,
        readings: &[Reading<'_>],
        sitemaps: Option<&SitemapPages>,
    ) -> anyhow::Result<Exit> {
        let mut tallies: Vec<_> = readings.iter().map(|(_, view)| Tally::new(view)).collect();
        let mut unread = 0;
        let mut add = |url: &str| {
            let target = self.target(url)?;
            for ((_, view), tally) in readings.iter().zip(&mut tallies) {
                tally.add(&view.page(&target));
            }
            anyhow::Ok(())
        };
        if let Some(sitemaps) = sitemaps {
            unread = sitemaps.for_each(add);
            sitemaps.tell_notes();
        } else if let Some(list) = &self.args.list {
            unread = counted::stream(list, add)?;
        } else {
            self.args.urls.iter().try_for_each(|url| add(url))?;
        }
        let counts: Vec<_> = readings
            .iter()
            .zip(&tallies)
            .map(|((robot, view), tally)| counted::RobotTally { robot, view, tally })
            .collect();
        written(match self.args.format {
            ViewFormat::Human => counted::write(&counts, self.source, self.width, self.args.all),
            ViewFormat::Json => json(counts.iter().map(|count| {
                Explanation::new(&count.robot.name(), count.view, &self.page.response)
                    .with_tally(count.tally)
            })),
        })?;
        let mut exit = if unread == 0 {
            Exit::Done
        } else {
            Exit::Failed
        };
        for error in sitemaps.iter().flat_map(|sitemaps| &sitemaps.trouble) {
            complain(&format!("{error:#}"));
            if exit != Exit::Failed {
                exit = Exit::of(error);
            }
        }
        Ok(exit)
    }
}

/// What a robot does with pages. A control token sends no requests.
fn verb(robot: &Robot) -> &'static str {
    if robot.is_control_token() {
        "use"
    } else {
        "crawl"
    }
}

/// Says which name was taken from a `User-Agent` line.
fn asked_by(out: &mut impl Write, robot: &Robot) -> io::Result<()> {
    match robot.user_agent_line() {
        Some(line) => {
            let why = robot.identified().unwrap_or_default();
            writeln!(out, "{}\n{why}\n", visible(line.as_bytes()))
        }
        None => Ok(()),
    }
}

fn json<'a>(views: impl Iterator<Item = Explanation<'a>>) -> io::Result<()> {
    put(text::pretty(&Explanations::of(views)) + "\n")
}
