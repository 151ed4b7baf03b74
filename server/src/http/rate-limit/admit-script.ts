import { createHash } from 'node:crypto'

/**
 * The rolling log as one atomic step inside Redis, by Redis's clock. Answers {admitted, counted, microseconds until
 * the oldest counted request leaves the window}.
 *
 * The log is a list, oldest first. Its order is the order of time, so expiring is popping at one end, recording is
 * pushing at the other, and every entry is pushed and popped once: constant time amortised. 300 entries are one
 * packed node of 3 kB. A sorted set would need members made unique (two requests may share a microsecond), turns
 * into a skip list of over 30 kB past 128 entries, and pays a logarithm for an order that is already there.
 *
 * Redis's clock is a wall clock and a failover may bring a slower one. Time never runs backwards within a log:
 * `now` is at least its newest entry. A log that ends more than a window in the future is of no clock we can use.
 */
export const admitScript = `
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local now = clock
local newest = tonumber(redis.call('LINDEX', key, -1))
if newest and newest > now then
  if newest - now > window then
    redis.call('DEL', key)
  else
    now = newest
  end
end
local oldest = tonumber(redis.call('LINDEX', key, 0))
while oldest and oldest <= now - window do
  redis.call('LPOP', key)
  oldest = tonumber(redis.call('LINDEX', key, 0))
end
local counted = oldest and redis.call('LLEN', key) or 0
if counted >= limit then
  -- Past the limit only while processes disagree on it; the slot is free when no more than the limit are left.
  local frees = tonumber(redis.call('LINDEX', key, counted - limit))
  return {0, limit, frees + window - clock}
end
-- Written out in full: Lua prints a number with 14 digits, a microsecond timestamp has 16.
counted = redis.call('RPUSH', key, string.format('%.0f', now))
-- A second longer than needed: the script itself expires entries exactly, this only cleans up.
redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1000)
return {1, counted, (oldest or now) + window - clock}
`

/** The script's SHA-1, which EVALSHA takes. */
export const admitScriptSha = createHash('sha1').update(admitScript).digest('hex')
