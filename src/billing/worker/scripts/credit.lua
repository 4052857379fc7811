#!lua
-- Tells an account's funds what credits it has received, if that is news.
-- KEYS  1: funds
-- ARGV  1: credited, 2: version
-- Returns 1 when they were set; 0 when they are not here (loaded when needed) or as new already
local version = redis.call('HGET', KEYS[1], 'version')
if not version or tonumber(version) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'credited', ARGV[1], 'version', ARGV[2])
return 1
