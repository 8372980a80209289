//! The slots of sites: which member of a fleet visits a site, and until when it rests.
//!
//! The state of a site is a text: until when nobody else visits it and when the last visit ended
//! (milliseconds of the server's clock), the delay after failures that its last holder left, and
//! who visits it, if anybody does. The server removes it when it says nothing any more. Each
//! operation is one script, so that it is one step and one round trip. Beside it is who waits for
//! the slot at the front, for as long as that member may take to ask again.

use super::lane::Naming;
use super::{SharedStore, SharedStoreInner, millis};
use crate::future::BoxFuture;
use crate::pace::{QueueEnd, Rest, SlotAnswer, SlotHolder, Slots, SlotsError, ceil_ms};
use redis::{Value, cmd};
use std::time::Duration;

/// Reads the clock and the state of a site. A value that is no state is as good as none.
const READ: &str = r"
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state = redis.pcall('GET', KEYS[1])
if type(state) == 'table' then redis.call('DEL', KEYS[1]) end
local free, ended, backoff, holder
if type(state) == 'string' then
  free, ended, backoff, holder = string.match(state, '^(%d+) (%d+) (%d+) (%x*)$')
  free, ended, backoff = tonumber(free), tonumber(ended), tonumber(backoff)
  -- No visit ends later than now, but for what was rounded up, and no site rests for more than a
  -- day: the clock was set back.
  if free and (ended > now + 1 or free > now + 2 * 86400000) then free, ended, backoff = nil, nil, nil end
end
local function write(free, ended, backoff, holder, keep)
  local state = string.format('%.0f %.0f %.0f %s', free, ended, backoff, holder)
  redis.call('SET', KEYS[1], state, 'PX', string.format('%.0f', keep))
end
";

/// Returns how long to wait, in milliseconds; 0 if the caller has the slot and nobody knows a delay
/// after failures; else one less than that delay as a negative number.
const TAKE: &str = r"
local who, delay, lease, renewal = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local is_front, patience = ARGV[5] == '1', tonumber(ARGV[6])
local function later(wait)
  if is_front then redis.call('SET', KEYS[3], who, 'PX', string.format('%.0f', wait + patience)) end
  return wait
end
-- A server that was restarted may have old data, and a replica that took over may lack some.
local run = ARGV[7]
local since = redis.pcall('GET', KEYS[2])
local began, at
if type(since) == 'string' then began, at = string.match(since, '^(%d+) (%x+)$') end
began = tonumber(began)
if not began or began > now or at ~= run then
  began = now
  redis.call('DEL', KEYS[2])
  redis.call('SET', KEYS[2], string.format('%.0f %s', now, run))
end
if began + renewal + delay > now and holder ~= who then
  -- Its members first say what they visit.
  return later(math.max(began + renewal + delay - now, (free or now) - now))
end
if free then
  local pause = math.max(delay, backoff)
  if holder == '' then
    -- Whoever ended the visit may not have known the delay: it may have fetched the robots.txt.
    local due = math.max(free, ended + delay)
    if due > now then return later(due - now) end
  elseif holder ~= who then
    -- The site is not free before the visit has ended and it has rested. A holder that is silent
    -- for too long has died, and may have visited it until then.
    if free > now then return later(math.max(math.min(free + delay - now, delay), 20)) end
    if free + pause > now then return later(free + pause - now) end
  end
end
local first = redis.pcall('GET', KEYS[3])
if type(first) == 'string' and first ~= who and holder ~= who and not is_front then
  return math.min(math.max(delay, 20), 100)
end
if first == who then redis.call('DEL', KEYS[3]) end
write(now + lease, ended or 0, backoff or 0, who, lease + delay + 2 * (backoff or 0))
if not backoff then return 0 end
return -1 - backoff
";

/// Returns whether the caller has the slot.
const KEEP: &str = r"
local who, delay, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if free and holder ~= who then return 0 end
write(now + lease, ended or 0, backoff or 0, who, lease + delay + 2 * (backoff or 0))
return 1
";

