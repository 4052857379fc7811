import { describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import { BODY_ADDRESS } from '../../../src/screens/body/address.js';
import { DIMENSION_ADDRESS } from '../../../src/screens/dimension/address.js';
import { FIT_ADDRESS } from '../../../src/screens/fit/address.js';
import { PERSON_ADDRESS } from '../../../src/screens/person/address.js';
import type { ScreenAddress } from '../../../src/screens/shared/address-fields.js';
import { SIZES_ADDRESS } from '../../../src/screens/sizes/address.js';

function readWith<View>(address: ScreenAddress<View>, query: string) {
  const notices: string[] = [];
  const view = address.read(query, (notice) => notices.push(notice));
  return { view, notices };
}

describe('what an address asks for and a page cannot show', () => {
  it.each([
    [
      FIT_ADDRESS,
      'product=throne&low=abc&target=900&unit=ell',
      {
        ...{ product: 'desk', targetPercent: 90, unit: 'mm' },
        sizesMm: expect.not.objectContaining({ low: expect.anything() }),
      },
      ['the product “throne”', '“ell”', '“900”', '“abc” as lowest top height'],
    ],
    [
      SIZES_ADDRESS,
      'product=hat&target=20&sizes=99&d=Stature~wide&unit=ell',
      { product: 'helmet', targetPercent: 90, sizes: undefined },
      ['the product “hat”', '', '', '', ''],
    ],
    [
      PERSON_ADDRESS,
      'from=moon&gender=It&age=0.1&known=Stature~tall&known=Span~P100&pose=lying',
      {
        ...{ from: 'values', gender: undefined, pose: 'standing' },
        known: [{ measurement: 'Span', percentile: 50 }],
      },
      ['“moon”', '', '', '', ''],
    ],
  ] as [ScreenAddress<unknown>, string, object, string[]][])(
    'is said in words, and the default is shown: %o %s',
    (address, query, shown, said) => {
      const { view, notices } = readWith(address, query);
      expect(view).toMatchObject(shown);
      expect(notices).toEqual(said.map((part) => expect.stringContaining(part)));
      for (const notice of notices) expect(notice).not.toMatch(/[/{}[\]]/);
    },
  );

  it.each(['1e9', '-1', 'NaN', 'Infinity', '0x10', ' ,'])('a size of %s', (size) => {
    const { view, notices } = readWith(FIT_ADDRESS, `product=desk&low=${encodeURIComponent(size)}`);
    expect([view.sizesMm.low, notices.length]).toEqual([undefined, 1]);
  });

  it('a seventh population, a ninth limit and a thirteenth dimension', () => {
    const people = Array.from({ length: 7 }, (_, i) => `p=Male~NL~18-${60 + i}`).join('&');
    const fit = readWith(FIT_ADDRESS, people);
    expect(fit.view.populations).toHaveLength(6);
    expect(fit.notices).toEqual(['A page shows at most 6 populations. The others are left out.']);
    const limits = Array.from({ length: 9 }, (_, i) => `limit=Stature~${1000 + i}~`).join('&');
    expect(readWith(FIT_ADDRESS, limits).notices).toHaveLength(1);
    const many = readWith(BODY_ADDRESS, `m=${MEASUREMENT_NAMES.slice(0, 13)}`);
    expect([many.view.measurements.length, many.notices.length]).toEqual([12, 1]);
  });

  it.each([
    [FIT_ADDRESS, 'product=own&limit=Nose~~auto&limit=Stature~1600~', { limits: [{ min: 1600 }] }],
    [BODY_ADDRESS, 'form=sheet&m=Foo,Stature', { measurements: ['Stature'] }],
    [BODY_ADDRESS, 'm=Foo,Stature', { measurements: ['Stature'] }],
    [BODY_ADDRESS, 'region=tail', { region: undefined }],
    [SIZES_ADDRESS, 'product=own&d=Foo~10&d=HeadGirth~10', { dimensions: [{ toleranceMm: 10 }] }],
    [SIZES_ADDRESS, 'sizes=1e9', { sizes: undefined }],
    [PERSON_ADDRESS, 'known=Foo~1&known=Stature~1700', { known: [{ value: 1700 }] }],
    [PERSON_ADDRESS, 'known=Stature~9999', { known: [] }],
    [PERSON_ADDRESS, 'known=BodyMass~900', { known: [] }],
    [PERSON_ADDRESS, 'age=999', { ageYears: undefined }],
    [PERSON_ADDRESS, 'from=case&d=Foo,Stature,BodyMass', { measurements: ['Stature', 'BodyMass'] }],
    [DIMENSION_ADDRESS, 'percentile=abc', { percentile: 50 }],
    [DIMENSION_ADDRESS, 'value=abc', { value: undefined }],
    [BODY_ADDRESS, 'p=garbage&p=Male~DE~18-65', { populations: [{ countries: ['DE'] }] }],
    [BODY_ADDRESS, 'p=Female~DE~abc', { populations: [{ ageMin: 18, ageMax: 65 }] }],
    [
      FIT_ADDRESS,
      'p=Female~DE~18-65~armour',
      { populations: [expect.not.objectContaining({ clothing: expect.anything() })] },
    ],
  ] as [ScreenAddress<unknown>, string, object][])(
    'one damaged part: %o %s',
    (address, query, shown) => {
      const { view, notices } = readWith(address, query);
      expect(view).toMatchObject(shown);
      expect(notices).toHaveLength(1);
      // Only the quoted address may contain signs that no word has. The notice must not say that something is shown if
      // nothing is.
      expect(notices[0]?.replaceAll(/“.*?”/g, '')).not.toMatch(/[[\]{}]|NaN|Shown is: 0/);
      expect(address.query(view)).not.toMatch(/NaN|undefined/);
    },
  );

  it('nothing, for addresses that pages write', () => {
    const addresses = [
      FIT_ADDRESS,
      BODY_ADDRESS,
      DIMENSION_ADDRESS,
      SIZES_ADDRESS,
      PERSON_ADDRESS,
    ] as ScreenAddress<unknown>[];
    for (const address of addresses) {
      const query = address.query(address.read(''));
      expect(readWith(address, query).notices).toEqual([]);
      expect(address.query(readWith(address, query).view)).toBe(query);
    }
  });
});

it.each([
  [
    BODY_ADDRESS,
    'p=Female~DE,JP~18-65&p=Both~World~3-3~winter&posture=sitting&side=side&overlaid=1&m=Stature,KneeHeight&region=leg&unit=ft-in',
  ],
  [BODY_ADDRESS, 'form=sheet&p=Female~DE~18-65&p=Both~World~3-3~winter&of=2&m=Stature,BMI&unit=in'],
  [SIZES_ADDRESS, 'product=glove&p=Both~KR~18-65&target=95'],
  [SIZES_ADDRESS, 'product=own&d=HeadGirth~20&d=HeadLength~12.5&sizes=7&unit=in'],
  [SIZES_ADDRESS, 'product=shoe&d=FootLength~6.67'],
  [
    PERSON_ADDRESS,
    'gender=Male&age=40&country=NL&known=Stature~1985&known=BodyMass~P50&pose=sitting',
  ],
  [PERSON_ADDRESS, 'from=sample&p=Both~KR~18-65&seed=7&m=Stature,CrotchHeight&unit=in'],
  [PERSON_ADDRESS, 'from=case&p=Both~US~18-65&d=Stature,HipBreadth&target=95&case=3'],
  ...[BODY_ADDRESS, SIZES_ADDRESS, PERSON_ADDRESS].map((address) => [address, '']),
] as [ScreenAddress<unknown>, string][])(
  'an address survives reading and writing: %o %s',
  (address, query) => {
    expect(address.query(address.read(query))).toBe(query);
  },
);
