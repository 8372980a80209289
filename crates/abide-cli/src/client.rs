//! The client that the arguments describe, and what it remembers.

use crate::args::{AcapArgs, AcapModeArg, ClientArgs, ProfileArg};
use crate::file_arg::FileArg;
use abide::acap::{AcapMode, AcapProfile};
use abide::app::{Application, Registry};
use abide::{Client, ClientError, ClientNames, Profile, Target, Version};
use anyhow::Context;

/// The client that the arguments describe.
pub(crate) fn client(args: &ClientArgs, acap: &AcapArgs) -> anyhow::Result<Client> {
    let client = ClientNames {
        agents: &args.agents,
        purposes: &args.purposes,
        profile: match args.profile {
            ProfileArg::Careful => Profile::Careful,
            ProfileArg::Google => Profile::Google,
        },
        nonstandard: args.nonstandard_token,
    };
    let client = client.client().map_err(|error| {
        let hint = match &error {
            ClientError::Agent(_) if !args.nonstandard_token => {
                "--agent takes the bare name that robots.txt uses, such as Googlebot; for a name with other characters use --nonstandard-token"
            }
            ClientError::Purpose(_) => "in --purpose",
            _ => "in --agent",
        };
        anyhow::Error::new(error).context(hint)
    })?;
    let client = client.with_acap(AcapProfile {
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
    applications(args, client)
}

/// Adds the requested applications, with their registry entries.
fn applications(args: &ClientArgs, mut client: Client) -> anyhow::Result<Client> {
    let registry = registry(args.registry.as_ref())?;
    for id in &args.applications {
        let known = registry.as_ref().and_then(|registry| registry.get(id));
        let own = client.product_tokens().to_vec();
        let tokens = known.map_or(own, |entry| entry.product_tokens.clone());
        client = client.with_application(Application::new(id, tokens).context("in --application")?);
    }
    Ok(match registry {
        Some(registry) => client.with_registry(registry),
        None => client,
    })
}

/// Reads the registry of applications in a file.
pub(crate) fn registry(name: Option<&FileArg>) -> anyhow::Result<Option<Registry>> {
    let read = |name: &FileArg| {
        let text = std::fs::read_to_string(name)
            .with_context(|| format!("cannot read {name}; --registry takes a TOML file"))?;
        abide_json::registry::read(&text).with_context(|| format!("in the registry {name}"))
    };
    name.map(read).transpose()
}

/// Adds the page's history from the arguments.
pub(crate) fn remembered<'a>(args: &AcapArgs, mut target: Target<'a>) -> Target<'a> {
    if let Some(first) = args.first_indexed {
        target = target.with_first_indexed(first);
    }
    if let Some(first) = args.first_copied {
        target = target.with_first_copied(first);
    }
    target.with_version(if args.old_version {
        Version::Old
    } else {
        Version::Latest
    })
}
