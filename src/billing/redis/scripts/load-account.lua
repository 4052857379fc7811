#!lua
-- Stores an account's funds from the ledger, if they are not here yet. From then on, they are counted
-- here. Funds that were read before this partition was emptied must not be stored afterwards.
--
-- KEYS 1 state, 2 funds
-- ARGV 1 generation when the ledger was read   2 credited   3 version   4 spent   5 free uses, packed
--      6 time in ms; all idempotent answers stored since then are here; empty if all are here
--      7 debt   8 version of the debt; 0 for an account that never had a debt, as most
-- Returns 1 when the funds are here now, whichever node stored them; 0 when the generation has changed.

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
