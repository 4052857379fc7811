#!lua
-- Puts an account's funds as the ledger has them, if they are not here yet. From then on they are
-- counted here; what was read before this partition was emptied must not be written after that.
--
-- KEYS 1 state, 2 funds
-- ARGV 1 generation when the ledger was read   2 credited   3 version   4 spent   5 free uses, packed
--      6 from when on, in ms, all of its idempotent answers are here; empty for always
--      7 debt   8 its version; 0 for an account that never had one, which most are
-- Returns 1 when the funds are here now, whichever node put them; 0 when the generation has changed.

if redis.call('HGET', KEYS[1], 'generation') ~= ARGV[1] then return 0 end
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[2], 'credited', ARGV[2], 'version', ARGV[3], 'spent', ARGV[4],
    'free', ARGV[5])
  if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], 'answers_from', ARGV[6]) end
  if ARGV[8] ~= '0' then
    redis.call('HSET', KEYS[2], 'debt', ARGV[7], 'debt_version', ARGV[8])
  end
end
return 1
