#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const cli = new URL('../dist/src/cli.js', import.meta.url);
if (!existsSync(cli)) {
  process.stderr.write('vitruvia is not built yet; run: npm ci\n');
  process.exit(1);
}
// Node 22 and newer keep compiled code there, if the folder can be written.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/compile-cache', import.meta.url)));
await import(cli.href);
