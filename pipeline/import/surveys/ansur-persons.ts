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
  'Statistics computed from the person records; the records are not part of the repository.',
  'The tables say how the measurements of one person go together: they serve to judge joint answers with correlations from the other survey. No model is fitted to them. Each measurement becomes the person’s place (rank − 1/2) / n among the people of the gender, which removes the survey’s own marginals. Equal readings are ordered by seeded random numbers, because lengths are read in whole mm. Normal scores are the normal quantiles of these places.',
  'orders.csv has the people who break an order of two dimensions, in the survey’s own readings.',
  'joint_shares.csv has the shares of people who meet random sets of limits. range_tails.csv has the ranges with one equal tail probability that hold 92 to 98 % of the people. score_correlations.csv has the correlations of the normal scores. completion_residuals.csv has the distances of the people from the survey’s own regression on eight known quantities, or on stature and mass. pair_counts.csv has the people of two random halves in 25 cells of the places in two quantities, for 300 random pairs; with these counts, samples are told apart. The sets, the designs and the known quantities are in `pipeline/plans/limit-sets.ts`, the pairs, cells and halves in `pipeline/plans/person-pairs.ts`; sets, designs, pairs and halves follow from seeds. Every other figure is of all people of a gender.',
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
