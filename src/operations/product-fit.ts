import Type, { type Static } from 'typebox';
import { type Fault, fault, field, Problem, pointerTo, wrong } from '../core/errors.js';
import { PERSON_PERCENT_LIMITS, YEAR_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { roundedSafely } from '../core/safe-rounding.js';
import { fromMm, roundShare, toMm, type Unit } from '../core/units.js';
import { GRADES } from '../lookup/format.js';
import {
  ADULTS,
  endRules,
  IN_ORDER,
  type Product,
  productById,
  USUAL_PERCENT,
} from '../products/index.js';
import { RULE_KINDS } from '../products/schema.js';
import type { FoundFault } from './faults.js';
import { answerFields, closedObject, paidAnswer, requestFields } from './fields.js';
import { KNOWN_LIMITS, knownFaults, knownField } from './known-values.js';
import { medianError, shareBoundFields, shareBounds, sharesOff } from './median-errors.js';
import { defineOperation, fixedPrice } from './operation.js';
import {
  accommodatedGroups,
  EMPTY_POPULATION,
  groupFields,
  keptGroups,
  LARGEST_POPULATION,
  ON_PEOPLE,
  type People,
  type PopulationInput,
  peopleFields,
  peopleOf,
  populationFaults,
  populationField,
} from './population-request.js';
import type { PredictionModel } from './prediction-model.js';
import {
  type Design,
  type DesignParts,
  type DesignRule,
  designOf,
  limitsOf,
  needOf,
  type Range,
  type Sizes,
  userOf,
} from './product-design.js';
import { type JudgedPerson, judgedPerson, judgedPersons } from './product-persons.js';
import { productFaults, shareFault } from './product-request.js';
import { groupsBytes, listFault } from './tool-answers.js';
import { boxMs, distributionMs, evidenceMs, stepsOf } from './work.js';

const COST = 10;
const PERSONS = { maxItems: 8 } as const;
/** Largest parts of an answer besides the groups, in bytes: sizes and rules, and one person. */
const BESIDE_BYTES = 8000;
const PERSON_BYTES = 900;
/** The groups of a product that serves each of them may need this many times the work of one request. */
const GROUPS_AT_ONCE = 3;
const TARGET_PERCENT = { minimum: 50, maximum: PERSON_PERCENT_LIMITS.maximum } as const;

const lengthsById = (description: string) =>
  Type.Optional(
    Type.Object(
      {},
      { additionalProperties: Type.Number({ description: 'Length in `unit`.' }), description },
    ),
  );

const person = closedObject({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'Your name.' })),
  known: Type.Array(knownField, {
    ...KNOWN_LIMITS,
    description: 'What is known of the person, nude and erect.',
  }),
  gender: Type.Optional(requestFields.person.gender),
  age: Type.Optional(requestFields.person.age),
  country: Type.Optional(requestFields.country('Country of the person.')),
});

const request = closedObject({
  product: Type.String({ maxLength: 80, description: 'Id of a product, such as desk.' }),
  population: Type.Optional(populationField),
  targetPercent: Type.Optional(
    Type.Number({
      ...TARGET_PERCENT,
      description: 'Share of the people to fit, in percent. Default: of the product, else 90.',
    }),
  ),
  sizes: lengthsById('Sizes to judge, by id; the others are proposed.'),
  clearances: lengthsById('Clearances that replace those of the product, by id of the rule.'),
  persons: Type.Optional(
    Type.Array(person, { ...PERSONS, description: 'Known persons who must fit, too.' }),
  ),
  year: Type.Optional(
    Type.Integer({ ...YEAR_LIMITS, description: 'Year of the bodies, where population has none.' }),
  ),
  unit: requestFields.options.unit,
  massUnit: requestFields.massUnit.massUnit,
  clothing: Type.Optional(
    Type.Enum([...requestFields.options.clothing.enum], {
      type: 'string',
      description: 'Clothing worn. Default: that of the users of the product.',
    }),
  ),
});

