import { join } from 'node:path';
import { fitModel } from '../../../pipeline/fit/fit-model.js';
import { type Population, Populations } from '../../../pipeline/model/population.js';
import { memoise } from '../../../pipeline/numerics/numbers.js';
import { RawTables } from '../../../pipeline/raw-tables/raw-tables.js';
import type { CountryCode } from '../../../src/core/countries.js';
import type { Gender } from '../../../src/core/genders.js';
import { ROOT } from '../../support/build.js';

/** Folder of the survey tables. */
export const RAW = join(ROOT, 'data/raw');

/** All survey tables. They stay open until the end of the test file. */
export const tables = await RawTables.open(RAW, []);

/** The model fitted to the tables. Fitting takes seconds. The model cannot be passed to another process. */
export const fit = await fitModel(tables);

export const populations = new Populations(fit.model);

const made = memoise((key: `${Gender} ${CountryCode}`): Population => {
  const [gender, country] = key.split(' ') as [Gender, CountryCode];
  return populations.of(gender, country);
});

/** A population of the reference year. All tests share it, because its growth takes half a second. */
export const populationOf = (gender: Gender, country: CountryCode) => made(`${gender} ${country}`);
