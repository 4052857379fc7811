#!lua
-- Decides the requests that a node has collected in one turn of its event loop, in their order. Each
-- step checks the key, the rate limit, an idempotent replay or conflict, and the funds. Then it
-- charges. Every refusal comes before the first write that books the charge.
--
-- KEYS of each step: state, API key, rate, funds, events; with an idempotency key also the answer
-- ARGV 1 time in ms since the epoch; empty for Redis' clock
--      2 Redis' time in ms after which the callers have given up; empty when it is not known
--      then for each step:
--      one text of these values, each followed by a space: hits, cost, what the account must be
--        able to pay at cost 0, request id, account, mode, id of the API key, operation; then the
--        number of further arguments: 0, or 4 or 8 for a request with an idempotency key:
--      1 idempotency key   2 fingerprint   3 answer to store
--      4 what the ledger's database has under the idempotency key: `unknown`, `none` or `found`
--      when found: 5 its fingerprint   6 its answer   7 free calls left, or empty   8 its time
-- `scripts.ts` puts the constants in capitals before this text.
--
-- Returns a list with the reply to each step: { code, Redis' time in ms }. A reply with a rate state
-- continues:
-- { …, hits in the window, ms until the oldest of them leaves, fields of the outcome }.
--   OUTCOME_… are the codes and fields of `OUTCOME` in `gate.ts`. OUTCOME_UNAUTHORIZED and
--     OUTCOME_LEDGER_BEHIND come without a rate state.
--   MISSING_… say what has to be loaded before the step is sent again, or that it came too late.
--     They come without a rate state; nothing was counted or charged.
--   FAILED comes with the text of an error instead. It is unknown whether the step was charged.

local time = redis.call('TIME')
local real = time[1] * 1000 + math.floor(time[2] / 1000)
local now = ARGV[1] == '' and real or tonumber(ARGV[1])
local late = ARGV[2] ~= '' and real > tonumber(ARGV[2])

-- Decides the step whose keys begin after KEYS[first] and whose arguments begin at ARGV[arg].
local function decide(first, arg, further, hits, cost, affords, request, account, mode, keyId,
    operation)
  local price = cost > 0 and cost or affords
  local state, apiKey, rate = KEYS[first + 1], KEYS[first + 2], KEYS[first + 3]
  local fundsKey, events = KEYS[first + 4], KEYS[first + 5]
  local answerKey, name, fingerprint, answer, known
  if further > 0 then
    answerKey = KEYS[first + 6]
    name, fingerprint, answer, known = unpack(ARGV, arg + 1, arg + 4)
  end
  local stamp = string.format('%.0f', now)

  local revoked = redis.call('HGET', apiKey, 'revoked')
  if not revoked then return { MISSING_KEY, real } end
  if revoked ~= '0' then return { OUTCOME_UNAUTHORIZED, real } end

  -- Rate limit: a list of the times of hits. Each hit leaves exactly RATE_WINDOW_MS after it was made.
  local used, resetMs = 0, RATE_WINDOW_MS
  local oldest = redis.call('LINDEX', rate, 0)
  if oldest and oldest + RATE_WINDOW_MS <= now then
    local gone = 0
    repeat
      redis.call('LPOP', rate)
      gone = gone + 1
      oldest = redis.call('LINDEX', rate, 0)
    until not oldest or oldest + RATE_WINDOW_MS > now or gone == POPS_MAX
    if oldest and oldest + RATE_WINDOW_MS <= now then
      -- If many hits leave at once, a binary search finds the first hit that stays.
      local leaves, stays = 0, redis.call('LLEN', rate)
      while stays - leaves > 1 do
        local middle = math.floor((leaves + stays) / 2)
        if redis.call('LINDEX', rate, middle) + RATE_WINDOW_MS <= now then leaves = middle
        else stays = middle end
      end
      redis.call('LTRIM', rate, stays, -1)
      oldest = redis.call('LINDEX', rate, 0)
    end
    -- The list must outlive every hit made until the new oldest one leaves.
    if oldest then redis.call('PEXPIRE', rate, LIST_TTL_MS) end
  end
  if oldest then
    used = redis.call('LLEN', rate)
    resetMs = oldest + RATE_WINDOW_MS - now
    if resetMs > RATE_WINDOW_MS then
      -- The clock was set back. Hits in the future count as made now; otherwise they would stay until
      -- the clock has caught up.
      redis.call('DEL', rate)
      for _ = 1, used do redis.call('RPUSH', rate, stamp) end
      redis.call('PEXPIRE', rate, LIST_TTL_MS)
      resetMs = RATE_WINDOW_MS
    end
  end
  local excess = used + hits - RATE_LIMIT
  if excess > 0 then
    local last = redis.call('LINDEX', rate, excess - 1)
    local waitMs = last and last + RATE_WINDOW_MS - now or RATE_WINDOW_MS
    return { OUTCOME_RATE_LIMITED, real, used, resetMs, waitMs }
  end

  -- The answer stored under the idempotency key, if it has not expired: a table with named fields.
  local stored, inRedis
  if answerKey then
    inRedis = redis.call('GET', answerKey)
    if inRedis then
      stored = cmsgpack.unpack(inRedis)
    elseif known == 'found' then
      stored = {
        fingerprint = ARGV[arg + 5], answer = ARGV[arg + 6], remaining = tonumber(ARGV[arg + 7]),
        at = tonumber(ARGV[arg + 8]),
      }
    end
    if stored and stored.at + IDEMPOTENCY_TTL_MS <= now then stored = nil end
  end

  local funds
  if not stored and (price > 0 or answerKey) then
    funds = redis.call('HMGET', fundsKey, 'credited', 'spent', 'free', 'answers_from', 'debt')
    if not funds[1] then return { MISSING_ACCOUNT, real } end
    local loadedRecently = funds[4] and funds[4] + IDEMPOTENCY_TTL_MS > now
    if answerKey and known == 'unknown' and loadedRecently then return { MISSING_ANSWER, real } end
    local latest = string.match(funds[3], '(%d+):%d+$')
    if latest and tonumber(latest) > now then
      -- A clock that ran ahead was set back. Uses in the future count as made now. The event tells
      -- the worker which uses these are.
      local moved = {}
      funds[3] = string.gsub(funds[3], '(%d+):(%d+)', function(madeAt, calls)
        if tonumber(madeAt) <= now then return nil end
        moved[#moved + 1] = madeAt .. ':' .. calls
        return stamp .. ':' .. calls
      end)
      redis.call('HSET', fundsKey, 'free', funds[3])
      redis.call('HSETNX', state, 'oldest', real)
      redis.call('XADD', events, '*', 'dated', table.concat(moved, ','), 'account', account,
        'mode', mode, 'at', stamp)
    end
  end

  if hits > 0 then
    for _ = 1, hits do redis.call('RPUSH', rate, stamp) end
    if used == 0 then redis.call('PEXPIRE', rate, LIST_TTL_MS) end
    used = used + hits
  end

  if stored then
    if not inRedis then
      local ttlMs = stored.at + IDEMPOTENCY_TTL_MS - now
      redis.call('SET', answerKey, cmsgpack.pack(stored), 'PX', ttlMs)
    end
    if stored.fingerprint ~= fingerprint then
      return { OUTCOME_IDEMPOTENCY_CONFLICT, real, used, resetMs }
    end
    if stored.remaining then
      return { OUTCOME_REPLAYED_FREE, real, used, resetMs, stored.answer, stored.remaining }
    end
    return { OUTCOME_REPLAYED, real, used, resetMs, stored.answer }
  end
  if price == 0 then return { OUTCOME_COUNTED, real, used, resetMs } end

  -- The source that pays: none for an account in debt; a balance above zero pays the whole price;
  -- at zero the free tier pays. Funds that never had a debt have no such field.
  local debt = tonumber(funds[5] or 0)
  if debt > 0 then return { OUTCOME_IN_DEBT, real, used, resetMs, debt } end
  local paid = funds[1] - funds[2]
  local freeLeft, uses
  if paid > 0 then
    if paid < price then return { OUTCOME_INSUFFICIENT_CREDITS, real, used, resetMs } end
  else
    uses = {}
    local inWindow, usedCalls = {}, 0
    for use, madeAt, calls in string.gmatch(funds[3], '((%d+):(%d+))') do
      uses[#uses + 1] = use
      if madeAt + FREE_WINDOW_MS > now then
        inWindow[#inWindow + 1] = use
        usedCalls = usedCalls + calls
      end
    end
    freeLeft = FREE_CALLS - usedCalls
    if freeLeft < price then
      if freeLeft > 0 or price > FREE_CALLS then
        return { OUTCOME_INSUFFICIENT_CREDITS, real, used, resetMs }
      end
      local freed = 0
      for _, use in ipairs(inWindow) do
        local madeAt, calls = string.match(use, '(%d+):(%d+)')
        freed = freed + calls
        if freed >= price - freeLeft then
          return { OUTCOME_FREE_TIER_EXHAUSTED, real, used, resetMs, madeAt + FREE_WINDOW_MS }
        end
      end
    end
    freeLeft = freeLeft - price
    uses[#uses + 1] = stamp .. ':' .. price
    -- Drops the oldest use by number and not by time: a clock that jumps forward and back must not
    -- free any call. Each use has at least one call, so this many newer uses fill the window.
    if #uses > FREE_CALLS then table.remove(uses, 1) end
  end

  -- The bytes of the account's stored answers, by the hour in which they were stored: `hour:bytes,…`.
  local answerBytes
  if answerKey then
    local hours, bytes = {}, #answer + #name + ANSWER_EXTRA_BYTES
    local excess = bytes - ANSWERS_BYTES_MAX
    local thisHour, isAhead = math.floor(now / HOUR_MS), false
    for hour, kept in string.gmatch(redis.call('HGET', fundsKey, 'answer_bytes') or '',
        '(%d+):(%d+)') do
      if (hour + 1) * HOUR_MS + IDEMPOTENCY_TTL_MS > now then
        -- A clock that ran ahead gave an hour in the future. It counts as this hour.
        isAhead = isAhead or tonumber(hour) > thisHour
        hours[#hours + 1] = { math.min(hour, thisHour), tonumber(kept) }
        excess = excess + kept
      end
    end
    local function packed()
      local texts = {}
      for i, each in ipairs(hours) do texts[i] = string.format('%.0f:%.0f', each[1], each[2]) end
      return table.concat(texts, ',')
    end
    if isAhead then redis.call('HSET', fundsKey, 'answer_bytes', packed()) end
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
    local last = hours[#hours]
    if last and last[1] == thisHour then last[2] = last[2] + bytes
    else hours[#hours + 1] = { thisHour, bytes } end
    answerBytes = packed()
  end

  local waiting = tonumber(redis.call('HGET', state, 'oldest') or math.huge)
  if cost > 0 and waiting > real then
    -- Either no event waits, or the clock was set back. In both cases, the oldest event waits since now.
    redis.call('HSET', state, 'oldest', real)
  elseif real - waiting > BACKLOG_MAX_AGE_MS then
    return { OUTCOME_LEDGER_BEHIND, real }
  end
  if cost == 0 then return { OUTCOME_COUNTED, real, used, resetMs } end
  local credits, freeCalls = cost, '0'
  if uses then
    credits, freeCalls = '0', cost
    redis.call('HSET', fundsKey, 'free', table.concat(uses, ','))
  else
    redis.call('HINCRBY', fundsKey, 'spent', cost)
  end
  if answerKey then
    local kept = { fingerprint = fingerprint, answer = answer, remaining = freeLeft, at = now }
    redis.call('SET', answerKey, cmsgpack.pack(kept), 'PX', IDEMPOTENCY_TTL_MS)
    redis.call('HSET', fundsKey, 'answer_bytes', answerBytes)
    redis.call('XADD', events, '*', 'request', request, 'account', account, 'mode', mode,
      'key', keyId, 'operation', operation, 'hits', hits, 'credits', credits,
      'free_calls', freeCalls, 'at', stamp, 'ikey', name, 'fingerprint', fingerprint,
      'answer', answer, 'remaining', freeLeft or '-')
  else
    redis.call('XADD', events, '*', 'request', request, 'account', account, 'mode', mode,
      'key', keyId, 'operation', operation, 'hits', hits, 'credits', credits,
      'free_calls', freeCalls, 'at', stamp)
  end
  if uses then return { OUTCOME_CHARGED_FREE, real, used, resetMs, freeLeft } end
  return { OUTCOME_CHARGED, real, used, resetMs }
end

local replies, first, arg = {}, 0, 3
while ARGV[arg] do
  local hits, cost, affords, request, account, mode, keyId, operation, further =
    string.match(ARGV[arg], '^(%d+) (%d+) (%d+) (%S+) (%S+) (%S+) (%S+) (%S+) (%d)$')
  further = tonumber(further)
  if late then
    replies[#replies + 1] = { MISSING_TIME, real }
  else
    -- An error of one step must not fail the others, which may have been charged.
    local ok, reply = pcall(decide, first, arg, further, tonumber(hits), tonumber(cost),
      tonumber(affords), request, account, mode, keyId, operation)
    replies[#replies + 1] = ok and reply or
      { FAILED, real, type(reply) == 'table' and reply.err or tostring(reply) }
  end
  first = first + (further > 0 and 6 or 5)
  arg = arg + 1 + further
end
return replies
