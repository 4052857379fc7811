import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ArtifactError, type ArtifactFault } from './errors.js';
import { FILES } from './format.js';
import { type FileIdentities, fileIdentities } from './stamp.js';

/** What the verifying process prints. */
export type VerifyReport =
  | { readonly verified: true }
  | {
      readonly verified: false;
      readonly fault: ArtifactFault;
      readonly file: string;
      readonly reason: string;
    };

/** A sound version takes a second; the Arrow library can loop without end on a forged footer. */
const TIMEOUT_MS = 120_000;

/**
 * Verifies a version in full in a process of its own: this one's event loop goes on, and a file that
 * is truncated while it is mapped takes down that process and not this one.
 *
 * @returns the identities of the files verified, for `openVerified`
 * @throws ArtifactError naming the file and the fault
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
