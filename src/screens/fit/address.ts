import { GENDERS, type Gender } from '../../core/genders.js';
import type { MeasurementName } from '../../core/measurements.js';
import { MASS_UNITS, type MassUnit } from '../../core/units.js';
import { type EndRule, endRules, type ProductRule, USUAL_PERCENT } from '../../products/index.js';
import { isMass } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import { SHOWN_UNITS } from '../../site/lengths.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import {
  choice,
  type Field,
  type Fields,
  list,
  number,
  numberIn,
  parameter,
  parameterOf,
  readField,
  readFields,
  type Say,
  type ScreenAddress,
  shortened,
  UNSAID,
  writeFields,
} from '../shared/address-fields.js';
import { isDimension } from '../shared/dimension-fields.js';
import {
  type ChosenPopulation,
  NAMES_PEOPLE,
  POPULATIONS,
  populationOf,
  usualPeople,
} from '../shared/populations.js';
import { KNOWN_MAX, type KnownPerson, STATURE_RANGE_MM } from './known-people.js';
import { type FitProduct, OLD_OWN_ID, OWN_ID, PRODUCTS, productById } from './products.js';

/** Limits for a start. Their values are those that serve the wanted share of the people. */
export interface Template {
  readonly title: string;
  readonly limits: readonly (readonly [MeasurementName, 'min' | 'max' | 'both'])[];
}

/** The limits of an address without any. */
const START_LIMITS: Template['limits'] = [
  ['SittingHeight', 'max'],
  ['ButtockKneeLength', 'max'],
  ['SittingHipBreadth', 'max'],
];

/** Templates of things that are no product, in the order of the list. */
export const TEMPLATES: readonly Template[] = [
  {
    title: 'Handle',
    limits: [
      ['GripWidth', 'min'],
      ['HandBreadth', 'max'],
    ],
  },
  {
    title: 'Control panel',
    limits: [
      ['WorkReach', 'min'],
      ['SittingEyeHeight', 'both'],
      ['SittingShoulderHeight', 'min'],
    ],
  },
  {
    title: 'Gym machine',
    limits: [
      ['SittingHeight', 'both'],
      ['VerticalGripReachSitting', 'min'],
      ['ButtockKneeLength', 'max'],
    ],
  },
];

/** Percentiles of the curves on the Fit screen. */
export const FIT_PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const;

/** A limit on a measurement, which the visitor sets. Its ends are in mm, of body mass in kg, of BMI in kg/m². */
export interface BoxLimit {
  readonly measurement: string;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The ends of the limit that the page proposes for the wanted share of the people. */
  readonly proposed?: 'min' | 'max' | 'both' | undefined;
}

/** The view of the Fit screen. Names and numbers from an address are not checked yet. */
export interface FitView {
  /** Id of a product, or `OWN_ID`. */
  readonly product: string;
  readonly populations: readonly ChosenPopulation[];
  /** Sizes of the product by id. For a missing size, the page proposes one for the wanted share of the people. */
  readonly sizesMm: Readonly<Record<string, number>>;
  /** Clearances of the product's rules in their order. */
  readonly clearancesMm: readonly number[];
  /** Limits of the box. */
  readonly limits: readonly BoxLimit[];
  /** The two measurements in the plot of two dimensions. If undefined, those of the first two limits. */
  readonly pair?: readonly [string, string] | undefined;
  /** Share of the people to design for, in percent. */
  readonly targetPercent: number;
  /** People whom the visitor knows. */
  readonly known: readonly KnownPerson[];
  /** Gender of the people in the picture; undefined for those who decide the sizes, of either gender. */
  readonly drawnGender?: Gender | undefined;
  readonly unit: string;
  readonly massUnit: MassUnit;
}

/** Limits that a box can have. */
export const BOX_LIMITS_MAX = 8;
const DEFAULT_LIMITS = limitsOfTemplate({ limits: START_LIMITS });

/** The limits of a template. All their ends are proposed. */
export function limitsOfTemplate({ limits }: Pick<Template, 'limits'>): readonly BoxLimit[] {
  return limits.map(([measurement, proposed]) => ({ measurement, proposed }));
}

