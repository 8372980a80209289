//! `abide config`

use crate::args::{ConfigArgs, ConfigFormat};
use crate::config::{Configs, ForFile};
use crate::exit::{Exit, put, written};
use crate::file_arg::{FileArg, shown_path};
use abide::explain::visible;
use abide_contract::config::FileSettings;
use abide_contract::text;
use abide_lint::config::{SettingEntry, SettingValue, schema};
use anyhow::ensure;
use std::io::{self, Write};
use std::path::Path;

/// Shows the settings for a file, or the schema.
pub(crate) fn run(args: &ConfigArgs) -> anyhow::Result<Exit> {
    if args.schema {
        written(put(schema()))?;
        return Ok(Exit::Done);
    }
    let file = args.file.clone();
    let file = file.unwrap_or_else(|| FileArg::from("robots.txt"));
    ensure!(
        !file.is_stdin() && !file.as_str().contains("://"),
        "expected the name of a file, but found {file}; stdin and URLs have the settings of the \
         current folder: abide config"
    );
    ensure!(
        !AsRef::<Path>::as_ref(&file).is_dir(),
        "{file} is a directory; name the robots.txt in it, such as {file}/robots.txt"
    );
    let mut configs = Configs::new(args.config.config.as_ref(), args.config.no_config)?;
    let of = configs.for_file(Some(&file))?;
    // A registry that cannot be read would fail the next lint.
    configs.registry(&of)?;
    written(match args.format {
        ConfigFormat::Human => human(&file, &of),
        ConfigFormat::Json => {
            let from = of.from.as_deref().map(Path::to_string_lossy);
            let json = FileSettings::new(file.as_str(), from.as_deref(), &of.settings);
            put(text::pretty(&json) + "\n")
        }
    })?;
    Ok(Exit::Done)
}

/// One line per setting, and where it comes from.
fn human(file: &FileArg, of: &ForFile) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    match &of.from {
        Some(from) => writeln!(out, "{file} has the settings of {}:\n", shown_path(from))?,
        None => writeln!(
            out,
            "{file} has the default settings: no abide.toml applies.\n"
        )?,
    }
    let entries = of.settings.entries();
    let width = entries.iter().map(|entry| entry.key.len()).max();
    let width = width.unwrap_or_default();
    for entry in &entries {
        let (key, value, origin) = (&entry.key, value(entry), origin(entry));
        writeln!(out, "{key:<width$}  {value:<22}  {origin}")?;
    }
    out.flush()
}

fn value(entry: &SettingEntry) -> String {
    match &entry.value {
        SettingValue::Text(text) => visible(text.as_bytes()),
        SettingValue::Flag(flag) => flag.to_string(),
        SettingValue::Unset(what) => (*what).to_owned(),
        other => format!("{other:?}"),
    }
}

fn origin(entry: &SettingEntry) -> String {
    match entry.line {
        Some(line) => format!("line {line}"),
        None => "default".to_owned(),
    }
}