type Input = Static<typeof request>;

const optionalNumber = (description: string) => Type.Optional(answerFields.number(description));

const response = paidAnswer({
  product: answerFields.text('Id of the product.'),
  title: answerFields.text('Name of the product.'),
  warnings: Type.Array(Type.String(), { description: 'To read before the sizes, and to pass on.' }),
  ...peopleFields,
  populationUsed: Type.Object(
    {
      reason: answerFields.text('Why these people.'),
      groups: Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'Groups, as in a request.',
      }),
      keep: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
      year: optionalNumber('Year of the bodies.'),
    },
    { description: 'The people whom the sizes are for.' },
  ),
  targetPercent: answerFields.number('Share to fit, in percent.'),
  unit: answerFields.unit('Unit of lengths.'),
  clothing: answerFields.clothing('Clothing of the people.'),
  sizes: Type.Array(
    Type.Object({
      id: answerFields.text('Id of the size.'),
      label: answerFields.text('Name of the size.'),
      value: answerFields.number('Value, rounded to its safe side where it is proposed.'),
      proposed: Type.Boolean({ description: 'False if the request gave it.' }),
      atLeast: optionalNumber('Least value for the wanted share, before rounding.'),
      atMost: optionalNumber('Largest value for the wanted share, before rounding.'),
      rules: Type.Array(Type.String(), { description: 'Ids of the rules of the size.' }),
    }),
    { description: 'All sizes of the product.' },
  ),
  share: answerFields.number('Share of the people whom the sizes fit, 0 to 1.'),
  ...shareBoundFields,
  numericalError: answerFields.number('Half width of the 95 % interval of `share`, a fraction.'),
  excluded: Type.Array(
    Type.Object({
      rule: answerFields.text('Id of the rule.'),
      need: answerFields.text('What these people need.'),
      share: answerFields.number('Share of the people, 0 to 1.'),
    }),
    { description: 'Who does not fit, most people first. One person may be in several.' },
  ),
  groups: Type.Array(
    Type.Object({
      ...groupFields,
      accommodated: answerFields.number('Share of the group whom the sizes fit.'),
    }),
    { description: 'The groups in the order of `populationUsed`.' },
  ),
  persons: Type.Array(
    Type.Object({
      name: Type.Optional(answerFields.text('Your name.')),
      gender: answerFields.gender('Gender given or taken.'),
      age: answerFields.number('Exact age given or taken.'),
      country: answerFields.country('Country given or taken.'),
      fits: Type.Boolean({ description: 'Whether all sizes fit the person.' }),
      sizes: Type.Array(
        Type.Object({
          id: answerFields.text('Id of the size.'),
          atLeast: optionalNumber('Least value for the person.'),
          atMost: optionalNumber('Largest value for the person.'),
        }),
        { description: 'What the person needs.' },
      ),
      lacks: Type.Array(
        Type.Object({
          rule: answerFields.text('Id of the rule.'),
          mm: answerFields.number('What is missing, mm.'),
        }),
        { description: 'What does not fit; empty if all fits.' },
      ),
    }),
    { description: 'The persons in the order asked.' },
  ),
  conflict: Type.Optional(
    Type.Object(
      {
        sizes: Type.Array(
          Type.Object({
            id: answerFields.text('Id of the size.'),
            atLeast: answerFields.number('What some need at least.'),
            atMost: answerFields.number('What others need at most.'),
            compromise: answerFields.number('The value between them.'),
            lacks: Type.Array(
              Type.Object({ name: answerFields.text('Who.'), mm: answerFields.number('mm.') }),
              { description: 'Who lacks how much at the compromise.' },
            ),
            text: answerFields.text('The same as a sentence.'),
          }),
          { description: 'Sizes of which one value does not suit all.' },
        ),
      },
      { description: 'Only where one value does not suit all persons or the wanted share.' },
    ),
  ),
  rules: Type.Array(
    Type.Object({
      id: answerFields.text('Id of the rule.'),
      size: answerFields.text('Id of the size, or of the lower end of a range.'),
      upper: Type.Optional(answerFields.text('Id of the upper end of a range.')),
      kind: answerFields.oneOf(
        RULE_KINDS,
        'room: at least factor × measurement + clearance; reach: at most; between: a range that holds it.',
      ),
      measurement: answerFields.measurement('Measurement.'),
      factor: answerFields.number('Factor of the measurement.'),
      clearance: answerFields.number('Clearance in `unit`.'),
      words: answerFields.text('The rule in words.'),
      basis: answerFields.text('Its source.'),
      grade: Type.Optional(
        answerFields.oneOf(
          GRADES,
          'How well the measurement is known, as in evidence: nine in ten have this grade or a better one.',
        ),
      ),
    }),
    { description: 'The rules of the product.' },
  ),
  notes: Type.Array(Type.String(), { description: 'What to know, and what is not covered.' }),
  artifactVersion: answerFields.text('Version of the data.'),
});

