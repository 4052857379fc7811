#!lua
-- Decides one request: key, rate limit, idempotent replay or conflict, funds; then charges it.
-- A refusal charges nothing: every refusal comes before the first write that books the charge.
--
-- KEYS 1 state, 2 API key, 3 rate, 4 funds, 5 events; 6 answer, for a request with an idempotency key
-- ARGV 1 time in ms since the epoch; empty for Redis' clock
--      2 Redis' time in ms after which the caller has given up; empty when it is not known
--      3 hits   4 cost   5 request id   6 account   7 mode   8 id of the API key   9 operation
--      with KEYS 6: 10 idempotency key   11 fingerprint   12 answer to store
--        13 what the ledger's database has under the idempotency key: `unknown`, `none` or `found`
--        when found: 14 its fingerprint   15 its answer   16 free calls left, or empty   17 its time
-- `scripts.ts` puts the constants in capitals before this text.
--
-- Returns { code, Redis' time in ms }, and for every outcome with a rate state also
-- { …, hits in the window, ms until the oldest of them leaves, fields of the outcome }.
--   OUTCOME_… are the codes and fields of `OUTCOME` in `gate.ts`. OUTCOME_UNAUTHORIZED and
--     OUTCOME_LEDGER_BEHIND come without a rate state.
--   MISSING_… say what has to be loaded before the step is asked again, or that it came too late.
--     They come without a rate state; nothing was counted or charged.

local time = redis.call('TIME')
local real = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] ~= '' and real > tonumber(ARGV[2]) then return { MISSING_TIME, real } end
local now = ARGV[1] == '' and real or tonumber(ARGV[1])
local stamp = string.format('%.0f', now)
local hits, cost = tonumber(ARGV[3]), tonumber(ARGV[4])

local revoked = redis.call('HGET', KEYS[2], 'revoked')
if not revoked then return { MISSING_KEY, real } end
if revoked ~= '0' then return { OUTCOME_UNAUTHORIZED, real } end

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
    -- Many leave at once: a binary search finds the first that stays.
    local leaves, stays = 0, redis.call('LLEN', KEYS[3])
    while stays - leaves > 1 do
      local middle = math.floor((leaves + stays) / 2)
      if redis.call('LINDEX', KEYS[3], middle) + RATE_WINDOW_MS <= now then leaves = middle
      else stays = middle end
    end
    redis.call('LTRIM', KEYS[3], stays, -1)
    oldest = redis.call('LINDEX', KEYS[3], 0)
  end
  -- The list must outlive every hit made until the new oldest one leaves.
  if oldest then redis.call('PEXPIRE', KEYS[3], LIST_TTL_MS) end
end
if oldest then
  used = redis.call('LLEN', KEYS[3])
  resetMs = oldest + RATE_WINDOW_MS - now
  if resetMs > RATE_WINDOW_MS then
    -- The clock was set back. Hits in the future count as made now; otherwise they would stay until
    -- the clock has caught up.
    redis.call('DEL', KEYS[3])
    for _ = 1, used do redis.call('RPUSH', KEYS[3], stamp) end
    redis.call('PEXPIRE', KEYS[3], LIST_TTL_MS)
    resetMs = RATE_WINDOW_MS
  end
end
local excess = used + hits - RATE_LIMIT
if excess > 0 then
  local last = redis.call('LINDEX', KEYS[3], excess - 1)
  local waitMs = last and last + RATE_WINDOW_MS - now or RATE_WINDOW_MS
  return { OUTCOME_RATE_LIMITED, real, used, resetMs, waitMs }
end

-- The answer stored under the idempotency key, if it has not expired: a table with named fields.
local stored, inRedis
if KEYS[6] then
  inRedis = redis.call('GET', KEYS[6])
  if inRedis and string.byte(inRedis) < 128 then
    -- Text and not MessagePack: stored by a version from before 2026-11-22. Answers expire after a
    -- day, so a later version may drop this.
    local fingerprint, left, at, from = string.match(inRedis, '^(%S+) (%S+) (%d+) ()')
    local answer = string.sub(inRedis, from)
    stored = { fingerprint = fingerprint, answer = answer, remaining = tonumber(left), at = at }
  elseif inRedis then
    stored = cmsgpack.unpack(inRedis)
  elseif ARGV[13] == 'found' then
    stored = {
      fingerprint = ARGV[14], answer = ARGV[15], remaining = tonumber(ARGV[16]),
      at = tonumber(ARGV[17]),
    }
  end
  if stored and stored.at + IDEMPOTENCY_TTL_MS <= now then stored = nil end
end

local funds
if not stored and (cost > 0 or KEYS[6]) then
  funds = redis.call('HMGET', KEYS[4], 'credited', 'spent', 'free', 'answers_from', 'debt')
  if not funds[1] then return { MISSING_ACCOUNT, real } end
  local loadedRecently = funds[4] and funds[4] + IDEMPOTENCY_TTL_MS > now
  if KEYS[6] and ARGV[13] == 'unknown' and loadedRecently then return { MISSING_ANSWER, real } end
end

if hits > 0 then
  for _ = 1, hits do redis.call('RPUSH', KEYS[3], stamp) end
  if used == 0 then redis.call('PEXPIRE', KEYS[3], LIST_TTL_MS) end
  used = used + hits
end

if stored then
  if not inRedis then
    local ttlMs = stored.at + IDEMPOTENCY_TTL_MS - now
    redis.call('SET', KEYS[6], cmsgpack.pack(stored), 'PX', ttlMs)
  end
  if stored.fingerprint ~= ARGV[11] then
    return { OUTCOME_IDEMPOTENCY_CONFLICT, real, used, resetMs }
  end
  if stored.remaining then
    return { OUTCOME_REPLAYED_FREE, real, used, resetMs, stored.answer, stored.remaining }
  end
  return { OUTCOME_REPLAYED, real, used, resetMs, stored.answer }
