//! Two patterns compared at a look, without a search.

use abide::syntax::PathPattern;
use std::borrow::Cow;
use std::cell::OnceCell;

/// Stands for any bytes in a text; no pattern in form C1 has it.
const ANY: u8 = 0;

/// The paths that a pattern matches. Comparing two costs no more than reading their bytes, so that
/// all rules of a file can be compared with each other.
///
/// ```
/// use abide::syntax::PathPattern;
/// use abide_analysis::language::Language;
/// let folder = PathPattern::read(b"/a/").unwrap();
/// let page = PathPattern::read(b"/a/*.html$").unwrap();
/// let [folder, page] = [&folder, &page].map(Language::of);
/// assert!(folder.contains(&page) && !page.contains(&folder));
/// ```
#[derive(Debug)]
pub struct Language<'p> {
    form: PlainForm<'p>,
    /// What every matched path begins with.
    prefix_len: usize,
    is_literal: bool,
    has_stray_percent: bool,
    /// What [`Language::covered`] gives.
    covered: OnceCell<Vec<u8>>,
}

/// A pattern in a form that is the same for the plainest ways to say the same.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlainForm<'p> {
    c1: Cow<'p, [u8]>,
    c2: Option<Cow<'p, [u8]>>,
    is_anchored: bool,
}

impl<'p> Language<'p> {
    /// The paths that `pattern` matches.
    #[must_use]
    pub fn of(pattern: &'p PathPattern<'_>) -> Self {
        let forms = pattern.forms();
        let ends_open = forms.c1.ends_with(b"*");
        let star = forms.c1.iter().position(|&byte| byte == b'*');
        let prefix_len = star.unwrap_or(forms.c1.len());
        Self {
            is_literal: !pattern.is_anchored()
                && forms.c2.is_none()
                && prefix_len == pattern.length(),
            form: PlainForm {
                c1: plainest(&forms.c1, ends_open),
                c2: forms.c2.as_deref().map(|c2| plainest(c2, ends_open)),
                is_anchored: pattern.is_anchored() && !ends_open,
            },
            prefix_len,
            has_stray_percent: pattern.has_stray_percent(),
            covered: OnceCell::new(),
        }
    }

    /// What patterns have in common that match the same paths, as far as their bytes show it.
    #[must_use]
    pub const fn form(&self) -> &PlainForm<'p> {
        &self.form
    }

    /// What every matched path begins with, in form C1.
    #[must_use]
    pub fn prefix(&self) -> &[u8] {
        self.form.c1.get(..self.prefix_len).unwrap_or_default()
    }

    /// Whether the pattern has no wildcard and no `$`, and reads escapes in one way only.
    #[must_use]
    pub const fn is_literal(&self) -> bool {
        self.is_literal
    }

    /// Whether the pattern is compared in form C2 too.
    #[must_use]
    pub const fn has_c2(&self) -> bool {
        self.form.c2.is_some()
    }

    /// Whether every path of `other` is one of this pattern's. Says no where the two forms of a
    /// pattern differ, and where only the other one is compared in form C2 (CLA-21).
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        let stray = [self.has_stray_percent, other.has_stray_percent];
        !self.has_c2()
            && !other.has_c2()
            && stray != [true, false]
            && other.prefix().starts_with(self.prefix())
            && covers(&self.form.c1, self.form.is_anchored, other.covered())
    }

    /// Whether some path may be both patterns'. Says yes where that is not plain.
    #[must_use]
    pub fn may_meet(&self, other: &Self) -> bool {
        let shared = self.prefix_len.min(other.prefix_len);
        let is_same = self.prefix().get(..shared) == other.prefix().get(..shared);
        is_same || self.has_c2() || other.has_c2()
    }

    /// The pattern with [`ANY`] in place of each wildcard.
    fn covered(&self) -> &[u8] {
        self.covered.get_or_init(|| {
            let any = |&byte: &u8| if byte == b'*' { ANY } else { byte };
            let mut text: Vec<u8> = self.form.c1.iter().map(any).collect();
            if !self.form.is_anchored {
                text.push(ANY);
            }
            text
        })
    }
}

/// A form with one `*` for several, and without the one at its end.
fn plainest(form: &[u8], ends_open: bool) -> Cow<'_, [u8]> {
    if memchr::memmem::find(form, b"**").is_none() {
        return Cow::Borrowed(form.strip_suffix(b"*").unwrap_or(form));
    }
    let mut plain: Vec<u8> = form.to_vec();
    plain.dedup_by(|a, b| *a == b'*' && *b == b'*');
    if ends_open {
        plain.pop();
    }
    Cow::Owned(plain)
}

/// Whether a pattern matches a text that may hold [`ANY`], whatever that stands for: so that only
/// its `*` meet it.
fn covers(pattern: &[u8], is_anchored: bool, text: &[u8]) -> bool {
    let mut pieces = pattern.split(|&byte| byte == b'*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for piece in pieces {
        // An anchored pattern needs its last piece at the end, so that piece is kept for below.
        if let Some(piece) = last.replace(piece) {
            match memchr::memmem::find(rest, piece) {
                Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
                None => return false,
            }
        }
    }
    match (last, is_anchored) {
        (None, true) => rest.is_empty(),
        (None, false) => true,
        (Some(piece), true) => rest.ends_with(piece),
        (Some(piece), false) => memchr::memmem::find(rest, piece).is_some(),
    }
}
