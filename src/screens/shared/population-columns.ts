import { type ChosenPopulation, clothingOf, populationLabel } from './populations.js';
import type { Columns } from './table.js';

/** The columns of a population. `clothing` is what its people wear if nobody has chosen it. */
export const POPULATION_COLUMNS: Columns<{
  readonly population: ChosenPopulation;
  readonly clothing?: string;
}> = {
  population: ({ population }) => populationLabel(population),
  gender: ({ population: { gender = 'Both' } }) => gender,
  countries: ({ population: { countries } }) => countries.join(' '),
  age_min_years: ({ population }) => population.ageMin,
  age_max_years: ({ population }) => population.ageMax,
  clothing: ({ population, clothing = clothingOf(population) }) => clothing,
};
