#!lua
-- Compares the funds of a partition's accounts with the ledger and the events, and repairs them.
-- KEYS  1: state, 2: events, then the funds of each account
-- ARGV  1: generation
--       2: id of the last event that is already counted ('' for none), 3: number of counted events
--       4: start of the time whose free calls are compared, ms
--       then for each account: `<account> <mode>`, credited, version,
--       1 when credits or a debt may be on their way here (else 0), spent, free uses (ms:calls,…),
--       debt, version of the debt; spent and free uses come from the ledger and the counted events
-- Returns -1 when generation or stream have changed since the events were counted. The caller then
--       starts again. Otherwise for each difference: the account's position, counter, found, expected
--       (found is -1 if it is not a number)
local PER_ACCOUNT = 8
if (redis.call('HGET', KEYS[1], 'generation') or '') ~= ARGV[1] then return -1 end
local after = '-'
if ARGV[2] ~= '' then
  -- A Redis that was restored to an earlier moment has lost its last events, including this event.
  if #redis.call('XRANGE', KEYS[2], ARGV[2], ARGV[2]) == 0 then return -1 end
  after = '(' .. ARGV[2]
end
local spent, uses = {}, {}
-- Packed free uses. The uses whose dates are in `moved` count from `at`, because their clock ran ahead.
local function dated(packed, moved, at)
  local dates = {}
  for date in moved:gmatch('(%d+):') do dates[date] = true end
  return (packed:gsub('(%d+):', function(date) return dates[date] and at .. ':' or nil end))
end
local tail = redis.call('XRANGE', KEYS[2], after, '+')
if redis.call('XLEN', KEYS[2]) ~= ARGV[3] + #tail then return -1 end
for _, entry in ipairs(tail) do
  local fields = {}
  for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  local owner, credits, calls, at
  if fields.dated then
    local name = fields.account .. ' ' .. fields.mode
    uses[name] = uses[name] or {}
    table.insert(uses[name], fields)
  elseif fields.account and fields.mode then
    owner = fields.account .. ' ' .. fields.mode
    credits, calls, at = fields.credits, fields.free_calls, fields.at
  end
  if owner and tonumber(credits) and tonumber(calls) and tonumber(at) then
    spent[owner] = (spent[owner] or 0) + credits
    if calls ~= '0' then
      uses[owner] = uses[owner] or {}
      table.insert(uses[owner], at .. ':' .. calls)
    end
  end
end
local function callsOf(packed)
  local sum = 0
  for at, calls in packed:gmatch('(%d+):(%d+)') do
    if tonumber(at) > tonumber(ARGV[4]) then sum = sum + calls end
  end
  return sum
end
local drifts = {}
local function report(place, counter, found, expected)
  for _, value in ipairs({ place, counter, found, expected }) do drifts[#drifts + 1] = value end
end
local function text(number) return string.format('%.0f', number) end
for place = 1, #KEYS - 2 do
  local key, base = KEYS[place + 2], 4 + (place - 1) * PER_ACCOUNT
  local owner, credited, version = ARGV[base + 1], ARGV[base + 2], ARGV[base + 3]
  if redis.call('EXISTS', key) == 1 then
    local funds = redis.call('HMGET', key, 'credited', 'version', 'spent', 'free', 'debt',
      'debt_version')
    local older = (tonumber(funds[2]) or -1) < tonumber(version)
    if not (older and ARGV[base + 4] == '1') then
      if funds[1] ~= credited then report(place, 'credited', funds[1] or '-1', credited) end
      if funds[2] ~= version then report(place, 'credit_version', funds[2] or '-1', version) end
      if funds[1] ~= credited or funds[2] ~= version then
        redis.call('HSET', key, 'credited', credited, 'version', version)
      end
    end
    local debt, debtVersion = ARGV[base + 7], ARGV[base + 8]
    -- Funds of an account that was never in debt have neither of these fields.
    local foundDebt, foundVersion = funds[5] or '0', funds[6] or '0'
    local debtIsOlder = (tonumber(foundVersion) or -1) < tonumber(debtVersion)
    if not (debtIsOlder and ARGV[base + 4] == '1') then
      if foundDebt ~= debt then report(place, 'debt', foundDebt, debt) end
      if foundVersion ~= debtVersion then
        report(place, 'debt_version', foundVersion, debtVersion)
      end
      if foundDebt ~= debt or foundVersion ~= debtVersion then
        redis.call('HSET', key, 'debt', debt, 'debt_version', debtVersion)
      end
    end
    local expected = text(ARGV[base + 5] + (spent[owner] or 0))
    if funds[3] ~= expected then
      report(place, 'spent', funds[3] or '-1', expected)
      redis.call('HSET', key, 'spent', expected)
    end
    local free = ARGV[base + 6]
    for _, use in ipairs(uses[owner] or {}) do
      free = type(use) == 'table' and dated(free, use.dated, use.at) or free .. ',' .. use
    end
    local calls, found = callsOf(free), funds[4] and callsOf(funds[4]) or -1
    if calls ~= found then
      report(place, 'free_calls', text(found), text(calls))
      redis.call('HSET', key, 'free', (free:gsub('^,', '')))
    end
  end
end
return drifts
