//! Names of files, folders and URLs in arguments.

use abide::explain::visible_url;
use std::fmt;
use std::path::Path;

/// A file, a folder, a URL, or `-` for stdin, as typed. Such names can come from a shell glob or a
/// checkout, so they may contain anything: `Display` makes them safe to print and removes
/// passwords. Only [`FileArg::as_str`] returns the text itself, for opening the file and for
/// formats with their own escapes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileArg(String);

impl FileArg {
    /// The name as typed.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is stdin.
    pub(crate) fn is_stdin(&self) -> bool {
        self.0 == "-"
    }

    /// The name in a sentence: `stdin` for `-`.
    pub(crate) fn shown(&self) -> String {
        if self.is_stdin() {
            "stdin".to_owned()
        } else {
            self.to_string()
        }
    }
}

impl From<String> for FileArg {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl From<&str> for FileArg {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl AsRef<Path> for FileArg {
    fn as_ref(&self) -> &Path {
        self.0.as_ref()
    }
}

impl fmt::Display for FileArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible_url(&self.0))
    }
}

/// A path made safe to print.
pub(crate) fn shown_path(path: &Path) -> String {
    abide::explain::visible_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_as_escapes() {
        let name = FileArg::from("a\n::error::made up\u{1b}]0;pwned\u{7}.txt");
        assert_eq!(
            name.to_string(),
            r"a\x0a::error::made up\x1b]0;pwned\x07.txt"
        );
        let url = FileArg::from("redis://me:secret@h/");
        assert_eq!(url.to_string(), "redis://h/");
    }
}
