//! One hostile page, read: the work that `.ci/instructions` counts.
//!
//! `hostile_page UNIT BYTES` repeats UNIT behind a robots meta element until the page has BYTES,
//! and reads it.

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, unit, bytes] = args.as_slice() else {
        panic!("usage: hostile_page UNIT BYTES");
    };
    let bytes: usize = bytes.parse().expect("BYTES is a number");
    let mut page = b"<meta name=robots content=noindex>".to_vec();
    while page.len() < bytes {
        page.extend_from_slice(unit.as_bytes());
    }
    // Printed, because the optimiser drops what has no effect.
    println!("{}", abide_html::initial(&page, None).metas.len());
}
