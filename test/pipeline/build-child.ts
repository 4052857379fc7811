import { runCommand } from '../../pipeline/command.js';
import { COMPUTED } from './computed-countries.js';

// Runs `npm run pipeline` for only a few countries. build-process.ts starts this program.
process.exitCode = await runCommand({ onlyCountries: COMPUTED });
