#!lua flags=allow-oom,allow-cross-slot-keys
-- Reads the status of the event streams of some partitions. It may run when the memory
-- is full, because only drained events make room.
-- KEYS  the state and the events of a partition, or none
-- ARGV  1: how long an event must have been in the stream before it is due, ms; without KEYS, 2 and following: the
--   state and the events of each partition, all on this node. A cluster refuses KEYS of several partitions
-- Returns for each partition: generation ('' when there is none), number of events in the stream,
--   time of the oldest event, ms ('' when there is none), id of the last event that is due ('' when
--   there is none)
-- Corrects `oldest` in the state where it differs from the stream.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local names = #KEYS > 0 and KEYS or { unpack(ARGV, 2) }
local function text(number) return string.format('%.0f', number) end
local function precedes(id, other)
  local ms, count = id:match('(%d+)-(%d+)')
  local otherMs, otherCount = other:match('(%d+)-(%d+)')
  if ms ~= otherMs then return tonumber(ms) < tonumber(otherMs) end
  return tonumber(count) < tonumber(otherCount)
end

-- Status of a stream whose ids are ahead of the clock, because Redis' clock was set back. New ids
-- continue from the latest id. They do not show the age of an event until the clock has caught up.
-- So the end of the stream is stored as a mark, with the time. All events up to the mark are at
-- least as old as the mark.
local function statusByMark(i, first, oldest)
  local mark = redis.call('HMGET', names[i], 'mark', 'marked_at')
  local atMs = tonumber(mark[2] or math.huge)
  if atMs > now or precedes(mark[1], first) then
    local last = redis.call('XREVRANGE', names[i + 1], '+', '-', 'COUNT', 1)[1][1]
    redis.call('HSET', names[i], 'mark', last, 'marked_at', text(now))
    mark, atMs = { last }, now
  end
  local waitsFrom = math.min(tonumber(oldest or now), now)
  return text(waitsFrom), atMs <= now - ARGV[1] and mark[1] or ''
end

local result = {}
for i = 1, #names, 2 do
  local state = redis.call('HMGET', names[i], 'generation', 'oldest')
  local first = redis.call('XRANGE', names[i + 1], '-', '+', 'COUNT', 1)[1]
  local oldest, dueUpTo = '', ''
  if first then
    oldest = first[1]:match('^%d+')
    if tonumber(oldest) > now then
      oldest, dueUpTo = statusByMark(i, first[1], state[2])
    elseif tonumber(oldest) <= now - ARGV[1] then
      dueUpTo = text(now - ARGV[1])
    end
    if oldest ~= state[2] then redis.call('HSET', names[i], 'oldest', oldest) end
  elseif state[2] then
    redis.call('HDEL', names[i], 'oldest')
  end
  result[#result + 1] = state[1] or ''
  result[#result + 1] = first and redis.call('XLEN', names[i + 1]) or 0
  result[#result + 1] = oldest
  result[#result + 1] = dueUpTo
end
return result