/** The view of a product. Its sizes are left to the proposal for the wanted share of the people. */
export function viewOfProduct(id: string, rest: Partial<FitView> = {}): FitView {
  const product = productById(id);
  const { populations = readField(POPULATIONS) } = rest;
  // Nobody takes shoes along into a bed, or a coat under a helmet.
  const undressed = populations.map(({ clothing, ...population }) =>
    clothing === undefined || (product?.clothing === 'nude' && clothing !== 'nude')
      ? population
      : { ...population, clothing },
  );
  return {
    product: product?.id ?? (id === OWN_ID ? OWN_ID : (PRODUCTS[0] as FitProduct).id),
    targetPercent: USUAL_PERCENT,
    unit: 'mm',
    massUnit: 'kg',
    limits: DEFAULT_LIMITS,
    known: [],
    ...rest,
    populations: undressed,
    sizesMm: {},
    clearancesMm: (product?.rules ?? []).map(({ clearance }) => clearance),
  };
}

/**
 * The view of another product, chosen from a view. People and share that nobody has chosen become those that are usual
 * for the product.
 */
export function viewChosenFrom(asked: FitView, id: string): FitView {
  const [before, next] = [asked.product, id].map(usualFor) as [Usual, Usual];
  const { known, drawnGender, unit, massUnit } = asked;
  const isUnchosen = peopleText(asked.populations) === peopleText(before.populations);
  const populations = isUnchosen ? next.populations : asked.populations;
  const targetPercent =
    asked.targetPercent === before.targetPercent ? next.targetPercent : asked.targetPercent;
  return viewOfProduct(id, { populations, targetPercent, known, drawnGender, unit, massUnit });
}

type Usual = Pick<FitView, 'populations' | 'targetPercent'>;

function usualFor(id: string): Usual {
  const { people, targetPercent = USUAL_PERCENT } = productById(id) ?? {};
  return { populations: usualPeople(people), targetPercent };
}

const peopleText = (populations: FitView['populations']) => POPULATIONS.write(populations).join();

/** The range that the ends of a limit can have. */
export function limitRange(measurement: string) {
  if (!isMass(measurement)) return { min: 1, max: 2800, unit: ' mm' } as const;
  return measurement === 'BMI'
    ? ({ min: 1, max: 100, unit: ' kg/m²' } as const)
    : ({ min: 1, max: 400, unit: ' kg' } as const);
}

/** Range of clearances, mm. */
const CLEARANCE_RANGE = { min: -1000, max: 1000, unit: ' mm' } as const;

/** Text in an address for an end of a limit that the page proposes for the wanted share. */
const PROPOSED = 'auto';

/** Fields of every view, in the order of the address. The sizes of the product follow them. */
const FIELDS: Fields<Omit<FitView, 'sizesMm' | 'clearancesMm' | 'targetPercent'>> = {
  product: {
    read(params, say) {
      const isOwn = params.has('limit') && !params.has('product');
      const given = params.get('product') ?? '';
      if (isOwn || given === OLD_OWN_ID) return OWN_ID;
      return productById(given)?.id ?? PRODUCT.read(params, say);
    },
    write: (product) => [parameter('product', product)],
  },
  populations: POPULATIONS,
  limits: list('limit', 'limits', BOX_LIMITS_MAX, DEFAULT_LIMITS, {
    read: readLimit,
    write({ measurement, min, max, proposed }) {
      const end = (value: number | undefined, side: 'min' | 'max') =>
        value ?? (proposed === side || proposed === 'both' ? PROPOSED : '');
      return `${measurement}~${end(min, 'min')}~${end(max, 'max')}`;
    },
  }),
  pair: {
    read(params) {
      const [one, other] = params.get('pair')?.split('~') ?? [];
      return one === undefined || other === undefined ? undefined : [one, other];
    },
    write: (pair) => (pair === undefined ? [] : [parameter('pair', pair.join('~'))]),
  },
  known: {
    read(params, say) {
      // Addresses once had one person: `me=1930`.
      const texts = [...params.getAll('who'), ...params.getAll('me')].slice(0, KNOWN_MAX);
      return texts.flatMap((text) => readKnown(text, say) ?? []);
    },
    write: (known) => known.map((person) => parameter('who', knownText(person))),
  },
  drawnGender: choice('drawn', 'gender of the people in the picture', GENDERS),
  unit: choice('unit', 'unit', SHOWN_UNITS, 'mm'),
  massUnit: choice('mass', 'unit of mass', MASS_UNITS, 'kg'),
};

const PRODUCT = choice(
  'product',
  'product',
  [...PRODUCTS.map(({ id }) => id), OWN_ID],
  (PRODUCTS[0] as FitProduct).id,
);

