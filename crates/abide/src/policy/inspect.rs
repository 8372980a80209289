//! What of a file counts for a client, rule by rule: for tools.

use super::compiled::Policy;
use super::document::{Line, Robots};
use crate::acap::AcapPattern;
use crate::app::{self, Application};
use crate::pattern::{InvalidPattern, PathPattern};
use crate::rep::FieldKind;
use crate::verdict::Sense;

/// An allow or disallow line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule<'r> {
    /// The line it stands on.
    pub line: &'r Line,
    /// What it says.
    pub sense: Sense,
    /// Its value as written.
    pub value: &'r [u8],
    /// The value as a pattern; an error where the rule never matches.
    pub pattern: Result<PathPattern<'r>, InvalidPattern>,
}

impl Robots {
    /// The rule on a line, where there is one; whether it belongs to a group is not asked.
    #[must_use]
    pub fn rule<'r>(&'r self, line: &'r Line) -> Option<Rule<'r>> {
        let field = line.field()?;
        let sense = match field.kind {
            FieldKind::Allow => Sense::Allow,
            FieldKind::Disallow => Sense::Disallow,
            _ => return None,
        };
        let value = field.value.of(self.text().octets());
        let pattern = PathPattern::read_as(value, self.profile());
        Some(Rule {
            line,
            sense,
            value,
            pattern,
        })
    }

    /// The rules that count for the client of `policy`, which was made of this file: those of all groups
    /// that were chosen for it (REP-30 to REP-32), in file order, rules that never match included.
    ///
    /// ```
    /// use abide::{Client, ProductToken, Robots};
    /// let robots = Robots::parse(b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\n");
    /// let policy = robots.policy(&Client::new(ProductToken::new("ExampleBot")?));
    /// let rules = robots.rules(&policy);
    /// assert_eq!(rules.iter().map(|rule| rule.value).collect::<Vec<_>>(), [b"/b"]);
    /// # Ok::<(), abide::InvalidProductToken>(())
    /// ```
    #[must_use]
    pub fn rules(&self, policy: &Policy) -> Vec<Rule<'_>> {
        let chosen: Vec<u32> = policy
            .chosen_groups()
            .iter()
            .map(|selection| selection.place.line)
            .collect();
        let lines_of = |at: &usize| self.lines().get(*at);
        self.groups()
            .iter()
            .filter(|group| {
                let mut starters = group.starters.iter().filter_map(lines_of);
                starters.any(|line| chosen.binary_search(&line.number).is_ok())
            })
            .flat_map(|group| group.rules.iter().filter_map(lines_of))
            .filter_map(|line| self.rule(line))
            .collect()
    }
    /// The App-Directives lines of the groups whose directives count for `application` (APP-12 to APP-15), in file
    /// order, whomever they name, as number of the line and value.
    ///
    /// ```
    /// use abide::{Application, Robots};
    /// let robots = Robots::parse(b"User-agent: *\nApp-Directives: /a examplesearch;w=1\n");
    /// let application = Application::new("examplesearch", Vec::new())?;
    /// assert_eq!(robots.directive_lines(&application), [(2, &b"/a examplesearch;w=1"[..])]);
    /// # Ok::<(), abide::app::InvalidApplication>(())
    /// ```
    #[must_use]
    pub fn directive_lines(&self, application: &Application) -> Vec<(u32, &[u8])> {
        let octets = self.text().octets();
        let lines = app::lines(self.text(), application).into_iter();
        lines
            .map(|place| (place.line, place.span.of(octets)))
            .collect()
    }
}

impl Policy {
    /// The patterns that ACAP fields for the client name, and sets that such fields name, each once; `None` where no
    /// ACAP records are read. What ACAP says about a path depends on which of these match it, and on nothing else of
    /// the path.
    ///
    /// ```
    /// use abide::{Client, Policy, ProductToken};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::compile(b"ACAP-crawler: *\nACAP-disallow-index: Drafts/\n", &client);
    /// let patterns = policy.acap_patterns().unwrap();
    /// assert_eq!(&*patterns[0].path_pattern().forms().c1, b"/drafts/");
    /// assert!(Policy::compile(b"User-agent: *\n", &client).acap_patterns().is_none());
    /// # Ok::<(), abide::InvalidProductToken>(())
    /// ```
    #[must_use]
    pub fn acap_patterns(&self) -> Option<Vec<AcapPattern>> {
        let side = self.acap()?;
        // Symbols are a pattern's canonical form, and so a pattern.
        let read = |symbols| AcapPattern::read(symbols).ok();
        Some(side.policy.patterns().filter_map(read).collect())
    }
}
