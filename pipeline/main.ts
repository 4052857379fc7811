import { runCommand } from './command.js';

process.exitCode = await runCommand();
