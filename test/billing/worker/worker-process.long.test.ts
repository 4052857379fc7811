import { workerProcessTests } from './worker-process-runs.js';

workerProcessTests(true);
