//! How the open points of the specifications are read.

use std::fmt;

/// The reading of a file. Beside it there are only the options of [`Client`](crate::Client).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The literal requirements, and the cautious side where a text is silent.
    #[default]
    Careful,
    /// Answers as google/robotstxt does (commit 22b355f), its deviations included: keys count when
    /// they merely begin with a known one, `Allow: …/index.html` also allows the folder, lines are
    /// cut at 16,663 bytes, escapes are compared as written, the URL is taken verbatim and
    /// `/robots.txt` is not exempt. Conventional records only (CLA-16).
    Google,
}

crate::named!(Profile, "profile", [Careful = "careful", Google = "google"]);

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
