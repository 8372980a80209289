//! The robots that `--agent` names, and the file as each of them reads it.

use crate::args::{AcapModeArg, ExplainArgs, ProfileArg};
use crate::client::registry;
use crate::exit::warn;
use crate::fetch::{Fetched, Network};
use crate::source::{Source, read_file, read_up_to};
use abide::acap::{AcapMode, AcapProfile, Referenced};
use abide::app::Application;
use abide::{Client, Policy, Profile, PurposeToken};
use abide_fetch::machine::InForce;
use abide_known_robots::{Robot, RobotError};
use anyhow::Context;
use std::io;
use std::sync::Arc;

/// The robots that `--agent` names, each once.
pub(super) fn robots(args: &ExplainArgs) -> anyhow::Result<Vec<Robot>> {
    let mut robots: Vec<Robot> = Vec::new();
    for list in &args.client.agents {
        for robot in Robot::list(list).context("in --agent")? {
            let robot = if args.literal {
                robot.literally()
            } else {
                robot
            };
            let robot = if args.client.nonstandard_token {
                robot.with_any_name()
            } else {
                robot
            };
            if !robots.contains(&robot) {
                robots.push(robot);
            }
        }
    }
    Ok(robots)
}

/// A robots.txt, read once for all robots.
pub(super) struct Content {
    read: Read,
    references: Vec<(String, Vec<u8>)>,
}

enum Read {
    Bytes(Arc<[u8]>),
    Fetched(Box<Fetched>),
}

impl Content {
    /// Reads at most one byte more than `limit`, to see whether the file is longer.
    pub(super) fn read(
        source: &Source,
        limit: usize,
        references: Vec<(String, Vec<u8>)>,
        network: &Network<'_>,
    ) -> anyhow::Result<Self> {
        let read = match source {
            Source::File(path) => {
                let hint = "expected a file, \"-\" for stdin, or a URL";
                Read::Bytes(read_file(path, limit, hint)?)
            }
            Source::Stdin => {
                let bytes = read_up_to(io::stdin().lock(), 0, limit);
                Read::Bytes(bytes.context("cannot read robots.txt from stdin")?)
            }
            Source::Url(url) => Read::Fetched(Box::new(network.site()?.fetch(url.as_str())?)),
        };
        let content = Self { read, references };
        if content.len() > limit {
            warn(&format!(
                "{source} is longer than {limit} bytes; the rest is ignored (RFC 9309, 2.5)"
            ));
        }
        Ok(content)
    }

    /// Its length in bytes; 0 without a file.
    pub(super) fn len(&self) -> usize {
        match &self.read {
            Read::Bytes(bytes) => bytes.len(),
            Read::Fetched(fetched) => match fetched.in_force() {
                InForce::File(body) => body.to_parse().len(),
                _ => 0,
            },
        }
    }

    /// The rules for a robot: of the file, and of the files that it refers to.
    pub(super) fn policy(
        &self,
        robot: &Robot,
        described: &Described<'_>,
        source: &Source,
        network: &Network<'_>,
    ) -> anyhow::Result<Policy> {
        let policy = robot.policy(described.client.profile(), |client| {
            let client = described.by(client);
            match &self.read {
                Read::Bytes(bytes) => Policy::compile_shared(bytes, &client),
                Read::Fetched(fetched) => fetched.in_force().policy(&client),
            }
        });
        let policy = policy.context("in --agent")?;
        let references = self.references.iter();
        let policy = policy.with_references(
            references.map(|(locator, bytes)| (locator.as_str(), Referenced::Bytes(bytes))),
        );
        Ok(match (source, self.len()) {
            (Source::Url(url), 1..) => network.site()?.with_references(policy, url.as_str()),
            _ => policy,
        })
    }
}

/// What the arguments say about every robot, beside its name.
pub(super) struct Described<'a> {
    args: &'a ExplainArgs,
    /// A client with everything except names and applications.
    pub(super) client: Client,
}

impl<'a> Described<'a> {
    pub(super) fn new(args: &'a ExplainArgs) -> anyhow::Result<Self> {
        let (about, acap) = (&args.client, &args.acap);
        let profile = match about.profile {
            ProfileArg::Careful => Profile::Careful,
            ProfileArg::Google => Profile::Google,
        };
        let mut client = Client::unnamed()
            .with_profile(profile)
            .with_acap(AcapProfile {
                names: acap.acap_names.clone(),
                purposes: acap.acap_purposes.clone(),
                prior_arrangement: acap.prior_arrangement,
                unsupported: acap.unsupported.clone(),
                mode: match acap.mode {
                    AcapModeArg::Full => AcapMode::Full,
                    AcapModeArg::Restrict => AcapMode::Restrict,
                    AcapModeArg::Off => AcapMode::Off,
                },
            });
        for purpose in &about.purposes {
            client = client.with_purpose(PurposeToken::new(purpose).context("in --purpose")?);
        }
        for id in &about.applications {
            Application::new(id, Vec::new()).context("in --application")?;
        }
        if let Some(registry) = registry(about.registry.as_ref())? {
            client = client.with_registry(registry);
        }
        Ok(Self { args, client })
    }

    /// The client of a robot, for requests: with its names, without a file.
    pub(super) fn requesting(&self, robot: &Robot) -> anyhow::Result<Client> {
        let empty = |client: &Client| Policy::compile(b"", &self.by(client));
        let policy = robot.policy(self.client.profile(), empty);
        match policy {
            Ok(policy) => Ok(policy.client().clone()),
            // The file may still have the name.
            Err(RobotError::Name { .. }) => Ok(self.client.clone()),
            Err(error) => Err(error).context("in --agent"),
        }
    }

    /// The client with its names as `named` has them.
    fn by(&self, named: &Client) -> Client {
        let client = self.client.clone().with_any_group(named.any_group());
        let tokens = named.product_tokens();
        let client = tokens
            .iter()
            .cloned()
            .fold(client, Client::with_product_token);
        let add = |client: Client, id: &String| {
            let known = client.registry().and_then(|registry| registry.get(id));
            let tokens = known.map_or(tokens.to_vec(), |entry| entry.product_tokens.clone());
            // `Described::new` has read the identifiers.
            match Application::new(id, tokens) {
                Ok(application) => client.with_application(application),
                Err(_) => client,
            }
        };
        self.args.client.applications.iter().fold(client, add)
    }
}
