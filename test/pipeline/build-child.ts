import { runCommand } from '../../pipeline/command.js';
import { COMPUTED } from './computed-countries.js';

// `npm run pipeline` that computes only a few countries. Started by build-process.ts.
process.exitCode = await runCommand({ onlyCountries: COMPUTED });
