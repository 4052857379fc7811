import { parentPort, workerData } from 'node:worker_threads';
import { fitModel } from '../fit/fit-model.js';
import { fillGrid } from '../grid.js';
import { yearsOf } from '../model/fitted-model.js';
import { bodyTable, driverTable } from '../population-tables.js';
import { RawTables } from '../raw-tables/raw-tables.js';
import type { ShareMessage, ShareOptions } from './build-share.js';

// The second thread of a build, started by build-share.ts.

const { rawDir, without, gender, quantiles, countries } = workerData as ShareOptions;
const send = (message: ShareMessage): void => parentPort?.postMessage(message);

const tables = await RawTables.open(rawDir, without);
const { model, joint } = await fitModel(tables);
tables.close();
send({ correlations: joint.matrices([gender]) });
fillGrid(quantiles, model, gender, countries);
send({
  tables: {
    drivers: driverTable(model, yearsOf(model), countries),
    bodyQuantiles: bodyTable(model, countries),
  },
});
