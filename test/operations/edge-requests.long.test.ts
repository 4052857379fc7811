import { edgeRequestTests } from './edge-request-runs.js';

edgeRequestTests(4000);
