//! Which robot sent a request, as a server sees it: by the `User-Agent` line alone.

use crate::asked::Robot;
use abide::ProductToken;

/// Products that are browsers. Those of most lines are generic ([`ProductToken::is_generic`]).
const BROWSERS: [&str; 23] = [
    "brave",
    "chromium",
    "crios",
    "edg",
    "edga",
    "edge",
    "edgios",
    "epiphany",
    "firefox",
    "fxios",
    "konqueror",
    "msie",
    "opera",
    "opios",
    "opr",
    "opt",
    "presto",
    "samsungbrowser",
    "seamonkey",
    "trident",
    "ucbrowser",
    "vivaldi",
    "yabrowser",
];

/// The robot that sent a request with this `User-Agent` line. `None` for a browser, and for a
/// program that nothing marks as a robot, such as an app or a library.
///
/// A robot is recognised, in this order,
/// - by the mark that the table of known robots has for it;
/// - by a product that `is_named` says a robots.txt names, in lower case;
/// - by what robots write and browsers do not: the address of a page about the robot, a product
///   after `compatible;`, or a product whose name has `bot`, `crawler` or `spider` in it. Its name
///   is then that of its first product.
///
/// Anybody can send any line, so this is no proof of who asks.
///
/// ```
/// use abide_known_robots::sender;
/// let robot = |line| sender(line, |name| name == "curl").map(|robot| robot.name());
/// assert_eq!(robot("Mozilla/5.0 (compatible; GPTBot/1.2)").as_deref(), Some("GPTBot"));
/// assert_eq!(robot("ExampleBot/2.0 (+https://bot.example/)").as_deref(), Some("ExampleBot"));
/// assert_eq!(robot("curl/8.5.0").as_deref(), Some("curl"));
/// assert_eq!(robot("okhttp/4.12.0"), None);
/// assert_eq!(robot("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0"), None);
/// ```
#[must_use]
pub fn sender(line: &str, is_named: impl Fn(&str) -> bool) -> Option<Robot> {
    if let Some(known) = crate::of_user_agent(line) {
        return Some(Robot::known(known));
    }
    let products: Vec<&str> = products(line).collect();
    let named = products
        .iter()
        .find(|product| is_named(&product.to_ascii_lowercase()));
    let is_marked = || {
        let lower = line.to_ascii_lowercase();
        let has_page = lower.contains("http://") || lower.contains("https://");
        let after = lower.split_once("compatible;").map(|(_, after)| after);
        let is_compatible = after.is_some_and(|after| {
            let ends = |found: char| matches!(found, ';' | ')' | ' ' | ',');
            let word = after.trim_start().split(ends).next().unwrap_or_default();
            let product = word.split('/').next().unwrap_or_default();
            word.contains('/') && !is_of_browsers(product)
        });
        let is_bot = |product: &&str| {
            let product = product.to_ascii_lowercase();
            let marks = ["bot", "crawler", "spider"];
            marks.iter().any(|mark| product.contains(mark))
        };
        has_page || is_compatible || products.iter().any(is_bot)
    };
    let name = named.or_else(|| products.first().filter(|_| is_marked()))?;
    let robot = Robot::named(name).ok()?;
    Some(robot.with_any_name())
}

/// The names of the products in a line that no browser sends, and its first word.
fn products(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split([' ', ';', '(', ')', ',', '+']);
    let words = words.filter(|word| !word.is_empty()).enumerate();
    words.filter_map(|(at, word)| {
        let name = match word.split_once('/') {
            Some((name, _)) => name,
            // Some robots send their name without a version.
            None if at == 0 => word,
            None => return None,
        };
        let is_token = ProductToken::nonstandard(name).is_ok();
        (is_token && !is_of_browsers(name)).then_some(name)
    })
}

/// Whether browsers send a product with this name, or it is what is left of a URL.
fn is_of_browsers(name: &str) -> bool {
    let is_generic = ProductToken::nonstandard(name).is_ok_and(|token| token.is_generic());
    is_generic
        || BROWSERS
            .iter()
            .any(|browser| name.eq_ignore_ascii_case(browser))
}
