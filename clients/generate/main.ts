// Writes the generated files of the clients: `npm run clients`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../src/core/project-dir.js';
import { generatedFiles } from './files.js';

for (const [file, text] of await generatedFiles()) {
  writeFileSync(join(projectDir(), file), text);
  console.log(`${file}: ${text.length} characters`);
}
