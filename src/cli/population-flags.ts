import { type Command, InvalidArgumentError, Option } from 'commander';
import { GENDERS } from '../core/genders.js';

/** Flags that describe a population of one group, in place of `--population`. */
export interface PopulationFlags {
  readonly countries?: string | undefined;
  readonly gender?: string | undefined;
  readonly ages?: { readonly ageMin: number; readonly ageMax: number } | undefined;
}

const WORLD_ADULTS = { countries: 'World', ages: { ageMin: 18, ageMax: 120 } } as const;

/** Adds the flags to the command of an operation on a population. */
export function addPopulationFlags(command: Command): void {
  command
    .option(
      '--countries <list>',
      'A population of one group, in place of --population: countries or sets of them. Separated by commas. (default World)',
    )
    .option('--ages <from-to>', 'Its completed ages, such as 18-65. (default 18-120)', agesArgument)
    .addOption(new Option('--gender <name>', 'Its gender; both by default.').choices(GENDERS));
}

/** The population of the flags: one group. */
export function populationOfFlags({ countries, gender, ages }: PopulationFlags) {
  const { ageMin, ageMax } = ages ?? WORLD_ADULTS.ages;
  const group = { countries: (countries ?? WORLD_ADULTS.countries).split(','), ageMin, ageMax };
  return { groups: [gender === undefined ? group : { ...group, gender }] };
}

function agesArgument(text: string): { ageMin: number; ageMax: number } {
  const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (from === undefined) throw new InvalidArgumentError('Write two ages as in 18-65, or one.');
  return { ageMin: Number(from), ageMax: Number(to ?? from) };
}
