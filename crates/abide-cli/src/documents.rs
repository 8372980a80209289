//! The documents beside robots.txt that the arguments name.

use crate::args::PreferenceArgs;
use crate::head;
use crate::source::read_file;
use abide::preference::{Documents, tdmrep};

/// What the files of `--tdmrep` and `--rsl` say.
pub(crate) fn given(args: &PreferenceArgs) -> anyhow::Result<Documents> {
    let mut documents = Documents::default();
    if let Some(name) = &args.tdmrep {
        let body = head::read("--tdmrep", name, tdmrep::LIMIT)?;
        documents = abide_documents::add_tdmrep(documents, &body);
    }
    for (url, file) in &args.licences {
        let limit = abide_documents::RSL_LIMIT;
        let body = read_file(file, limit, "--rsl takes URL=FILE")?;
        documents = abide_documents::add_rsl(documents, url, &body);
    }
    Ok(documents)
}
