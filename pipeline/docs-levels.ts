import { GENDERS, type Gender } from '../src/core/genders.js';
import { drawChart, type Panel, type Points } from './chart.js';
import type { ByCountry } from './model/covariates.js';
import { countryCovariates, type FittedModel } from './model/fitted-model.js';
import { AGES_YEARS, REFERENCE_YEAR } from './plans/axes.js';
import { ByPopulation } from './raw-tables/by-population.js';
import type { RawTables } from './raw-tables/raw-tables.js';

/** Countries of the figures on levels: rich and poor, tall and short, lean and heavy. */
const COUNTRIES = ['JP', 'DE', 'US', 'CN', 'IN', 'TR', 'NG', 'MX'] as const;
/** Ages of the figures, years. */
const [YOUNGEST, OLDEST] = [5, 85] as const;
const AGES = AGES_YEARS.filter((age) => age >= YOUNGEST && age <= OLDEST);

type Row = Readonly<Record<string, unknown>>;

/** Points of the populations of a table. */
async function pointsOf(
  tables: RawTables,
  [source, table]: readonly [string, string],
  point: (row: Row) => readonly [age: number, value: number] | undefined,
): Promise<(gender: Gender, country: string) => Points> {
  const inRange = ([age, value]: readonly (number | undefined)[] = []): boolean =>
    age !== undefined && value !== undefined && age >= YOUNGEST && age <= OLDEST;
  const found = ByPopulation.of(await tables.rows(source, table, 'country, gender'), (rows) => {
    const points = rows.map(point).filter(inRange) as [number, number][];
    return { xs: points.map(([age]) => age), ys: points.map(([, value]) => value) };
  });
  return (gender, country) => found.get(gender, country) ?? { xs: [], ys: [] };
}

function both(one: Points, other: Points): Points {
  return { xs: [...one.xs, ...other.xs], ys: [...one.ys, ...other.ys] };
}

function panels(line: ByCountry, dots: (gender: Gender, country: string) => Points): Panel[] {
  return COUNTRIES.map((country) => ({
    title: country,
    lines: GENDERS.map((gender) => ({
      xs: AGES,
      ys: AGES.map((age) => line(gender, country, age)),
    })),
    dots: GENDERS.map((gender) => dots(gender, country)),
  }));
}

/** Draws stature and BMI of eight countries by age, with their sources. Returns SVG texts by file name. */
export async function levelFigures(
  { heightLoss, ...model }: FittedModel,
  tables: RawTables,
): Promise<ReadonlyMap<string, string>> {
  const covariates = (gender: Gender, country: string, age: number) =>
    countryCovariates(model, gender, country, age);
  const children = await pointsOf(tables, ['ncdrisc-2020-children', 'height_by_age'], (row) => [
    Number(row.age_years) + 0.5,
    Number(row.mean_mm),
  ]);
  const cohorts = await pointsOf(tables, ['ncdrisc-2016', 'height_by_birth_year'], (row) => {
    const age = REFERENCE_YEAR - Number(row.birth_year);
    return [age, Number(row.mean_mm) - heightLoss(row.gender as Gender, age)];
  });
  const young = await pointsOf(tables, ['ncdrisc-2024-bmi-children', 'bmi_gamma_by_age'], (row) => [
    Number(row.age_years),
    Number(row.mean),
  ]);
  const grown = await pointsOf(tables, ['ncdrisc-2024-bmi', 'bmi_gamma'], (row) => {
    const from = Number(row.age_min);
    return from < 20 ? undefined : [from + 2.5, Number(row.mean)];
  });
  const labels = ['men: line, the model; dots, its sources', 'women'];
  return new Map([
    [
      'stature-levels.svg',
      drawChart({
        title: 'Mean stature in 2022 by age, against the sources as they are',
        xLabel: 'age, years',
        yLabel: 'mm',
        labels,
        panels: panels(
          (...of) => {
            const { lnStature, lnStatureSd } = covariates(...of);
            return Math.exp(lnStature + lnStatureSd ** 2 / 2);
          },
          (...of) => both(children(...of), cohorts(...of)),
        ),
      }),
    ],
    [
      'bmi-levels.svg',
      drawChart({
        title: 'Mean BMI in 2022 by age, against the fits as they are',
        xLabel: 'age, years',
        yLabel: 'kg/m²',
        labels,
        panels: panels(
          (...of) => {
            const { lnBmi, lnBmiSd, lnBmiSkew } = covariates(...of);
            return Math.exp(lnBmi + lnBmiSd ** 2 / 2 + (lnBmiSkew * lnBmiSd ** 3) / 6);
          },
          (...of) => both(young(...of), grown(...of)),
        ),
      }),
    ],
  ]);
}
