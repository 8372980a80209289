//! Failures by their causes: one mistake in a robots.txt makes many checks fail.

use super::check::{Check, Failure};

/// A cause, and all checks that fail because of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailureCause<'c> {
    /// What was expected and found, and the line that decided; it is equal for all checks.
    pub failure: &'c Failure,
    /// At least one, in the order of the file of cases.
    pub checks: Vec<&'c Check>,
}

/// The causes of all failures, in the order in which they first occur. A check that fails for two
/// reasons occurs in both.
///
/// ```
/// use abide_analysis::expectation::{Cases, causes, run};
/// let cases = Cases::read(
///     r#"
///     [[case]]
///     agents = ["ExampleBot", "*"]
///     urls = ["/a", "/b"]
///     crawl = "allowed"
///     "#,
/// )?;
/// let checks = run(&cases, b"User-agent: *\nDisallow: /\n")?;
/// let causes = causes(&checks);
/// assert_eq!((causes.len(), causes[0].checks.len()), (1, 4));
/// assert_eq!(
///     causes[0].failure.to_string(),
///     "expected allowed, got disallowed (line 2: `Disallow: /`)",
/// );
/// # Ok::<(), abide_analysis::expectation::CasesError>(())
/// ```
#[must_use]
pub fn causes(checks: &[Check]) -> Vec<FailureCause<'_>> {
    let mut causes: Vec<FailureCause<'_>> = Vec::new();
    // A map would need an order of failures; there are few causes.
    for check in checks {
        for failure in &check.failures {
            match causes.iter_mut().find(|cause| cause.failure == failure) {
                Some(cause) => cause.checks.push(check),
                None => causes.push(FailureCause {
                    failure,
                    checks: vec![check],
                }),
            }
        }
    }
    causes
}

/// Robots and URLs of one case that fail for one cause: each of the robots with each of the URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedCase<'c> {
    /// The line of the case, starting from 1.
    pub line: u32,
    /// The name of the case.
    pub name: &'c str,
    /// The robots, as reports name them.
    pub robots: Vec<String>,
    /// The URLs.
    pub urls: Vec<&'c str>,
}

impl FailureCause<'_> {
    /// The failed checks, case by case; robots that fail for the same URLs are together.
    #[must_use]
    pub fn cases(&self) -> Vec<FailedCase<'_>> {
        let mut by_robot: Vec<FailedCase<'_>> = Vec::new();
        for check in &self.checks {
            let robot = check.robot();
            match by_robot.last_mut() {
                Some(last) if last.line == check.line && last.robots.contains(&robot) => {
                    last.urls.push(&check.url);
                }
                _ => by_robot.push(FailedCase {
                    line: check.line,
                    name: &check.name,
                    robots: vec![robot],
                    urls: vec![&check.url],
                }),
            }
        }
        let mut cases: Vec<FailedCase<'_>> = Vec::new();
        for own in by_robot {
            match cases.last_mut() {
                Some(last) if last.line == own.line && last.urls == own.urls => {
                    last.robots.extend(own.robots);
                }
                _ => cases.push(own),
            }
        }
        cases
    }
}