/** POST /v1/products/fit: the sizes of a product for a share of people, and who is excluded. */
export const productFit = defineOperation({
  name: 'product_fit',
  path: '/v1/products/fit',
  title: 'Sizes of a product',
  description:
    'Sizes of a product of the catalogue for a share of people, who is excluded by what, and whether known persons fit.',
  toolDescription:
    'Which sizes must a desk, chair, doorway, handrail, helmet … have for 90 % of the users? One call with the id of a product (get_catalog finds it) and a population answers the sizes with clearances, the share that fits, who is excluded, and the source of each rule. Judges your own `sizes`, and up to 8 named `persons` with the compromise between them. Pass `warnings` on, before the sizes. Products in several sizes: size_chart; places to reach or see: reach_share.',
  ...fixedPrice(COST),
  command: { name: 'product-fit', summary: 'sizes of a product for a share of people' },
  ...ON_PEOPLE,
  request,
  response,
  example: {
    product: 'bed',
    population: { groups: [{ countries: ['NL'], ageMin: 18, ageMax: 65 }] },
    targetPercent: 99,
    persons: [{ name: 'Ann', known: [{ measurement: 'Stature', value: 1580 }], gender: 'Female' }],
  },
  refusals: {
    population_empty: { product: 'bed', population: EMPTY_POPULATION },
    product_not_fitted: { product: 'shoe' },
    computation_too_large: {
      product: 'school-desk',
      population: {
        ...LARGEST_POPULATION,
        keep: MEASUREMENT_NAMES.slice(0, 5).map((measurement) => ({ measurement, min: 1 })),
      },
    },
    value_implausible: {
      product: 'bed',
      population: { groups: [{ countries: ['LU'], ageMin: 20, ageMax: 60 }] },
      persons: [{ known: [{ measurement: 'Stature', value: 190 }] }],
    },
  },
  check,
  toolCheck({ population, persons = [] }) {
    if (population === undefined) return [];
    // The answer has the groups twice.
    const bytes = 2 * groupsBytes(population);
    const besides = BESIDE_BYTES + PERSON_BYTES * persons.length;
    return listFault('/population/groups', population.groups.length, bytes, besides);
  },
  work: {
    ms(input) {
      const product = productById(input.product);
      if (product?.rules === undefined) return 0;
      const { population } = usedPeople(input, product);
      const dimensions = new Set(product.rules.map(({ measurement }) => measurement)).size;
      const clothing = input.clothing ?? product.clothing;
      // Ranges, then shares: of the sizes, and with all medians off. Each group may be searched again, one after the other.
      const of = (one: PopulationInput, searches: number, shares: number) => {
        const steps = stepsOf({ population: one, clothing });
        const { cells, sampled, conditions, curveMs } = steps;
        const curves = (sampled < cells ? 5 * sampled : 0) + 2 * cells;
        const each = distributionMs(steps, 10) + curves * curveMs;
        const box = boxMs(cells, conditions + dimensions);
        const rounds = (sampled < cells ? 5 : 1) * boxMs(sampled, conditions + dimensions);
        const search = dimensions * each + 0.6 * (rounds + 2 * box);
        return (
          steps.populationMs +
          searches * search +
          shares * (dimensions * cells * curveMs + box) +
          dimensions * evidenceMs(steps)
        );
      };
      const persons = 20 * (input.persons?.length ?? 0);
      const all = of(population, 1, 5);
      if (product.forEach !== true || population.groups.length === 1) return all + persons;
      // They are answered one after the other, so that several may take longer than one request.
      const groups = population.groups.map(({ share: _, ...group }) =>
        of({ ...population, groups: [group] }, 3, 5),
      );
      const sum = groups.reduce((total, ms) => total + ms, 0);
      return persons + Math.max(all, sum / GROUPS_AT_ONCE, ...groups);
    },
    less: 'fewer countries, years of age or groups',
  },
  run,
});

