import { describe, expect, it } from 'vitest';
import { MEASUREMENTS } from '../../src/core/measurements.js';
import { findBodyQuantities } from '../../src/search/body-quantities.js';
import { FIELD_WORDS, fieldNamed, PARTS } from '../../src/search/body-words.js';
import { findInCatalog } from '../../src/search/catalog-search.js';
import { DESIGNED_OBJECTS } from '../../src/search/designed-objects.js';
import { MEASUREMENT_WORDS } from '../../src/search/measurement-words.js';
import {
  findMeasurements,
  measurementNamed,
  measurementsListed,
  prepareSearch,
} from '../../src/search/measurements.js';
import { findNotCovered, NEEDS, orNearest } from '../../src/search/not-covered.js';
import { termsOf } from '../../src/search/terms.js';
import everydayWords from './everyday-words.json' with { type: 'json' };

const namesOf = (text: string): string[] => findMeasurements(text).map(({ name }) => name);

/**
 * Texts that people type when they look for a measurement, with the measurements that answer them. The list was written
 * before the search and was not changed to suit it. Several names are right if they are names of one dimension
 * (aliases), or if the text leaves a choice that no search could make.
 */
describe('everyday words', () => {
  const places = everydayWords.map(([words = '', ...right]) =>
    namesOf(words).findIndex((name) => right.includes(name)),
  );

  it('find the right measurement first for 85 %, and among the first three for 97 %', () => {
    expect(everydayWords).toHaveLength(60);
    const first = places.filter((place) => place === 0).length;
    const firstThree = places.filter((place) => place >= 0 && place < 3).length;
    expect(first / places.length).toBeGreaterThanOrEqual(0.85);
    expect(firstThree / places.length).toBeGreaterThanOrEqual(0.97);
  });

  it.each([
    ['shoesize', 'FootLength'],
    ['How wide are my shoulders?', 'ShoulderBreadthBideltoid'],
    ['how high can a person reach', 'VerticalGripReachStanding'],
    ['sholder width', 'ShoulderBreadthBideltoid'],
    ['hights', 'Stature'],
    ['chair, depth', 'MaximumSeatLength'],
    ['desk for standing', 'ElbowHeight'],
    ['Größe', 'Stature'],
    ["tour d'encolure", 'NeckCircumference'],
    ['椅子の高さ', 'SeatHeight'],
    ['ISO 7250-1 6.2.11', 'PoplitealHeight'],
    ['ISO 8559-1 5.3.13', 'HipCircumferenceMax'],
    ['bideltoidbreadth', 'ShoulderBreadthBideltoid'],
  ])('%s is %s', (text, name) => {
    expect(namesOf(text)[0]).toBe(name);
  });

  it.each([
    ['height', ['Stature']],
    ['head strap', ['HeadGirth']],
    ['torso length', ['DorsomLength', 'TrunkLength', 'FrontOfNeckToWaistLength']],
    ['child safety gap head entrapment', ['HeadBreadth', 'ChestDepth']],
    ['child’s reach through a grid', ['UpperLimbLength']],
    ['reach through', ['UpperLimbLength']],
    [
      'chest waist inseam',
      ['ChestCircumferenceNipple', 'WaistCircumferenceAbdominal', 'CrotchHeight'],
    ],
    [
      'bust, waist, hips',
      ['ChestCircumferenceNipple', 'WaistCircumferenceAbdominal', 'HipCircumferenceMax'],
    ],
    ['bariatric 200 kg', ['AbdominalDepth', 'SittingHipBreadth']],
    ['NL shoes', ['FootLength']],
  ])('%s begins with %j, where needs that are not covered give the nearest', (text, names) => {
    const found = orNearest(text, findMeasurements(text), MEASUREMENTS).map(({ name }) => name);
    expect(found.slice(0, names.length)).toEqual(names);
  });

  it.each([
    ['InterpupillaryDistance', 'pupils', ['Biocular']],
    ['pupil distance', 'pupils', ['Biocular']],
    [
      'forearm_girth',
      'girth of the forearm',
      ['WristCircumference', 'UpperArmCircumferenceMidpoint'],
    ],
    ['NaturalWaist', 'natural waist', ['WaistCircumferenceAbdominal']],
    ['corrected age', 'preterm infants', []],
    ['mouth opening', 'opening of the mouth', ['LipLength']],
    [
      'circumference of the ankle',
      'girth of the ankle',
      ['CalfCircumference', 'FootCircumferenceInstep'],
    ],
    ['belly of pregnant women', 'pregnancy', []],
    ['grip strength', 'strength and forces', []],
    ['knee range of motion', 'ranges of joints', ['WorkReach', 'VerticalGripReachStanding']],
    ['mass of the forearm, segment mass', 'masses, volumes and centres of mass', []],
    ['prosthesis socket', 'prostheses and amputees', []],
    ['blind people', 'sight', ['EyeHeight', 'SittingEyeHeight']],
    ['3D scan', 'scans', ['HeadLength', 'HeadBreadth']],
  ])('%s is not covered', (text, need, nearest) => {
    const { notCovered, measurements } = findInCatalog(text);
    expect(notCovered).toEqual([expect.objectContaining({ need: expect.stringContaining(need) })]);
    expect(measurements.map(({ name }) => name).sort()).toEqual(nearest.sort());
  });

  it('no dimension counts as not covered', () => {
    for (const { name, definition } of MEASUREMENTS) {
      for (const words of [name, definition]) {
        expect([words, findNotCovered(words)]).toEqual([words, []]);
      }
    }
  });

  it.each(['pilot', 'soldiers', 'firefighter'])('%s says that they are selected', (text) => {
    const [found] = findInCatalog(`seat of ${text}`).notCovered ?? [];
    expect(found?.nearest).toMatch(/selected.*"keep": \[\{"measurement": "Stature"/);
    expect(findInCatalog(`seat of ${text}`).measurements.length).toBeGreaterThan(3);
  });

  it.each([
    ['Körpergewicht', ['BodyMass']],
    ['Waga', ['BodyMass']],
    ['Вес', ['BodyMass']],
    ['平均体重', ['BodyMass']],
    ['body mass index', ['BodyMass', 'BMI']],
    ['how heavy', ['BodyMass']],
    ['BodyMass', ['BodyMass']],
    ['weight', ['BodyMass']],
    ['shoe size', []],
    ['bariatric 200 kg', ['BodyMass', 'BMI']],
    ['window blinds', []],
  ])('%s means the quantities %j', (text, names) => {
    expect(findBodyQuantities(text).map(({ name }) => name)).toEqual(names);
  });

  it('list several measurements only where each word is of a name', () => {
    const listed = (text: string) => measurementsListed(text).map(({ name }) => name);
    expect(listed('chest waist inseam')).toHaveLength(3);
    expect(listed('hip breadth sitting')).toEqual(['SittingHipBreadth']);
    expect(listed('waist of a qqqq')).toEqual(['WaistCircumferenceAbdominal']);
  });

  it('find nothing for nonsense, for quantities that no measurement has, and for no words', () => {
    for (const text of ['zzz', 'weight', 'bmi', '', ' ', '?!', '\u0000', '🙂']) {
      expect(namesOf(text), text).toEqual([]);
    }
  });

  it('prefer the phrase that is asked for to one with more words', () => {
    // "guitar neck", "neck rest" and "nape of neck" contain the word, too.
    expect(namesOf('neck')[0]).toBe('NeckCircumference');
    expect(namesOf('seat height')[0]).toBe('SeatHeight');
    expect(namesOf('toilet seat height')[0]).toBe('SeatHeight');
  });
});

it.each([
  ['männlich', 'gender', 'Male'],
  ['жен', 'gender', 'Female'],
  ['Geschlecht', 'gender', 'Female'],
  ['Alter', 'age', '0 to 120'],
  ['país', 'country', 'such as'],
  ['coat', 'clothing', 'winter: Heavy'],
  ['pounds', 'massUnit', 'lb'],
])('%s is the field %s or its value', (text, field, value) => {
  const { fields = [] } = findInCatalog(text);
  expect(fields.map((one) => one.field)).toEqual([field]);
  expect(fields[0]?.values.join('\n')).toContain(value);
});

it('the name of a dimension finds no product by one of its words', () => {
  expect(findInCatalog('hip breadth sitting')).not.toHaveProperty('products');
  expect(findInCatalog('helmet').products).toMatchObject([{ id: 'helmet' }]);
});

it('the catalog knows each word that the headings of a file may have', () => {
  for (const words of FIELD_WORDS) {
    expect(findInCatalog(words)).toMatchObject({ fields: [{ field: fieldNamed(words) }] });
  }
  for (const [words, ...names] of PARTS) {
    for (const text of words.split(', ')) {
      const found = findInCatalog(text).measurements.map(({ name }) => name);
      expect(found, text).toEqual(expect.arrayContaining(names));
    }
  }
});

describe('the tables', () => {
  it.each(['names', 'codes', 'foreign'] as const)('%s: each phrase finds its measurement', (of) => {
    for (const [name, words] of Object.entries(MEASUREMENT_WORDS)) {
      for (const phrase of words[of]?.split(', ') ?? []) {
        expect(namesOf(phrase), `${phrase} of ${name}`).toContain(name);
      }
    }
  });

  it('each thing finds its measurements, that of its first row first', () => {
    const seen = new Set<string>();
    for (const [things, ...names] of DESIGNED_OBJECTS) {
      for (const thing of things.split(', ')) {
        const found = namesOf(thing);
        for (const name of names) expect(found, `${name} for ${thing}`).toContain(name);
        const key = termsOf(thing).toSorted().join(' ');
        if (!seen.has(key) && !EXCEPTIONS.has(thing)) {
          expect(found.slice(0, 3), thing).toContain(names[0]);
        }
        seen.add(key);
      }
    }
  });
  const EXCEPTIONS = new Set<string>([]);

  it('needs that are not covered name measurements', () => {
    for (const name of NEEDS.flatMap(({ measurements }) => measurements)) {
      expect(measurementNamed(name)?.name).toBe(name);
    }
  });

  it('every measurement is found by its name, and by the words of its name, as the first', () => {
    for (const { name } of MEASUREMENTS) {
      expect(namesOf(name)[0]).toBe(name);
      expect(measurementNamed(name)?.name).toBe(name);
    }
  });

  it('a code stands at one measurement', () => {
    const codes = Object.values(MEASUREMENT_WORDS).flatMap(
      (words) => words.codes?.split(', ') ?? [],
    );
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^([56]\.\d+\.\d+|[a-z]+)$/.test(code))).toEqual([]);
  });
});

describe('a whole phrase', () => {
  it('names a measurement in any order of its words', () => {
    expect(measurementNamed('width of shoulders')?.name).toBe('ShoulderBreadthBideltoid');
    expect(measurementNamed('ShoulderWidth')?.name).toBe('ShoulderBreadthBideltoid');
    expect(measurementNamed('Inseam')?.name).toBe('CrotchHeight');
    expect(measurementNamed('shoulder')?.name).toBe('ShoulderBreadthBideltoid');
    expect(measurementNamed('shoulder width of a chair')).toBeUndefined();
    expect(measurementNamed('')).toBeUndefined();
  });
});

it('is prepared in many short pieces, while searches are answered', () => {
  const pieces = prepareSearch();
  let rests = 0;
  while (pieces.next().done !== true) {
    rests++;
    if (rests === 3) expect(namesOf('inseam')[0]).toBe('CrotchHeight');
  }
  expect(rests).toBeGreaterThan(50);
  expect(namesOf('inseam')[0]).toBe('CrotchHeight');
});
