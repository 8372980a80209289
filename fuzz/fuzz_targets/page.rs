//! Any bytes as a page: total, and every element begins where it is said to.
#![no_main]

use abide::preference::LicenceLink;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &[u8]| {
    for charset in [None, Some("utf-8"), Some("utf-16"), Some("iso-2022-jp")] {
        let _ = abide_html::initial(page, charset);
    }
    if let Ok(text) = std::str::from_utf8(page)
        && !page.starts_with(b"\xEF\xBB\xBF")
    {
        let _ = abide_html::rendered(text);
        for meta in abide_html::initial(page, Some("utf-8")).metas {
            let at = usize::try_from(meta.offset).expect("an offset in the page");
            assert!(page[at..].to_ascii_lowercase().starts_with(b"<meta"));
        }
        for link in abide_html::initial(page, Some("utf-8")).licences {
            let (tag, offset) = match link {
                LicenceLink::Element { offset, .. } => ("<link", offset),
                LicenceLink::Inline { offset, .. } => ("<script", offset),
            };
            let at = usize::try_from(offset).expect("an offset in the page");
            assert!(page[at..].to_ascii_lowercase().starts_with(tag.as_bytes()));
        }
    }
});
