#!lua
-- Marks an API key as revoked, even when it is not here: a node that read the key before cannot
-- store it afterwards.
-- KEYS  1: API key
-- ARGV  1: how long the mark stays, ms; after that the key is read in PostgreSQL again
redis.call('HSET', KEYS[1], 'revoked', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
