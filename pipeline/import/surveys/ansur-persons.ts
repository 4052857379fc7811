import type { ImportContext, Importer } from '../importer.js';
import {
  completionResiduals,
  jointShares,
  pairCounts,
  rangeTails,
  scoreCorrelations,
} from '../joint-persons.js';
import { orderShares } from '../order-shares.js';
import { personScores } from '../person-scores.js';
import type { PersonVariable } from '../person-survey.js';
import { ANSUR1, ansur1People } from './ansur1.js';
import { ANSUR2, ansur2People } from './ansur2.js';

const NOTES = [
  'No model is fitted to these tables. Each measurement becomes the person’s place (rank − 1/2) / n among the people of the gender, which removes the survey’s own marginals. Equal readings are ordered by seeded random numbers, because lengths are read in whole mm. Normal scores are the normal quantiles of these places.',
  'orders.csv is in the survey’s own readings.',
  'Sets, designs and known quantities are in `pipeline/plans/limit-sets.ts`, pairs, cells and halves in `pipeline/plans/person-pairs.ts`; all follow from seeds.',
];

/** Statistics on how measurements of the same soldier of a survey go together. */
const personsOf = (
  { citation, licence, files }: Importer,
  about: Pick<Importer, 'source' | 'title'>,
  people: (context: ImportContext) => Promise<readonly PersonVariable[]>,
): Importer => ({
  ...{ ...about, citation, licence, notes: NOTES, files },
  async build(context) {
    const { connection, log } = context;
    const names = (await people(context)).map(({ name }) => name);
    const groups = await personScores(connection);
    for (const { gender, n } of groups) log(`${gender}: ${n} people have all quantities`);
    return [
      ...[jointShares, rangeTails, scoreCorrelations, completionResiduals, pairCounts].map(
        (table) => table(groups),
      ),
      await orderShares(connection, names, 'age_group'),
    ];
  },
});

export const ANSUR1_PERSONS = personsOf(
  ANSUR1,
  { source: 'ansur1-persons', title: 'ANSUR I, joint statistics of US soldiers of 1988' },
  ansur1People,
);
export const ANSUR2_PERSONS = personsOf(
  ANSUR2,
  { source: 'ansur2-persons', title: 'ANSUR II, joint statistics of US soldiers of 2012' },
  ansur2People,
);
