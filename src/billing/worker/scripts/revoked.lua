#!lua
-- Marks those API keys revoked that are here as good ones.
-- KEYS  API keys of one partition that have been revoked
-- Returns their places among KEYS, from 1
local places = {}
for place, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'revoked') == '0' then
    redis.call('HSET', key, 'revoked', 1)
    places[#places + 1] = place
  end
end
return places
