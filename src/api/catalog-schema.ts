import Type from 'typebox';
import { ERRORS } from '../core/errors.js';
import { MEASUREMENT_KINDS } from '../core/measurements.js';
import { NUDE_PARTS } from '../core/profiles.js';
import { answerFields, BODY_QUANTITIES } from '../operations/fields.js';

const { text, number, country, gender, unit, clothing, posture, measurement, oneOf } = answerFields;

const texts = (description: string) => Type.Array(Type.String(), { description });
const range = (description: string) =>
  Type.Object({ minimum: Type.Number(), maximum: Type.Number() }, { description });
const list = (description: string) =>
  Type.Object(
    { minItems: Type.Integer(), maxItems: Type.Integer(), unique: Type.Boolean() },
    { description },
  );

const profile = (id: object) => ({
  id: id as ReturnType<typeof text>,
  definition: text('What it is, with shifts of US adults.'),
});

const endpoint = Type.Object({
  method: oneOf(['GET', 'POST'], 'Method.'),
  path: text('Path.'),
  auth: Type.Boolean({ description: 'Whether it needs an API key.' }),
  description: text('What it answers.'),
  cost: Type.Optional(text('Cost in words.')),
  request: Type.Optional(
    Type.Object({
      required: texts('Names of the required fields.'),
      fields: Type.Record(
        Type.String(),
        Type.Object({}, { description: 'JSON Schema; `values` names the list of a long enum.' }),
        { description: 'Fields of the request by name.' },
      ),
    }),
  ),
  example: Type.Optional(Type.Object({}, { description: 'A valid request.' })),
  response: Type.Unknown({ description: 'The answer, as JSON Schema or in words.' }),
});

/** Schema of `GET /`. */
export const catalogSchema = Type.Object(
  {
    name: text('Name of the service.'),
    version: text('Version of the service.'),
    description: text('What the service does.'),
    authentication: Type.Object({
      type: text('Kind of authentication.'),
      header: text('The header to send.'),
      description: text('How API keys work.'),
    }),
    mcp: Type.Object({
      path: text('Path of the endpoint for language models.'),
      transport: text('Transport of the protocol.'),
      auth: text('Kind of authentication.'),
      description: text('What it offers.'),
      tools: texts('Names of the tools.'),
    }),
    defaults: Type.Object(
      {
        country: country('Country.'),
        unit: unit('Unit.'),
        clothing: clothing('Clothing.'),
        posture: posture('Posture.'),
      },
      { description: 'Values of omitted fields.' },
    ),
    billing: Type.Object({
      unit: text('What is counted.'),
      costs: Type.Record(Type.String(), Type.String(), { description: 'Cost of each route.' }),
      rules: texts('How calls are paid.'),
      packs: Type.Array(Type.Integer(), { description: 'Credits that can be bought at once.' }),
    }),
    limits: Type.Object({
      rate: Type.Object({ requests: Type.Integer(), seconds: Type.Integer(), per: Type.String() }),
      freeTier: Type.Object({ calls: Type.Integer(), hours: Type.Integer(), per: Type.String() }),
      bodyBytes: Type.Integer({ description: 'Largest body of a request.' }),
      percentiles: list('Percentiles of a request.'),
      countries: list('Countries of a request.'),
      percentile: range('A percentile.'),
      age: range('An age in years.'),
      value: Type.Object({ exclusiveMinimum: Type.Number() }, { description: 'A length.' }),
      idempotencyKey: Type.Object({ maxLength: Type.Integer(), hours: Type.Integer() }),
    }),
    enums: Type.Object(
      {
        genders: Type.Array(gender('A gender.')),
        units: Type.Array(unit('A unit.')),
        countries: Type.Array(country('A country.')),
        measurements: Type.Array(measurement('A measurement.')),
        bodyQuantities: Type.Array(oneOf(BODY_QUANTITIES, 'A quantity of the whole body.')),
        clothing: Type.Array(clothing('A clothing.')),
        postures: Type.Array(posture('A posture.')),
      },
      { description: 'Values of the fields with a fixed list.' },
    ),
    profiles: Type.Object({
      clothing: Type.Array(
        Type.Object({
          ...profile(clothing('Id.')),
          leavesNude: Type.Array(oneOf(NUDE_PARTS, 'A part of the body.'), {
            description: 'Parts that it leaves nude: their dimensions stay those of nude people.',
          }),
          ageMin: number('Age in years from which it has a model.'),
        }),
        { description: 'What each clothing is.' },
      ),
      postures: Type.Array(Type.Object(profile(posture('Id.'))), {
        description: 'What each posture is.',
      }),
    }),
    countries: Type.Array(Type.Object({ code: country('Code.'), name: text('Name in English.') }), {
      description: 'Names of the countries.',
    }),
    countrySets: Type.Record(Type.String(), Type.Array(country('A member.')), {
      description: 'Members of each set of countries, by its name.',
    }),
    measurements: Type.Array(
      Type.Object({
        name: measurement('Name.'),
        definition: text('What is measured.'),
        kind: oneOf(MEASUREMENT_KINDS, 'Kind of dimension.'),
        genders: Type.Array(gender('A gender.'), { description: 'Genders that have it.' }),
        postures: Type.Array(posture('A posture.'), {
          description: 'Postures that it has a model for.',
        }),
      }),
      { description: 'The measurements.' },
    ),
    endpoints: Type.Array(endpoint, { description: 'The routes.' }),
    errors: Type.Record(
      Type.String(),
      Type.Object({
        status: number('HTTP status.'),
        title: text('Short text.'),
        description: text('When it occurs, and what to do.'),
      }),
      { description: `Errors by code: ${Object.keys(ERRORS).join(', ')}.` },
    ),
  },
  { description: 'Everything that a request may name, with limits, prices and errors.' },
);
