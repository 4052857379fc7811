// Links the command of this project into node_modules/.bin, as npm links the commands of packages. Without the link, npx
// first asks npm what the project is, which takes longer than most commands.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../node_modules/.bin/', import.meta.url);
const link = fileURLToPath(new URL('vitruvia', folder));
// Windows needs a program there, not a link; npx finds the command without it.
if (process.platform !== 'win32') {
  mkdirSync(folder, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../bin/vitruvia.js', link);
}
