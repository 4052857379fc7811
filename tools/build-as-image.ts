// Builds as the Dockerfile does: in an empty folder, from what `.dockerignore` lets in. Then moves the build here, so that
// `.ci/run` builds only once. There are no other packages than those of the checkout.
import { execSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/support/build.js';
import { copyImageContext } from '../test/support/image-context.js';

const folder = copyImageContext();
try {
  execSync('npm run build', { cwd: folder, stdio: 'inherit' });
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  for (const made of ['dist', 'clients']) {
    cpSync(join(folder, made), join(ROOT, made), { recursive: true, preserveTimestamps: true });
  }
} finally {
  rmSync(folder, { recursive: true });
}
