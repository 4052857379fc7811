import { installArchive } from '../../src/artifacts/install.js';

// Runs an installation in a process of its own, which the test kills.
const [archive = '', artifactsDir = ''] = process.argv.slice(2);
await installArchive(archive, artifactsDir);
