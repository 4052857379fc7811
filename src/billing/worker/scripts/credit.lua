#!lua
-- Sets the credits that an account has received, and its debt. Skips a number whose version is not new.
-- KEYS  1: funds
-- ARGV  1: credited, 2: version, 3: debt, 4: debt_version
-- Returns 1; 0 when the funds are not here (they are loaded when needed)
local versions = redis.call('HMGET', KEYS[1], 'version', 'debt_version')
if not versions[1] then return 0 end
if tonumber(versions[1]) < tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[1], 'credited', ARGV[1], 'version', ARGV[2])
end
if tonumber(versions[2] or 0) < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], 'debt', ARGV[3], 'debt_version', ARGV[4])
end
return 1
