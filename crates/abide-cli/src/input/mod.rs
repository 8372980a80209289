//! What the command reads: names of files and URLs, robots.txt files, and lists of lines.

pub(crate) mod chunks;
pub(crate) mod file_arg;
pub(crate) mod lines;
pub(crate) mod robots_files;
pub(crate) mod robots_source;
pub(crate) mod server_config;
pub(crate) mod sitemaps;
pub(crate) mod source;
pub(crate) mod url_list;
