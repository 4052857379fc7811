import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/build.js';

export const TYPESCRIPT = join(ROOT, 'clients/typescript');

/** Builds the TypeScript client unless its build is newer than its sources. */
export function buildClient(): void {
  const timesMs = (of: string) =>
    existsSync(join(TYPESCRIPT, of))
      ? readdirSync(join(TYPESCRIPT, of), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs)
      : [0];
  if (Math.max(...timesMs('src')) < Math.min(...timesMs('dist'))) return;
  execFileSync('npm', ['run', 'build:client'], { cwd: ROOT, stdio: 'pipe' });
}
