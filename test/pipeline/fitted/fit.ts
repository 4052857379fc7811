import { join } from 'node:path';
import { fitModel } from '../../../pipeline/fit/fit-model.js';
import { RawTables } from '../../../pipeline/raw-tables/raw-tables.js';
import { ROOT } from '../../support/build.js';

/** Folder of the survey tables. */
export const RAW = join(ROOT, 'data/raw');

/** All survey tables. They stay open until the end of the test file. */
export const tables = await RawTables.open(RAW, []);

/** The model fitted to the tables. Fitting takes seconds. The model cannot be passed to another process. */
export const fit = await fitModel(tables);
