#!lua flags=allow-oom
-- Removes events that the ledger holds from the front of a partition's stream. It may run when the
-- memory is full, because nothing else makes room.
-- KEYS  1: state, 2: events
-- ARGV  1: generation when the events were read, 2: the id after the last of them
-- Returns 1; 0 when the partition has a new generation, and so a new stream
if (redis.call('HGET', KEYS[1], 'generation') or '') ~= ARGV[1] then return 0 end
redis.call('XTRIM', KEYS[2], 'MINID', '=', ARGV[2])
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
if first then
  local time = redis.call('TIME')
  -- The ids are ahead of the clock if it was set back.
  local oldest = math.min(first[1]:match('^%d+'), time[1] * 1000 + math.floor(time[2] / 1000))
  redis.call('HSET', KEYS[1], 'oldest', string.format('%.0f', oldest))
else
  redis.call('HDEL', KEYS[1], 'oldest')
end
return 1
