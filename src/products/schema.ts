import Type, { type Static } from 'typebox';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../core/measurements.js';
import { CLOTHING_IDS, type ClothingId } from '../core/profiles.js';

// The form of the catalogue of products. Lengths are in mm.

const text = (description: string) => Type.String({ minLength: 1, description });
const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description }));
const closed = <Fields extends Type.TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
const names = <Name extends string>(all: readonly Name[], description: string) =>
  Type.Enum([...all] as [Name, ...Name[]], { type: 'string', description });
const measurement = names<MeasurementName>(MEASUREMENT_NAMES, 'Measurement.');
const basis = text(
  'Source that somebody looked up, or our own choice. It says what was not verified.',
);

const people = closed({
  name: Type.Optional(text('Name of the people.')),
  ageMin: Type.Integer({ ...AGE_LIMITS, description: 'Youngest completed age.' }),
  ageMax: Type.Integer({ ...AGE_LIMITS, description: 'Oldest completed age.' }),
});
const usualPeople = (description: string) =>
  Type.Optional(Type.Array(people, { minItems: 1, description }));

const size = closed({
  id: text('Id of the size.'),
  label: text('Name of the size.'),
  min: Type.Number({ description: 'Least value that the product can have.' }),
  max: Type.Number({ description: 'Largest value that the product can have.' }),
  usual: Type.Number({
    description: 'Usual value, which pictures show before there is an answer.',
  }),
});

/** Kinds of rules. */
export const RULE_KINDS = ['room', 'reach', 'between'] as const;

const rule = closed({
  id: text('Id of the rule in the product.'),
  size: text('Id of the size, or of the lower end of a range.'),
  upper: Type.Optional(text('Id of the upper end of a range, for `between`.')),
  kind: names(
    RULE_KINDS,
    'room: the size is at least factor × measurement + clearance. reach: at most. between: the range from `size` to `upper` holds the measurement + clearance, of which the factor is the part that is enough.',
  ),
  measurement,
  factor: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: '1 if left out.' })),
  clearance: Type.Number({ description: 'Clearance, mm.' }),
  need: text('What an excluded person needs; with `between`, one who is too small.'),
  needMore: Type.Optional(text('What one who is too large needs, for `between`.')),
  words: text('The rule in words.'),
  basis,
});

const coupling = closed({
  upper: text('Id of the size that is at least `lower` + `plus`.'),
  lower: text('Id of the other size.'),
  plus: Type.Number({ description: 'Length, mm.' }),
  why: text('Reason, as the end of a sentence.'),
});

const chart = closed({
  title: Type.Optional(text('What has the sizes, if it is a part of the product.')),
  measurements: Type.Array(
    closed({
      measurement,
      tolerance: Type.Number({
        exclusiveMinimum: 0,
        description: 'Full width that one size serves, mm.',
      }),
      basis,
    }),
    { minItems: 1, description: 'Measurements of nude people that tell the sizes apart.' },
  ),
});

const demands = (description: string) =>
  Type.Optional(
    Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, description }),
  );

const scene = closed({
  title: text('Name of the scene.'),
  formerIds: texts('Ids of scenes that are now this one.'),
  clothing: names<ClothingId>(CLOTHING_IDS, 'Clothing of the people.'),
  people: usualPeople('Usual people of the scene, if not those of the product.'),
  pose: names(['sitting', 'standing'], 'As in reach_share.'),
  seat: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'As in reach_share.' }),
  ),
  targets: demands('As in reach_share.'),
  see: demands('As in reach_share.'),
  clear: demands('As in reach_share.'),
  sources: Type.Array(Type.String(), { minItems: 1, description: 'Where the places come from.' }),
});

/** A product with what is known of its sizes. */
export const productSchema = closed({
  id: text('Id of the product.'),
  title: text('Name of the product.'),
  names: texts('Other names.'),
  formerIds: texts('Ids of things that are now part of this product.'),
  clothing: names<ClothingId>(CLOTHING_IDS, 'Clothing of the users.'),
  people: usualPeople('Usual people, in any country; adults of 18 to 65 if left out.'),
  targetPercent: Type.Optional(
    Type.Number({
      minimum: 50,
      maximum: 99.9,
      description: 'Usual share in percent; 90 if left out.',
    }),
  ),
  forEach: Type.Optional(Type.Literal(true, { description: 'Each group gets the wanted share.' })),
  safety: Type.Optional(
    Type.Literal(true, { description: 'A product of safety: no share below 95 % is answered.' }),
  ),
  notes: texts('What to know about the rules, and what they do not cover.'),
  warnings: texts('What must be read before the sizes.'),
  sizes: Type.Optional(
    Type.Array(size, { minItems: 1, description: 'Sizes that product_fit answers.' }),
  ),
  rules: Type.Optional(Type.Array(rule, { minItems: 1, description: 'Rules of the sizes.' })),
  couplings: Type.Optional(
    Type.Array(coupling, { minItems: 1, description: 'Conditions between two sizes.' }),
  ),
  chart: Type.Optional(chart),
  scene: Type.Optional(scene),
});

/** The scene of a product. */
export type Scene = Static<typeof scene>;
/** A product of the catalogue. */
export type Product = Static<typeof productSchema>;
/** A size of a product. */
export type ProductSize = Static<typeof size>;
/** A rule of a product. */
export type ProductRule = Static<typeof rule>;
/** A condition on two sizes of a product. */
export type Coupling = Static<typeof coupling>;
