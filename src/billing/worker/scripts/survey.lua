#!lua
-- Looks at the event streams of some partitions.
-- KEYS  for each partition its state and its events
-- ARGV  1: how long an event must have lain in the stream to be drained, ms
-- Returns for each partition: generation ('' when none), events in the stream, ms of the oldest
--   ('' when none), id of the last event that may be drained ('' when there is none yet)
-- Puts `oldest` right where it does not say what the stream holds.
local time = redis.call('TIME')
local ripe = time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]
local result = {}
for i = 1, #KEYS, 2 do
  local state = redis.call('HMGET', KEYS[i], 'generation', 'oldest')
  local first = redis.call('XRANGE', KEYS[i + 1], '-', '+', 'COUNT', 1)[1]
  local oldest = first and first[1]:match('^%d+') or ''
  if oldest == '' then
    if state[2] then redis.call('HDEL', KEYS[i], 'oldest') end
  elseif oldest ~= state[2] then
    redis.call('HSET', KEYS[i], 'oldest', oldest)
  end
  result[#result + 1] = state[1] or ''
  result[#result + 1] = first and redis.call('XLEN', KEYS[i + 1]) or 0
  result[#result + 1] = oldest
  result[#result + 1] = first and tonumber(oldest) <= ripe and string.format('%.0f', ripe) or ''
end
return result
