//! Embeds `robots.toml`: checks it, and writes it as the constant that `src/table.rs` includes.

mod table;

use std::path::Path;
use std::{env, fs};

const FILE: &str = "robots.toml";

#[expect(clippy::print_stdout, reason = "how a build script talks to cargo")]
fn main() {
    println!("cargo::rerun-if-changed={FILE}");
    let text = fs::read_to_string(FILE).expect("the package has robots.toml");
    match table::read(&text) {
        Ok(robots) => {
            let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
            fs::write(Path::new(&folder).join("table.rs"), rust(&robots))
                .expect("cargo makes OUT_DIR");
        }
        Err(mistakes) => {
            for mistake in mistakes {
                println!("cargo::error={FILE}:{mistake}");
            }
        }
    }
}

/// The table as Rust.
fn rust(robots: &[table::Row]) -> String {
    let rows: String = robots.iter().map(row).collect();
    format!("/// All rows.\npub(crate) const ROBOTS: &[KnownRobot] = &[\n{rows}];\n")
}

fn row(robot: &table::Row) -> String {
    let any_group = robot.follows_any_group.map(table::AnyGroup::name);
    let fields = [
        ("token", format!("{:?}", robot.token)),
        ("operator", format!("{:?}", robot.operator)),
        ("kind", format!("Kind::{:?}", robot.kind)),
        ("purposes", variants("Purpose", &robot.purposes)),
        ("falls_back_to", format!("&{:?}", robot.falls_back_to)),
        (
            "follows_any_group",
            any_group.map_or("None".to_owned(), |name| format!("Some(AnyGroup::{name})")),
        ),
        (
            "honours_crawl_delay",
            format!("{:?}", robot.honours_crawl_delay),
        ),
        (
            "follows_robots_txt",
            format!("{:?}", robot.follows_robots_txt),
        ),
        ("user_agent", format!("{:?}", robot.user_agent)),
        ("ip_ranges", format!("{:?}", robot.ip_ranges)),
        ("reverse_dns", format!("&{:?}", robot.reverse_dns)),
        ("documentation", format!("{:?}", robot.documentation)),
        ("replaced_by", format!("&{:?}", robot.replaced_by)),
        ("products", format!("&{:?}", robot.products)),
        ("basis", format!("Basis::{:?}", robot.basis())),
        ("checked", format!("\"{}\"", robot.checked)),
        ("note", format!("{:?}", robot.note)),
        ("fetchers", format!("&{:?}", robot.fetchers)),
        ("controls", variants("Usage", &robot.controls)),
    ];
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    format!("    KnownRobot {{ {} }},\n", fields.join(", "))
}

/// A list of variants of one enumeration.
fn variants<T: std::fmt::Debug>(of: &str, variants: &[T]) -> String {
    let paths: Vec<String> = variants
        .iter()
        .map(|variant| format!("{of}::{variant:?}"))
        .collect();
    format!("&[{}]", paths.join(", "))
}
