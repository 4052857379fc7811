#!lua
-- Finds the keys that exist.
-- KEYS  keys of one partition
-- Returns their positions among KEYS, from 1
local places = {}
for place, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then places[#places + 1] = place end
end
return places
