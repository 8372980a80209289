//! A retrieval whose requests somebody else sends, with a client of their own.

use super::freshness::Field;
use super::redirect::{Chain, Hop};
use super::settings::RetrievalSettings;
use super::state::{Event, ResponseTimes, Validators};
use crate::request_url::RequestUrl;
use abide::rep::Cause;
use abide::{Limits, Moment};

/// The failures that a client can report: what it has in place of a response.
pub const FAILURES: &[Cause] = &[
    Cause::Dns,
    Cause::Connect,
    Cause::Tls,
    Cause::Timeout,
    Cause::Truncated,
    Cause::Network,
];

/// A response, as a client reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    status: u16,
    fields: Vec<(String, String)>,
    /// At most one byte more than is read: it shows whether the last line is complete.
    body: Vec<u8>,
}

fn most_bytes() -> usize {
    Limits::default().bytes()
}

impl Response {
    /// A response with a final status, and with the body without a content coding. Of a longer body
    /// the first 512,001 bytes are enough.
    #[must_use]
    pub fn new(status: u16, fields: Vec<(String, String)>, body: &[u8]) -> Self {
        let kept = body.get(..most_bytes().saturating_add(1)).unwrap_or(body);
        Self {
            status,
            fields,
            body: kept.to_vec(),
        }
    }

    /// The status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// The field lines.
    #[must_use]
    pub fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// Where it redirects to.
    #[must_use]
    pub fn locations(&self) -> Vec<&[u8]> {
        let named = self.fields.iter();
        named
            .filter(|(name, _)| name.eq_ignore_ascii_case("location"))
            .map(|(_, value)| value.as_bytes())
            .collect()
    }

    /// Whether the body is longer than what is read.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.body.len() > most_bytes()
    }

    /// What it says, if it came of the first request of a retrieval, and with validators or not.
    #[must_use]
    pub fn event(
        self,
        (is_first, is_conditional): (bool, bool),
        times: ResponseTimes,
        settings: &RetrievalSettings,
    ) -> Event<Vec<u8>> {
        let fields = self.fields.iter();
        let fields: Vec<Field<'_>> = fields
            .map(|(name, value)| Field::new(name, value.as_bytes()))
            .collect();
        let event = Event::response(self.status, &fields, self.body, times, settings);
        if !is_first {
            event.of_another_authority()
        } else if is_conditional {
            event
        } else {
            event.unconditional()
        }
    }
}

/// The requests of one retrieval. Send each, and report what answers, until there is an event for
/// the [`State`](super::State) of the site.
///
/// ```
/// use abide::{Moment, rep::Cause};
/// use abide_fetch::machine::{Response, RetrievalSettings, State, Validators, Walk};
/// let (settings, now) = (RetrievalSettings::default(), Moment::from_unix_seconds(0));
/// let mut walk = Walk::new("https://a.example/robots.txt", Validators::default(), now)?;
/// let to = ("Location".to_owned(), "https://www.a.example/robots.txt".to_owned());
/// assert!(walk.answered(Response::new(301, vec![to], b""), now, &settings).is_none());
/// assert_eq!(walk.url().as_str(), "https://www.a.example/robots.txt");
/// let file = Response::new(200, Vec::new(), b"User-agent: *\nDisallow: /x\n");
/// let event = walk.answered(file, now, &settings).ok_or(Cause::Network)?;
/// assert!(State::default().after(event, &settings).body().is_some());
/// # Ok::<(), Cause>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk {
    chain: Chain,
    validators: Validators,
    began: Moment,
}

impl Walk {
    /// Begins at `url`, which had a file with these validators.
    ///
    /// # Errors
    /// [`Cause::BadRedirect`] for a URL that cannot be requested.
    pub fn new(url: &str, validators: Validators, began: Moment) -> Result<Self, Cause> {
        Ok(Self {
            chain: Chain::new(url)?,
            validators,
            began,
        })
    }

    /// Follows the redirects that an earlier walk has followed, to go on where it was.
    ///
    /// # Errors
    /// Why one of them leads nowhere.
    pub fn along(mut self, urls: &[String], settings: &RetrievalSettings) -> Result<Self, Cause> {
        for url in urls {
            if let Hop::End(cause) = self.chain.follow(&[url.as_bytes()], settings) {
                return Err(cause);
            }
        }
        Ok(self)
    }

    /// All URLs, the first one first.
    #[must_use]
    pub fn urls(&self) -> &[RequestUrl] {
        self.chain.urls()
    }

    /// The URL to request.
    ///
    /// # Panics
    /// Only on a bug.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a chain begins with a URL")]
    pub fn url(&self) -> &RequestUrl {
        self.urls().last().expect("a chain has a URL")
    }

    /// The fields of the request, beside the client's own.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, &str)> {
        // A validator belongs to the first site, and means nothing to another one.
        if self.is_first() {
            self.validators.fields()
        } else {
            Vec::new()
        }
    }

    fn is_first(&self) -> bool {
        self.urls().len() == 1
    }

    /// Takes the response that came at `came`. `None` if it leads to another URL. The body of a
    /// file may be cut: [`Body::fetched`](crate::Body::fetched) knows.
    #[must_use]
    pub fn answered(
        &mut self,
        response: Response,
        came: Moment,
        settings: &RetrievalSettings,
    ) -> Option<Event<Vec<u8>>> {
        if Chain::redirects(response.status) {
            return match self.chain.follow(&response.locations(), settings) {
                Hop::Follow(_) => None,
                Hop::End(cause) => Some(Event::failure(cause, came)),
            };
        }
        let times = ResponseTimes {
            requested_at: self.began,
            received_at: came,
        };
        let sent = (self.is_first(), !self.validators.is_empty());
        Some(response.event(sent, times, settings))
    }
}
