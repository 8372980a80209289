//! A real server, started for one test and ended with it.

use abide_testkit::valkey::ValkeyServer;
use std::time::Duration;

/// Valkey or Redis for the test that runs; `None` if none is installed.
pub(super) fn real() -> Option<ValkeyServer> {
    ValkeyServer::start(std::thread::current().name().unwrap_or_default())
}

/// Time until a breaker that opened for the first time lets a probe through.
pub(super) const PROBED: Duration = Duration::from_millis(1_250);

/// Waits a moment, so that events which must not happen get a chance to. No test waits for an
/// expected event with this.
pub(super) async fn settle() {
    tokio::time::sleep(Duration::from_millis(60)).await;
}
