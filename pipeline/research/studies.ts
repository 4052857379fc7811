import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { predictStudies } from '../evaluate/given-drivers.js';
import { outermostSection } from '../evaluate/outermost.js';
import { pooledModel } from '../evaluate/sized-model.js';
import { usPeople } from '../evaluate/us-bodies.js';
import { scoreNhanes } from '../evaluate/us-nhanes.js';
import type { Fit } from '../fit/fit-model.js';
import { Populations } from '../model/population.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import { readStudies } from '../raw-tables/studies.js';
import { boneSpreads, spreadsSection } from './bone-spreads.js';
import { doubtfulRows, doubtfulSection } from './doubtful-rows.js';
import { girthCurves, girthSection } from './girth-curves.js';
import { originAgreement, originSection } from './origin-agreement.js';
import { scoreRangeWidths, widthSection } from './range-widths.js';
import { scoreToldApart, toldApartSection } from './told-apart.js';

/** A study of the fitted model that proves no promise. */
export interface ModelStudy {
  /** The question it answers. */
  readonly question: string;
  /** Does the study; the result is Markdown. */
  readonly run: (fit: Fit, tables: RawTables) => string | Promise<string>;
}

/** All studies by their names on the command line. */
export const MODEL_STUDIES: Readonly<Record<string, ModelStudy>> = {
  'bone-spreads': {
    question: 'In which countries do bones vary much more or less than in the United States?',
    run: ({ model }) => spreadsSection(boneSpreads(model)),
  },
  'doubtful-rows': {
    question: 'Which rows of national studies disagree with the other studies or with themselves?',
    run: async ({ model, samples }, tables) => {
      const rows = predictStudies({ model, samples }, await readStudies(tables), 'family');
      return doubtfulSection(doubtfulRows(rows, 'calibrated'));
    },
  },
  'girth-curves': {
    question: 'Where do girths over age have humps or jumps between 12 and 25 years?',
    run: ({ model }) => {
      const populations = new Populations(model);
      return girthSection(
        COUNTRY_CODES.flatMap((country) =>
          GENDERS.flatMap((gender) =>
            girthCurves(populations.of(gender, country), gender, country),
          ),
        ),
      );
    },
  },
  'nhanes-tails': {
    question: 'How far are P0.5 and P99.5 of the United States from NHANES?',
    run: async ({ model, sources, trend }, tables) =>
      outermostSection(await scoreNhanes(pooledModel(model, trend), sources, tables)),
  },
  'origin-agreement': {
    question: 'Do US soldiers by origin predict the countries of their ancestors?',
    run: async ({ samples }, tables) =>
      originSection(originAgreement(samples, await readStudies(tables))),
  },
  'range-widths': {
    question: 'How much wider are designed ranges than the narrowest ones?',
    run: async (fit, tables) => widthSection(scoreRangeWidths(await usPeople(fit, tables))),
  },
  'told-apart': {
    question: 'Can sampled people be told apart from soldiers better than other soldiers can?',
    run: async (fit, tables) =>
      toldApartSection(await scoreToldApart(await usPeople(fit, tables), tables)),
  },
};
