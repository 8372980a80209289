//! Answers over HTTP what a robot may do with a URL, and why: for crawlers in any language.
//!
//! `abide serve` runs it. [`Config`] has the settings of one source, [`Config::checked`] gives
//! [`Settings`], the checked result, and [`Service`] answers.
//!
//! ```no_run
//! use abide_serve::{Service, Config};
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let config = Config { listen: Some("127.0.0.1:0".to_owned()), ..Config::default() };
//! let service = Service::new(config.checked()?).await?;
//! println!("listening at {}", service.address()?);
//! service.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

#[cfg(not(unix))]
compile_error!("abide-serve needs Unix: it stops on signals, and watches files by their numbers");

mod answer;
mod asker;
mod authz;
mod batch;
mod body;
mod coding;
mod config;
mod connections;
mod counts;
mod decide;
mod document;
mod gate;
mod head;
mod in_flight;
mod leases;
mod logs;
mod operations;
mod page;
mod parts;
mod problem;
mod process;
mod query;
mod retrievals;
mod robots;
mod routes;
mod service;
mod shares;
mod site_files;
mod sites;
mod state;
mod tokens;
mod tool_limits;
mod tools;
mod trace;
mod turn;
mod workers;

pub use config::{
    Authz, Config, ConfigError, Limits, LogFormat, LogRequests, OnFailure, Paced, Ports, Quota,
    Setting, SettingKind, Settings, SettingsError, settings,
};
pub use logs::{Log, LogError};
pub use problem::Problem;
pub use service::{ServeError, Service};
pub use sites::SitesError;
pub use tokens::{TokensError, new_token};
