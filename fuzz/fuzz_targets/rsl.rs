//! Any bytes as a licence document: total, a document has what it must have, each licence quotes
//! it, and a document that is cut before its last tag is unreadable.
#![no_main]

use abide::preference::LicenceState;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let LicenceState::Read(document) = abide_documents::rsl(body) else {
        return;
    };
    assert!(!document.contents.is_empty());
    for content in &document.contents {
        assert!(!content.licences.is_empty());
        for licence in &content.licences {
            assert!(licence.text.starts_with('<') && licence.text.ends_with('>'));
            if let Ok(text) = std::str::from_utf8(body) {
                assert!(text.contains(&licence.text));
            }
        }
    }
    if std::str::from_utf8(body).is_ok() {
        let end = body
            .windows(2)
            .rposition(|pair| pair == b"</")
            .expect("a last tag");
        assert_eq!(abide_documents::rsl(&body[..end]), LicenceState::Unreadable);
    }
});
