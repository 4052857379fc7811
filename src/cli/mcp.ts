import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { serveOffline } from '../mcp/offline.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { addOutputOption, type OutputFlags } from './output.js';

const NOTES = `
A client of MCP starts this command and talks to it over standard input and output. It answers from the
artifacts: it needs no server, no key and no network, and charges nothing. It ends when the client
closes its input. The tool body writes files into the folder of --output.

Environment: ARTIFACTS_DIR, ARTIFACT_VERSION.

Example of a client's configuration:
  { "mcpServers": { "vitruvia": { "command": "npx", "args": ["vitruvia", "mcp"] } } }
`;

/** Adds the help of `mcp`. */
export function mcpCommand(command: Command): void {
  addOutputOption(
    command,
    '<folder>',
    'Folder for the files of bodies; without it, none are written.',
  );
  command.addHelpText('after', NOTES).action(serveTools);
}

/** Serves MCP over standard input and output until the client closes them. */
export function serveTools({ output, out }: OutputFlags = {}): void {
  const { artifactsDir, artifactVersion, rateLimitMax } = readConfig(process.env);
  const model = new PredictionModel(openArtifact(artifactsDir, artifactVersion));
  const log = {
    // Standard output belongs to the protocol.
    error: (details: object, message: string): void =>
      Object.keys(details).length === 0 ? console.error(message) : console.error(message, details),
  };
  serveOffline({ model, rateLimitMax, filesDir: output ?? out, log });
}
