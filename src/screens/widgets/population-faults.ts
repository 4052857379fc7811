import { AGE_LIMITS } from '../../core/limits.js';
import type { ChosenPopulation } from '../shared/populations.js';

/** The faults of a population by field; empty if there are none. */
export interface PopulationFaults {
  readonly countries?: string;
  readonly ageMin?: string;
  readonly ageMax?: string;
}

/** Faults that the form can find. The service checks the names of countries and clothing. */
export function populationFaults({
  countries,
  ageMin,
  ageMax,
}: ChosenPopulation): PopulationFaults {
  const faults: { -readonly [Name in keyof PopulationFaults]: PopulationFaults[Name] } = {};
  if (countries.length === 0) faults.countries = 'Choose at least one country.';
  const { minimum, maximum } = AGE_LIMITS;
  const isAge = (age: number) => Number.isInteger(age) && age >= minimum && age <= maximum;
  const wrong = `Enter a whole number from ${minimum} to ${maximum}.`;
  if (!isAge(ageMin)) faults.ageMin = wrong;
  if (!isAge(ageMax)) faults.ageMax = wrong;
  else if (isAge(ageMin) && ageMin > ageMax) {
    faults.ageMax = `The oldest age must be at least the youngest, ${ageMin}.`;
  }
  return faults;
}

/** Whether the service can be asked about the population. */
export function isComplete(population: ChosenPopulation): boolean {
  return Object.keys(populationFaults(population)).length === 0;
}
