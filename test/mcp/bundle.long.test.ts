import { realArtifacts } from '../support/servers.js';
import { bundleRuns } from './bundle-runs.js';

// Compressing the whole artifact takes most of the time.
bundleRuns(realArtifacts);
