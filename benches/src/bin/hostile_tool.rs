//! One tool at work on one hostile file: the work that `.ci/instructions` counts.
//!
//! `hostile_tool TOOL RECIPE BYTES` runs the tool on the recipe's file of BYTES at most, and prints
//! how long its report is. With a fourth argument it only makes the file, so that the difference is
//! the tool's work alone.

use abide::preference::Revision;
use abide::{Client, Limits, Policy, Robots};
use abide_analysis::Bound;
use abide_analysis::compare::{self, Review};
use abide_analysis::convert::{self, FileForm};
use abide_analysis::matrix::{Matrix, MatrixSettings};
use abide_analysis::view::{FileView, sentences};
use abide_analysis::{expectation, preferences};
use abide_known_robots::Robot;
use abide_lint::{Context, Linter, format};
use abide_testkit::hostile;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, tool, recipe, bytes, only_inputs @ ..] = args.as_slice() else {
        panic!("usage: hostile_tool TOOL RECIPE BYTES [inputs]");
    };
    let bytes: usize = bytes.parse().expect("BYTES is a number");
    let file = hostile::for_tools(recipe, bytes).unwrap_or_else(|| {
        let mut file = hostile::recipe(recipe).swap_remove(0).robots;
        file.truncate(bytes.min(Limits::FLOOR));
        file
    });
    // Printed, because the optimiser drops what has no effect.
    if only_inputs.is_empty() {
        println!("{}", report(tool, &file));
    } else {
        println!("{}", file.len());
    }
}

/// The length of what a tool finds out, in some unit.
fn report(tool: &str, file: &[u8]) -> usize {
    match tool {
        "lint" => Linter::new().robots_txt(file, &Context::default()).len(),
        "fmt" => format::format(file).map_or(0, |formatted| formatted.as_bytes().len()),
        "matrix" => matrix(file),
        "explain" => explain(file),
        "test" => expectation::make(file, "robots.txt").len(),
        "diff" => diff(b"User-agent: *\nDisallow: /x\n", file),
        "acap" => converted(file, FileForm::Acap),
        "robots" => converted(file, FileForm::Robots),
        "content-signal" => converted(file, FileForm::ContentSignal),
        "tdmrep" => converted(file, FileForm::Tdmrep),
        _ => panic!("no tool {tool}"),
    }
}

fn matrix(file: &[u8]) -> usize {
    let robots = Robots::parse(file);
    let settings = MatrixSettings::default();
    let matrix = Matrix::of_file(&robots, &[], &settings, Bound::default());
    let sections = matrix.expect("no name is wrong").sections;
    sections
        .iter()
        .map(|section| section.summary().to_string().len())
        .sum()
}

fn explain(file: &[u8]) -> usize {
    let robot = Robot::named("Googlebot").expect("a robot");
    let compile =
        |client: &Client| Policy::compile(file, &preferences::with_all_preferences(client));
    let policy = robot.policy(abide::Profile::Careful, compile);
    let policy = policy.expect("the name is right");
    let view = FileView::for_robot(&policy, &robot);
    let stated = view.preferences().map_or(0, |stated| stated.lines.len());
    stated + sentences::verdict(&view).len() + sentences::file(&view).len()
}

fn diff(old: &[u8], new: &[u8]) -> usize {
    let (old, new) = (Robots::parse(old), Robots::parse(new));
    let clients = compare::known_clients(&old, &new);
    let differences = compare::files(&old, &new, &clients, Bound::default());
    let review = Review::new(&old, &new, &differences, true, Bound::default());
    review.causes.len() + review.headline.to_string().len()
}

fn converted(file: &[u8], form: FileForm) -> usize {
    convert::robots_txt(file, form, Revision::latest())
        .findings()
        .len()
}
