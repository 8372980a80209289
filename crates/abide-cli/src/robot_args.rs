//! The robots that the arguments name, and how they read files.

use crate::args::{AcapArgs, ClientArgs, PreferenceArgs};
use crate::exit::warn;
use crate::file_arg::FileArg;
use abide::acap::AcapProfile;
use abide::app::{Application, Registry};
use abide::preference::PreferenceProfile;
use abide::{Client, Policy, ProductToken, Profile, PurposeToken, Reading, Usage};
use abide_known_robots::{Robot, misspelt};
use anyhow::{Context, bail};

/// The robots in lists as `--agent` takes them, each once. `is_literal`: what is documented about
/// known robots does not apply. `admits_any`: names outside RFC 9309 are accepted, even if no file
/// has them. Warns of a name that is hardly what was meant: it gets answers like any other.
pub(crate) fn robots(
    lists: &[String],
    is_literal: bool,
    admits_any: bool,
) -> anyhow::Result<Vec<Robot>> {
    let robots = Robot::lists(lists).context("in --agent")?.into_iter();
    let robots = robots.map(|mut robot| {
        let name = robot.name();
        if let Some(meant) = misspelt(&name) {
            warn(&format!(
                "{name} is not a known robot; did you mean {meant}?"
            ));
        }
        if is_literal {
            robot = robot.without_known_facts();
        }
        if admits_any {
            robot = robot.with_any_name();
        }
        robot
    });
    Ok(robots.collect())
}

/// How every robot of a run reads files: the arguments beside `--agent`.
#[derive(Debug)]
pub(crate) struct RobotOptions {
    profile: Profile,
    readings: Vec<Reading>,
    purposes: Vec<PurposeToken>,
    acap: AcapProfile,
    /// Applications by their identifiers, with the product tokens that the registry has.
    applications: Vec<Application>,
    /// Applications that have the product tokens of the robot.
    own_applications: Vec<String>,
    registry: Option<Registry>,
    /// Which AI preferences every robot asks for. Without control tokens, each robot has those of
    /// its operator.
    preferences: Option<PreferenceProfile>,
}

impl RobotOptions {
    pub(crate) fn new(args: &ClientArgs, acap: Option<&AcapArgs>) -> anyhow::Result<Self> {
        let acap = acap.map(|acap| AcapProfile {
            names: acap.acap_names.clone(),
            purposes: acap.acap_purposes.clone(),
            prior_arrangement: acap.prior_arrangement,
            unsupported: acap.unsupported.clone(),
            mode: acap.mode,
        });
        let purposes = args.purposes.iter();
        let purposes = purposes.map(|purpose| PurposeToken::new(purpose).context("in --purpose"));
        let registry = registry(args.registry.as_ref())?;
        let mut options = Self {
            profile: args.profile,
            readings: readings(&args.readings, args.profile)?,
            purposes: purposes.collect::<Result<_, _>>()?,
            acap: acap.unwrap_or_default(),
            applications: Vec::new(),
            own_applications: Vec::new(),
            registry: None,
            preferences: None,
        };
        for id in &args.applications {
            let known = registry.as_ref().and_then(|registry| registry.get(id));
            let tokens = known.map(|entry| entry.product_tokens.clone());
            let is_registered = tokens.is_some();
            let application = Application::new(id, tokens.unwrap_or_default());
            let application = application.context("in --application")?;
            if is_registered {
                options.applications.push(application);
            } else {
                options.own_applications.push(id.clone());
            }
        }
        options.registry = registry;
        Ok(options)
    }