/// The visit of the caller has ended, or did not take place. If another one visits the site, its
/// end will count.
const END: &str = r"
local who, wait, left, visited, keep = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local before = 0
if free and holder ~= who then
  if holder ~= '' then return 0 end
  before = free
end
-- Nobody knows the site, and nobody visited it: it is not free for that.
if not free and visited ~= '1' then return 1 end
if visited == '1' then
  -- What ends within a millisecond has not ended before it is over.
  now = time[1] * 1000 + math.ceil(time[2] / 1000)
  ended = now
else
  left = backoff or 0
end
free = math.max(now + wait, before)
write(free, ended or 0, left, '', math.max(free - now + 2 * left, tonumber(keep)))
return 1
";

/// How long the slot of a site is kept for whoever was told when to ask for it at the front.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the end of a visit is kept at least, for a member that learns a longer delay from the
/// file that was fetched in it.
const REMEMBERED: Duration = Duration::from_secs(5 * 60);

impl Slots for SharedStore {
    fn take<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        delay: Duration,
        place: QueueEnd,
    ) -> BoxFuture<'a, Result<SlotAnswer, SlotsError>> {
        let (lease, renewal) = (millis(SlotHolder::LEASE), millis(SlotHolder::RENEWAL));
        Box::pin(async move {
            let is_front = (place == QueueEnd::Front).into();
            let numbers = [ceil_ms(delay), lease, renewal, is_front, millis(PATIENCE)];
            let answer = self
                .0
                .run(TAKE, site, holder, (&numbers, Naming::Run))
                .await?;
            Ok(match u64::try_from(answer) {
                Ok(0) => SlotAnswer::Given { backoff: None },
                Ok(wait) => SlotAnswer::Wait(Duration::from_millis(wait)),
                Err(_) => {
                    let backoff = answer.unsigned_abs().saturating_sub(1);
                    let backoff = Some(Duration::from_millis(backoff));
                    SlotAnswer::Given { backoff }
                }
            })
        })
    }

    fn keep<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        delay: Duration,
    ) -> BoxFuture<'a, Result<bool, SlotsError>> {
        Box::pin(async move {
            let numbers = [ceil_ms(delay), millis(SlotHolder::LEASE)];
            Ok(self
                .0
                .run(KEEP, site, holder, (&numbers, Naming::Nothing))
                .await?
                == 1)
        })
    }

    fn end<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        rest: Option<Rest>,
    ) -> BoxFuture<'a, Result<(), SlotsError>> {
        Box::pin(async move {
            let (is_visit, keep) = (rest.is_some().into(), ceil_ms(REMEMBERED));
            let rest = rest.unwrap_or_default();
            let numbers = [ceil_ms(rest.wait), ceil_ms(rest.backoff), is_visit, keep];
            self.0
                .run(END, site, holder, (&numbers, Naming::Nothing))
                .await
                .map(drop)
        })
    }
}

impl SharedStoreInner {
    /// Runs a script about `site` and returns its number.
    async fn run(
        &self,
        script: &str,
        site: &str,
        holder: &SlotHolder,
        (numbers, naming): (&[u64], Naming),
    ) -> Result<i64, SlotsError> {
        let prefix = &self.options.prefix;
        let mut command = cmd("EVAL");
        command.arg(format!("{READ}{script}")).arg(3);
        command.arg(format!("{prefix}pace:{site}"));
        command.arg(format!("{prefix}paces-since"));
        command.arg(format!("{prefix}pace-first:{site}"));
        command.arg(holder.to_string()).arg(numbers);
        let number = |value| match value {
            Value::Int(number) => Some(number),
            _ => None,
        };
        let reply = self.slots.ask_as(&command, naming, number).await;
        reply.map_err(|error| SlotsError::new(error.to_string()))
    }
}
