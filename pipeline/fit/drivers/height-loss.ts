import type { HeightLoss } from '../../model/fitted-model.js';
import type { RawTables } from '../../raw-tables/raw-tables.js';

/** Loss begins about 40 (Cline 1989, Hum. Biol. 61(3)). */
const ONSET_YEARS = 40;
/** Oldest age in the published studies; above it the loss continues at the rate reached. */
const LAST_OBSERVED_YEARS = 85;
/** Above this age nothing is known, so no more loss is added. */
const LAST_EXTRAPOLATED_YEARS = 100;

function shape(ageYears: number): number {
  const observed = Math.max(0, Math.min(ageYears, LAST_OBSERVED_YEARS) - ONSET_YEARS);
  const beyond = Math.max(0, Math.min(ageYears, LAST_EXTRAPOLATED_YEARS) - LAST_OBSERVED_YEARS);
  return observed ** 2 + 2 * observed * beyond;
}

/**
 * Fits loss = k (age − 40)² for each gender, by least squares to the published losses between two ages
 * (`height-loss`). The loss is quadratic because its rate rises linearly with age, as Sorkin 1999 (Am.
 * J. Epidemiol. 150:969) describes.
 */
export async function fitHeightLoss(tables: RawTables): Promise<HeightLoss> {
  const rows = await tables.rows('height-loss', 'height_loss', 'citation, from_age_years');
  const rateOf = (column: 'male_mm' | 'female_mm'): number => {
    let [xy, xx] = [0, 0];
    for (const row of rows) {
      const loss = Number(row[column]);
      const x = shape(Number(row.to_age_years)) - shape(Number(row.from_age_years));
      if (row[column] === null || !(x > 0) || !(loss > 0)) continue;
      xy += x * loss;
      xx += x * x;
    }
    return xy / xx;
  };
  const rate = { Male: rateOf('male_mm'), Female: rateOf('female_mm') };
  return (gender, ageYears) => rate[gender] * shape(ageYears);
}
