#!lua
-- Marks API keys as revoked where they are here as valid ones.
-- KEYS  revoked API keys of one partition
-- Returns the positions of those marked now among KEYS, from 1
local places = {}
for place, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'revoked') == '0' then
    redis.call('HSET', key, 'revoked', 1)
    places[#places + 1] = place
  end
end
return places
