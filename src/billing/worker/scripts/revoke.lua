#!lua
-- Marks an API key as revoked, even when the key is not here. A node that read the key before the
-- revocation then cannot store it.
-- KEYS  1: API key
-- ARGV  1: how long the mark stays, ms; after that, nodes read the key in PostgreSQL
redis.call('HSET', KEYS[1], 'revoked', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
