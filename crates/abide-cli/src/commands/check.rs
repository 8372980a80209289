//! `abide check`

use crate::args::{CheckArgs, Format};
use crate::client::{client, remembered};
use crate::exit::{Exit, written};
use crate::fetch::{Fetched, Network};
use crate::head;
use crate::source::{self, Read, Source};
use abide::explain::{self, visible_url};
use abide::tag::Response;
use abide::{Client, Decision, Outcome, Policy, Target, Usage};
use abide_fetch::RequestUrl;
use abide_fetch::http::now;
use abide_json::{DecisionJson, RetrievalJson};
use anstyle::{AnsiColor, Style};
use anyhow::{Context, ensure};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

/// Decides every URL and writes the answers; the exit status shows the strictest one.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let client = client(&args.client, &args.acap)?;
    let response = head::response(&args.tags)?;
    let now = args.now.or(args.at).unwrap_or_else(now);
    let asked = asked(args)?;
    let targets = asked.iter().map(|one| {
        let target = Target::new(&one.judged)?;
        anyhow::Ok(remembered(
            &args.acap,
            target.with_response(&response).with_now(now),
        ))
    });
    let targets: Vec<_> = targets.collect::<anyhow::Result<_>>()?;
    let network = Network::new(&client, &args.network, args.at);
    let policies = policies(args, &targets, &client, &network)?;
    let pages = pages(args, &targets, &policies, &network)?;
    let targets: Vec<_> = targets
        .iter()
        .zip(&pages)
        .map(|(target, page)| {
            page.as_ref()
                .map_or(*target, |page| target.with_response(page))
        })
        .collect();
    let answers: Vec<Answer<'_>> = asked
        .iter()
        .zip(&targets)
        .zip(&policies.of_target)
        .map(|((asked, target), &at)| Answer::new(asked.typed, target, &policies.read[at]))
        .collect();
    written(match args.format {
        Format::Human => human(&answers, &args.usages),
        Format::Json => json(&answers),
        Format::Jsonl => jsonl(&answers),
    })?;
    let permitted = answers
        .iter()
        .all(|answer| answer.is_permitted(&args.usages));
    Ok(if network.lacks_a_page() {
        // The page's tags are unknown.
        Exit::Failed
    } else if permitted {
        Exit::Done
    } else {
        Exit::Prohibited
    })
}

/// A URL, its policy, and the decision.
struct Answer<'a> {
    /// The URL as typed.
    typed: &'a str,
    /// The URL that the rules are matched against.
    target: &'a Target<'a>,
    policy: &'a Policy,
    decision: Decision<'a>,
    /// How the robots.txt was fetched, if it was.
    retrieval: Option<RetrievalJson>,
}

impl<'a> Answer<'a> {
    fn new(typed: &'a str, target: &'a Target<'a>, read: &'a Read) -> Self {
        let policy = &read.policy;
        Self {
            typed,
            target,
            policy,
            decision: policy.decide(target),
            retrieval: read.fetched.as_ref().map(Fetched::json),
        }
    }

    /// Whether crawl is allowed; with `--usage`, whether all those usages are.
    fn is_permitted(&self, usages: &[Usage]) -> bool {
        let outcome = |usage| self.decision.outcome(usage);
        let fine = |usage| match usage {
            Usage::Crawl => outcome(usage) == Outcome::Permitted,
            _ => !matches!(outcome(usage), Outcome::Prohibited | Outcome::Unknown),
        };
        match usages {
            [] => fine(Usage::Crawl),
            asked => asked.iter().all(|usage| fine(*usage)),
        }
    }

    fn json(&self) -> DecisionJson<'_> {
        let json = DecisionJson::new(self.typed, self.policy, &self.decision);
        json.requested(self.target.url())
            .retrieved(self.retrieval.as_ref())
    }
}

/// A URL as typed, and the URL that the rules are matched against.
struct Asked<'a> {
    typed: &'a str,
    judged: Cow<'a, str>,
}

fn asked(args: &CheckArgs) -> anyhow::Result<Vec<Asked<'_>>> {
    let urls = args.urls.iter().map(|typed| {
        let judged = judged(args, typed)?;
        anyhow::Ok(Asked { typed, judged })
    });
    urls.collect()
}

