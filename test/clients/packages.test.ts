import { packageTests } from './package-runs.js';

packageTests(false);
