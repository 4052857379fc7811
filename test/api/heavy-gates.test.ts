import { heavyGateTests } from './heavy-gate-runs.js';

heavyGateTests(false);
