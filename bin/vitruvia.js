#!/usr/bin/env node
import { existsSync } from 'node:fs';

const cli = new URL('../dist/src/cli.js', import.meta.url);
if (!existsSync(cli)) {
  process.stderr.write('vitruvia is not built yet; run: npm ci\n');
  process.exit(1);
}
await import(cli.href);
