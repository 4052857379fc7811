import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/errors.js';
import { CHUNK_ROWS, isStreamed } from '../../src/operations/answer-formats.js';
import { openChunks } from '../../src/operations/chunks.js';
import type { Operation } from '../../src/operations/operation.js';
import { answerJson } from '../../src/operations/validate.js';
import { TINY_MODEL as model } from '../population/tiny-people.js';
import { answerOrRefusal, operationNamed } from '../support/operations.js';

const PEOPLE = operationNamed('sample_people');
const SHEET = operationNamed('population_percentiles');
const namibia = { groups: [{ countries: ['NA'], ageMin: 20, ageMax: 40 }] };

function bytesOf(asked: Operation, input: object): Buffer {
  const chunks = openChunks(asked, input, model);
  return Buffer.concat(Array.from({ length: chunks.count }, (_, index) => chunks.chunk(index)));
}

describe('sampled people', () => {
  const request = { population: namibia, count: CHUNK_ROWS + 50, seed: 7 };
  const whole = PEOPLE.run(request as never, model) as unknown as {
    people: { country: string; measurements: Record<string, number> }[];
  };

  it('are sent in chunks when they are many, or as a table', () => {
    expect(isStreamed(PEOPLE, request)).toBe(true);
    expect(isStreamed(PEOPLE, { ...request, count: CHUNK_ROWS })).toBe(false);
    expect(isStreamed(PEOPLE, { ...request, count: 1, format: 'csv' })).toBe(true);
  });

  it('of whom few meet the conditions are refused if too many would have to be drawn', () => {
    const open = (mm: number, count: number): string => {
      const keep = [{ measurement: 'Stature', min: 1650, max: 1650 + mm }];
      const groups = [{ countries: ['World'], ageMin: 20, ageMax: 40 }];
      const asked = { population: { groups, keep }, count, seed: 7 };
      const found = answerOrRefusal(() => openChunks(PEOPLE, asked, model));
      return found instanceof Problem ? found.code : 'answered';
    };
    // Searches the narrowest condition that a thousandth of the people meets.
    let mm = 0.01;
    while (open(mm, 1) === 'population_empty') mm *= 1.04;
    expect([open(mm, 10_000), open(mm, 5000)]).toEqual(['computation_too_large', 'answered']);
    expect(open(3 * mm, 10_000)).toBe('answered');
  });

  it('are the same document in chunks as in one piece', () => {
    expect(bytesOf(PEOPLE, request).toString()).toBe(answerJson(PEOPLE, whole));
  });

  it('are a line each as CSV; Namibia stays NA, and what a person has not is empty', () => {
    const measurements = ['Stature', 'FemaleChestCircumferenceBelowBreasts'];
    const asked = { ...request, measurements, format: 'csv' };
    const lines = bytesOf(PEOPLE, asked).toString().trimEnd().split('\r\n');
    expect(lines[0]).toBe('country,gender,age,Stature,FemaleChestCircumferenceBelowBreasts');
    expect(lines).toHaveLength(request.count + 1);
    lines.slice(1).forEach((line, i) => {
      const [country, gender, , stature, breadth] = line.split(',');
      expect(country).toBe('NA');
      expect(Number(stature)).toBe(whole.people[i]?.measurements.Stature);
      expect(breadth === '').toBe(gender === 'Male');
    });
  });

  it('are a row each as Arrow, with nulls', () => {
    const table = tableFromIPC(bytesOf(PEOPLE, { ...request, format: 'arrow' }));
    expect(table.numRows).toBe(request.count);
    expect(table.numCols).toBe(3 + 150);
    expect(Object.fromEntries(table.schema.metadata)).toEqual({
      seed: '7',
      artifactVersion: 'tiny',
      unit: 'mm',
      massUnit: 'kg',
    });
    const people = table.toArray().map((row) => {
      const { country, gender, age, ...values }: Record<string, unknown> = { ...row?.toJSON() };
      const known = Object.entries(values).filter(([, value]) => value !== null);
      return { country, gender, age, measurements: Object.fromEntries(known) };
    });
    expect(people).toEqual(whole.people);
  });

  it('are the same people whatever the chunk they are read from', () => {
    const chunks = openChunks(PEOPLE, request, model);
    const last = Buffer.from(chunks.chunk(1)).toString();
    const again = openChunks(PEOPLE, request, model);
    again.chunk(0);
    expect(Buffer.from(again.chunk(1)).toString()).toBe(last);
  });
});

describe('a data sheet', () => {
  const request = {
    population: namibia,
    measurements: ['Stature', 'BodyMass', 'BMI'],
    percentiles: [5, 99.5],
    unit: 'in',
  };

  it('is a line for each measurement as CSV, with its unit', () => {
    const { measurements } = SHEET.run(request as never, model) as unknown as {
      measurements: { mean: number; sd: number; values: { value: number }[] }[];
    };
    const [stature, mass, bmi] = measurements.map(({ mean, sd, values }) =>
      [mean, sd, ...values.map(({ value }) => value)].join(','),
    );
    expect(bytesOf(SHEET, { ...request, format: 'csv' }).toString()).toBe(
      [
        'measurement,unit,mean,sd,P5,P99.5',
        `Stature,in,${stature}`,
        `BodyMass,kg,${mass}`,
        `BMI,kg/m²,${bmi}`,
        '',
      ].join('\r\n'),
    );
  });

  it('has the numerical errors of a cut population in columns of their own', () => {
    const keep = [{ measurement: 'Stature', min: 60 }];
    const asked = { ...request, population: { ...namibia, keep }, format: 'arrow' };
    const table = tableFromIPC(bytesOf(SHEET, asked));
    const names = table.schema.fields.map(({ name }) => name);
    expect(names.slice(-2)).toEqual(['P5NumericalError', 'P99.5NumericalError']);
    expect(Number(table.schema.metadata.get('people'))).toBeGreaterThan(1000);
  });

  it('says of which year the head counts are when the bodies are of another', () => {
    const years = [2022, 2030].map((year) => {
      const answer = SHEET.run({ ...request, population: { ...namibia, year } } as never, model);
      return (answer as { headCountYear?: number }).headCountYear;
    });
    expect(years).toEqual([undefined, 2022]);
  });
});
