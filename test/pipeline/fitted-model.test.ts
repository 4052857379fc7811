import { afterAll } from 'vitest';
import { tables } from './fitted/fit.js';
import './fitted/anatomy.js';
import './fitted/broadening.js';
import './fitted/child-bmi.js';
import './fitted/docs-model.js';
import './fitted/covariates.js';
import './fitted/infants.js';
import './fitted/joint.js';
import './fitted/moved-years.js';
import './fitted/nhanes.js';
import './fitted/own-surveys.js';
import './fitted/study-check.js';
import './fitted/years.js';

// Every test file runs in a process of its own. All tests of the fitted model are in one file, so that the model is
// fitted once. To run only some, name them: `npx vitest run test/pipeline/fitted-model.test.ts -t 'birth cohorts'`.
afterAll(() => tables.close());
