//! The tools of the command. Each reads one JSON object, with the members that the service has for
//! it, and up to two files beside it, which are no members of the JSON.

use abide_contract::tools::Work;
use abide_contract::{Body, RequestError, codes, text};
use serde::Serialize;

/// What a tool answers.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) json: String,
    /// A file that the tool has made, beside the JSON.
    pub(crate) file: Vec<u8>,
}

impl Answer {
    pub(crate) fn of(json: &impl Serialize) -> Self {
        let json = text::line(json);
        let file = Vec::new();
        Self { json, file }
    }
}

/// The files of a request.
pub(crate) type Files<'f> = [Option<&'f [u8]>; 2];

/// Answers a request for the tool with this number, which `package/module.ts` has too.
pub(crate) fn answer(
    number: u32,
    request: &[u8],
    files: Files<'_>,
) -> Result<Answer, RequestError> {
    let [first, second] = files.map(|file| file.map(Body::from));
    let answered = match number {
        #[cfg(feature = "lint")]
        0 | 1 => lint(request, first, second),
        #[cfg(feature = "fmt")]
        2 => fmt(request, first),
        #[cfg(feature = "explain")]
        3 => explain(request, first),
        #[cfg(feature = "diff")]
        4 => diff(request, first, second),
        #[cfg(feature = "matrix")]
        5 => matrix(request, first),
        #[cfg(feature = "test")]
        6 => test(request, first),
        #[cfg(feature = "convert")]
        7 => convert(request, first, second),
        #[cfg(feature = "known-robots")]
        8 => Ok(known_robots()),
        #[cfg(feature = "retrieval")]
        9 => crate::retrieval::answer(request, files),
        _ => unreachable!("{number} is no tool"),
    };
    answered.map_err(in_words_of_javascript)
}

/// What is a member of the JSON elsewhere is an argument here.
fn in_words_of_javascript(error: RequestError) -> RequestError {
    match (error.code(), error.pointer()) {
        (codes::INVALID_ROBOTS, "/robots") => error
            .with_message("expected the text or the bytes of a file, but found nothing")
            .with_remedy("give the file"),
        (code, "/fix") => RequestError::new(code, "/safety", error.reason()),
        _ => error,
    }
}

/// Findings of a file and of a response, and with `fix` the new file.
#[cfg(feature = "lint")]
fn lint(request: &[u8], file: Option<Body>, html: Option<Body>) -> Result<Answer, RequestError> {
    #[derive(Serialize)]
    struct Fixed<'l, F> {
        fixed: usize,
        findings: &'l [F],
    }
    let mut request: abide_contract::tools::LintRequest = abide_contract::read(request)?;
    (request.robots, request.html, request.all) = (file, html, true);
    request.answer(&Work::endless(), |linted| match request.fix {
        None => Answer::of(&linted.findings()),
        Some(_) => Answer {
            json: text::line(&Fixed {
                fixed: linted.fixed(),
                findings: linted.findings(),
            }),
            file: linted.bytes().to_vec(),
        },
    })
}

/// The file in the canonical format.
#[cfg(feature = "fmt")]
fn fmt(request: &[u8], file: Option<Body>) -> Result<Answer, RequestError> {
    let mut request: abide_contract::tools::FmtRequest = abide_contract::read(request)?;
    request.robots = file;
    request.answer(&Work::endless(), |formatted| Answer {
        json: "{}".to_owned(),
        file: formatted.bytes().to_vec(),
    })
}

/// The largest number of URLs: any.
#[cfg(any(feature = "explain", feature = "diff"))]
const ANY: usize = usize::MAX;

/// A file as robots read it.
#[cfg(feature = "explain")]
fn explain(request: &[u8], file: Option<Body>) -> Result<Answer, RequestError> {
    use abide_contract::tools::ExplainRequest;
    let (mut request, circumstances) = abide_contract::read_within::<ExplainRequest<ANY>>(request)?;
    request.robots = file;
    request.answer(&circumstances, &Work::endless(), |views| Answer::of(&views))
}

/// What changes for whom from one file to another.
#[cfg(feature = "diff")]
fn diff(request: &[u8], old: Option<Body>, new: Option<Body>) -> Result<Answer, RequestError> {
    use abide_contract::tools::DiffRequest;
    let mut request: DiffRequest<ANY> = abide_contract::read(request)?;
    (request.before.0.robots, request.after.0.robots) = (old, new);
    request.all = true;
    request.answer_given(&Work::endless(), |diff| Answer::of(diff))
}

/// Which robots may crawl a site.
#[cfg(feature = "matrix")]
fn matrix(request: &[u8], file: Option<Body>) -> Result<Answer, RequestError> {
    let mut request: abide_contract::tools::MatrixRequest = abide_contract::read(request)?;
    request.robots = file;
    request.answer(&Work::endless(), |matrix| Answer::of(matrix))
}

/// Whether a file does what its site expects.
#[cfg(feature = "test")]
fn test(request: &[u8], file: Option<Body>) -> Result<Answer, RequestError> {
    let mut request: abide_contract::tools::TestRequest = abide_contract::read(request)?;
    request.robots = file;
    request.answer(&Work::endless(), |report| Answer::of(report))
}

/// A robots.txt, or robots tags, in another form.
#[cfg(feature = "convert")]
fn convert(request: &[u8], file: Option<Body>, html: Option<Body>) -> Result<Answer, RequestError> {
    let mut request: abide_contract::tools::ConvertRequest = abide_contract::read(request)?;
    (request.robots, request.html) = (file, html);
    request.answer(&Work::endless(), Answer::of)
}

/// The table of known robots.
#[cfg(feature = "known-robots")]
fn known_robots() -> Answer {
    use abide_contract::tools::KnownRobots;
    Answer::of(&KnownRobots::of(abide_known_robots::all()).robots())
}
