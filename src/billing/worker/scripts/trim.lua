#!lua
-- Takes events off the front of a partition's stream that the ledger holds.
-- KEYS  1: state, 2: events
-- ARGV  1: generation under which they were read, 2: the id after the last of them
-- Returns 1; 0 when the partition's data are of another generation, whose stream is another one
if (redis.call('HGET', KEYS[1], 'generation') or '') ~= ARGV[1] then return 0 end
redis.call('XTRIM', KEYS[2], 'MINID', '=', ARGV[2])
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
if first then
  redis.call('HSET', KEYS[1], 'oldest', first[1]:match('^%d+'))
else
  redis.call('HDEL', KEYS[1], 'oldest')
end
return 1
