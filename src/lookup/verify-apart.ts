import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ArtifactError, type ArtifactFault } from './errors.js';
import { FILES } from './format.js';
import { type FileIdentities, fileIdentities } from './version.js';

/** The output of the verifying process. */
export type VerifyReport =
  | { readonly verified: true }
  | {
      readonly verified: false;
      readonly fault: ArtifactFault;
      readonly file: string;
      readonly reason: string;
    };

/** A valid version takes a second. A forged footer can make the Arrow library loop for ever. */
const TIMEOUT_MS = 120_000;

/**
 * Verifies a version in full in a separate process. The event loop of this process is therefore not blocked. If a file
 * is truncated while it is mapped, only the other process crashes.
 *
 * @returns the identities of the verified files, for `openVerified`
 * @throws ArtifactError with the file and the fault
 */
export function verifyApart(folder: string, signal?: AbortSignal): Promise<FileIdentities> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const script = fileURLToPath(new URL(`./verify-child.${extension}`, import.meta.url));
  const before = fileIdentities(folder);
  const words = [...process.execArgv, script, folder];
  const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', signal } as const;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, options, (failed, stdout) => {
      const report = failed === null ? readReport(stdout) : undefined;
      if (report === undefined) {
        const how = failed?.killed ? 'did not end' : 'failed';
        reject(new ArtifactError('unverified', FILES.manifest, `its verification ${how}`));
      } else if (!report.verified) {
        reject(new ArtifactError(report.fault, report.file, report.reason));
      } else {
        resolve(before ?? {});
      }
    });
  });
}

function readReport(text: string): VerifyReport | undefined {
  try {
    return JSON.parse(text) as VerifyReport;
  } catch {
    return undefined;
  }
}
