//! The arguments of `abide serve`.

use crate::file_arg::FileArg;
use clap::Args;

/// Answer over HTTP what a robot may do with a URL, and why.
///
/// Crawlers in any language ask it before they fetch a page. abide fetches the robots.txt of each
/// site once, keeps it while it is fresh, and decides as abide check does. Browsers get a web page
/// at the same address.
///
/// Each option can also be a line of the file that --config names (max-body = 1048576), or an
/// environment variable (`ABIDE_SERVE_MAX_BODY=1048576`). Flags override the environment, and the
/// environment overrides the file. docs/serve.md describes every endpoint.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide serve\n  \
        curl 'http://127.0.0.1:8080/v1/decide?url=https://example.com/page&agent=ExampleBot'\n  \
        abide serve --cache ~/.cache/abide --user-agent 'ExampleBot/1.0 (+https://bot.example/)'\n  \
        abide serve --new-token crawler >> tokens.toml\n  \
        abide serve --listen 0.0.0.0:8080 --tokens tokens.toml\n  \
        abide serve --config abide-serve.toml --print-config\n\n\
        Exit status: 0 ended by SIGTERM or Ctrl-C, 2 a setting cannot be used, or an I/O error.")]
pub(crate) struct ServeArgs {
    /// TOML file with settings
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<FileArg>,

    /// Print all settings, also defaults, as a file for --config, and exit
    #[arg(long)]
    pub(crate) print_config: bool,

    /// Make a token, and exit. Its entry for the file of --tokens goes to stdout, and the token
    /// itself to stderr
    #[arg(long, value_name = "NAME")]
    pub(crate) new_token: Option<String>,

    #[command(flatten)]
    pub(crate) settings: SettingFlags,
}

/// The settings of the service, each as a flag: the values that were typed, by its name.
#[cfg(all(feature = "serve", unix))]
#[derive(Debug)]
pub(crate) struct SettingFlags(pub(crate) Vec<(&'static str, Vec<String>)>);

/// Anything: a build without the service says how to get it.
#[cfg(not(all(feature = "serve", unix)))]
#[derive(Debug, Args)]
pub(crate) struct SettingFlags {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    any: Vec<std::ffi::OsString>,
}

#[cfg(all(feature = "serve", unix))]
mod flags {
    use super::SettingFlags;
    use abide_serve::{Config, Setting, SettingKind, settings};
    use clap::builder::{PossibleValue, PossibleValuesParser};
    use clap::parser::ValueSource;
    use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

    impl Args for SettingFlags {
        fn augment_args(command: Command) -> Command {
            command.args(settings().iter().map(flag))
        }

        fn augment_args_for_update(command: Command) -> Command {
            Self::augment_args(command)
        }
    }

    fn flag(setting: &'static Setting) -> Arg {
        let flag = Arg::new(&*setting.name)
            .long(&*setting.name)
            .help(setting.help_with_default());
        let flag = match setting.heading {
            "" => flag,
            heading => flag.help_heading(heading),
        };
        let flag = match setting.kind {
            SettingKind::Switch => return flag.action(ArgAction::SetTrue),
            SettingKind::List => flag.action(ArgAction::Append),
            SettingKind::OneOf(values) => {
                let values = values.iter();
                let values = values.map(|(name, help)| PossibleValue::new(*name).help(*help));
                flag.value_parser(PossibleValuesParser::new(values))
            }
            SettingKind::Number => flag.value_parser(|text: &str| {
                let read = Config::from_pair(&setting.name, text);
                read.map(|_| text.to_owned())
                    .map_err(|_| format!("expected {}", setting.expected_number()))
            }),
            _ => flag,
        };
        flag.value_name(setting.value)
    }

    impl FromArgMatches for SettingFlags {
        fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
            let typed = settings().iter().filter(|setting| {
                matches.value_source(&setting.name) == Some(ValueSource::CommandLine)
            });
            let values = typed.map(|setting| {
                let values = match setting.kind {
                    SettingKind::Switch => vec!["true".to_owned()],
                    _ => matches
                        .get_many(&setting.name)
                        .into_iter()
                        .flatten()
                        .cloned()
                        .collect(),
                };
                (&*setting.name, values)
            });
            Ok(Self(values.collect()))
        }

        fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
            *self = Self::from_arg_matches(matches)?;
            Ok(())
        }
    }
}
