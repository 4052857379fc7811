#!lua flags=allow-oom
-- Looks at the event streams of some partitions. A full memory must not keep it from that: only
-- drained events make room.
-- KEYS  for each partition its state and its events
-- ARGV  1: how long an event must have lain in the stream to be drained, ms
-- Returns for each partition: generation ('' when none), events in the stream, ms of the oldest
--   ('' when none), id of the last event that may be drained ('' when there is none yet)
-- Puts `oldest` right where it does not say what the stream holds.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end
local function precedes(id, other)
  local ms, count = id:match('(%d+)-(%d+)')
  local otherMs, otherCount = other:match('(%d+)-(%d+)')
  if ms ~= otherMs then return tonumber(ms) < tonumber(otherMs) end
  return tonumber(count) < tonumber(otherCount)
end

-- Redis' clock was set back: ids go on from the latest one and say nothing of age until the clock has
-- caught up. So the stream's end is noted with the time, and what it holds up to there has lain since.
local function noted(i, first, oldest)
  local mark = redis.call('HMGET', KEYS[i], 'mark', 'marked_at')
  local atMs = tonumber(mark[2] or math.huge)
  if atMs > now or precedes(mark[1], first) then
    local last = redis.call('XREVRANGE', KEYS[i + 1], '+', '-', 'COUNT', 1)[1][1]
    redis.call('HSET', KEYS[i], 'mark', last, 'marked_at', text(now))
    mark, atMs = { last }, now
  end
  local waitsFrom = math.min(tonumber(oldest or now), now)
  return text(waitsFrom), atMs <= now - ARGV[1] and mark[1] or ''
end

local result = {}
for i = 1, #KEYS, 2 do
  local state = redis.call('HMGET', KEYS[i], 'generation', 'oldest')
  local first = redis.call('XRANGE', KEYS[i + 1], '-', '+', 'COUNT', 1)[1]
  local oldest, ripeTo = '', ''
  if first then
    oldest = first[1]:match('^%d+')
    if tonumber(oldest) > now then
      oldest, ripeTo = noted(i, first[1], state[2])
    elseif tonumber(oldest) <= now - ARGV[1] then
      ripeTo = text(now - ARGV[1])
    end
    if oldest ~= state[2] then redis.call('HSET', KEYS[i], 'oldest', oldest) end
  elseif state[2] then
    redis.call('HDEL', KEYS[i], 'oldest')
  end
  result[#result + 1] = state[1] or ''
  result[#result + 1] = first and redis.call('XLEN', KEYS[i + 1]) or 0
  result[#result + 1] = oldest
  result[#result + 1] = ripeTo
end
return result