/** The people of a request, and why they are taken. */
function usedPeople({ population, year }: Input, { people, title }: Product) {
  const later = year === undefined ? {} : { year };
  if (population !== undefined) {
    return { population: { ...population, ...later }, reason: 'The people of the request.' };
  }
  const groups = (people ?? [ADULTS]).map(({ ageMin, ageMax }) => {
    return { countries: ['World'], ageMin, ageMax };
  });
  const reason =
    people === undefined
      ? 'The request names no people: adults of 18 to 65 of the World.'
      : `The request names no people: the usual ones of ${title.toLowerCase()}, of the World.`;
  return { population: { groups, ...later } as PopulationInput, reason };
}

/** Maximum error of a length that is converted to another unit and back (decision 0002). */
const ROUNDED_MM = 0.001;

/** Faults that the schema cannot state. */
function check(input: Input): FoundFault[] {
  const faults = productFaults(input.product);
  const { population, persons = [], year, targetPercent, unit = 'mm' } = input;
  if (population !== undefined) faults.push(...populationFaults(population));
  if (year !== undefined && population?.year !== undefined) {
    faults.push(
      fault('/year')`${field('/population')} has a year already; leave out ${field('/year')}.`,
    );
  }
  persons.forEach(({ known }, p) => {
    faults.push(...knownFaults(known, `/persons/${p}/known`));
  });
  const product = productById(input.product);
  if (product === undefined) return faults;
  const unsafe = targetPercent === undefined ? undefined : shareFault(product, targetPercent);
  if (unsafe !== undefined) faults.push(fault('/targetPercent')`${unsafe}`);
  const { sizes = [], rules = [], couplings = [] } = product;
  const given = lengthsMm(input.sizes, unit);
  const shown = (mm: number) => `${fromMm(mm, unit)} ${unit}`;
  for (const [id, mm] of Object.entries(given)) {
    const size = sizes.find((one) => one.id === id);
    const pointer = pointerTo('/sizes', id);
    if (size === undefined) {
      faults.push(unknownId(pointer, 'size', id, product.id, sizes));
    } else if (mm < size.min - ROUNDED_MM || mm > size.max + ROUNDED_MM) {
      const at = fault(pointer);
      faults.push(
        at`${size.label} (${field(pointer)}) must be from ${shown(size.min)} to ${shown(size.max)}, not ${shown(mm)}.`,
      );
    }
  }
  for (const id of Object.keys(input.clearances ?? {})) {
    if (rules.some((rule) => rule.id === id)) continue;
    faults.push(unknownId(pointerTo('/clearances', id), 'rule', id, product.id, rules));
  }
  for (const { upper, lower, plus, why } of couplings) {
    const [high, low] = [given[upper], given[lower]];
    if (high === undefined || low === undefined || high >= low + plus - ROUNDED_MM) continue;
    const pointer = pointerTo('/sizes', upper);
    const other = field(pointerTo('/sizes', lower));
    const at = wrong(pointer);
    const more = plus === 0 ? '' : ` plus ${shown(plus)}`;
    faults.push(at`(${shown(high)}) must be at least ${other} (${shown(low)})${more}: ${why}.`);
  }
  return faults;
}

