#!lua
-- Stores an API key from PostgreSQL, if it is not here yet. A node that read the key before its
-- revocation must not undo the revocation. A node must not store what it read before this partition
-- was emptied.
--
-- KEYS 1 state, 2 API key
-- ARGV 1 generation when the key was read   2 id   3 account   4 mode   5 revoked, 0 or 1
-- Returns 1 when the key is here now, whichever node stored it; 0 when the generation has changed.

if redis.call('HGET', KEYS[1], 'generation') ~= ARGV[1] then return 0 end
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[2], 'id', ARGV[2], 'account', ARGV[3], 'mode', ARGV[4],
    'revoked', ARGV[5])
end
return 1
