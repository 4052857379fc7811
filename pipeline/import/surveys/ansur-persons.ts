import type { ImportContext, Importer, OutputTable } from '../importer.js';
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

async function build(
  { connection, log }: ImportContext,
  variables: readonly PersonVariable[],
): Promise<OutputTable[]> {
  const groups = await personScores(connection);
  for (const { gender, n } of groups) log(`${gender}: ${n} people have all quantities`);
  return [
    jointShares(groups),
    rangeTails(groups),
    scoreCorrelations(groups),
    completionResiduals(groups),
    pairCounts(groups),
    await orderShares(
      connection,
      variables.map(({ name }) => name),
      'age_group',
    ),
  ];
}

/** Statistics on how measurements of the same soldier of 1988 go together. */
export const ANSUR1_PERSONS: Importer = {
  source: 'ansur1-persons',
  title: 'ANSUR I, joint statistics of US soldiers of 1988',
  citation: ANSUR1.citation,
  licence: ANSUR1.licence,
  notes: NOTES,
  files: ANSUR1.files,
  build: async (context) => build(context, await ansur1People(context)),
};

/** Statistics on how measurements of the same soldier of 2012 go together. */
export const ANSUR2_PERSONS: Importer = {
  source: 'ansur2-persons',
  title: 'ANSUR II, joint statistics of US soldiers of 2012',
  citation: ANSUR2.citation,
  licence: ANSUR2.licence,
  notes: NOTES,
  files: ANSUR2.files,
  build: async (context) => build(context, await ansur2People(context)),
};
