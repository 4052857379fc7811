#!lua
-- Marks API keys as revoked if they are here as valid keys.
-- KEYS  revoked API keys of one partition
-- Returns the positions of the newly marked keys among KEYS, from 1
local places = {}
for place, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'revoked') == '0' then
    redis.call('HSET', key, 'revoked', 1)
    places[#places + 1] = place
  end
end
return places