function unknownId(
  pointer: string,
  what: string,
  id: string,
  product: string,
  all: readonly { readonly id: string }[],
): Fault {
  const at = fault(pointer);
  return at`${JSON.stringify(id)} is no ${what} of ${product}; use ${all.map((one) => one.id).join(', ')}.`;
}

/** Lengths of a request in mm, by id. */
function lengthsMm(lengths: object | undefined, unit: Unit): Record<string, number> {
  return Object.fromEntries(
    Object.entries(lengths ?? {}).map(([id, value]) => [id, toMm(value as number, unit)]),
  );
}

/** @throws Problem `product_not_fitted` */
function refuseNotFitted({ id, title, chart }: Product): never {
  const population =
    '"population": {"groups": [{"countries": ["DE"], "ageMin": 18, "ageMax": 65}]}';
  const [other, asked] =
    chart === undefined
      ? ['reach_share', `POST /v1/population/reach {"scene": "${id}", ${population}}`]
      : ['size_chart', `POST /v1/population/sizes {"product": "${id}", "sizes": 5, ${population}}`];
  const message = `${title} has ${chart === undefined ? 'a scene' : 'a size chart'}, and no sizes with rules. Use ${other}: ${asked}.`;
  throw new Problem('product_not_fitted', message);
}

function run(input: Input, model: PredictionModel): Static<typeof response> {
  const product = productById(input.product) as Product;
  const { sizes: all, rules: known } = product;
  if (all === undefined || known === undefined) return refuseNotFitted(product);
  const { population, reason } = usedPeople(input, product);
  const { unit = 'mm', clothing = product.clothing } = input;
  const targetPercent = input.targetPercent ?? product.targetPercent ?? USUAL_PERCENT;
  const people = peopleOf({ ...input, population, clothing }, model);
  const profiles = people.profilesOf({ clothing });
  const clearances = lengthsMm(input.clearances, unit);
  const ruled = known.map((rule) => ({
    ...rule,
    clearance: clearances[rule.id] ?? rule.clearance,
  }));
  const rules = endRules(ruled).map((rule): DesignRule => {
    return { ...rule, quantity: people.quantityOf(rule.measurement, profiles) };
  });
  const groups = keptGroups(people);
  const parts: DesignParts = {
    ...{ sizes: all, rules, couplings: product.couplings ?? [], unit, profiles },
    given: lengthsMm(input.sizes, unit),
    people: people.kept,
    parts: product.forEach === true && groups.length > 1 ? groups : [people.kept],
    share: targetPercent / 100,
  };
  const { joint, units } = people;
  const quantities = [...new Set(rules.map(({ quantity }) => quantity))];
  const judged = judgedPersons(input.persons ?? [], (one, p) =>
    judgedPerson(one, p, population, joint, units, clothing, quantities),
  );
  const design = designOf(parts);
  const { share, error, byCohort } = design.fit;
  const errors = new Map(
    quantities.map((quantity) => {
      return [quantity, medianError(people, model, quantity, profiles)];
    }),
  );
  const limits = limitsOf(parts, design.sizes);
  const off = sharesOff(
    people,
    limits,
    limits.map(({ quantity }) => errors.get(quantity)?.error as number),
    share,
  );
  const shown = (mm: number) => fromMm(mm, unit);
  const range = ({ atLeast, atMost }: Range) => ({
    ...(atLeast === undefined ? {} : { atLeast: shown(atLeast) }),
    ...(atMost === undefined ? {} : { atMost: shown(atMost) }),
  });
  const persons = judged.map((one, p) =>
    foundPerson(one, input.persons?.[p]?.name, parts, design.sizes),
  );
  const conflicts = [
    ...(persons.length > 1 ? personConflicts(product, persons, unit) : []),
    ...shareConflicts(product, design, unit),
  ];
  const { several } = design;
  return {
    product: product.id,
    title: product.title,
    warnings: [...(product.warnings ?? [])],
    ...people.headCount,
    populationUsed: { reason, ...population },
    ...{ targetPercent, unit, clothing },
    sizes: all.map(({ id, label }) => ({
      ...{ id, label, value: shown(design.sizes[id] as number) },
      proposed: parts.given[id] === undefined,
      ...range(design.ranges.get(id) ?? {}),
      rules: known.filter((one) => one.size === id || one.upper === id).map((one) => one.id),
    })),
    share: roundShare(share),
    ...shareBounds(share, off),
    numericalError: roundShare(error),
    excluded: excludedBy(rules, design.sizes, people, profiles),
    groups: accommodatedGroups(people, byCohort),
    persons: persons.map(({ name, gender, age, country, needs, lacks }) => ({
      ...(name === undefined ? {} : { name }),
      ...{ gender, age, country, fits: lacks.length === 0 },
      sizes: all.map(({ id }) => ({ id, ...range(needs.get(id) ?? {}) })),
      lacks,
    })),
    ...(conflicts.length === 0 ? {} : { conflict: { sizes: conflicts } }),
    rules: ruled.map(
      ({ id, size, upper, kind, measurement, factor = 1, clearance, words, basis }) => {
        const { grade } = errors.get(people.peopleModel.indexOf(measurement)) ?? {};
        return {
          ...{ id, size, ...(upper === undefined ? {} : { upper }), kind, measurement, factor },
          ...{ clearance: shown(clearance), words, basis },
          ...(grade === undefined ? {} : { grade }),
        };
      },
    ),
    notes: [
      ...(product.notes ?? []),
      ...(several === undefined
        ? []
        : [
            `${several.values.length} sizes serve ${(100 * several.share).toFixed(1)} % together: ${labelOf(product, several.size).toLowerCase()} ${several.values.map((mm) => `${shown(mm)} ${unit}`).join(', ')}. Each has the other sizes above.`,
          ]),
    ],
    artifactVersion: model.artifactVersion,
  };
}

