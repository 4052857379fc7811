import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { bundleRuns } from './bundle-runs.js';

bundleRuns(writeTinyArtifact);
