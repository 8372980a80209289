//! The robots that the arguments name, and how they read files.

use crate::args::{AcapArgs, ClientArgs, PreferenceArgs, PurposeArgs};
use crate::config;
use crate::exit::warn;
use crate::file_arg::FileArg;
use abide::acap::AcapProfile;
use abide::app::Application;
use abide::preference::PreferenceProfile;
use abide::{Client, Policy, ProductToken, Profile, PurposeToken, Reading, Usage};
use abide_contract::registry::{self, Registries};
use abide_known_robots::{Robot, misspelt};
use anyhow::{Context, bail};
use std::sync::Arc;

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
    /// The identifiers of applications. One without product tokens in the registry has those of
    /// the robot.
    applications: Vec<String>,
    registries: Option<Registries>,
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
        let registries = registries(&args.registries)?;
        let purposes = purposes(&args.purpose, registries.as_ref())?;
        for id in &args.applications {
            Application::new(id, Vec::new()).context("in --application")?;
        }
        Ok(Self {
            profile: args.profile,
            readings: readings(&args.readings, args.profile)?,
            purposes,
            acap: acap.unwrap_or_default(),
            applications: args.applications.clone(),
            registries,
            preferences: None,
        })
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
        let own: Arc<[ProductToken]> = client.product_tokens().into();
        for id in &self.applications {
            let registries = self.registries.as_ref();
            let registered = registries.and_then(|all| all.product_tokens(id));
            let tokens = registered.map_or_else(|| Arc::clone(&own), Into::into);
            // The identifier was checked with the arguments.
            if let Ok(application) = Application::new(id, tokens) {
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
        match &self.registries {
            Some(registries) => registries.described(client),
            None => client,
        }
    }
}

/// The purposes of `--purpose`: those of a registry, if one is given.
pub(crate) fn purposes(
    args: &PurposeArgs,
    registries: Option<&Registries>,
) -> anyhow::Result<Vec<PurposeToken>> {
    let purpose = |name: &String| {
        let purpose = match registries {
            Some(registries) => registries.purpose(name),
            None => PurposeToken::new(name),
        };
        purpose.context("in --purpose")
    };
    args.purposes.iter().map(purpose).collect()
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

/// Reads the registries in files. `None` without any.
///
/// # Errors
/// Of a file that cannot be read, and [`registry::RegistryFileError`] of one that is refused.
pub(crate) fn registries(names: &[FileArg]) -> anyhow::Result<Option<Registries>> {
    if names.is_empty() {
        return Ok(None);
    }
    let texts = names.iter().map(|name| {
        let hint = "--registry takes a file in TOML, JSON or CSV";
        config::text(name.as_ref()).with_context(|| format!("cannot read {name}; {hint}"))
    });
    let texts = texts.collect::<anyhow::Result<Vec<_>>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let read = registry::read_all(&texts).map_err(|(number, error)| {
        let name = names.get(number).map(ToString::to_string);
        anyhow::Error::new(error).context(format!("in the registry {}", name.unwrap_or_default()))
    });
    read.map(Some)
}
