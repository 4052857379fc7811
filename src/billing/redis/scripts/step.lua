#!lua
-- Decides one request: key, rate limit, idempotent replay or conflict, funds; charges it.
-- Either all of its writes happen or none: each refusal comes before the first of them that matters.
--
-- KEYS 1 state, 2 API key, 3 rate, 4 funds, 5 events; 6 answer, of a request with an idempotency key
-- ARGV 1 time in ms since the epoch, or empty for Redis' clock
--      2 Redis' time in ms after which nobody waits for the answer any more, or empty
--      3 hits   4 cost   5 the start of the event's field `charge`
--      with KEYS 6: 6 idempotency key, 7 fingerprint, 8 answer to store, 9 what the ledger's database
--      has under the key: empty when it was not asked, `-` for nothing, else as KEYS 6 holds it
-- The constants in capitals stand before this text: see `scripts.ts`.
--
-- Returns { outcome, Redis' time in ms, hits in the window, ms until the oldest leaves, more }:
--    0 unauthorized              (no more than Redis' time)
--    1 counted
--    2 charged                   by credits
--    3 charged                   free; free calls left
--    4 replayed                  answer, free calls left or -
--    5 idempotency conflict
--    6 insufficient credits
--    7 free tier exhausted       ms at which it covers the cost again
--    8 rate limited              ms until these hits would pass
--   Without rate, to be asked again once what is missing is here; nothing was counted or charged:
--   11 unknown key
--   12 unknown account
--   13 the ledger's database has to be asked for the answer
--   14 too late
--   Without rate, to be failed; nothing was charged:
--   21 the oldest event has been waiting for the ledger too long

local time = redis.call('TIME')
local real = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] ~= '' and real > tonumber(ARGV[2]) then return { 14, real } end
local now = ARGV[1] == '' and real or tonumber(ARGV[1])
local stamp = string.format('%.0f', now)
local hits, cost = tonumber(ARGV[3]), tonumber(ARGV[4])

local revoked = redis.call('HGET', KEYS[2], 'revoked')
if not revoked then return { 11, real } end
if revoked ~= '0' then return { 0, real } end

-- Rate limit: a list of the times of hits; each leaves exactly RATE_WINDOW_MS after it was made.
local used, resetMs = 0, RATE_WINDOW_MS
local oldest = redis.call('LINDEX', KEYS[3], 0)
if oldest and oldest + RATE_WINDOW_MS <= now then
  local gone = 0
  repeat
    redis.call('LPOP', KEYS[3])
    gone = gone + 1
    oldest = redis.call('LINDEX', KEYS[3], 0)
  until not oldest or oldest + RATE_WINDOW_MS > now or gone == POPS_MAX
  if oldest and oldest + RATE_WINDOW_MS <= now then
    -- Many at once: cut off at the first that stays, found by halving.
    local leaves, stays = 0, redis.call('LLEN', KEYS[3])
    while stays - leaves > 1 do
      local middle = math.floor((leaves + stays) / 2)
      if redis.call('LINDEX', KEYS[3], middle) + RATE_WINDOW_MS <= now then leaves = middle
      else stays = middle end
    end
    redis.call('LTRIM', KEYS[3], stays, -1)
    oldest = redis.call('LINDEX', KEYS[3], 0)
  end
  -- Hits made until one of these leaves stay whole within the list's time to live.
  if oldest then redis.call('PEXPIRE', KEYS[3], LIST_TTL_MS) end
end
if oldest then
  used = redis.call('LLEN', KEYS[3])
  resetMs = oldest + RATE_WINDOW_MS - now
  if resetMs > RATE_WINDOW_MS then
    -- The clock was set back: hits of the future count as made now, or they would stay for as long.
    redis.call('DEL', KEYS[3])
    for _ = 1, used do redis.call('RPUSH', KEYS[3], stamp) end
    redis.call('PEXPIRE', KEYS[3], LIST_TTL_MS)
    resetMs = RATE_WINDOW_MS
  end
end
local excess = used + hits - RATE_LIMIT
if excess > 0 then
  local last = redis.call('LINDEX', KEYS[3], excess - 1)
  return { 8, real, used, resetMs, last and last + RATE_WINDOW_MS - now or RATE_WINDOW_MS }
end

local stored
if KEYS[6] then
  stored = redis.call('GET', KEYS[6]) or #ARGV[9] > 1 and ARGV[9]
  if stored then
    local fingerprint, freeLeft, at, from = string.match(stored, '^(%S+) (%S+) (%d+) ()')
    local ttlMs = at + IDEMPOTENCY_TTL_MS - now
    stored = ttlMs > 0 and { fingerprint, freeLeft, string.sub(stored, from), ttlMs }
  end
end

local funds
if not stored and (cost > 0 or KEYS[6]) then
  funds = redis.call('HMGET', KEYS[4], 'credited', 'spent', 'free', 'answers_from')
  if not funds[1] then return { 12, real } end
  if KEYS[6] and ARGV[9] == '' and funds[4] and funds[4] + IDEMPOTENCY_TTL_MS > now then
    return { 13, real }
  end
end

if hits > 0 then
  for _ = 1, hits do redis.call('RPUSH', KEYS[3], stamp) end
  if used == 0 then redis.call('PEXPIRE', KEYS[3], LIST_TTL_MS) end
  used = used + hits
end

if stored then
  if #ARGV[9] > 1 then redis.call('SET', KEYS[6], ARGV[9], 'PX', stored[4], 'NX') end
  if stored[1] ~= ARGV[7] then return { 5, real, used, resetMs } end
  return { 4, real, used, resetMs, stored[3], stored[2] }
end
if cost == 0 then return { 1, real, used, resetMs } end

-- Who pays: a paid balance above zero, and only it; at zero the free tier.
local paid = funds[1] - funds[2]
local freeLeft, uses
if paid > 0 then
  if paid < cost then return { 6, real, used, resetMs } end
else
  uses = {}
  local usedCalls, atMs = 0, now
  for use, madeAt, calls in string.gmatch(funds[3], '((%d+):(%d+))') do
    if madeAt + FREE_WINDOW_MS > now then
      uses[#uses + 1] = use
      usedCalls = usedCalls + calls
      -- Booked no earlier than the one before, so that a clock set back frees nothing early.
      atMs = math.max(atMs, tonumber(madeAt))
    end
  end
  freeLeft = FREE_CALLS - usedCalls
  if freeLeft < cost then
    if freeLeft > 0 or cost > FREE_CALLS then return { 6, real, used, resetMs } end
    local freed = 0
    for _, use in ipairs(uses) do
      local madeAt, calls = string.match(use, '(%d+):(%d+)')
      freed = freed + calls
      if freed >= cost - freeLeft then return { 7, real, used, resetMs, madeAt + FREE_WINDOW_MS } end
    end
  end
  freeLeft = freeLeft - cost
  stamp = string.format('%.0f', atMs)
  uses[#uses + 1] = stamp .. ':' .. ARGV[4]
end

local waiting = tonumber(redis.call('HGET', KEYS[1], 'oldest') or math.huge)
if waiting > real then
  -- None waits; or the clock was set back, and how long one has waited is counted from now.
  redis.call('HSET', KEYS[1], 'oldest', real)
elseif real - waiting > BACKLOG_MAX_AGE_MS then
  return { 21, real }
end
local charge
if uses then
  redis.call('HSET', KEYS[4], 'free', table.concat(uses, ','))
  charge = ARGV[5] .. ' 0 ' .. ARGV[4] .. ' ' .. stamp
else
  redis.call('HINCRBY', KEYS[4], 'spent', ARGV[4])
  charge = ARGV[5] .. ' ' .. ARGV[4] .. ' 0 ' .. stamp
end
if KEYS[6] then
  local remaining = freeLeft or '-'
  local answer = string.format('%s %s %.0f ', ARGV[7], remaining, now) .. ARGV[8]
  redis.call('SET', KEYS[6], answer, 'PX', IDEMPOTENCY_TTL_MS)
  redis.call('XADD', KEYS[5], '*', 'charge', charge, 'ikey', ARGV[6], 'fingerprint', ARGV[7],
    'answer', ARGV[8], 'remaining', remaining)
else
  redis.call('XADD', KEYS[5], '*', 'charge', charge)
end
if uses then return { 3, real, used, resetMs, freeLeft } end
return { 2, real, used, resetMs }
