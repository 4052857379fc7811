import Type, { type Static } from 'typebox';
import { fault, field, refusalOf, wrong } from '../core/errors.js';
import { GROUPS_LIMITS, TOLERANCE_LIMITS } from '../core/limits.js';
import { piecesOf } from '../core/safe-rounding.js';
import { roundShare } from '../core/units.js';
import type { KeptPeople } from '../population/limits.js';
import type { Profiles } from '../population/people-model.js';
import { SizeCharts, type SizeDimension } from '../population/sizes.js';
import { PRODUCTS, productById } from '../products/index.js';
import { type FoundFault, repeatedMeasurements } from './faults.js';
import { answerFields, closedObject, paidAnswer, requestFields } from './fields.js';
import { MEDIANS_OFF, medianError, shareBoundFields, shareBounds } from './median-errors.js';
import { defineOperation, fixedPrice } from './operation.js';
import {
  EMPTY_POPULATION,
  fromRequest,
  groupFields,
  keptGroups,
  ON_PEOPLE,
  type People,
  type PopulationInput,
  peopleFields,
  peopleOf,
  populationFaults,
  populationField,
  unitFields,
  unitOf,
} from './population-request.js';
import type { PredictionModel } from './prediction-model.js';
import { productFaults } from './product-request.js';
import { distributionMs, evidenceMs, stepsOf } from './work.js';

const COST = 10;
const MEASUREMENTS = { minItems: 1, maxItems: 6 } as const;
const SIZES = { minimum: 1, maximum: 30 } as const;
const COUNTS = { minimum: 1, maximum: 1e9 } as const;

/** Names of a few sizes from small to large, by their number. */
const LETTERS: Readonly<Record<number, readonly string[]>> = {
  1: ['One size'],
  2: ['S', 'L'],
  3: ['S', 'M', 'L'],
  4: ['S', 'M', 'L', 'XL'],
  5: ['XS', 'S', 'M', 'L', 'XL'],
  6: ['XS', 'S', 'M', 'L', 'XL', 'XXL'],
  7: ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL'],
};

/** How groups weigh. */
const WEIGHTS = ['counts', 'share', 'head count'] as const;

const dimension = closedObject({
  measurement: requestFields.bodyMeasurement('Measurement that tells the sizes apart.'),
  tolerance: Type.Number({
    ...TOLERANCE_LIMITS,
    description: 'Full width that one size serves.',
  }),
});

const request = closedObject({
  population: populationField,
  product: Type.Optional(
    Type.String({
      maxLength: 80,
      description: 'Id of a product with a chart, such as glove, instead of `measurements`.',
    }),
  ),
  measurements: Type.Optional(
    Type.Array(dimension, {
      ...MEASUREMENTS,
      description: 'Measurements of the chart, none twice; or give `product`.',
    }),
  ),
  counts: Type.Optional(
    Type.Array(Type.Integer({ ...COUNTS, description: 'People of the group.' }), {
      ...GROUPS_LIMITS,
      description:
        'People of each group to order for, in their order, instead of `share`: they weigh the groups. By head count if omitted.',
    }),
  ),
  sizes: Type.Integer({ ...SIZES, description: 'Number of sizes.' }),
  ...requestFields.options,
  ...requestFields.massUnit,
});

const response = paidAnswer({
  ...peopleFields,
  shareServed: answerFields.number('Share of the people whom a size serves, 0 to 1.'),
  ...shareBoundFields,
  betweenSizes: answerFields.number(
    'Share of the people whom no size serves, although they are inside the overall range of every measurement.',
  ),
  numericalError: answerFields.number(
    'Half width of the 95 % interval of `shareServed`, a fraction.',
  ),
  groups: Type.Array(
    Type.Object({
      ...groupFields,
      shareServed: answerFields.number('Share of the group whom a size serves, ± 0.005.'),
    }),
    { description: 'The groups in the order asked.' },
  ),
  ...unitFields,
  weights: answerFields.oneOf(WEIGHTS, 'How the groups weigh.'),
  sizes: Type.Array(
    Type.Object({
      name: answerFields.text('Name of the size.'),
      share: answerFields.number('Share of the people whom this size serves best, 0 to 1.'),
      orderShare: answerFields.number(
        'Share of an order: as `share`, with the people whom no size serves at the nearest size. Sums to 1.',
      ),
      order: Type.Optional(
        answerFields.number('Pieces of the order for `counts`: whole numbers that sum to it.'),
      ),
      ranges: Type.Array(
        Type.Object({
          measurement: answerFields.bodyMeasurement('Measurement asked for.'),
          from: answerFields.number('Least value that the size serves.'),
          centre: answerFields.number('Value that the size is made for.'),
          to: answerFields.number('Largest value that the size serves.'),
        }),
        { description: 'The measurements in the order asked.' },
      ),
    }),
    { description: 'The sizes in rising order of the first measurement.' },
  ),
});

