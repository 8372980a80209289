//! A slow model of robots tags: what the rules that bind a client say about a usage (the table
//! *Usage by source* of docs/spec/decision.md), if the client sees them (CLA-24).

/// The outcome of `usage` by rules as the historical grammar writes them, such as `max-snippet:5`.
/// A client that may not crawl the resource does not see them.
#[must_use]
pub fn outcome(usage: &str, rules: &[&str], may_crawl: bool) -> &'static str {
    if !may_crawl {
        return "unspecified";
    }
    let outcomes: Vec<&str> = rules.iter().map(|rule| of_rule(usage, rule)).collect();
    let order = ["prohibited", "conditional"];
    let strictest = order.into_iter().find(|outcome| outcomes.contains(outcome));
    strictest.unwrap_or("unspecified")
}

fn of_rule(usage: &str, rule: &str) -> &'static str {
    let (name, value) = rule.split_once(':').unwrap_or((rule, ""));
    let snippets = ["present-snippet", "present-oldsnippet"];
    let copies = ["present-currentcopy", "present-oldcopy"];
    let thumbnails = ["present-thumbnail", "present-oldthumbnail"];
    let whole = ["present", "present-original"];
    let is_text = [&whole[..], &copies, &snippets].concat().contains(&usage);
    match (name, value) {
        ("noindex", _) if usage == "index" => "prohibited",
        ("nofollow", _) if usage == "follow" => "prohibited",
        ("none", _) if ["index", "follow"].contains(&usage) => "prohibited",
        ("noarchive" | "nocache", _) if copies.contains(&usage) => "prohibited",
        ("nosnippet", _) | ("max-snippet", "0") if snippets.contains(&usage) => "prohibited",
        ("max-snippet" | "max-video-preview", "-1") => "unspecified",
        ("max-snippet" | "max-video-preview", _) if snippets.contains(&usage) => "conditional",
        ("max-image-preview", "none") if thumbnails.contains(&usage) => "prohibited",
        ("max-image-preview", _) if thumbnails.contains(&usage) => "conditional",
        ("notranslate", _) if is_text => "conditional",
        _ => "unspecified",
    }
}
