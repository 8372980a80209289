//! Many ways to write a path, most of which a proxy turns into that path.

use abide_testkit::preference_files::Dice;
use std::collections::BTreeSet;

/// What changes nothing in front of a path, for one proxy or the other.
const BEFORE: [&str; 14] = [
    "/.",
    "/",
    "//",
    "/public/..",
    "/%2e",
    "/public/%2e%2e",
    "/public/%2E.",
    "/./",
    "/a//..",
    "/public%2f..",
    "/public;a/..",
    "/..;",
    "/robots.txt/..",
    "/public/%252e%252e",
];
/// Slashes.
const SLASHES: [&str; 12] = [
    "/", "/", "/", "/", "/", "//", "/./", "%2f", "%2F", "/%2e/", "/a/../", "\\",
];
/// What follows a path.
const AFTER: [&str; 28] = [
    "",
    "",
    "",
    "",
    "?",
    "?a=/../b",
    "#",
    "#/../..",
    "#/../../public/a",
    "#?",
    "%23/../..",
    "%3f/../..",
    "\\..\\..\\..\\public\\a",
    "/..\\..\\..\\public\\a",
    "/%5c..%5c..%5c..%5cpublic%5ca",
    "/..%5C..%5C..",
    "/../../public/a",
    "/%2e%2e/%2e%2e/public/a",
    ";a",
    ";/../../public/a",
    "%00",
    "%20",
    "/.",
    "/",
    "/x#/../../../public/a",
    "?#/../..",
    "%2523/../..",
    "/%252e%252e/%252e%252e/public/a",
];

/// `count` different targets that write one of `paths`, or look as if they did.
pub(crate) fn of(paths: &[&str], host: &str, count: usize) -> Vec<String> {
    let mut dice = Dice::new(9112);
    let mut written = BTreeSet::new();
    while written.len() < count {
        let path = dice.pick(paths);
        written.insert(one(&mut dice, path, host));
    }
    written.into_iter().collect()
}

fn one(dice: &mut Dice, path: &str, host: &str) -> String {
    let mut target = match dice.below(20) {
        0 => format!("http://{host}"),
        1 => "HTTP://other.example".to_owned(),
        _ => String::new(),
    };
    for _ in 0..dice.below(3) {
        target.push_str(dice.pick(&BEFORE));
    }
    let escapes = dice.pick(&[0, 0, 10, 40]);
    for segment in path.split('/').skip(1) {
        target.push_str(dice.pick(&SLASHES));
        for letter in segment.bytes() {
            if dice.chance(escapes) {
                target.push_str(&escaped(dice, letter));
            } else {
                target.push(char::from(letter));
            }
        }
    }
    target + dice.pick(&AFTER)
}

/// A letter with an escape, or with an escape of one.
fn escaped(dice: &mut Dice, letter: u8) -> String {
    let percent = dice.pick(&["%", "%", "%", "%", "%", "%", "%25"]);
    if dice.chance(50) {
        format!("{percent}{letter:02x}")
    } else {
        format!("{percent}{letter:02X}")
    }
}

/// Ways around `Disallow: /private/` that once worked, and their neighbours.
pub(crate) const FOUND: [&str; 48] = [
    "//private/x#/../..",
    "/private%2Fx#/../..",
    "/private%2Fx#/../../z",
    "/public/..%2fprivate%2fx#/../../..",
    "/%70rivate/x#/../..",
    "http://example.com/%70rivate%2fx#/../..",
    "/public/../private/x#/../../../public/a",
    "/public/%2e%2e/private/x#/../../../public/a",
    "/robots.txt#/../private/x",
    "/private/x#",
    "/private/x#/../..",
    "//private/index.php/..\\..\\..\\public\\a",
    "/public/%2e%2e/private/index.php/..\\..\\..\\a",
    "/private/index.php/..\\..\\..",
    "/%70rivate/index.php/..\\..\\..\\public\\a",
    "/%70rivate/index.php/%5c..%5c..%5c..%5cpublic",
    "/%70rivate/index.php\\..\\..\\..\\public",
    "/private%5cx",
    "/private\\x",
    "/%70rivate\\x",
    "/private/x;a",
    "/private;a/x",
    "/;/private/x",
    "/..;/private/x",
    "/private/x%20",
    "/private/x%00",
    "/private/x%0a",
    "/%2570rivate/x",
    "/private/./x",
    "/private/a/../x",
    "/private//x",
    "/private/%2e/x",
    "/robots.txt/../private/x",
    "/private/x?/robots.txt",
    "/robots.txt%2f..%2fprivate%2fx",
    "/robots.txt/%2e%2e/private/x",
    "http://example.com/private/x",
    "http://other.example/private/x",
    "HTTP://example.com/%70rivate/x",
    "http://example.com\\@x/private/x",
    "http://user@example.com/private/x",
    "http://example.com?/../private/x",
    "/%efprivate/x",
    "/private/%ff",
    "/p%72ivate/x%23/../..",
    "/%70rivate/x%3f/../..",
    "/%70rivate/x%3f",
    "*",
];
