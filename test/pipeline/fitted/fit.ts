import { join } from 'node:path';
import { fitModel } from '../../../pipeline/fit/fit-model.js';
import { RawTables } from '../../../pipeline/raw-tables/raw-tables.js';
import { ROOT } from '../../support/build.js';

/** Folder of the survey tables. */
export const RAW = join(ROOT, 'data/raw');

/** All survey tables, open to the end of the file of tests. */
export const tables = await RawTables.open(RAW, []);

/** The model fitted to them. It takes seconds, and it cannot be passed from process to process. */
export const fit = await fitModel(tables);