const labelOf = ({ sizes = [] }: Product, id: string): string =>
  sizes.find((one) => one.id === id)?.label ?? id;

/** Shares of the people whom each rule excludes, the largest first. */
function excludedBy(
  rules: readonly DesignRule[],
  sizes: Sizes,
  people: People,
  profiles: DesignParts['profiles'],
) {
  return rules
    .map((rule) => {
      const within = people.distributions
        .of(rule.quantity, profiles)
        .share(userOf(rule, sizes[rule.size] as number));
      const share = roundShare(rule.kind === 'room' ? 1 - within : within);
      return { rule: rule.id, need: rule.need, share };
    })
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share);
}

/** A person with what the sizes must be, mm, and what is missing. */
interface FoundPerson {
  readonly name: string | undefined;
  readonly gender: string;
  readonly age: number;
  readonly country: string;
  readonly needs: ReadonlyMap<string, Range>;
  readonly lacks: { rule: string; mm: number }[];
}

function foundPerson(
  { gender, age, country, value }: JudgedPerson,
  name: string | undefined,
  { rules, sizes }: DesignParts,
  values: Sizes,
): FoundPerson {
  const exact = (quantity: number): Range => {
    return { atLeast: value(quantity), atMost: value(quantity) };
  };
  return {
    ...{ name, gender, age, country },
    needs: new Map(sizes.map(({ id }) => [id, needOf(rules, id, exact)])),
    lacks: rules.flatMap(({ id, size, kind, quantity, factor, clearanceMm }) => {
      const need = value(quantity) * factor + clearanceMm;
      const more = (need - (values[size] as number)) * (kind === 'room' ? 1 : -1);
      const mm = Math.round(10 * more) / 10;
      return mm > 0 ? [{ rule: id, mm }] : [];
    }),
  };
}

type Conflict = NonNullable<Static<typeof response>['conflict']>['sizes'][number];

