// Writes the documents that follow from code and tables to dist/docs, from where the service serves them: the readings of
// the measurements, what clothing and posture add, and the tables of metrics and alerts. Run by `npm run build`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measurementsPage } from '../pipeline/docs.js';
import { profilesPage } from '../pipeline/docs-profiles.js';
import { RawTables } from '../pipeline/raw-tables/raw-tables.js';
import { readSourceTables } from '../pipeline/raw-tables/source-tables.js';
import { projectDir } from '../src/core/project-dir.js';
import { withMetricTables } from './list-metrics.js';

const root = projectDir();
const folder = join(root, 'dist/docs');
const tables = await RawTables.open(join(root, 'data/raw'), []);
const metrics = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
const documents = {
  'measurements.md': measurementsPage(),
  'clothing-and-posture.md': profilesPage(await readSourceTables(tables)),
  'metrics.md': await withMetricTables(metrics),
};
tables.close();
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
