//! Properties of any bytes, of mutated documents, and of documents that are written from trees.

use crate::rsl::{document, licence};
use abide::preference::TdmrepState;
use abide::preference::rsl::{RslContent, RslDocument, RslLicence};
use abide::preference::tdmrep::{TdmrepFile, TdmrepRule};
use abide_documents::{rsl, tdmrep};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::Arc;

fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '<' => "&lt;".to_owned(),
        '&' => "&amp;".to_owned(),
        '"' => "&#34;".to_owned(),
        '\'' => "&apos;".to_owned(),
        // Else it would be read as a space.
        '\t' | '\n' | '\r' => format!("&#x{:X};", u32::from(c)),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// How a tree is written: what changes nothing in the answer.
#[derive(Clone, Debug)]
struct Hand {
    prefix: &'static str,
    quote: char,
    separator: &'static str,
    noise: &'static str,
}

impl Hand {
    fn tag(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn attribute(&self, name: &str, value: &str) -> String {
        format!(" {name} = {0}{1}{0}", self.quote, escaped(value))
    }

    /// An element with text in it.
    fn element(&self, name: &str, kind: Option<&str>, inner: &str) -> String {
        let tag = self.tag(name);
        let kind = kind
            .map(|kind| self.attribute("type", kind))
            .unwrap_or_default();
        match inner {
            "" => format!("{}<{tag}{kind} />", self.noise),
            _ => format!("{}<{tag}{kind}>{inner}</{tag} >", self.noise),
        }
    }

    fn list(&self, name: &str, kind: &str, words: &[String]) -> String {
        let words: Vec<_> = words.iter().map(|word| escaped(word)).collect();
        self.element(name, Some(kind), &words.join(self.separator))
    }

    /// Writes a licence, and says what it says in its text.
    fn licence(&self, licence: &mut RslLicence) -> String {
        let mut inner = String::new();
        if let Some(words) = &licence.permits_usage {
            inner += &self.list("permits", "usage", words);
        }
        let lists = [
            ("prohibits", "usage", &licence.prohibits_usage),
            ("permits", "user", &licence.permits_user),
            ("prohibits", "user", &licence.prohibits_user),
            ("permits", "geo", &licence.permits_geo),
            ("prohibits", "geo", &licence.prohibits_geo),
        ];
        for (name, kind, words) in lists {
            if !words.is_empty() {
                inner += &self.list(name, kind, words);
            }
        }
        for payment in &licence.payments {
            inner += &self.element("payment", payment.as_deref(), "");
        }
        for report in &licence.reporting {
            inner += &self.element("reporting", Some(report), "");
        }
        let tag = self.tag("license");
        licence.text = format!("<{tag}>{inner}</{tag}>");
        licence.text.clone()
    }

    fn document(&self, document: &mut RslDocument) -> String {
        let mut inner = String::new();
        for content in &mut document.contents {
            let mut attributes = self.attribute("url", &content.url);
            if let Some(server) = &content.server {
                attributes += &self.attribute("server", server);
            }
            if let Some(days) = content.max_age {
                attributes += &self.attribute("max-age", &days.to_string());
            }
            let licences: String = content
                .licences
                .iter_mut()
                .map(|licence| self.licence(licence) + self.noise)
                .collect();
            let tag = self.tag("content");
            inner += &format!("{}<{tag}{attributes}>{licences}</{tag}>", self.noise);
        }
        let tag = self.tag("rsl");
        let declared = match self.prefix.strip_suffix(':') {
            Some(prefix) => format!("xmlns:{prefix}"),
            None => "xmlns".to_owned(),
        };
        let namespace = self.attribute(&declared, "https://rslstandard.org/rsl");
        format!("<{tag}{namespace}>{inner}</{tag}>")
    }
}

fn hand() -> impl Strategy<Value = Hand> {
    (
        select(vec!["", "rsl:", "ä.1:"]),
        select(vec!['"', '\'']),
        select(vec![
            " ",
            ",",
            "\n\t",
            " , ",
            " <!-- --> ",
            "<x:y xmlns:x='x'>z</x:y>",
        ]),
        select(vec![
            "",
            " ",
            "<!-- <license> -->",
            "<n xmlns='n'><license/></n>",
            "x&amp;",
            "<?p?>",
        ]),
    )
        .prop_map(|(prefix, quote, separator, noise)| Hand {
            prefix,
            quote,
            separator,
            noise,
        })
}

fn words() -> impl Strategy<Value = Vec<String>> {
    let known = select(vec!["all", "ai-all", "ai-train", "ai-input", "search"]);
    let word = prop_oneof![known.prop_map(str::to_owned), "[a-zä0-9<&'\":.-]{1,8}"];
    vec(word, 0..4)
}

fn any_licence() -> impl Strategy<Value = RslLicence> {
    (
        option::of(words()),
        (words(), words(), words(), words(), words()),
        vec(option::of("[a-z<&]{1,6}"), 0..3),
        vec("[a-z\"']{1,6}", 0..3),
    )
        .prop_map(|(permits_usage, lists, payments, reporting)| {
            let upper = |words: &[String]| -> Vec<String> {
                words.iter().map(|word| word.to_ascii_uppercase()).collect()
            };
            let mut licence = RslLicence::default();
            licence.permits_usage = permits_usage;
            licence.permits_geo = upper(&lists.3);
            licence.prohibits_geo = upper(&lists.4);
            (licence.prohibits_usage, licence.permits_user) = (lists.0, lists.1);
            licence.prohibits_user = lists.2;
            (licence.payments, licence.reporting) = (payments, reporting);
            licence
        })
}

fn any_document() -> impl Strategy<Value = RslDocument> {
    let content = (
        "[/a*$ä<&'\">\t\n]{0,8}",
        option::of("[a-z:/&]{0,8}"),
        option::of(any::<u64>()),
        vec(any_licence(), 1..4),
    )
        .prop_map(|(url, server, max_age, licences)| {
            let mut content = RslContent::new(url.trim_ascii(), licences);
            (content.server, content.max_age) = (server, max_age);
            content
        });
    vec(content, 1..4).prop_map(RslDocument::new)
}

fn any_rules() -> impl Strategy<Value = Vec<Option<TdmrepRule>>> {
    let rule = (
        option::of(".{0,8}"),
        option::of(any::<bool>()),
        option::of("[a-z\"\\\\/ä]{1,8}"),
    )
        .prop_map(|(location, reservation, policy)| {
            let mut rule = TdmrepRule::default();
            (rule.location, rule.reservation, rule.policy) = (location, reservation, policy);
            rule
        });
    vec(option::of(rule), 0..8)
}

/// Writes rules as JSON, and says what each rule says in its text.
fn written(rules: &mut [Option<TdmrepRule>], hand: (&str, &str)) -> String {
    let (blank, noise) = hand;
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let mut members = Vec::new();
    for rule in rules {
        let Some(rule) = rule else {
            members.push(format!("{blank}[\"{{\"]{blank}"));
            continue;
        };
        let location = rule.location.as_deref().map(quoted);
        let reservation = rule.reservation.map(|is| u8::from(is).to_string());
        let policy = rule.policy.as_deref().map(quoted);
        let parts = [
            ("tdm-policy", policy),
            ("location", location),
            ("tdm-reservation", reservation),
        ];
        let mut text = format!("{{{noise}");
        for (key, value) in parts {
            let value = value.unwrap_or_else(|| "null".to_owned());
            text += &format!("{blank}\"{key}\"{blank}:{value},");
        }
        text += "\"\":7}";
        rule.text.clone_from(&text);
        members.push(text);
    }
    format!("{blank}[{}{blank}]", members.join(","))
}

proptest! {
    #[test]
    fn any_bytes_are_read(body in vec(any::<u8>(), 0..200)) {
        let _ = (rsl(&body), tdmrep(&body));
        let _ = tdmrep(&[b"[", &body[..]].concat());
    }

    #[test]
    fn any_markup_is_read(text in "([<>/!?=&;'\" a:x#\\[\\]{}-]|<!--|-->|<!\\[CDATA\\[|\\]\\]>|<\\?xml|<rsl |<!DOCTYPE|&#x){0,40}") {
        let _ = (rsl(text.as_bytes()), tdmrep(text.as_bytes()));
        let _ = rsl(licence(&text).as_bytes());
    }

    #[test]
    fn mutated_documents_are_read(
        mut tree in any_document(),
        mut rules in any_rules(),
        hand in hand(),
        changes in vec((any::<Index>(), any::<u8>(), 0..3_u8), 1..8),
    ) {
        let mut xml = hand.document(&mut tree).into_bytes();
        let mut json = written(&mut rules, (" ", "")).into_bytes();
        for body in [&mut xml, &mut json] {
            for (at, byte, kind) in &changes {
                if body.is_empty() {
                    break;
                }
                let at = at.index(body.len());
                match kind {
                    0 => body[at] = *byte,
                    1 => body.insert(at, *byte),
                    _ => { body.remove(at); }
                }
            }
        }
        let _ = (rsl(&xml), tdmrep(&json));
    }

    /// A document in which nothing is missing: each shorter one is unreadable.
    #[test]
    fn pref_94_cut_documents_are_unreadable(mut tree in any_document(), hand in hand(), at in any::<Index>()) {
        let text = hand.document(&mut tree);
        let cut = at.index(text.len());
        prop_assert_eq!(rsl(&text.as_bytes()[..cut]), abide::preference::LicenceState::Unreadable);
    }

    #[test]
    fn pref_93_documents_are_read_as_the_tree_they_were_written_from(
        mut tree in any_document(),
        hand in hand(),
    ) {
        let text = hand.document(&mut tree);
        prop_assert_eq!(&*document(&text), &tree, "{}", text);
        let units: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
        prop_assert_eq!(&*document(&units), &tree, "{}", text);
    }

    #[test]
    fn pref_70_rules_are_read_as_they_were_written(
        mut rules in any_rules(),
        blank in select(vec!["", " ", "\r\n\t"]),
        noise in select(vec!["", "\"location\":\"/other\",", "\"x\":[{\"tdm-reservation\":1}],"]),
    ) {
        let text = written(&mut rules, (blank, noise));
        let file = TdmrepState::File(Arc::new(TdmrepFile::new(rules)));
        prop_assert_eq!(tdmrep(text.as_bytes()), file, "{}", text);
    }
}
