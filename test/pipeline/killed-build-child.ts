import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { runPipeline } from '../../pipeline/run.js';
import { COMPUTED } from './computed-countries.js';

// A build that kills itself after half of its first file (`half`), or when its files are written but not verified. A
// kill from outside would depend on the speed of the machine. build.long.test.ts starts this program with the folders
// of tables and versions.
const [rawDir = '', artifactsDir = '', moment = ''] = process.argv.slice(2);

const end = () => process.kill(process.pid, 'SIGKILL');

if (moment === 'half') {
  const { writeSync } = fs;
  fs.writeSync = ((descriptor: number, bytes: Uint8Array) => {
    writeSync(descriptor, bytes.subarray(0, bytes.length / 2));
    end();
  }) as typeof writeSync;
  // Modules that import this function by name then get the new function.
  syncBuiltinESMExports();
}

await runPipeline({
  rawDir,
  artifactsDir,
  without: [],
  onlyCountries: COMPUTED,
  progress: (_, stage) => {
    if (stage === 'verifying') end();
  },
});
