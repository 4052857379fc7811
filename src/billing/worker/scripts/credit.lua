#!lua
-- Sets the credits an account has received, unless its funds here are as new.
-- KEYS  1: funds
-- ARGV  1: credited, 2: version
-- Returns 1 when they were set; 0 when the funds are not here (they are loaded when needed) or as new
local version = redis.call('HGET', KEYS[1], 'version')
if not version or tonumber(version) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'credited', ARGV[1], 'version', ARGV[2])
return 1
