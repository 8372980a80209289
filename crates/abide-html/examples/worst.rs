//! One hostile page, read: the work that `.ci/instructions` counts.
//!
//! `worst UNIT OCTETS` repeats UNIT behind a robots meta element until the page has OCTETS, and reads
//! it.

#![expect(
    clippy::print_stdout,
    reason = "what the optimiser cannot see, it must not drop"
)]

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, unit, octets] = args.as_slice() else {
        panic!("usage: worst UNIT OCTETS");
    };
    let octets: usize = octets.parse().expect("OCTETS is a number");
    let mut page = b"<meta name=robots content=noindex>".to_vec();
    while page.len() < octets {
        page.extend_from_slice(unit.as_bytes());
    }
    println!("{}", abide_html::initial(&page, None).metas.len());
}
