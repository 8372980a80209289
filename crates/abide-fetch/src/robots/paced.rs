//! Retrievals in turns, by a retriever that knows of none.

use super::Retriever;
use crate::http::{BoxFuture, RedirectCheck, Retrieval};
use crate::machine::Validators;
use crate::now::now;
use crate::pace::{OwnVisit, Pacer};
use crate::request_url::RequestUrl;
use std::sync::atomic::{AtomicBool, Ordering};

/// Takes a turn at the site of `url`, and one for each redirect that `check` allows.
pub(super) async fn retrieve(
    retriever: &(impl Retriever + ?Sized),
    url: &str,
    validators: &Validators,
    (check, pacer): (Option<&dyn RedirectCheck>, &Pacer),
) -> Retrieval {
    let own = OwnVisit::default();
    if let Ok(url) = RequestUrl::new(url) {
        let Ok(visit) = pacer.first_turn(&url).await else {
            return Retrieval::without_turn(now());
        };
        own.replace(Some(visit));
    }
    let retrieval = match check {
        Some(check) => {
            let turns = Hops {
                own: &own,
                pacer,
                check,
                is_late: AtomicBool::new(false),
            };
            let document = retriever.retrieve_document(url, validators, &turns);
            let retrieval = own.during(document).await;
            if turns.is_late.into_inner() {
                return Retrieval::without_turn(now());
            }
            retrieval
        }
        None => own.during(retriever.retrieve(url, validators)).await,
    };
    if let Some(mut visit) = own.replace(None).filter(|_| !retrieval.is_local) {
        visit.came(&retrieval.event);
    }
    retrieval
}

/// Lets a retrieval follow a redirect when it is allowed, and has its turn.
struct Hops<'r> {
    own: &'r OwnVisit,
    pacer: &'r Pacer,
    check: &'r dyn RedirectCheck,
    is_late: AtomicBool,
}

impl RedirectCheck for Hops<'_> {
    fn may_follow<'a>(&'a self, to: &'a RequestUrl) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            // The check may fetch a robots.txt from the site of this visit.
            drop(self.own.replace(None));
            if !self.check.may_follow(to).await {
                return false;
            }
            let visit = self.pacer.first_turn(to).await.ok();
            let has_turn = visit.is_some();
            self.is_late.fetch_or(!has_turn, Ordering::Relaxed);
            drop(self.own.replace(visit));
            has_turn
        })
    }
}
