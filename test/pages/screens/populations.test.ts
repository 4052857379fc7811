// cspell:ignore خواهم
import { describe, expect, it } from 'vitest';
import { readField } from '../../../src/screens/shared/address-fields.js';
import {
  CHOSEN_MAX,
  DEFAULT_POPULATIONS,
  exactAge,
  POPULATION_NAME_MAX,
  POPULATIONS,
  populationBody,
  populationInFull,
  populationLabel,
  populationName,
  populationsLabel,
  populationsQuery,
  readPopulation,
  readPopulations,
} from '../../../src/screens/shared/populations.js';

const read = readPopulations;

describe('populations of an address', () => {
  it('are read as they are written', () => {
    const populations = [
      { gender: 'Female', countries: ['DE', 'JP'], ageMin: 18, ageMax: 65, clothing: 'winter' },
      {
        gender: undefined,
        countries: ['Western Europe & more'],
        ageMin: 6,
        ageMax: 6,
      },
      { gender: 'Male', countries: ['DE'], ageMin: 6, ageMax: 6, clothing: 'nude' },
    ] as const;
    const query = populationsQuery(populations);
    expect(query).toMatch(/^p=Female~DE,JP~18-65~winter&p=Both~Western.*&p=Male~DE~6-6~nude$/);
    expect(read(query)).toEqual(populations);
  });

  it('have defaults and a limit, and keep what is wrong for the validator', () => {
    expect(read('')).toBe(DEFAULT_POPULATIONS);
    expect(read('p=Male~US~20-30&'.repeat(9))).toHaveLength(CHOSEN_MAX);
    expect(read('p=Male~XX~130')[0]).toMatchObject({ countries: ['XX'], ageMin: 130 });
    expect(read('p=Male~XX~old')[0]).toMatchObject({ countries: ['XX'], ageMin: 18, ageMax: 65 });
    expect(read('p=')).toBe(DEFAULT_POPULATIONS);
  });

  it('are whole, or not kept', () => {
    expect(readPopulation('Female~DE~18-65~winter')).toMatchObject({ clothing: 'winter' });
    const damaged = [
      'garbage',
      '',
      'Female~~18-65',
      'Female~DE~old',
      'Cat~DE~1-2',
      'Both~DE~1-2~fur',
      // Names that every object has as properties are no clothing.
      ...['Both~DE~1-2~constructor', 'Both~DE~1-2~__proto__', 'Both~DE~1-2~toString'],
    ];
    for (const text of damaged) expect(readPopulation(text), text).toBeUndefined();
  });

  it('have names, which are shown in place of who they are, and no others', () => {
    const query = 'p=Female~DE~18-65~~Night%20shift%20~%20Kiel&p=Male~DE~18-65~winter~Divers';
    const populations = read(query);
    expect(populations.map(populationLabel)).toEqual(['Night shift ~ Kiel', 'Divers']);
    expect(populations.map(populationInFull)).toEqual([
      'Night shift ~ Kiel (Women, DE, 18–65)',
      'Divers (Men, DE, 18–65, winter clothing)',
    ]);
    expect(populations.map(({ clothing }) => clothing)).toEqual([undefined, 'winter']);
    expect(read(populationsQuery(populations))).toEqual(populations);
    expect(populations[0] && populationBody(populations[0])).toEqual({
      groups: [{ countries: ['DE'], ageMin: 18, ageMax: 65, gender: 'Female' }],
    });
  });

  it.each(['50 % & more', 'A+B = C?', '#1, night', 'ä“é”', 'Kiel/North'])(
    'have names with any signs: %s',
    (name) => {
      const [population] = read(`p=${encodeURIComponent(`Female~DE,JP~18-65~winter~${name}`)}`);
      expect(population).toMatchObject({ name, countries: ['DE', 'JP'], clothing: 'winter' });
      const query = populationsQuery(population === undefined ? [] : [population]);
      expect(query).toMatch(/^p=Female~DE,JP~18-65~winter~[^&#?+ ]+$/);
      expect(read(query)).toEqual([population]);
      expect(read(new URL(`http://a/b?${query}`).search)).toEqual([population]);
    },
  );

  it('have names that are cut between characters, so that links can carry them', () => {
    const [population] = read(`p=Female~DE~18-65~~${encodeURIComponent(`a${'😀'.repeat(40)}`)}`);
    expect(population?.name).toBe(`a${'😀'.repeat(29)}`);
    expect(population && read(populationsQuery([population]))).toEqual([population]);
  });

  it('have no names that hide something or that a spreadsheet runs', () => {
    expect(populationName('  =cmd()\u202e')).toBe('cmd()');
    expect(populationName('\u200b -')).toBeUndefined();
    expect(populationName('\u200d')).toBeUndefined();
    expect(populationName('می\u200cخواهم')).toBe('می\u200cخواهم');
    expect(populationName('x'.repeat(99))).toHaveLength(POPULATION_NAME_MAX);
    expect(read('p=Female~DE~18-65~~%0a')[0]).not.toHaveProperty('name');
  });

  it('have one name together where they differ in gender alone', () => {
    const label = (query: string) => populationsLabel(read(query));
    expect(label('')).toBe('Men and women, US, 18–65');
    expect(label('p=Male~DE,NL~8-8&p=Female~DE,NL~8-8')).toBe('Boys and girls, DE, NL, 8');
    expect(label('p=Male~DE~18-65&p=Female~NL~18-65')).toBe('Men, DE, 18–65; Women, NL, 18–65');
  });

  it('have completed ages, which the API gets as the middle of the year, or exact ages', () => {
    expect([0, 8, 119, 120, 121, -1].map(exactAge)).toEqual([0.5, 8.5, 119.5, 120, 121, -1]);
    expect([8.25, 10.9].map(exactAge)).toEqual([8.25, 10.9]);
  });

  it('say that a gender is not known, which would silently be both', () => {
    const said: string[] = [];
    const [population] = readField(POPULATIONS, 'p=Women~DE~18-65', (text) => said.push(text));
    expect(population).toMatchObject({ gender: undefined, countries: ['DE'] });
    expect(said).toEqual([expect.stringMatching(/“Women”.*Shown are both/)]);
    readField(POPULATIONS, 'p=Both~DE~18-65&p=Male~DE~18-65', (text) => said.push(text));
    expect(said).toHaveLength(1);
  });
});
