import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Versions of Node besides the one that runs the tests. */
export const OTHER_NODES = ['24.21.0', '26.10.0'];

/**
 * Installs these versions into a folder. They come from the npm packages of Node's own releases, which have no install
 * scripts.
 */
export async function installNodes(folder: string): Promise<void> {
  const packages = OTHER_NODES.map(
    (version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`,
  );
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...options, ...packages]);
}

/** The program of an installed version. */
export function nodeOf(folder: string, version: string): string {
  return join(folder, 'node_modules', `node-${version}`, 'bin', 'node');
}