/** The sizes of a product that the address has. */
function sizesField({ sizes }: FitProduct): Field<FitView['sizesMm']> {
  return {
    read: (params, say) =>
      Object.fromEntries(
        sizes.flatMap(({ id, label, min, max }) => {
          const given = params.get(id)?.trim() ?? '';
          if (given === '') return [];
          const range = { min, max, unit: ' mm' };
          const mm = numberIn(given, label.toLowerCase(), range, say);
          return mm === undefined ? [] : [[id, mm]];
        }),
      ),
    write: (sizesMm) =>
      sizes.flatMap(({ id }) => {
        const mm = sizesMm[id];
        return mm === undefined ? [] : [parameter(id, mm)];
      }),
  };
}

/** Clearances such as `25,50`. A missing clearance has its default. */
function clearancesField({ rules }: FitProduct): Field<readonly number[]> {
  const defaults = rules.map(({ clearance }) => clearance);
  const ends = endRules(rules);
  return {
    read(params, say) {
      const given = params.get('clear')?.split(',') ?? [];
      // Older addresses have a clearance for each end of a range.
      const isOlder = given.length === ends.length;
      const texts = isOlder
        ? rules.map((rule) => given[ends.findIndex(({ id }) => id === rule.id)])
        : given;
      return defaults.map((otherwise, index) => {
        const text = texts[index]?.trim() ?? '';
        if (text === '') return otherwise;
        return numberIn(text, 'clearance', { ...CLEARANCE_RANGE, otherwise }, say) ?? otherwise;
      });
    },
    write: (clearances) =>
      clearances.some((mm, index) => mm !== defaults[index])
        ? [parameter('clear', clearances.join())]
        : [],
  };
}

/**
 * Reads a view from an address such as `product=bed&p=Male~NL~18-65&length=1900&clear=100,200`. Missing
 * parameters have their defaults. Own limits are `limit=Stature~1500~1900`. In place of a number, `auto`
 * stands for the limit that serves the wanted share of the people.
 */
export function readFitView(query: string, say: Say = UNSAID): FitView {
  const view = readFields(FIELDS, query, say);
  const product = productById(view.product);
  // The form of the first page names a group and a country.
  const one = populationOf(parameterOf(query, 'group'), parameterOf(query, 'in'));
  const named = one === undefined ? usualFor(view.product) : { populations: [one] };
  const { populations } = readField(NAMES_PEOPLE, query) ? view : named;
  const asked = { ...view, populations, ...readFields(shareField(view), query, say) };
  if (product === undefined) return { ...asked, sizesMm: {}, clearancesMm: [] };
  return { ...asked, ...readFields(fieldsOf(product), query, say) };
}

/** The share to design for. What is usual depends on the product. */
function shareField({ product }: Pick<FitView, 'product'>): Fields<Pick<FitView, 'targetPercent'>> {
  const range = { min: 1, max: 99.9, otherwise: usualFor(product).targetPercent, unit: ' %' };
  return { targetPercent: number('target', 'share to design for', range) };
}

/** The fields that only views of a product have. */
function fieldsOf(product: FitProduct): Fields<Pick<FitView, 'sizesMm' | 'clearancesMm'>> {
  return { sizesMm: sizesField(product), clearancesMm: clearancesField(product) };
}

/** The canonical query of a view, which `readFitView` reads. Values at their defaults are left out. */
export function fitQuery(view: FitView): string {
  const product = productById(view.product);
  const share = writeFields(shareField(view), view);
  const parts =
    product === undefined
      ? [writeFields(FIELDS, view), share]
      : [writeFields(FIELDS, view, ['limits']), share, writeFields(fieldsOf(product), view)];
  return parts.filter((part) => part !== '').join('&');
}

/** A known person as the text of `who`. */
export function knownText({ statureMm, gender, ageYears, massKg, name }: KnownPerson): string {
  const parts = [statureMm, gender ?? '', ageYears ?? '', massKg ?? '', name ?? ''];
  return parts.join('~').replace(/(?<!~)~+$/, '');
}

/** Reads a known person such as `1580~Female~45~62~Ann`. */
function readKnown(text: string, say: Say): KnownPerson | undefined {
  const [stature = '', gender, age = '', mass = '', ...name] = text.split('~');
  const range = { ...STATURE_RANGE_MM, unit: ' mm' };
  const statureMm = stature === '' ? undefined : numberIn(stature, 'a stature', range, say);
  if (statureMm === undefined) return undefined;
  const ages = { min: 0, max: 100, unit: ' years' };
  const masses = { min: 1, max: 400, unit: ' kg' };
  const ageYears = age === '' ? undefined : numberIn(age, 'an age', ages, say);
  const massKg = mass === '' ? undefined : numberIn(mass, 'a mass', masses, say);
  return {
    ...{ statureMm, gender: GENDERS.find((one) => one === gender) },
    ...{ ageYears: ageYears === undefined ? undefined : Math.floor(ageYears), massKg },
    name: shortened(name.join(' '), 30) || undefined,
  };
}

