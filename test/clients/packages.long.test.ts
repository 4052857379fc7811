import { vi } from 'vitest';
import { packageTests } from './package-runs.js';

// The threads that draw 10,000 people have a low priority, so they may take long.
vi.setConfig({ testTimeout: 900_000 });
packageTests(true);