end
if cost == 0 then return { OUTCOME_COUNTED, real, used, resetMs } end

-- Who pays: for an account in debt, nothing; a balance above zero pays alone; at zero the free tier
-- pays. Funds without a debt have no such field.
local debt = tonumber(funds[5] or 0)
if debt > 0 then return { OUTCOME_IN_DEBT, real, used, resetMs, debt } end
local paid = funds[1] - funds[2]
local freeLeft, uses
if paid > 0 then
  if paid < cost then return { OUTCOME_INSUFFICIENT_CREDITS, real, used, resetMs } end
else
  uses = {}
  local inWindow, usedCalls, atMs = {}, 0, now
  for use, madeAt, calls in string.gmatch(funds[3], '((%d+):(%d+))') do
    uses[#uses + 1] = use
    if madeAt + FREE_WINDOW_MS > now then
      inWindow[#inWindow + 1] = use
      usedCalls = usedCalls + calls
      -- Booked no earlier than the use before it, so that a clock that is set back frees none
      -- early.
      atMs = math.max(atMs, tonumber(madeAt))
    end
  end
  freeLeft = FREE_CALLS - usedCalls
  if freeLeft < cost then
    if freeLeft > 0 or cost > FREE_CALLS then
      return { OUTCOME_INSUFFICIENT_CREDITS, real, used, resetMs }
    end
    local freed = 0
    for _, use in ipairs(inWindow) do
      local madeAt, calls = string.match(use, '(%d+):(%d+)')
      freed = freed + calls
      if freed >= cost - freeLeft then
        return { OUTCOME_FREE_TIER_EXHAUSTED, real, used, resetMs, madeAt + FREE_WINDOW_MS }
      end
    end
  end
  freeLeft = freeLeft - cost
  stamp = string.format('%.0f', atMs)
  uses[#uses + 1] = stamp .. ':' .. ARGV[4]
  -- Dropped by number and not by time: a clock that jumps forward and back must not free any call.
  -- Each use has at least one call, so older ones cannot matter while these are in the window.
  if #uses > FREE_CALLS then table.remove(uses, 1) end
end

-- The bytes of the account's stored answers by the hour in which they were stored: `hour:bytes,…`.
local answerBytes
if KEYS[6] then
  local hours, bytes = {}, #ARGV[12] + #ARGV[10] + ANSWER_EXTRA_BYTES
  local excess = bytes - ANSWERS_BYTES_MAX
  for hour, kept in string.gmatch(redis.call('HGET', KEYS[4], 'answer_bytes') or '',
      '(%d+):(%d+)') do
    if (hour + 1) * HOUR_MS + IDEMPOTENCY_TTL_MS > now then
      hours[#hours + 1] = { tonumber(hour), tonumber(kept) }
      excess = excess + kept
    end
  end
  if excess > 0 then
    local waitMs = IDEMPOTENCY_TTL_MS
    for _, hour in ipairs(hours) do
      excess = excess - hour[2]
      if excess <= 0 then
        waitMs = (hour[1] + 1) * HOUR_MS + IDEMPOTENCY_TTL_MS - now
        break
      end
    end
    return { OUTCOME_ANSWERS_FULL, real, used, resetMs, waitMs }
  end
  local last, hour = hours[#hours], math.floor(now / HOUR_MS)
  -- A clock that is set back must not disturb the order.
  if last and last[1] >= hour then last[2] = last[2] + bytes
  else hours[#hours + 1] = { hour, bytes } end
  for i, each in ipairs(hours) do hours[i] = string.format('%.0f:%.0f', each[1], each[2]) end
  answerBytes = table.concat(hours, ',')
end

local waiting = tonumber(redis.call('HGET', KEYS[1], 'oldest') or math.huge)
if waiting > real then
  -- No event waits. Or the clock was set back; then the oldest event has waited since now.
  redis.call('HSET', KEYS[1], 'oldest', real)
elseif real - waiting > BACKLOG_MAX_AGE_MS then
  return { OUTCOME_LEDGER_BEHIND, real }
end
local credits, freeCalls = ARGV[4], '0'
if uses then
  credits, freeCalls = '0', ARGV[4]
  redis.call('HSET', KEYS[4], 'free', table.concat(uses, ','))
else
  redis.call('HINCRBY', KEYS[4], 'spent', ARGV[4])
end
if KEYS[6] then
  local answer = { fingerprint = ARGV[11], answer = ARGV[12], remaining = freeLeft, at = now }
  redis.call('SET', KEYS[6], cmsgpack.pack(answer), 'PX', IDEMPOTENCY_TTL_MS)
  redis.call('HSET', KEYS[4], 'answer_bytes', answerBytes)
  redis.call('XADD', KEYS[5], '*', 'request', ARGV[5], 'account', ARGV[6], 'mode', ARGV[7],
    'key', ARGV[8], 'operation', ARGV[9], 'hits', ARGV[3], 'credits', credits,
    'free_calls', freeCalls, 'at', stamp, 'ikey', ARGV[10], 'fingerprint', ARGV[11],
    'answer', ARGV[12], 'remaining', freeLeft or '-')
else
  redis.call('XADD', KEYS[5], '*', 'request', ARGV[5], 'account', ARGV[6], 'mode', ARGV[7],
    'key', ARGV[8], 'operation', ARGV[9], 'hits', ARGV[3], 'credits', credits,
    'free_calls', freeCalls, 'at', stamp)
end
if uses then return { OUTCOME_CHARGED_FREE, real, used, resetMs, freeLeft } end
return { OUTCOME_CHARGED, real, used, resetMs }
