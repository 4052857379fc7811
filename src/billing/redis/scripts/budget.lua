#!lua
-- Takes used processor time from the bucket of an account, which fills with time. The level may fall
-- below zero.
--
-- KEYS 1 bucket: a hash of `level` (ms of processor time) and `at` (ms since the epoch)
-- ARGV 1 largest level, in ms   2 processor time that comes back in a millisecond   3 used, in ms
-- Returns the milliseconds until the level is above zero; 0 if it is now.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, rate, used = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local level = most
local known = redis.call('HMGET', KEYS[1], 'level', 'at')
if known[1] then level = math.min(most, known[1] + math.max(0, now - known[2]) * rate) end
-- A clock that ran ahead was set back. The stored level counts as the level of now.
local isAhead = known[2] and tonumber(known[2]) > now
if used > 0 or isAhead then
  level = level - used
  redis.call('HSET', KEYS[1], 'level', string.format('%.3f', level), 'at', string.format('%.0f', now))
  -- A full bucket needs no memory.
  redis.call('PEXPIRE', KEYS[1], math.ceil((most - level) / rate) + 1000)
end
if level > 0 then return 0 end
return math.ceil((1 - level) / rate)
