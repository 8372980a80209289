//! Writes a robots.txt from wishes, and proves that it keeps them.
//!
//! ```
//! use abide_analysis::wishes::Wishes;
//! let wishes = Wishes {
//!     no_training: true,
//!     keep_search: true,
//!     ..Wishes::default()
//! };
//! let draft = wishes.draft()?;
//! assert!(draft.text.contains("User-agent: GPTBot\n"));
//! assert!(!draft.text.contains("User-agent: bingbot\n"));
//! # Ok::<(), abide_analysis::wishes::WishError>(())
//! ```

mod error;
mod lines;
mod plan;
mod proof;

pub use error::WishError;

use crate::words::enumerated_all;
use abide::explain::counted;
use plan::Plan;

/// What a site wishes of its robots.txt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish")]
pub struct Wishes {
    /// Closes the site to robots that fetch for the training of AI models. Robots that mainly
    /// search stay in.
    pub no_training: bool,
    /// Closes the site to robots that fetch for AI answers. Robots that mainly search stay in, and
    /// so do those that do not follow robots.txt.
    pub no_ai_input: bool,
    /// Lets in every robot that mainly searches.
    pub keep_search: bool,
    /// Closes the site to every robot.
    pub staging: bool,
    /// Closes the site to these robots too: lists as
    /// [`Robot::list`](abide_known_robots::Robot::list) reads them.
    pub block: Vec<String>,
    /// How many seconds robots wait between visits: at most
    /// [`CrawlDelay::MAX_SECONDS`](abide::rep::CrawlDelay::MAX_SECONDS).
    pub delay: Option<u32>,
    /// The absolute URLs of sitemaps.
    pub sitemaps: Vec<String>,
}

/// A robots.txt that keeps the wishes for which it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Draft {
    /// The file.
    pub text: String,
    /// What was proved, in a sentence.
    pub summary: String,
    /// What the file does besides, and what no robots.txt can do, in sentences.
    pub notes: Vec<String>,
}

impl Wishes {
    /// Writes a robots.txt, reads it back, and checks for every known robot that it gets the answer
    /// that was wished.
    ///
    /// Legacy names are not written, and no `Content-Usage` and no `Content-Signal` line: no
    /// robot is documented to read them.
    ///
    /// # Errors
    /// [`WishError`] if there is no wish, if two contradict each other, if one names what it
    /// cannot, or if the file does not keep one for every robot.
    pub fn draft(&self) -> Result<Draft, WishError> {
        let plan = Plan::new(self)?;
        let text = lines::text(&plan);
        let proof = proof::of(&plan, &text)?;
        let mut notes = plan.limits();
        notes.extend(proof.side_effects);
        let closed = match proof.closed {
            _ if self.staging => Some("closes the site to every robot that follows it".to_owned()),
            0 => None,
            closed => Some(format!(
                "closes the site to {}",
                counted(closed as u64, "robot")
            )),
        };
        let kept = (proof.kept > 0)
            .then(|| format!("lets in {}", counted(proof.kept as u64, "search robot")));
        let does: Vec<_> = closed.into_iter().chain(kept).collect();
        let summary = match does.as_slice() {
            [] => "Read back: the file closes the site to nobody.".to_owned(),
            does => format!("Read back: the file {}.", enumerated_all(does)),
        };
        Ok(Draft {
            text,
            summary,
            notes,
        })
    }
}
