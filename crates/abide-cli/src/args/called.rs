//! The arguments of the one subcommand that was called: those of all take longer to describe than a small file to decide by.

use super::{
    BatchArgs, CacheArgs, CheckArgs, Cli, Command, CompletionsArgs, ConvertArgs, DiffArgs,
    ExplainArgs, FetchArgs, FmtArgs, LintArgs, ManArgs, TestArgs,
};
use abide::explain::visible;
use clap::{Args, FromArgMatches, Parser};
use std::env;
use std::ffi::OsString;

/// Adds the arguments of a subcommand to its description.
type Describe = fn(clap::Command) -> clap::Command;

/// The subcommands, by what calls them.
const SUBCOMMANDS: [(&str, Describe); 12] = [
    ("check", CheckArgs::augment_args),
    ("fetch", FetchArgs::augment_args),
    ("cache", CacheArgs::augment_args),
    ("batch", BatchArgs::augment_args),
    ("lint", LintArgs::augment_args),
    ("fmt", FmtArgs::augment_args),
    ("explain", ExplainArgs::augment_args),
    ("diff", DiffArgs::augment_args),
    ("test", TestArgs::augment_args),
    ("convert", ConvertArgs::augment_args),
    ("completions", CompletionsArgs::augment_args),
    ("man", ManArgs::augment_args),
];

/// What was typed. Ends the process where that is a mistake, or asks for help: what is told then is made of the whole
/// description.
pub(crate) fn typed() -> Cli {
    let words: Vec<OsString> = env::args_os().collect();
    read(&words).unwrap_or_else(|| {
        Cli::try_parse_from(&words).unwrap_or_else(|error| shown(&words, error).exit())
    })
}

/// The error about `words` with whatever a terminal would obey in them as escapes: its text repeats them.
fn shown(words: &[OsString], error: clap::Error) -> clap::Error {
    if !error.use_stderr() {
        return error;
    }
    let words = words.iter().map(|word| visible(word.as_encoded_bytes()));
    Cli::try_parse_from(words).err().unwrap_or(error)
}

/// What `words` say, where they call a subcommand by its name and make no mistake.
fn read(words: &[OsString]) -> Option<Cli> {
    let called = words.get(1)?;
    let (name, describe) = SUBCOMMANDS.iter().find(|(name, _)| called == name)?;
    let described = clap::Command::new("abide").subcommand(describe(clap::Command::new(*name)));
    let matches = described.try_get_matches_from(words).ok()?;
    let command = Command::from_arg_matches(&matches).ok()?;
    Some(Cli { command })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn every_subcommand_is_known() {
        let names = SUBCOMMANDS.map(|(name, _)| name);
        let whole = Cli::command();
        let described: Vec<_> = whole
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        assert_eq!(names, *described);
    }

    #[test]
    fn a_subcommand_alone_is_read_as_among_all() {
        for line in [
            "abide check /x -a Bot --robots r.txt --usage index,preserve --cannot max-length",
            "abide check -r - --agent=A --agent B /x /y --format json --acap off --old-version",
            "abide fetch https://e.example/",
            "abide cache prune dir --older-than 9",
            "abide batch -j 2",
            "abide lint robots.txt",
            "abide fmt robots.txt",
            "abide explain robots.txt /x -a Bot",
            "abide diff a b",
            "abide test --init robots.txt",
            "abide convert --to acap robots.txt",
            "abide completions bash",
            "abide man check",
        ] {
            let (alone, among_all) = (read(&words(line)), Cli::try_parse_from(words(line)));
            match (alone, among_all) {
                (Some(alone), Ok(among_all)) => {
                    assert_eq!(format!("{alone:?}"), format!("{among_all:?}"), "{line}");
                }
                (alone, among_all) => panic!("{line}: {alone:?} and {among_all:?}"),
            }
        }
    }

    #[test]
    fn help_and_mistakes_are_told_by_the_whole_description() {
        for line in [
            "abide",
            "abide check",
            "abide check --help",
            "abide check -h",
            "abide check /x",
            "abide check /x -a Bot --robot r.txt",
            "abide chek /x",
            "abide help check",
            "abide cache help",
            "abide cache prune dir",
            "abide --version",
            "abide -V check",
            "abide check -V",
            "abide man nothing",
        ] {
            assert!(read(&words(line)).is_none(), "{line}");
            assert!(Cli::try_parse_from(words(line)).is_err(), "{line}");
        }
    }
}
