import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import type { Manifest, ManifestSurvey } from '../../src/lookup/format.js';
import { evidence } from '../../src/operations/evidence.js';
import { restsOn } from '../../src/operations/evidence-basis.js';
import { validateRequest } from '../../src/operations/validate.js';
import { tinyModel } from '../support/models.js';
import { refusalOf } from '../support/operations.js';
import { WITHOUT_MODEL } from '../support/tiny-artifact.js';
import { TINY_LN_MEDIAN_SD } from '../support/tiny-population.js';

const model = tinyModel();

const ask = (body: object) => evidence.run(validateRequest(evidence, body), model);
const PERSON = { gender: 'Male', age: 30, country: 'US' } as const;

describe('evidence', () => {
  it('answers the median with its 90 % interval, in the unit asked for', () => {
    const found = ask({ ...PERSON, measurement: 'Stature' });
    expect(found).toMatchObject({ ...PERSON, measurement: 'Stature', unit: 'mm' });
    expect(['A', 'B', 'C', 'D']).toContain(found.grade);
    expect(Math.log(found.high / found.median)).toBeCloseTo(1.645 * TINY_LN_MEDIAN_SD, 4);
    expect(Math.log(found.median / found.low)).toBeCloseTo(1.645 * TINY_LN_MEDIAN_SD, 4);
    const inches = ask({ ...PERSON, measurement: 'Stature', unit: 'in' });
    expect(inches.unit).toBe('in');
    expect(inches.median * 25.4).toBeCloseTo(found.median, 2);
  });

  it('knows BMI and body mass', () => {
    expect(ask({ ...PERSON, measurement: 'BMI' })).toMatchObject({ unit: 'kg/m²', median: 26 });
    const kilograms = ask({ ...PERSON, measurement: 'BodyMass' });
    expect(kilograms).toMatchObject({ unit: 'kg', median: 75 });
    const pounds = ask({ ...PERSON, measurement: 'BodyMass', massUnit: 'lb' });
    expect([pounds.unit, pounds.median]).toEqual(['lb', 165.347]);
  });

  it('is of the US if no country is named, and costs nothing', () => {
    expect(ask({ measurement: 'Stature', gender: 'Male', age: 30 }).country).toBe('US');
    expect(evidence.cost(evidence.example)).toBe(0);
  });

  it('refuses what has no model', () => {
    expect(refusalOf(() => ask({ ...PERSON, measurement: WITHOUT_MODEL })).code).toBe(
      'model_not_found',
    );
    expect(refusalOf(() => ask({ ...PERSON, measurement: 'Height' })).code).toBe(
      'unknown_measurement',
    );
    const chest = { ...PERSON, measurement: 'FemaleChestCircumferenceBelowBreasts' };
    expect(refusalOf(() => ask(chest)).code).toBe('gender_not_supported');
  });
});

