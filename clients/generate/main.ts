// Writes the generated files of the clients: `npm run clients`. Every build starts with this.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectDir } from '../../src/core/project-dir.js';
import { generatedFiles } from './files.js';

for (const [file, text] of await generatedFiles()) {
  const path = join(projectDir(), file);
  // Only a changed file is written. Otherwise an existing build would look older than its sources.
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`${file}: ${text.length} characters`);
}
