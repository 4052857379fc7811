import { vi } from 'vitest';
import { packageTests } from './package-runs.js';

// The threads that draw 10,000 people leave the processor to all others.
vi.setConfig({ testTimeout: 900_000 });
packageTests(true);