describe('what a median rests on', () => {
  const at = (name: string) =>
    MEASUREMENT_NAMES.indexOf(name as (typeof MEASUREMENT_NAMES)[number]);
  const survey = (one: Partial<ManifestSurvey> & { name: string }): ManifestSurvey => ({
    country: 'US',
    year: 2012,
    people: [100, 90.4],
    role: 'departure',
    measurements: [at('HandLength')],
    ...one,
  });
  const surveys = [
    survey({ name: 'soldiers', role: 'base', measurements: [at('HandLength'), at('Stature')] }),
    survey({ name: 'civilians', role: 'general population', measurements: [at('Stature')] }),
    survey({ name: 'children', year: 1977, role: 'growth' }),
    survey({ name: 'german', country: 'DE', year: 1968 }),
    survey({ name: 'german men', country: 'DE', year: 1967, people: [50, 0] }),
  ];
  const manifest = (): Manifest => {
    const { population, ...rest } = model.manifest;
    const regions = COUNTRY_CODES.map((code) => (code === 'JP' ? 'East' : 'West'));
    return { ...rest, population: { ...population, surveys, regions } };
  };
  const told = (country: string, measurement = 'HandLength', age = 40, gender = 'Female') =>
    restsOn(manifest(), { country, measurement, age, gender: gender as 'Female' });
  const names = ({ surveys: found }: ReturnType<typeof told>) => found.map(({ name }) => name);

  it('is the surveys of the country, with the people of the gender', () => {
    expect(told('DE')).toEqual({
      measuredHere: true,
      basis: 'It was measured in Germany by 1 survey (1968).',
      surveys: [{ name: 'german', year: 1968, country: 'DE', n: 90, role: 'departure' }],
      notes: [
        'The newest of these surveys is of 1968; what changed since then is projected by stature and BMI.',
      ],
    });
    expect(names(told('DE', 'HandLength', 40, 'Male'))).toEqual(['german', 'german men']);
  });

  it('states the weight of the country’s own surveys, where the version knows it', () => {
    const weighed = (country: string, measurement = 'HandLength', gender = 'Female') => {
      const { population, ...rest } = manifest();
      const measured = { measurement: at('HandLength'), weights: [0.6, 0.25] as const };
      const ownWeights = [{ country: 'DE', ...measured }];
      return restsOn(
        { ...rest, population: { ...population, ownWeights } },
        { country, measurement, age: 40, gender: gender as 'Female' },
      ).ownWeight;
    };
    expect(weighed('DE')).toBe(0.25);
    expect(weighed('DE', 'HandLength', 'Male')).toBe(0.6);
    expect(weighed('DE', 'FootLength')).toBe(0);
    expect(weighed('FR')).toBe(0);
    expect(weighed('US')).toBe(1);
    // Tables of all countries give stature and BMI.
    expect(weighed('DE', 'Stature')).toBeUndefined();
    expect(weighed('DE', 'BMI')).toBeUndefined();
    expect(told('DE').ownWeight).toBeUndefined();
  });

  it('says that a survey of the country weighs nothing when the size of its people is not known', () => {
    const noted = (country: string, weight?: number) => {
      const { population, ...rest } = manifest();
      const one = { country: 'DE', measurement: at('HandLength') };
      const ownWeights = weight === undefined ? [] : [{ ...one, weights: [0, weight] as const }];
      const asked = { country, measurement: 'HandLength', age: 40, gender: 'Female' } as const;
      const { notes } = restsOn({ ...rest, population: { ...population, ownWeights } }, asked);
      return notes.filter((note) => note.includes('(weight 0)'));
    };
    expect(noted('DE')).toEqual([
      'The median does not follow what Germany measured (weight 0): without the stature and the BMI of the people measured, size and proportion cannot be told apart.',
    ]);
    expect(noted('DE', 0.25)).toEqual([]);
    // No survey of France measured this dimension. The United States are the base.
    expect([...noted('FR'), ...noted('US')]).toEqual([]);
  });

  it('is otherwise those of the region, otherwise the base surveys', () => {
    const french = told('FR', 'HandLength', 40, 'Male');
    expect(names(french)).toEqual(['soldiers', 'german', 'german men']);
    expect(french.basis).toMatch(/^No survey of France measured it; it is borrowed from 3 surveys/);
    expect(french.notes[0]).toMatch(/^Proportions are borrowed from West/);
    const japanese = told('JP');
    expect(names(japanese)).toEqual(['soldiers']);
    expect([french, japanese].map(({ measuredHere }) => measuredHere)).toEqual([false, false]);
    expect(japanese.basis).toContain('No survey of Japan or its region measured it');
    expect(told('JP', 'EarLength')).toMatchObject({ surveys: [], notes: [] });
  });

  it('names constants that no source gives, where they reach the answer', () => {
    const assumed = (...asked: Parameters<typeof told>) =>
      told(...asked).notes.filter((note) => note.includes('our own assumption'));
    expect(assumed('JP', 'FootLength')).toEqual([
      'Answers with clothing: what shoes add to it (30 mm, boots 40) is our own assumption.',
    ]);
    expect(assumed('JP', 'Stature', 16)[0]).toContain('after 18 years');
    expect(assumed('JP', 'Stature', 0.5)[0]).toContain('newborns');
    expect([...assumed('JP', 'Stature'), ...assumed('JP', 'HandLength')]).toEqual([]);
  });

  it('tells of children, of the elderly and of computed medians', () => {
    expect(names(told('JP', 'HandLength', 8))).toEqual(['soldiers', 'children']);
    expect(told('JP', 'HandLength', 8).notes.at(-1)).toMatch(/^Children: /);
    expect(told('JP', 'HandLength', 75).notes.at(-1)).toContain('over 60 years');
    expect(told('JP', 'LegLength').notes).toContain(
      'The median is computed from those of Stature and SittingHeight.',
    );
    expect(told('JP', 'EyeHeight').notes).toContain('It follows from Stature in every person.');
    expect(told('JP', 'BodyMass').notes).toEqual([
      'Body mass is computed as BMI times squared stature.',
    ]);
  });

  it('is the tables of NCD-RisC for stature and BMI, where the artifact has them', () => {
    const source = (name: string) => ({ name, citation: '', licence: '', sha256: '' });
    const sources = [source('ncdrisc-2016'), source('ncdrisc-2024-bmi')];
    const tables = { ...manifest(), sources };
    const question = { country: 'JP', age: 40, gender: 'Male' } as const;
    expect(restsOn(tables, { ...question, measurement: 'Stature' })).toMatchObject({
      basis: expect.stringContaining('tables of NCD-RisC'),
      surveys: [{ name: 'civilians' }],
    });
    expect(restsOn(tables, { ...question, measurement: 'BMI' }).basis).toMatch(
      /^The BMI of Japan rests on the country tables of NCD-RisC/,
    );
    expect(restsOn(manifest(), { ...question, measurement: 'Stature' }).basis).not.toContain('NCD');
    const stunting = ['jme2024', 'who2006', 'ncdrisc-2020-children'].map(source);
    const surveyed = { ...tables, sources: [...sources, ...stunting] };
    const ofAge = (age: number) => restsOn(surveyed, { ...question, age, measurement: 'Stature' });
    expect(ofAge(3).basis).toContain('stunted children');
    expect(ofAge(6).basis).not.toContain('stunted');
    const without = { ...tables, sources: [...sources, source('jme2024')] };
    expect(restsOn(without, { ...question, age: 3, measurement: 'Stature' }).basis).not.toContain(
      'stunted',
    );
    const wasting = ['jme2021', 'lbw2023'].map(source);
    const weighed = { ...surveyed, sources: [...surveyed.sources, ...wasting] };
    const massOf = (age: number) =>
      restsOn(weighed, { ...question, age, measurement: 'BodyMass' }).basis;
    expect(massOf(1)).toContain('low birth weight');
    expect(massOf(6)).not.toContain('low birth weight');
  });
});
