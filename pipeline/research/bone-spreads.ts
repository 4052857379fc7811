import { COUNTRY_CODES, type CountryCode } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { paragraphs, table, two } from '../evaluate/markdown.js';
import { groupBy } from '../evaluate/metrics.js';
import { calibrationGroup } from '../fit/calibration/calibration.js';
import { Cohort } from '../model/cohort.js';
import type { FittedModel } from '../model/fitted-model.js';
import { estimateMilitary } from '../model/regressions/military-estimator.js';
import { lnQuantile, type Marginal, Z95 } from '../numerics/marginal.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';

/** Age at which spreads are compared, years. */
const AGE_YEARS = 35;
/** Relative spreads of a bone outside these multiples of the US value need several surveys. */
export const USUAL_SPREADS = { least: 0.8, most: 1.2 } as const;

/** The spread of one bone in one country against that of the United States. */
export interface BoneSpread {
  readonly measurement: MeasurementName;
  readonly gender: Gender;
  readonly country: CountryCode;
  /** (P95 − P5) ÷ P50 over that of the United States. */
  readonly ratio: number;
  /** The part of it that the national studies' printed spreads make. */
  readonly ofStudies: number;
}

function relativeSpread(marginal: Marginal): number {
  const at = (z: number): number => Math.exp(lnQuantile(marginal, z) - lnQuantile(marginal, 0));
  return at(Z95) - at(-Z95);
}

/** Dimensions of bones that people have directly: no aliases, no girths and no soft breadths. */
const BONES: readonly MeasurementName[] = MEASUREMENTS.flatMap(({ name }) => {
  if (name === 'Stature' || DIMENSION_PLAN[name].basis.kind === 'alias') return [];
  return calibrationGroup(name) === 'girths, breadths and depths' ? [] : [name];
});

/** Relative spreads of bones at 35 years in every country, against those of the United States. */
export function boneSpreads(model: FittedModel): BoneSpread[] {
  const unmoved: FittedModel = {
    ...model,
    spread: (gender, _, name) => model.spread(gender, 'US', name),
  };
  return GENDERS.flatMap((gender) => {
    const spreadsIn = (country: CountryCode) => {
      const cohort = new Cohort(model, gender, country, AGE_YEARS);
      return (name: MeasurementName, from: FittedModel): number =>
        relativeSpread(estimateMilitary(from, cohort, name));
    };
    const names = BONES.filter((name) => model.military[gender].has(name));
    const us = spreadsIn('US');
    return COUNTRY_CODES.flatMap((country) => {
      const here = spreadsIn(country);
      return names.map((measurement): BoneSpread => {
        const spread = here(measurement, model);
        return {
          measurement,
          gender,
          country,
          ratio: spread / us(measurement, model),
          ofStudies: spread / here(measurement, unmoved),
        };
      });
    });
  });
}

/** Whether a ratio of spreads is one that needs several surveys. */
export function isUnusual(ratio: number): boolean {
  return ratio < USUAL_SPREADS.least || ratio > USUAL_SPREADS.most;
}

function farthest(cells: readonly BoneSpread[], of: (cell: BoneSpread) => number): string {
  const distance = (cell: BoneSpread): number => Math.abs(Math.log(of(cell)));
  const [worst] = cells.toSorted((a, b) => distance(b) - distance(a));
  return worst === undefined ? '–' : `${two(of(worst))} (${worst.country}, ${worst.gender})`;
}

/** What the study prints. */
export function spreadsSection(cells: readonly BoneSpread[]): string {
  const rows = groupBy(cells, ({ measurement }) => measurement).flatMap(([name, members]) => {
    const outside = members.filter(({ ratio }) => isUnusual(ratio));
    const byStudies = members.filter(({ ofStudies }) => isUnusual(ofStudies));
    if (outside.length + byStudies.length === 0) return [];
    return [
      [
        name,
        String(outside.length),
        farthest(members, ({ ratio }) => ratio),
        String(byStudies.length),
        farthest(members, ({ ofStudies }) => ofStudies),
      ],
    ];
  });
  const limits = `${USUAL_SPREADS.least} to ${USUAL_SPREADS.most}`;
  const outside = cells.filter(({ ratio }) => isUnusual(ratio)).length;
  const moved = cells.filter(({ ofStudies }) => isUnusual(ofStudies)).length;
  return paragraphs([
    '# Spreads of bones',
    `The relative spread (P95 − P5) ÷ P50 of bones at 35 years, against that of the United States. Of ${cells.length} cells (dimension, gender, country), ${outside} lie outside ${limits} times the US value. The printed spreads of national studies alone move ${moved} cells so far; the rest is the spread of the country’s stature and BMI. Goal: no region’s spread of a bone moves that far without several surveys that say so. The wrists of a few populations vary little because their BMI varies little.`,
    rows.length === 0
      ? `The farthest cell has ${farthest(cells, ({ ratio }) => ratio)} times the US value.`
      : table(
          ['bone', `cells outside ${limits}`, 'farthest', 'by studies alone', 'farthest'],
          rows,
        ),
  ]);
}
