//! The tools: each reads one JSON object, and answers with one, in the forms that the service has.
//! Up to two files may be beside the JSON, in place of the members with their text.

use abide_contract::explain::Explanations;
use abide_contract::text::line;
use abide_contract::tools::Work;
use abide_contract::{Body, RequestError, read, read_within};

/// What a tool answers.
pub(crate) struct Answer {
    pub(crate) json: String,
    /// A file that the tool has made, beside the JSON.
    pub(crate) file: Vec<u8>,
}

/// The JSON that a tool answers.
type Json = Result<String, RequestError>;

/// The files of a request.
pub(crate) type Files<'f> = [Option<&'f [u8]>; 2];

/// Answers a request for the tool of this name.
pub(crate) fn answer(
    tool: &[u8],
    request: &[u8],
    files: Files<'_>,
) -> Result<Answer, RequestError> {
    let [first, second] = files.map(|file| file.map(Body::from));
    let json = match tool {
        #[cfg(feature = "lint")]
        b"lint" => lint(request, first, second),
        #[cfg(feature = "fmt")]
        b"fmt" => fmt(request, first),
        #[cfg(feature = "explain")]
        b"explain" => explain(request, first),
        #[cfg(feature = "diff")]
        b"diff" => diff(request, first, second),
        #[cfg(feature = "matrix")]
        b"matrix" => matrix(request, first),
        #[cfg(feature = "test")]
        b"test" => test(request, first),
        #[cfg(feature = "convert")]
        b"convert" => convert(request, first, second),
        #[cfg(feature = "known-robots")]
        b"known-robots" => Ok(known_robots()),
        #[cfg(feature = "retrieval")]
        b"retrieval" => return crate::retrieval::answer(request, files),
        #[cfg(feature = "page")]
        b"lint-code" => crate::page::lint_code(request),
        #[cfg(feature = "page")]
        b"decide" => crate::page::decide(request),
        #[cfg(feature = "page")]
        b"table" => crate::page::table(request),
        #[cfg(feature = "page")]
        b"sitemap" => crate::page::sitemap(request),
        #[cfg(feature = "page")]
        b"init" => crate::page::init(request),
        _ => unreachable!("{} is no tool", String::from_utf8_lossy(tool)),
    };
    #[cfg(feature = "package")]
    let json = json.map_err(in_words_of_javascript);
    let file = Vec::new();
    Ok(Answer { json: json?, file })
}

/// What is a member of the JSON elsewhere is an argument in the package.
#[cfg(feature = "package")]
fn in_words_of_javascript(error: RequestError) -> RequestError {
    match (error.code(), error.pointer()) {
        (abide_contract::codes::INVALID_ROBOTS, "/robots") => error
            .with_message("expected the text or the bytes of a file, but found nothing")
            .with_remedy("give the file"),
        (code, "/fix") => RequestError::new(code, "/safety", error.reason()),
        _ => error,
    }
}

/// Findings of a file and of a response, and with `fix` the new file.
#[cfg(feature = "lint")]
fn lint(request: &[u8], file: Option<Body>, html: Option<Body>) -> Json {
    let mut request: abide_contract::tools::LintRequest = read(request)?;
    request.robots = file.or(request.robots);
    request.html = html.or(request.html);
    request.answer(&Work::endless(), |linted| line(linted))
}

/// The file in the canonical format.
#[cfg(feature = "fmt")]
fn fmt(request: &[u8], file: Option<Body>) -> Json {
    let mut request: abide_contract::tools::FmtRequest = read(request)?;
    request.robots = file.or(request.robots);
    request.answer(&Work::endless(), |formatted| line(formatted))
}

/// The largest number of URLs: any.
#[cfg(any(feature = "explain", feature = "diff"))]
const ANY: usize = usize::MAX;

/// A file as robots read it.
#[cfg(feature = "explain")]
fn explain(request: &[u8], file: Option<Body>) -> Json {
    use abide_contract::tools::ExplainRequest;
    let (mut request, circumstances) = read_within::<ExplainRequest<ANY>>(request)?;
    request.robots = file.or(request.robots);
    request.answer(&circumstances, &Work::endless(), |views| {
        line(&Explanations::of(views))
    })
}

/// What changes for whom from one file to another.
#[cfg(feature = "diff")]
fn diff(request: &[u8], old: Option<Body>, new: Option<Body>) -> Json {
    let mut request: abide_contract::tools::DiffRequest<ANY> = read(request)?;
    request.before.0.robots = old.or(request.before.0.robots);
    request.after.0.robots = new.or(request.after.0.robots);
    request.answer_given(&Work::endless(), |diff| line(diff))
}

/// Which robots may crawl a site.
#[cfg(feature = "matrix")]
fn matrix(request: &[u8], file: Option<Body>) -> Json {
    let mut request: abide_contract::tools::MatrixRequest = read(request)?;
    request.robots = file.or(request.robots);
    request.answer(&Work::endless(), |matrix| line(matrix))
}

/// Whether a file does what its site expects.
#[cfg(feature = "test")]
fn test(request: &[u8], file: Option<Body>) -> Json {
    let mut request: abide_contract::tools::TestRequest = read(request)?;
    request.robots = file.or(request.robots);
    request.answer(&Work::endless(), |report| line(report))
}

/// A robots.txt, or robots tags, in another form.
#[cfg(feature = "convert")]
fn convert(request: &[u8], file: Option<Body>, html: Option<Body>) -> Json {
    let mut request: abide_contract::tools::ConvertRequest = read(request)?;
    request.robots = file.or(request.robots);
    request.html = html.or(request.html);
    request.answer(&Work::endless(), line)
}

/// The table of known robots.
#[cfg(feature = "known-robots")]
fn known_robots() -> String {
    line(&abide_contract::tools::KnownRobots::of(
        abide_known_robots::all(),
    ))
}