/** One end of a conflict, and who needs it. */
interface End {
  readonly name: string;
  readonly mm: number;
}

/** The value between two ends, the mm that each of some people lacks there, and the same in words. */
function conflictAt(
  id: string,
  what: string,
  unit: Unit,
  least: readonly End[],
  most: readonly End[],
  remedy = '',
): Conflict[] {
  const byMm = (one: End, other: End) => one.mm - other.mm;
  const [high, low] = [[...least].sort(byMm).at(-1), [...most].sort(byMm)[0]];
  if (high === undefined || low === undefined || high.mm <= low.mm) return [];
  const compromise = roundedSafely((high.mm + low.mm) / 2, 'down', unit);
  const text = (mm: number) => `${fromMm(mm, unit).toLocaleString('en')} ${unit}`;
  const lackOf = (side: 'up' | 'down') => (end: End) => {
    const sign = side === 'up' ? 1 : -1;
    // The text subtracts the numbers that it shows.
    const shown = sign * (roundedSafely(end.mm, side, unit) - compromise);
    const mm = sign * (end.mm - compromise);
    return {
      mm,
      lack: { name: end.name, mm: Math.round(10 * mm) / 10 },
      words: `${text(shown)} too ${side === 'up' ? 'small' : 'large'} for ${end.name}`,
    };
  };
  const all = [...least.map(lackOf('up')), ...most.map(lackOf('down'))];
  const lacking = all.filter(({ mm }) => mm > 0);
  return [
    {
      ...{ id, atLeast: fromMm(high.mm, unit), atMost: fromMm(low.mm, unit) },
      ...{ compromise: fromMm(compromise, unit), lacks: lacking.map(({ lack }) => lack) },
      text: `${what}: ${text(roundedSafely(low.mm, 'down', unit))} or less for ${low.name}, ${text(roundedSafely(high.mm, 'up', unit))} or more for ${high.name}; ${text(compromise)} is ${lacking.map(({ words }) => words).join(' and ')}.${remedy}`,
    },
  ];
}

/** Sizes, and ranges as one fixed value, that do not suit all persons. */
function personConflicts(
  product: Product,
  persons: readonly FoundPerson[],
  unit: Unit,
): readonly Conflict[] {
  const { sizes = [], rules = [], couplings = [] } = product;
  const ends = (id: string, side: keyof Range): readonly End[] =>
    persons.flatMap(({ name, needs }, p) => {
      const mm = needs.get(id)?.[side];
      return mm === undefined ? [] : [{ name: name ?? `person ${p + 1}`, mm }];
    });
  const pairs = [
    ...couplings.filter(({ why }) => why === IN_ORDER),
    ...rules.flatMap(({ size, upper }) => (upper === undefined ? [] : [{ lower: size, upper }])),
  ];
  const unique = new Map(pairs.map(({ lower, upper }) => [lower, upper]));
  return sizes.flatMap(({ id, label }) => {
    const upper = unique.get(id);
    if (upper === undefined)
      return conflictAt(id, label, unit, ends(id, 'atLeast'), ends(id, 'atMost'));
    const what = `${label} and ${labelOf(product, upper).toLowerCase()} as one fixed value`;
    const adjustable = ' A range that holds both suits all.';
    return conflictAt(id, what, unit, ends(upper, 'atLeast'), ends(id, 'atMost'), adjustable);
  });
}

/** Sizes of which one value does not serve the wanted share. */
function shareConflicts(product: Product, { ranges }: Design, unit: Unit): readonly Conflict[] {
  return (product.sizes ?? []).flatMap(({ id, label }) => {
    const { atLeast, atMost } = ranges.get(id) ?? {};
    if (atLeast === undefined || atMost === undefined) return [];
    const [large, small] = ['the largest of these people', 'the smallest of these people'];
    return conflictAt(
      id,
      label,
      unit,
      [{ name: large, mm: atLeast }],
      [{ name: small, mm: atMost }],
    );
  });
}
