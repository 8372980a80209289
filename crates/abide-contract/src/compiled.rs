//! A robots.txt that is compiled once, and asked about many pages.

use crate::circumstances::Circumstances;
use crate::request::Request;
use crate::request_error::RequestError;
use crate::{DecisionJson, RetrievalJson};
use abide::preference::Documents;
use abide::tag::Response;
use abide::verdict::Note;
use abide::{Client, Decision, History, Moment, Policy, Target};
use abide_known_robots::Robot;
use std::sync::Arc;

/// The robots.txt and the client of a request, ready for many pages.
///
/// ```
/// use abide_contract::{CompiledRobots, PageQuestion, Request, read_within};
/// let robots_txt = b"User-agent: *\nDisallow: /x\n";
/// let asks = Request::read(br#"{"url":"/","agent":"ExampleBot"}"#)?;
/// let compiled = CompiledRobots::new(&asks, Some(&robots_txt[..].into()))?;
/// assert!(!compiled.policy().allows("https://e.example/x"));
///
/// #[derive(serde::Deserialize)]
/// struct Page {
///     url: String,
/// }
/// let page = br#"{"url":"/x","headers":[["Robots-Tag","*;noindex"]]}"#;
/// let (Page { url }, circumstances) = read_within(page)?;
/// let page = PageQuestion::new(url, &circumstances, None)?;
/// let line = compiled.decide(&page, |decision| compiled.json(&page, decision, None).to_line())?;
/// assert!(line.contains(r#""tags":{"noindex":true}"#));
/// # Ok::<(), abide_contract::RequestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompiledRobots {
    policy: Arc<Policy>,
    /// The names of the robot, as they were asked for.
    agent: Vec<String>,
    /// The robot, if the request asks for what is documented about it.
    robot: Option<Robot>,
    documents: Documents,
    unread: Option<UnreadRobots>,
}

/// A robots.txt whose status leaves it unknown.
#[derive(Clone, Debug)]
struct UnreadRobots {
    /// What the evidence notes about it.
    notes: &'static [Note],
    /// Where it redirects to, if that is known.
    location: Option<String>,
}

impl CompiledRobots {
    /// Compiles `body`, or else the robots.txt of the request, for the client of the request. What
    /// the request says about a page is ignored.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid client, robots.txt or document.
    pub fn new(request: &Request<'_>, body: Option<&Arc<[u8]>>) -> Result<Self, RequestError> {
        Self::compiled_by(request, |client| request.policy(body, client))
    }

    /// Takes what `compile` makes for the client of the request, such as the rules of a cache.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid client or document, and the errors of `compile`.
    pub fn compiled_by(
        request: &Request<'_>,
        compile: impl Fn(&Client) -> Result<Policy, RequestError>,
    ) -> Result<Self, RequestError> {
        let robot = request.robot()?;
        let policy = request.compiled_by(robot.as_ref(), compile)?;
        let robot = robot.map(|robot| robot.in_file(&policy).into_owned());
        let circumstances = &request.circumstances;
        let unread = circumstances.unread().map(|notes| UnreadRobots {
            notes,
            location: circumstances.robots_location.as_deref().map(str::to_owned),
        });
        Ok(Self {
            policy: Arc::new(policy),
            agent: request.question.agent.to_vec(),
            robot,
            documents: request.documents()?.unwrap_or_default(),
            unread,
        })
    }

    /// Takes a policy that is compiled already, such as one from a cache.
    #[must_use]
    pub fn of(policy: Arc<Policy>) -> Self {
        let tokens = policy.client().product_tokens().iter();
        let mut agent: Vec<String> = tokens.map(|token| token.as_str().to_owned()).collect();
        if agent.is_empty() {
            agent.push("*".to_owned());
        }
        Self {
            policy,
            agent,
            robot: None,
            documents: Documents::default(),
            unread: None,
        }
    }

    /// Sets what is known of the documents beside robots.txt, for AI preferences.
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Self {
        Self { documents, ..self }
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// Decides about a page, and passes the decision to `show`.
    ///
    /// # Errors
    /// [`RequestError`] for a URL that cannot be read, which [`PageQuestion::new`] refuses.
    pub fn decide<T>(
        &self,
        page: &PageQuestion,
        show: impl FnOnce(&Decision<'_>) -> T,
    ) -> Result<T, RequestError> {
        let documents = page.documents.as_ref().unwrap_or(&self.documents);
        let target = page.target()?.with_documents(documents);
        Ok(show(&self.policy.decide(&target)))
    }

    /// A decision about a page as JSON. `retrieval` says how the robots.txt was fetched.
    #[must_use]
    pub fn json<'a>(
        &'a self,
        page: &'a PageQuestion,
        decision: &'a Decision<'a>,
        retrieval: Option<&'a RetrievalJson>,
    ) -> DecisionJson<'a> {
        let json = DecisionJson::new(&page.url, &self.policy, decision).with_retrieval(retrieval);
        let json = match &self.robot {
            None => json.with_agent(&self.agent, &self.policy),
            Some(robot) => json.with_robot(robot, &self.policy),
        };
        match &self.unread {
            None => json,
            Some(unread) => json.unread(unread.notes, unread.location.as_deref()),
        }
    }
}

/// A question about a page: its URL, or a path, and what circumstances say about the response, the
/// time and earlier visits. It has the time of the decision and borrows nothing, so that it can be
/// kept, and gets the same answer each time.
#[derive(Clone, Debug)]
pub struct PageQuestion {
    url: String,
    response: Response,
    documents: Option<Documents>,
    now: Moment,
    history: History,
}

impl PageQuestion {
    /// The question about `url`. `html` are the bytes of the page's source, in any encoding
    /// [default: `html` of the circumstances]. What these say about the client and robots.txt is
    /// ignored.
    ///
    /// Reads the clock if the circumstances have no `now`.
    ///
    /// # Errors
    /// [`RequestError`] for a URL that cannot be read, and for an invalid document.
    pub fn new(
        url: String,
        circumstances: &Circumstances<'_>,
        html: Option<&[u8]>,
    ) -> Result<Self, RequestError> {
        let page = Self {
            url,
            response: circumstances.response(html),
            documents: circumstances.documents()?,
            now: circumstances.instant(),
            history: circumstances.history(),
        };
        page.target()?;
        Ok(page)
    }

    fn target(&self) -> Result<Target<'_>, RequestError> {
        let target = Target::new(&self.url).map_err(RequestError::invalid_url)?;
        Ok(target
            .with_response(&self.response)
            .with_now(self.now)
            .with_history(self.history))
    }
}