/** POST /v1/population/sizes: a size chart that serves most of a population. */
export const sizeChart = defineOperation({
  name: 'size_chart',
  path: '/v1/population/sizes',
  title: 'Size chart',
  description:
    'Sizes of a product placed to serve most of a population: centre, range and share of each.',
  toolDescription: `Which sizes serve most of the users? Give a population, a product (glove, helmet, shoe …) or 1 to ${MEASUREMENTS.maxItems} measurements with the full width that one size serves, and the number of sizes (${SIZES.minimum} to ${SIZES.maximum}). For an order give counts, the people of each group. The answer has the centre, range, share and order share of each size, and the share served in all, of each group and between sizes. Does not add ease.`,
  ...fixedPrice(COST),
  command: { name: 'sizes', summary: 'a size chart that serves most of a population' },
  ...ON_PEOPLE,
  request,
  response,
  example: {
    population: { groups: [{ countries: ['EU27'], ageMin: 16, ageMax: 75 }] },
    measurements: [
      { measurement: 'HeadLength', tolerance: 12 },
      { measurement: 'HeadBreadth', tolerance: 12 },
    ],
    sizes: 4,
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      measurements: [{ measurement: 'HeadGirth', tolerance: 20 }],
      sizes: 3,
    },
    value_implausible: {
      population: { groups: [{ countries: ['LU'], ageMin: 20, ageMax: 60 }] },
      measurements: [{ measurement: 'FootLength', tolerance: 500 }],
      sizes: 3,
    },
  },
  check,
  work: {
    ms(input) {
      const steps = stepsOf(input);
      const { cells, conditions, populationMs, curveMs } = steps;
      const { length } = dimensionsOf(input);
      const widths = length * (distributionMs(steps, 3) + evidenceMs(steps));
      // Nine lattices of people are drawn: one to place the sizes, and eight to judge them.
      const reading = 2.8 * Math.min(cells, 8192) * length * curveMs;
      const people = 3.5 * (length + conditions);
      const { length: groups } = input.population.groups;
      const ofGroups = groups === 1 ? 0 : (groups / 9) * (reading + people);
      return populationMs + 18 + widths + reading + people + ofGroups + length * input.sizes;
    },
    less: 'fewer measurements, sizes, countries or years of age',
  },
  run(input, model): Static<typeof response> {
    const { people, groups, dimensions, charts, profiles, errors } = chartsOf(input, model);
    // One size may serve everybody.
    if (input.sizes > 1) {
      for (const [i, one] of dimensions.entries()) checkTolerance(i, one, people, profiles);
    }
    const chart = charts.of(input.sizes);
    const names = sizeNames(chart.sizes.map(({ centre }) => centre));
    const orders = sharesOfOne(chart.sizes.map(({ orderShare }) => orderShare));
    const total = input.counts?.reduce((sum, count) => sum + count, 0);
    const pieces = total === undefined ? undefined : piecesOf(orders, total);
    const [first] = input.population.groups;
    return {
      ...people.headCount,
      shareServed: roundShare(chart.shareServed),
      ...shareBounds(
        chart.shareServed,
        MEDIANS_OFF.map((sign) =>
          charts.shareServedOff(
            chart,
            errors.map((error) => sign * error),
          ),
        ),
      ),
      betweenSizes: roundShare(chart.betweenSizes),
      numericalError: roundShare(chart.error),
      groups: people.groups.map((group, g) => ({
        ...group,
        shareServed: roundShare(
          groups.length === 1
            ? chart.shareServed
            : charts.shareServed(groups[g] as KeptPeople, chart),
        ),
      })),
      ...people.units,
      weights: total !== undefined ? 'counts' : first?.share === undefined ? 'head count' : 'share',
      sizes: chart.sizes.map(({ centre, share }, s) => ({
        name: names[s] as string,
        share: roundShare(share),
        orderShare: orders[s] as number,
        ...(pieces === undefined ? {} : { order: pieces[s] as number }),
        ranges: dimensions.map(({ quantity, tolerance }, d) => {
          const middle = centre[d] as number;
          const shown = (value: number): number => people.shown(quantity, value);
          return {
            measurement: people.peopleModel.names[quantity] as string,
            from: shown(Math.max(0, middle - tolerance / 2)),
            centre: shown(middle),
            to: shown(middle + tolerance / 2),
          };
        }),
      })),
    };
  },
});

type SizesInput = Static<typeof request>;

