import { installArchive } from '../../src/artifacts/install.js';

// Installs in a process of its own, to be killed.
const [archive = '', artifactsDir = ''] = process.argv.slice(2);
await installArchive(archive, artifactsDir);
