import { Problem } from '../../core/errors.js';
import { OPERATIONS, type OperationName } from '../../operations/index.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { count } from '../format.js';

/** A question of the first page with the answer of the service. */
export interface WorkedQuestion {
  readonly question: string;
  /** The answer in one or two sentences. */
  readonly answer: string;
  /** People, a line each. */
  readonly people?: readonly string[];
  /** Page of the operation that answers. */
  readonly href: string;
  /** Title of that operation. */
  readonly title: string;
}

const KNEE_MM = 600;
const HIP_MM = 440;
const VALUE_MM = 1900;

const DESK = {
  population: { groups: [{ countries: ['DE'], ageMin: 18, ageMax: 65 }] },
  limits: [
    { measurement: 'KneeHeight', max: KNEE_MM, clothing: 'shoes' },
    { measurement: 'SittingHipBreadth', max: HIP_MM },
  ],
};
const TALL = {
  measurement: 'Stature',
  gender: 'Male',
  age: 30,
  country: 'NL',
  value: VALUE_MM,
};
const PEOPLE = {
  population: { groups: [{ countries: ['JP'], ageMin: 18, ageMax: 65 }] },
  count: 3,
  measurements: ['Stature', 'SittingHeight', 'BodyMass'],
  seed: 7,
};

/**
 * The questions of the first page, answered by the model. A question that the model refuses is
 * left out: a model built without some sources lacks dimensions.
 */
export function workedQuestions(model: PredictionModel): readonly WorkedQuestion[] {
  return [deskQuestion, tallQuestion, peopleQuestion].flatMap((ask) => {
    try {
      return [ask(model)];
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  });
}

function deskQuestion(model: PredictionModel): WorkedQuestion {
  const { share } = ask<{ share: number }>('population_share', DESK, model);
  return {
    question: `How many adults in Germany fit a desk with ${KNEE_MM} mm of room for the knees and a seat ${HIP_MM} mm wide?`,
    answer: `${percent(share)} of the people from 18 to 65 meet both limits, in shoes.`,
    ...linkTo('population_share'),
  };
}

function tallQuestion(model: PredictionModel): WorkedQuestion {
  const { percentile } = ask<{ percentile: number }>('percentile_lookup', TALL, model);
  return {
    question: `How tall is a Dutch man of 30 with ${count(VALUE_MM)} mm among others?`,
    answer: `He is at percentile ${percentile.toFixed(1)}: ${percent(percentile / 100)} of the men of his age are shorter.`,
    ...linkTo('percentile_lookup'),
  };
}

function peopleQuestion(model: PredictionModel): WorkedQuestion {
  const { people } = ask<{
    people: readonly {
      readonly gender: string;
      readonly age: number;
      readonly measurements: Readonly<Record<string, number>>;
    }[];
  }>('sample_people', PEOPLE, model);
  return {
    question: 'Who could test a product in Japan?',
    answer: 'Three people drawn from the population. The measurements of a person fit together.',
    people: people.map(({ gender, age, measurements }) => {
      const {
        Stature = Number.NaN,
        SittingHeight = Number.NaN,
        BodyMass = Number.NaN,
      } = measurements;
      const person = gender === 'Female' ? 'a woman' : 'a man';
      const lengths = `${whole(Stature)} mm tall, sitting height ${whole(SittingHeight)} mm`;
      return `${person} of ${age}: ${lengths}, ${whole(BodyMass)} kg`;
    }),
    ...linkTo('sample_people'),
  };
}

function ask<Answer>(name: OperationName, request: unknown, model: PredictionModel): Answer {
  return operationOf(name).run(request as never, model) as Answer;
}

function linkTo(name: OperationName): Pick<WorkedQuestion, 'href' | 'title'> {
  const { path, title } = operationOf(name);
  return { href: `/docs/operations/${path.replace('/v1/', '').replaceAll('/', '-')}`, title };
}

function operationOf(name: OperationName) {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return operation;
}

function whole(value: number): string {
  return count(Math.round(value));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
