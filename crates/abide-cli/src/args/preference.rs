//! Options about AI preferences.

use super::named::by_name;
use crate::file_arg::FileArg;
use abide::ProductToken;
use abide::Usage;
use abide::preference::{ControlToken, Revision, SignalScope, UseLevel, Vocabulary};
use clap::Args;

/// AI preferences: what the site asks about training, AI input and search.
#[derive(Debug, Args)]
#[command(next_help_heading = "AI preferences")]
pub(crate) struct PreferenceArgs {
    /// Also show what the site asks about training, AI input and search
    #[arg(long)]
    pub(crate) preferences: bool,

    #[command(flatten)]
    pub(crate) vocabulary: VocabularyArgs,

    /// How far the robot uses content: immediate, reference or full. Content-Signal can limit it
    #[arg(long = "use", value_name = "LEVEL", value_parser = by_name::<UseLevel>)]
    pub(crate) intended_use: Option<UseLevel>,

    /// Control token whose group also counts, with its usages if abide does not know it, such as
    /// Example-Extended=train,ai-input [default: those of the robot's operator]
    #[arg(long = "control-token", value_name = "TOKEN[=USAGES]", value_parser = control_token)]
    pub(crate) control_tokens: Vec<ControlToken>,
}

/// The vocabularies of AI preferences, and the documents beside robots.txt that have some of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "AI preferences")]
pub(crate) struct VocabularyArgs {
    /// Vocabularies that count: content-usage, content-signal, tdmrep, rsl, robots-tag,
    /// control-token [default: all]
    #[arg(
        long = "vocabulary",
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = by_name::<Vocabulary>
    )]
    pub(crate) vocabularies: Vec<Vocabulary>,

    /// Revision of the words of Content-Usage: 08 or 07 [default: 08]
    #[arg(long, value_name = "NUMBER", value_parser = revision)]
    pub(crate) revision: Option<&'static Revision>,

    /// For whom a Content-Usage or Content-Signal line counts: the robots of its "group", or in the
    /// whole "file" every robot whose own groups have no such line [default: group]
    #[arg(long, value_name = "SCOPE", value_parser = by_name::<SignalScope>)]
    pub(crate) signal_scope: Option<SignalScope>,

    /// File with the site's tdmrep.json
    #[arg(long, value_name = "FILE|-")]
    pub(crate) tdmrep: Option<FileArg>,

    /// Licence document: URL as the site writes it, and the FILE with the document
    #[arg(long = "rsl", value_name = "URL=FILE", value_parser = licence)]
    pub(crate) licences: Vec<(String, FileArg)>,
}

impl PreferenceArgs {
    /// Whether any of the options is given, or one of `usages` is about preferences.
    pub(crate) fn are_asked(&self, usages: &[Usage]) -> bool {
        self.preferences
            || self.vocabulary.are_given()
            || self.intended_use.is_some()
            || !self.control_tokens.is_empty()
            || usages
                .iter()
                .any(|usage| Usage::PREFERENCES.contains(usage))
    }
}

impl VocabularyArgs {
    /// Whether any of the options is given.
    pub(crate) fn are_given(&self) -> bool {
        !self.vocabularies.is_empty()
            || self.revision.is_some()
            || self.signal_scope.is_some()
            || self.have_documents()
    }

    /// Whether a document beside robots.txt is given.
    pub(crate) fn have_documents(&self) -> bool {
        self.tdmrep.is_some() || !self.licences.is_empty()
    }
}

/// The value of `--for`.
pub(crate) fn preference(name: &str) -> Result<Usage, String> {
    let mut known = Usage::PREFERENCES.iter().copied();
    let usage = known.find(|usage| usage.name() == name.trim());
    usage.ok_or_else(|| "expected train, ai-input or search".to_owned())
}

fn revision(number: &str) -> Result<&'static Revision, String> {
    Revision::named(number).map_err(|_| {
        let numbers = Revision::ALL.iter().map(|revision| revision.number);
        format!("expected one of {}", numbers.collect::<Vec<_>>().join(", "))
    })
}

fn control_token(text: &str) -> Result<ControlToken, String> {
    let Some((token, usages)) = text.split_once('=') else {
        let known = abide_known_robots::named(text);
        let known = known.and_then(abide_known_robots::KnownRobot::control_token);
        return known.ok_or_else(|| {
            format!(
                "abide does not know this control token; say what it is about, such as {text}=train"
            )
        });
    };
    let token = ProductToken::new(token).map_err(|error| error.to_string())?;
    let usages = usages
        .split(',')
        .map(preference)
        .collect::<Result<_, _>>()?;
    Ok(ControlToken { token, usages })
}

fn licence(text: &str) -> Result<(String, FileArg), String> {
    // Splits at the last "=": a URL may contain one, a file name rarely does.
    let (url, file) = text
        .rsplit_once('=')
        .filter(|(url, _)| url.contains("://"))
        .ok_or("expected URL=FILE, such as https://example.com/license.xml=license.xml")?;
    Ok((url.to_owned(), FileArg::from(file)))
}