/// The URL that the rules are matched against: the one that would be requested (AMB-REP-24). If
/// nothing is requested from its site, a spelling that does not change the path, such as `/ü`,
/// stays as typed.
fn judged<'a>(args: &CheckArgs, typed: &'a str) -> anyhow::Result<Cow<'a, str>> {
    let shown = || format!("cannot read the URL {}", visible_url(typed));
    let target = Target::new(typed).with_context(shown)?;
    ensure!(
        args.robots.is_some() || target.is_absolute(),
        "the path {} has no site to fetch robots.txt from; give an absolute URL, or --robots",
        visible_url(typed)
    );
    let is_requested = args.robots.is_none() || args.page;
    let sent = target.path_as_sent();
    Ok(match (target.is_web(), sent) {
        (true, sent) if is_requested || sent.is_some() => match RequestUrl::new(typed) {
            Ok(request) => Cow::Owned(request.as_str().to_owned()),
            Err(error) if is_requested => return Err(error.into()),
            Err(_) => Cow::Borrowed(typed),
        },
        (false, Some(path)) => Cow::Owned(path.into_owned()),
        _ => Cow::Borrowed(typed),
    })
}

/// The policies, each read once, and which of them applies to each target.
struct Policies {
    read: Vec<Read>,
    of_target: Vec<usize>,
}

fn policies(
    args: &CheckArgs,
    targets: &[Target<'_>],
    client: &Client,
    network: &Network<'_>,
) -> anyhow::Result<Policies> {
    let mut policies = Policies {
        read: Vec::new(),
        of_target: Vec::new(),
    };
    let references = source::references(&args.acap, client.limits().bytes())?;
    let mut known: HashMap<Source, usize> = HashMap::new();
    for target in targets {
        let source = match (&args.robots, target.robots_url()) {
            (Some(name), _) => Source::named(name),
            (None, Some(url)) => Source::Url(url.into()),
            (None, None) => anyhow::bail!("no robots.txt for {}", visible_url(target.url())),
        };
        let at = if let Some(&at) = known.get(&source) {
            at
        } else {
            let read = source.policy(client, &references, network)?;
            // A broken pipe gives an empty file, which would allow everything.
            ensure!(
                source != Source::Stdin || !read.policy.text().as_bytes().is_empty(),
                "robots.txt from stdin is empty; name an empty file if the site serves one"
            );
            policies.read.push(read);
            policies.read.len() - 1
        };
        known.insert(source, at);
        policies.of_target.push(at);
    }
    Ok(policies)
}

/// Fetches the pages of the targets, if requested and allowed.
fn pages(
    args: &CheckArgs,
    targets: &[Target<'_>],
    policies: &Policies,
    network: &Network<'_>,
) -> anyhow::Result<Vec<Option<Response>>> {
    if !args.page {
        return Ok(targets.iter().map(|_| None).collect());
    }
    let site = network.site()?;
    let page = |(target, at): (&Target<'_>, &usize)| site.page(&policies.read[*at].policy, target);
    targets.iter().zip(&policies.of_target).map(page).collect()
}

fn human(answers: &[Answer<'_>], usages: &[Usage]) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let layout = explain::Layout {
        usages,
        ..explain::Layout::default()
    };
    for (at, answer) in answers.iter().enumerate() {
        let text = explain::text(answer.policy, &answer.decision, layout);
        let (headline, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let first = Usage::ALL.into_iter().find(|usage| usages.contains(usage));
        let style = style(answer.decision.outcome(first.unwrap_or(Usage::Crawl)));
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", visible_url(answer.typed))?;
        writeln!(out, "{style}{headline}{style:#}")?;
        if answer.typed != answer.target.url() {
            let requested = visible_url(answer.target.url());
            writeln!(out, "{:<14}{requested}", "  requested")?;
        }
        write!(out, "{rest}")?;
        if let Some(retrieval) = &answer.retrieval {
            writeln!(out, "{:<14}{retrieval}", "  retrieved")?;
        }
    }
    out.flush()
}

fn style(outcome: Outcome) -> Style {
    let colour = match outcome {
        Outcome::Permitted => AnsiColor::Green,
        Outcome::Prohibited => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    colour.on_default().bold()
}

fn json(answers: &[Answer<'_>]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let objects: Vec<_> = answers
        .iter()
        .map(|answer| answer.json().to_pretty())
        .collect();
    match objects.as_slice() {
        [only] => writeln!(out, "{only}")?,
        several => writeln!(out, "[\n{}\n]", several.join(",\n"))?,
    }
    out.flush()
}

fn jsonl(answers: &[Answer<'_>]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for answer in answers {
        writeln!(out, "{}", answer.json().to_line())?;
    }
    out.flush()
}
