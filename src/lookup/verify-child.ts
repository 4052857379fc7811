import { ArtifactError } from './errors.js';
import { verifyAndStamp } from './open-artifact.js';
import type { VerifyReport } from './verify-apart.js';

// Runs in a separate process. Verifies the version in the given folder, stamps it, and reports the result.
const folder = process.argv[2] ?? '';
let report: VerifyReport;
try {
  verifyAndStamp(folder);
  report = { verified: true };
} catch (error) {
  if (!(error instanceof ArtifactError)) throw error;
  const { fault, file, reason } = error;
  report = { verified: false, fault, file, reason };
}
process.stdout.write(JSON.stringify(report));
