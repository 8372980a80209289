//! Responses in rows of tables and in lines.

use super::{FoundCapture, InputProblem, Item};
use crate::capture::{self, BODY_KEPT, Capture, DecodeError, RecordPlace, Wrong};

/// A response as a row or line has it.
#[derive(Debug, Default)]
pub(crate) struct Response {
    pub(crate) url: Option<String>,
    pub(crate) status: Option<i64>,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) date: Option<i64>,
    /// Whether there is a date that cannot be read.
    pub(crate) has_bad_date: bool,
}

impl Response {
    /// What it says. `record` is where it is, and `shown` says that in words.
    pub(crate) fn item(
        self,
        record: &RecordPlace,
        shown: &dyn Fn() -> String,
        takes_pages: bool,
        sink: &mut super::Sink<'_>,
    ) -> bool {
        let url = self.url.clone().filter(|url| !url.is_empty());
        let problem = |(code, message)| InputProblem {
            place: shown(),
            code,
            message,
            url: url.clone(),
            record: record.clone(),
        };
        if self.has_bad_date {
            let message =
                "the date is neither like 2026-11-20T12:00:00Z nor an instant; it is left empty";
            if !sink(Item::Noted(problem(("date", message.to_owned())))) {
                return false;
            }
        }
        match self.read(record, takes_pages) {
            Ok((item, noted)) => {
                noted.is_none_or(|noted| sink(Item::Noted(problem(noted)))) && sink(item)
            }
            Err(failed) => sink(Item::Failed(problem(failed))),
        }
    }

    /// What it says, and what is wrong with it that does not prevent its use.
    fn read(self, record: &RecordPlace, takes_pages: bool) -> Result<(Item, Option<Wrong>), Wrong> {
        let Some(url) = self.url.filter(|url| !url.is_empty()) else {
            return Err(("no-url", "there is no url".to_owned()));
        };
        let mut capture = Capture::of_url(&url);
        if capture.host.is_empty() {
            return Err(("url", "the url is not an http or https URL".to_owned()));
        }
        if !takes_pages && !capture::is_robots_txt(&url) {
            let (place, found) = (record.place(), None);
            return Ok((Item::Page { url, place, found }, None));
        }
        capture.record = record.clone();
        capture.date = self.date;
        if let Some(status) = self.status {
            let known = u16::try_from(status).ok();
            let known = known.filter(|status| capture::is_final(*status));
            let known = known.ok_or_else(|| capture::no_final_status(&status.to_string()));
            capture.status = Some(known?);
        } else if self.body.is_none() {
            return Err(("no-body", "there is neither a status nor a body".to_owned()));
        }
        let (mut transfer, mut content): (&[u8], &[u8]) = (b"", b"");
        for (name, value) in &self.headers {
            match name.to_ascii_lowercase().as_str() {
                "location" => capture.locations.push(value.clone()),
                "transfer-encoding" => transfer = value,
                "content-encoding" => content = value,
                _ => {}
            }
        }
        let coding = capture::coding(transfer, content);
        let (body, error) = capture::body(self.body.unwrap_or_default(), &coding, BODY_KEPT);
        capture.body = body;
        let found = FoundCapture {
            capture,
            place: record.place(),
            digest: None,
            original: None,
        };
        Ok((Item::Capture(found), error.map(DecodeError::problem)))
    }
}