/** Faults that the schema cannot state. */
function check({
  population,
  product,
  measurements,
  counts,
}: Omit<SizesInput, 'sizes'>): FoundFault[] {
  const faults = [
    ...populationFaults(population),
    ...repeatedMeasurements('/measurements', measurements ?? []),
    ...(product === undefined ? [] : productFaults(product)),
  ];
  if ((product === undefined) === (measurements === undefined)) {
    faults.push(fault('')`Give ${field('/product')} or ${field('/measurements')}, one of them.`);
  }
  const known = product === undefined ? undefined : productById(product);
  if (known !== undefined && known.chart === undefined) {
    const others = PRODUCTS.flatMap(({ id, chart }) => (chart === undefined ? [] : [id]));
    const at = fault('/product');
    faults.push(
      at`${known.id} has no chart of sizes; use product_fit, or one of ${others.join(', ')}.`,
    );
  }
  if (counts === undefined) return faults;
  const { groups } = population;
  if (counts.length !== groups.length) {
    faults.push(
      wrong('/counts')`needs one number for each group: ${groups.length}, not ${counts.length}.`,
    );
  }
  if (groups.some(({ share }) => share !== undefined)) {
    const share = field('/population/groups/0/share', 'share');
    faults.push(wrong('/counts')`and ${share} both weigh the groups; give one of them.`);
  }
  return faults;
}

/** The measurements with their tolerances: in mm of a product, else in the units of the request. */
function dimensionsOf({ product, measurements }: Omit<SizesInput, 'sizes'>) {
  return measurements ?? productById(product ?? '')?.chart?.measurements ?? [];
}

/** The population whose groups weigh as their counts. */
function weighted({ population, counts }: Omit<SizesInput, 'sizes'>): PopulationInput {
  if (counts === undefined) return population;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const groups = population.groups.map((group, g) => {
    return { ...group, share: (counts[g] as number) / total };
  });
  return { ...population, groups };
}

/** The data that all charts of a request share, for any number of sizes. */
interface Prepared {
  readonly people: People;
  /** The people of each group who meet the conditions. */
  readonly groups: readonly KeptPeople[];
  readonly dimensions: readonly SizeDimension[];
  readonly profiles: Profiles;
  readonly charts: SizeCharts;
  /** 90 % error of the median of each dimension, mm, kg/m² or kg. */
  readonly errors: readonly number[];
}

/**
 * The last request that was prepared for a model. A client that searches for the number of sizes asks for the same
 * people several times. The answer does not depend on earlier requests.
 */
const last = new WeakMap<PredictionModel, { readonly key: string; readonly prepared: Prepared }>();

function chartsOf({ sizes: _, ...input }: SizesInput, model: PredictionModel): Prepared {
  const key = JSON.stringify(input);
  const known = last.get(model);
  if (known?.key === key) return known.prepared;
  const people = peopleOf({ ...input, population: weighted(input) }, model);
  const profiles = people.profilesOf(input);
  const isProduct = input.product !== undefined;
  const dimensions = dimensionsOf(input).map(({ measurement, tolerance }): SizeDimension => {
    const quantity = people.quantityOf(measurement, profiles);
    // The catalogue has mm.
    const width = isProduct
      ? tolerance
      : fromRequest(people.joint, quantity, tolerance, people.units);
    return { quantity, tolerance: width };
  });
  const groups = keptGroups(people);
  const charts = new SizeCharts(people.kept, dimensions, profiles);
  const errors = dimensions.map(
    ({ quantity }) => medianError(people, model, quantity, profiles).error,
  );
  const prepared = { people, groups, dimensions, profiles, charts, errors };
  last.set(model, { key, prepared });
  return prepared;
}

/** Percentiles between which nearly everybody is. */
const [LEAST, MOST] = [0.1, 99.9];

/** @throws Problem `value_implausible` if one size with this tolerance would serve nearly everybody */
function checkTolerance(
  index: number,
  { quantity, tolerance }: SizeDimension,
  { peopleModel, distributions, shown, units }: People,
  profiles: Profiles,
): void {
  const distribution = distributions.of(quantity, profiles);
  const width = distribution.value(MOST) - distribution.value(LEAST);
  if (tolerance <= width) return;
  const name = peopleModel.names[quantity] as string;
  const most = `${shown(quantity, width)} ${unitOf(name, units)}`;
  const at = wrong(`/measurements/${index}/tolerance`);
  throw refusalOf('value_implausible', [
    at`is too wide: ${name} of nearly everybody (P${LEAST} to P${MOST}) spans ${most}, so that one size would serve them all. Set it to less than ${most}, or leave ${name} out.`,
  ]);
}

/** Rounded shares that still sum to 1. What rounding leaves goes to the largest. */
function sharesOfOne(shares: readonly number[]): readonly number[] {
  const rounded = shares.map(roundShare);
  const left = 1 - rounded.reduce((sum, share) => sum + share, 0);
  const most = rounded.indexOf(Math.max(...rounded));
  return rounded.map((share, s) => (s === most ? roundShare(share + left) : share));
}

/** Letters for up to seven sizes that grow in every measurement; otherwise numbers. */
function sizeNames(centres: readonly (readonly number[])[]): readonly string[] {
  const grows = centres.every((centre, s) =>
    centre.every((value, d) => s === 0 || value > (centres[s - 1]?.[d] as number)),
  );
  const letters = LETTERS[centres.length];
  if (grows && letters !== undefined) return letters;
  return centres.map((_, s) => `${s + 1}`);
}
