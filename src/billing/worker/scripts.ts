import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';

/** A Lua script, and the SHA-1 by which Redis knows it. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

/** Reads a script. Its head describes its keys, arguments and results. */
export function loadScript(file: URL): Script {
  const lua = readFileSync(file, 'utf8');
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** Runs a script by its SHA-1. Runs it by its text if this Redis does not know it yet. */
export async function runScript(
  redis: Redis | Cluster,
  { lua, sha }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return await redis.eval(lua, keys.length, ...keys, ...args);
  }
}
