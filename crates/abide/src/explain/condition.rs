//! Usages and conditions in words.

use super::counted::counted;
use crate::acap::Substitute;
use crate::verdict::{Condition, Context, ImagePreview, Modification, Usage};
use crate::visible::visible;

/// What a permission of `usage` permits, such as `may be kept`.
pub(super) const fn permitted(usage: Usage) -> &'static str {
    match usage {
        Usage::Crawl => "may be fetched",
        Usage::Follow => "links may be followed",
        Usage::Index => "may be indexed",
        Usage::Preserve => "may be kept",
        Usage::Present => "may be presented",
        Usage::PresentOriginal => "the original may be presented",
        Usage::PresentCurrentcopy => "a copy may be presented",
        Usage::PresentOldcopy => "an old copy may be presented",
        Usage::PresentSnippet => "a snippet may be presented",
        Usage::PresentThumbnail => "a thumbnail may be presented",
        Usage::PresentOldsnippet => "an old snippet may be presented",
        Usage::PresentOldthumbnail => "an old thumbnail may be presented",
        Usage::PresentLink => "a link may be presented",
        Usage::Other => "other uses may be made",
        Usage::Train => "may be used for training",
        Usage::AiInput => "may be used as AI input",
        Usage::Search => "may be used for search",
    }
}

/// A condition in words that follow [`permitted()`]: `until it is crawled again`.
pub(super) fn words(condition: &Condition) -> String {
    match condition {
        Condition::MaxImagePreview(ImagePreview::Standard) => {
            "with images of standard size at most".to_owned()
        }
        Condition::MaxImagePreview(ImagePreview::Large) => "with large images at most".to_owned(),
        Condition::MaxLengthChars(chars) => {
            format!("with at most {}", counted(*chars, "character"))
        }
        Condition::MaxLengthWords(words) => format!("with at most {}", counted(*words, "word")),
        Condition::MaxVideoPreview(seconds) => {
            format!("with at most {} of video", counted(*seconds, "second"))
        }
        Condition::MustInclude(inclusion) => {
            format!("together with {} only", resource(&inclusion.resource))
        }
        Condition::MustUse(substitute) => format!("by means of {} only", resource(substitute)),
        Condition::ProhibitedContext(context) => format!("not {}", frame(*context)),
        Condition::RequiredContext(context) => format!("only {}", frame(*context)),
        Condition::ProhibitedModification(modification) => match modification {
            Modification::Any => "without any change".to_owned(),
            Modification::Format => "without change of format".to_owned(),
            Modification::Style => "without change of style".to_owned(),
            Modification::Translation => "without translation".to_owned(),
            Modification::Annotation => "without annotations".to_owned(),
        },
        Condition::Days(days) => format!("for {} from the first time", counted(*days, "day")),
        Condition::Until(moment) => format!("until {moment}"),
        Condition::UntilDay(day) => format!("until the end of {day} (UTC)"),
        Condition::UntilRecrawled => "until it is crawled again".to_owned(),
        Condition::MaxUse(level) => format!("up to the level \"{}\"", level.name()),
        Condition::Payment(kind) => format!("for a payment ({})", shown(kind)),
        Condition::LicenceServer(url) => format!("with a licence from {}", shown(url)),
        Condition::Reporting(kind) => format!("with reports ({})", shown(kind)),
        Condition::LicensedUser(users) => format!("by these users: {}", shown(users)),
        Condition::LicensedGeo(places) => format!("in these places: {}", shown(places)),
        Condition::ExcludedUser(users) => format!("not by these users: {}", shown(users)),
        Condition::ExcludedGeo(places) => format!("not in these places: {}", shown(places)),
    }
}

fn frame(context: Context) -> &'static str {
    match context {
        Context::UserFrame => "in a frame that the user builds",
        Context::OriginalFrame => "in a frame like the original's",
    }
}

fn shown(text: &str) -> String {
    visible(text.as_bytes())
}

fn resource(substitute: &Substitute) -> String {
    match substitute {
        Substitute::Id(id) => format!("its element with the id {}", shown(id)),
        Substitute::Class(class) => format!("its first element of the class {}", shown(class)),
        Substitute::Meta(name) => format!("its meta element {}", shown(name)),
        Substitute::Uri(uri) => shown(uri),
    }
}
