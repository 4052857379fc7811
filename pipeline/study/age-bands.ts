import { StudyRefusal } from './study-map.js';

/** Ages in completed years; both ends belong to the band. */
export interface AgeBand {
  readonly minYears: number;
  /** Undefined in the last band if it has no end. */
  readonly maxYears: number | undefined;
}

/** Bands of a study of persons, as `--bands` writes them. */
export const USUAL_BANDS = '18-29,30-44,45-59,60-';
/** Ages that the checks of a study allow. */
const AGES_YEARS = { least: 15, most: 110 } as const;

/**
 * Reads age bands such as `18-29,30-59,60-`.
 *
 * @throws StudyRefusal
 */
export function readBands(text: string): readonly AgeBand[] {
  const bands = text.split(',').map((one): AgeBand => {
    const found = /^(\d+)\s*-\s*(\d*)$/.exec(one.trim());
    if (found === null) throw refusal(text, `${JSON.stringify(one)} is no band`);
    const [minYears, maxYears] = [Number(found[1]), found[2] === '' ? undefined : Number(found[2])];
    if (minYears < AGES_YEARS.least || (maxYears ?? minYears) > AGES_YEARS.most) {
      throw refusal(text, `a study has people of ${AGES_YEARS.least} to ${AGES_YEARS.most} years`);
    }
    return { minYears, maxYears };
  });
  for (const [i, { minYears, maxYears }] of bands.entries()) {
    const next = bands[i + 1]?.minYears ?? Number.POSITIVE_INFINITY;
    if (minYears <= (maxYears ?? AGES_YEARS.most) && (maxYears ?? AGES_YEARS.most) < next) continue;
    throw refusal(text, 'the bands do not rise');
  }
  return bands;
}

function refusal(text: string, why: string): StudyRefusal {
  return new StudyRefusal(`--bands ${text}: ${why}. Write bands such as ${USUAL_BANDS}.`);
}

/** The band of an age in years. Someone of 29.5 years is 29. */
export function bandOf(ageYears: number, bands: readonly AgeBand[]): AgeBand | undefined {
  return bands.find(
    ({ minYears, maxYears }) =>
      ageYears >= minYears && ageYears < (maxYears ?? AGES_YEARS.most) + 1,
  );
}

/** `18-29`, and `60-` without an end. */
export const bandText = ({ minYears, maxYears }: AgeBand): string =>
  `${minYears}-${maxYears ?? ''}`;

export const bandsText = (bands: readonly AgeBand[]): string => bands.map(bandText).join(', ');

/** The group of people of one country and age band. */
export const groupKey = (country: string, band: AgeBand): string => `${country} ${bandText(band)}`;

/** The country and the band of a group. */
export function groupOf(key: string): { readonly country: string; readonly band: AgeBand } {
  const [country = '', ages = ''] = key.split(' ');
  const [least = '', most = ''] = ages.split('-');
  const maxYears = most === '' ? undefined : Number(most);
  return { country, band: { minYears: Number(least), maxYears } };
}
