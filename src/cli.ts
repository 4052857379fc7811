import { runCommandLine } from './cli/command-line.js';

// A reader that closes the pipe early (`| head -1`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await runCommandLine(process.argv.slice(2));
