import { gateModelTests } from './gate-model-runs.js';

gateModelTests(5);
