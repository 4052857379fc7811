import { parentPort, workerData } from 'node:worker_threads';
import { fitModel } from '../fit/fit-model.js';
import { fillGrid } from '../grid.js';
import { countryTables } from '../population-tables.js';
import { RawTables } from '../raw-tables/raw-tables.js';
import type { ThreadMessage, ThreadOptions } from './build-thread.js';

// The second thread of a build, started by build-thread.ts.

const { rawDir, without, gender, quantiles, countries } = workerData as ThreadOptions;
const send = (message: ThreadMessage): void => parentPort?.postMessage(message);

const tables = await RawTables.open(rawDir, without);
const { model, joint } = await fitModel(tables);
tables.close();
send({ correlations: joint.matrices([gender]) });
fillGrid(quantiles, model, gender, countries);
send({ tables: countryTables(model, countries) });