function readLimit(text: string, say: Say): BoxLimit | undefined {
  const [measurement = '', least = '', most = ''] = text.split('~');
  if (!isDimension(measurement, say)) return undefined;
  const words = inWords(measurement).toLowerCase();
  const end = (given: string) =>
    given === '' || given === PROPOSED
      ? undefined
      : numberIn(given, `a limit of ${words}`, limitRange(measurement), say);
  const isProposed = (given: string, value: number | undefined) =>
    given !== '' && value === undefined;
  const [min, max] = [end(least), end(most)];
  const [byMin, byMax] = [isProposed(least, min), isProposed(most, max)];
  const proposed = byMin && byMax ? 'both' : byMin ? 'min' : byMax ? 'max' : undefined;
  return { measurement, min, max, ...(proposed === undefined ? {} : { proposed }) };
}

/** The genders of the people of a view. */
export function gendersOf({ populations }: Pick<FitView, 'populations'>): readonly Gender[] {
  return GENDERS.filter((gender) => populations.some((one) => (one.gender ?? gender) === gender));
}

/** The measurements that the view limits, each once. */
export function measurementsOf(view: FitView): readonly string[] {
  const rules = productById(view.product)?.rules ?? view.limits;
  return [...new Set(rules.map(({ measurement }) => measurement))];
}

/**
 * The two measurements that the view plots against each other; undefined if a product has a single one. A single own limit
 * is plotted against the stature.
 */
export function pairOf(view: FitView): readonly [string, string] | undefined {
  const limited = measurementsOf(view);
  const beside = limited[0] === 'Stature' ? 'BodyMass' : 'Stature';
  const names = view.product === OWN_ID && limited.length === 1 ? [...limited, beside] : limited;
  const { pair } = view;
  if (pair !== undefined && pair[0] !== pair[1] && pair.every((name) => names.includes(name))) {
    return pair;
  }
  const [one, other] = names;
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** Rules of the view's product with the clearances of the view. Own limits have none. */
export function productRulesOf({ product, clearancesMm }: FitView): readonly ProductRule[] {
  return (productById(product)?.rules ?? []).map((rule, index) => ({
    ...rule,
    clearance: clearancesMm[index] ?? rule.clearance,
  }));
}

/** The same rules, for each end of the sizes. */
export function rulesOf(view: FitView): readonly EndRule[] {
  return endRules(productRulesOf(view));
}

/** The limits on measurements that the sizes of a view set. Each measurement has one limit. */
export function limitsOf(view: FitView): readonly BoxLimit[] {
  if (view.product === OWN_ID) {
    return view.limits.filter(({ min, max }) => min !== undefined || max !== undefined);
  }
  const limits = new Map<string, { min?: number; max?: number }>();
  for (const { size, kind, measurement, clearanceMm, factor } of rulesOf(view)) {
    const sizeMm = view.sizesMm[size];
    if (sizeMm === undefined) continue;
    const limit = limits.get(measurement) ?? {};
    // Clearances in inches leave digits that nobody has chosen, so the length is rounded.
    const mm = Math.round(((sizeMm - clearanceMm) / factor) * 1000) / 1000;
    if (kind === 'room') limit.max = Math.min(mm, limit.max ?? mm);
    else limit.min = Math.max(mm, limit.min ?? mm);
    limits.set(measurement, limit);
  }
  return [...limits].map(([measurement, limit]) => ({ measurement, ...limit }));
}

/** Clothing of a population in the view: its own clothing, otherwise the clothing of the product's users. */
export function clothingIn(view: FitView, { clothing }: ChosenPopulation): string {
  return clothing ?? productById(view.product)?.clothing ?? 'nude';
}

/** The address of the screen. */
export const FIT_ADDRESS: ScreenAddress<FitView> = {
  path: SCREEN_PATHS.fit,
  read: readFitView,
  query: fitQuery,
  title: ({ product }) => `${productById(product)?.title ?? 'Own limits'}: will it fit?`,
  isOwn: ({ known }) => known.length > 0,
};
