//! Files that are compiled for one client each.

use abide::{Client, Target};
use abide_contract::{
    CompiledRobots, PageQuestion, Request, RequestError, RetrievalJson, codes, read_within,
};
use serde::Deserialize;
use std::collections::HashMap;
use std::str;

/// Policies by their numbers.
#[derive(Default)]
pub(crate) struct Policies {
    all: HashMap<u32, Compiled>,
    last: u32,
}

struct Compiled {
    robots: CompiledRobots,
    /// How the file was fetched, if the module knows.
    retrieval: Option<RetrievalJson>,
}

/// A question about a page, without the circumstances.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    url: String,
}

/// The answer for a URL that cannot be read.
const UNREADABLE: u8 = 2;

impl Policies {
    /// Compiles `file` for the client of `request`.
    pub(crate) fn add(&mut self, request: &[u8], file: Option<&[u8]>) -> Result<u32, RequestError> {
        let request = Request::read(request)?;
        let robots = CompiledRobots::new(&request, file.map(Into::into).as_ref())?;
        Ok(self.keep(robots, None))
    }

    /// Compiles the rules of a site for the client of `request`.
    #[cfg(feature = "retrieval")]
    pub(crate) fn add_site(
        &mut self,
        request: &[u8],
        question: &[u8],
        record: Option<&[u8]>,
    ) -> Result<u32, RequestError> {
        let request = Request::read(request)?;
        let site = crate::retrieval::Site::read(question, record)?;
        let robots = CompiledRobots::compiled_by(&request, |client| Ok(site.policy(client)))?;
        Ok(self.keep(robots, Some(site.retrieval())))
    }

    fn keep(&mut self, robots: CompiledRobots, retrieval: Option<RetrievalJson>) -> u32 {
        loop {
            self.last = self.last.wrapping_add(1);
            let number = self.last;
            if number != crate::FAILED && !self.all.contains_key(&number) {
                self.all.insert(number, Compiled { robots, retrieval });
                return number;
            }
        }
    }

    pub(crate) fn remove(&mut self, number: u32) {
        self.all.remove(&number);
    }

    /// # Panics
    /// If there is no such policy: a bug of the caller.
    fn get(&self, number: u32) -> &Compiled {
        self.all.get(&number).expect("the policy is not released")
    }

    pub(crate) fn allows(&self, number: u32, url: &[u8]) -> Result<u32, RequestError> {
        let url = readable(url)?;
        Ok(self.get(number).robots.policy().allows(url).into())
    }

    /// Appends a byte for each URL.
    pub(crate) fn allows_many(&self, number: u32, urls: &[u8], answers: &mut Vec<u8>) {
        let policy = self.get(number).robots.policy();
        answers.extend(
            urls.split(|byte| *byte == 0)
                .map(|url| match readable(url) {
                    Ok(url) => policy.allows(url).into(),
                    Err(_) => UNREADABLE,
                }),
        );
    }

    /// The decision about a page, as one line of JSON.
    pub(crate) fn decide(
        &self,
        number: u32,
        question: &[u8],
        html: Option<&[u8]>,
    ) -> Result<String, RequestError> {
        let (Question { url }, circumstances) = read_within(question)?;
        let page = PageQuestion::new(url, &circumstances, html)?;
        let Compiled { robots, retrieval } = self.get(number);
        robots.decide(&page, |decision| {
            robots.json(&page, decision, retrieval.as_ref()).to_line()
        })
    }
}

/// The client of the last question of [`LastClient::allows`]: the next question often has the same
/// client.
#[derive(Default)]
pub(crate) struct LastClient(Option<(Box<[u8]>, Client)>);

impl LastClient {
    /// Whether the client of a request may crawl a URL, by this file.
    pub(crate) fn allows(&mut self, [request, url, file]: [&[u8]; 3]) -> Result<u32, RequestError> {
        let url = readable(url)?;
        let client = match &self.0 {
            Some((last, client)) if **last == *request => client,
            _ => {
                let robots = CompiledRobots::new(&Request::read(request)?, None)?;
                let client = robots.policy().client().clone();
                &self.0.insert((request.into(), client)).1
            }
        };
        Ok(abide::allows(file, client, url).into())
    }
}

/// A URL or a path that decisions can be about.
fn readable(url: &[u8]) -> Result<&str, RequestError> {
    let wrong = |reason: String| RequestError::new(codes::INVALID_URL, "/url", reason);
    let url = str::from_utf8(url).map_err(|error| wrong(error.to_string()))?;
    match Target::new(url) {
        Ok(_) => Ok(url),
        Err(error) => Err(wrong(error.to_string())),
    }
}