    /// Asks for AI preferences too. If some of `usages` are about them, documents that could only
    /// change others are not fetched.
    pub(crate) fn asking(mut self, args: &PreferenceArgs, usages: &[Usage]) -> Self {
        let standard = PreferenceProfile::default();
        let named = args.vocabulary.vocabularies.clone();
        let of_preferences = Usage::PREFERENCES.iter().copied();
        let usages: Vec<_> = of_preferences
            .filter(|usage| usages.contains(usage))
            .collect();
        self.preferences = Some(PreferenceProfile {
            vocabularies: (!named.is_empty()).then_some(named),
            usages: (!usages.is_empty()).then_some(usages),
            revision: args.vocabulary.revision.unwrap_or(standard.revision),
            signal_scope: args.vocabulary.signal_scope.unwrap_or_default(),
            intended_use: args.intended_use,
            control_tokens: args.control_tokens.clone(),
            ..standard
        });
        self
    }

    /// The largest number of bytes that is read of a file.
    pub(crate) fn limit(&self) -> usize {
        Client::unnamed()
            .with_profile(self.profile)
            .limits()
            .bytes()
    }

    /// The rules for a robot. `compile` reads the file for a client.
    pub(crate) fn policy(
        &self,
        robot: &Robot,
        compile: impl Fn(&Client) -> anyhow::Result<Policy>,
    ) -> anyhow::Result<Policy> {
        robot.try_policy(self.profile, |client| {
            compile(&self.described(client, robot))
        })
    }

    /// The client that fetches files for these robots: it names the robot if there is only one.
    pub(crate) fn sender(&self, robots: &[Robot]) -> anyhow::Result<Client> {
        let [robot] = robots else {
            return Ok(Client::unnamed().with_profile(self.profile));
        };
        // No file is read yet, so nobody knows whether it has the name.
        let robot = robot.clone().with_any_name();
        let none = |client: &Client| Ok(Policy::compile(b"", client));
        Ok(self.policy(&robot, none)?.client().clone())
    }

    /// Adds to a client what the arguments say beside its names.
    fn described(&self, client: &Client, robot: &Robot) -> Client {
        let mut client = client.clone().with_acap(self.acap.clone());
        client = self
            .readings
            .iter()
            .copied()
            .fold(client, Client::with_reading);
        for purpose in &self.purposes {
            client = client.with_purpose(purpose.clone());
        }
        for application in &self.applications {
            client = client.with_application(application.clone());
        }
        let tokens = client.product_tokens().to_vec();
        for id in &self.own_applications {
            if let Ok(application) = Application::new(id, tokens.clone()) {
                client = client.with_application(application);
            }
        }
        if let Some(mut profile) = self.preferences.clone() {
            if profile.control_tokens.is_empty() {
                let tokens = client.product_tokens().iter().map(ProductToken::as_str);
                // Names that the caller lists are all its own.
                profile.control_tokens = if robot.names().len() > 1 {
                    abide_known_robots::control_tokens(tokens)
                } else {
                    abide_known_robots::control_tokens_of_robot(tokens)
                };
            }
            client = client.with_preferences(profile);
        }
        match &self.registry {
            Some(registry) => client.with_registry(registry.clone()),
            None => client,
        }
    }
}

/// The readings of `--reading`: one of each ambiguous point, in the careful profile.
fn readings(given: &[Reading], profile: Profile) -> anyhow::Result<Vec<Reading>> {
    for (at, reading) in given.iter().enumerate() {
        let mut earlier = given.iter().take(at);
        if let Some(other) = earlier.find(|other| other.id() == reading.id()) {
            bail!("in --reading: {other} and {reading} are two readings of one point; choose one");
        }
        if profile == Profile::Google {
            bail!(
                "in --reading: {reading} has no effect with --profile google, which is a reading of \
                 its own; leave out one of the two"
            );
        }
    }
    Ok(given.to_vec())
}

/// Reads the registry of applications in a file.
pub(crate) fn registry(name: Option<&FileArg>) -> anyhow::Result<Option<Registry>> {
    let read = |name: &FileArg| {
        let text = std::fs::read_to_string(name)
            .with_context(|| format!("cannot read {name}; --registry takes a TOML file"))?;
        abide_contract::registry::read(&text).with_context(|| format!("in the registry {name}"))
    };
    name.map(read).transpose()
}
