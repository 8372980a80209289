//! Yes or no: whether a URL may be fetched, without evidence. This is the hot path; a property test
//! holds it to the answer of [`Policy::decide`].

use super::may_crawl;
use crate::acap::AcapSide;
use crate::pattern::byte_set::ByteSet;
use crate::pattern::normal::{self, Forms, Scratch};
use crate::pattern::set::PathKey;
use crate::policy::Policy;
use crate::profile::Profile;
use crate::rep::Access;
use crate::target;

impl Policy {
    /// Returns whether the client may fetch `url`, an absolute URL or a path with query. This is
    /// the answer of [`Policy::decide`] for crawl, without evidence. It allocates only for a URL
    /// that is long or has to be rewritten to be compared (see
    /// [`pattern::normal`](crate::pattern::normal)).
    ///
    /// Text that is not a URL is not allowed, nothing is allowed while the robots.txt is not known,
    /// and no URL of another site is, if the policy has a site ([`Policy::for_site`]). The google
    /// profile takes any text for a URL, as its model does.
    #[must_use]
    #[inline]
    pub fn allows(&self, url: &str) -> bool {
        if self.is_elsewhere(url) {
            return false;
        }
        // The path of most URLs begins at the third slash and is in both canonical forms as
        // written. Then it is compared where it is, and read once.
        if let Some(start) = target::plain_start(url)
            && self.client().profile() == Profile::Careful
        {
            let path = self.rules().seek_end(url.as_bytes(), start);
            let set = path.set();
            if !set.has_hash() && !set.may_change_in_target() && !self.needs_c2(path.bytes(), set) {
                return self.allows_forms(url, path, None);
            }
        }
        self.allows_rewritten(url)
    }

    /// Returns what [`Policy::allows`] does, for a URL that has to be parsed or rewritten first.
    #[inline(never)]
    fn allows_rewritten(&self, url: &str) -> bool {
        let reading = self.client().profile();
        let Some((path, set)) = target::requested(url, reading) else {
            return false;
        };
        if reading == Profile::Google {
            return self.allows_forms(url, self.rules().seek(&path, set), None);
        }
        let (mut for_c1, mut for_c2) = (Scratch::new(), Scratch::new());
        let (c1, set) = if set.may_change_in_target() {
            for_c1.target_c1(&path, set)
        } else {
            (&*path, set)
        };
        let c2 = self.needs_c2(c1, set).then(|| for_c2.c2(c1));
        self.allows_forms(url, self.rules().seek(c1, set), c2)
    }

    /// Whether form C2 of a path in form C1 differs from it and can change the answer.
    #[inline]
    fn needs_c2(&self, c1: &[u8], set: ByteSet) -> bool {
        (self.rules().reads_c2(set) || self.acap().is_some()) && normal::differs_in_c2(c1, set)
    }

    /// Whether the client may fetch a path in form C1, and in form C2 if that is needed.
    #[inline]
    fn allows_forms(&self, url: &str, c1: PathKey<'_>, c2: Option<&[u8]>) -> bool {
        if self.is_exempt(c1.bytes()) {
            return true;
        }
        match self.access() {
            Access::Rules if self.acap().is_some_and(AcapSide::concerns_crawl) => {
                let forms = Forms {
                    c1: c1.bytes().into(),
                    c2: c2.map(<[u8]>::to_vec),
                };
                may_crawl(self, url, &forms)
            }
            Access::Rules => self.rules().allows(c1, c2),
            Access::Unavailable(_) => true,
            Access::Unreachable(_) | Access::Unknown => false,
        }
    }
}
