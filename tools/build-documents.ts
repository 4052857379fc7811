// Writes the documents that follow from code and tables to dist/docs, from where the service serves them: the readings of
// the measurements, what clothing and posture add, and the tables of metrics and alerts. Run by `npm run build`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measurementsPage } from '../pipeline/docs.js';
import { profilesPage } from '../pipeline/docs-profiles.js';
import { projectDir } from '../src/core/project-dir.js';
import { withMetricTables } from './list-metrics.js';

const root = projectDir();
const folder = join(root, 'dist/docs');
const metrics = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
const documents = {
  'measurements.md': measurementsPage(),
  'clothing-and-posture.md': await profilesPage(join(root, 'data/raw')),
  'metrics.md': await withMetricTables(metrics),
};
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
