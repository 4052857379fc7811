#!lua
-- Marks an API key revoked, also where it is not here: whoever read it before cannot put it back.
-- KEYS  1: API key
-- ARGV  1: how long the mark stays, ms; PostgreSQL is asked again after that
redis.call('HSET', KEYS[1], 'revoked', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
