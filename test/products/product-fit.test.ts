import { describe, expect, it } from 'vitest';
import { designRanges } from '../../src/operations/design-ranges.js';
import { populationShare } from '../../src/operations/population-share.js';
import { productFit } from '../../src/operations/product-fit.js';
import { reachShare } from '../../src/operations/reach-share.js';
import { sizeChart } from '../../src/operations/size-chart.js';
import { validateRequest } from '../../src/operations/validate.js';
import { PRODUCTS } from '../../src/products/index.js';
import { refusalOf } from '../support/operations.js';
import { realArtifacts, realModel } from '../support/servers.js';
import { useService } from '../support/use-service.js';
import { cases } from '../support/whole-run.js';

const model = await realModel();

const ask = (body: object) => productFit.run(validateRequest(productFit, body), model);
const people = (countries: string[], more: object = {}) => ({
  groups: [{ countries, ageMin: 18, ageMax: 65, ...more }],
});
const refusedWith = (body: object) => {
  const { code, message } = refusalOf(() => ask(body));
  return `${code}: ${message}`;
};

const FITTED = PRODUCTS.filter(({ sizes }) => sizes !== undefined);
const SCENES = PRODUCTS.filter(({ scene }) => scene !== undefined);
const SOME = cases(FITTED.slice(0, 3), FITTED.slice(3));
const POPULATIONS = {
  'its own people': undefined,
  'two groups': {
    groups: [
      { countries: ['BR'], gender: 'Female', ageMin: 20, ageMax: 60 },
      { countries: ['IN'], gender: 'Male', ageMin: 20, ageMax: 60 },
    ],
  },
};

describe.each(Object.entries(POPULATIONS))('for %s', (_, population) => {
  const products = population === undefined ? FITTED : SOME;

  it.each(products)('$id has sizes, and the share is that of its own rules', (product) => {
    const asked = { product: product.id, ...(population === undefined ? {} : { population }) };
    const answer = ask(asked);
    const { share, low, high, sizes, populationUsed, targetPercent, warnings } = answer;
    expect(low).toBeLessThanOrEqual(share);
    expect(high).toBeGreaterThanOrEqual(share);
    const isEdge = sizes.some(({ id, value }) => {
      const { min, max } = product.sizes?.find((one) => one.id === id) ?? {};
      return value === min || value === max;
    });
    const hasConflict = answer.conflict !== undefined;
    if (!isEdge && !hasConflict) expect(share).toBeGreaterThanOrEqual(targetPercent / 100);
    expect(populationUsed.reason).toMatch(/\.$/);
    if (product.id === 'safety-opening') {
      expect(targetPercent).toBe(99);
      expect(populationUsed.groups).toHaveLength(2);
      expect(warnings.join(' ')).toContain('no proof of safety');
      expect(sizes.map(({ id }) => id)).not.toContain('finger');
    }
    if (product.forEach !== true || isEdge) return;
    for (const { accommodated } of answer.groups) {
      expect(accommodated).toBeGreaterThanOrEqual(targetPercent / 100 - 0.001);
    }
  });
});

it.each(SOME)('the sizes of $id, given back in inches, are judged alike', ({ id: product }) => {
  const asked = { product, population: people(['NL', 'JP']), unit: 'in' };
  const { sizes, share } = ask(asked);
  const values = Object.fromEntries(sizes.map(({ id, value }) => [id, value]));
  expect(ask({ ...asked, sizes: values }).share).toBe(share);
});

it('sizes at the ends of what a product can have are taken in inches, too', () => {
  // 1,000 mm, and a free height for knees that is just 25 mm below 740 mm.
  const sizes = { low: 23.62205, high: 39.37008, knees: 28.14961, depth: 17.71654 };
  for (const high of [sizes.high, 29.13386]) {
    expect(ask({ product: 'desk', unit: 'in', sizes: { ...sizes, high } })).toBeDefined();
  }
});

it('the share of a product is the share of its limits', () => {
  const population = people(['DE']);
  const sizes = { length: 2000, width: 900 };
  const { share, low, high } = ask({ product: 'bed', population, sizes });
  const limits = [
    { measurement: 'Stature', max: 1850 },
    { measurement: 'WholeBodyBreadthMax', max: 700 },
  ];
  const asked = validateRequest(populationShare, { population, limits });
  expect(populationShare.run(asked, model)).toMatchObject({ share, low, high });
});

it('an adjustable seat holds what the people between P5 and P95 need', () => {
  const population = people(['BR', 'IN']);
  const [low, high] = ask({ product: 'chair', population }).sizes.map(({ value }) => value);
  const dimensions = [{ measurement: 'PoplitealHeight', side: 'both' }];
  const asked = { population, targetShare: 0.9, dimensions, clothing: 'light_shoes' };
  const [range] = designRanges.run(validateRequest(designRanges, asked), model).ranges;
  expect(low).toBeLessThanOrEqual((range?.min ?? 0) * Math.cos(Math.PI / 36));
  expect(high).toBeGreaterThanOrEqual((range?.max ?? 0) - 1);
});

it('known persons are judged, and the compromise between them is named', () => {
  const { persons, conflict } = ask({
    product: 'counter',
    population: people(['DE']),
    persons: [
      {
        name: 'Ann',
        gender: 'Female',
        known: [{ measurement: 'Stature', value: 158, unit: 'cm' }],
      },
      { name: 'Ben', gender: 'Male', known: [{ measurement: 'Stature', value: 1930 }] },
    ],
  });
  const [ann, ben] = persons;
  expect([ann?.fits, ben?.fits]).toEqual([true, false]);
  const most = ann?.sizes[0]?.atMost ?? 0;
  const least = ben?.sizes[1]?.atLeast ?? 0;
  expect(conflict?.sizes).toEqual([
    expect.objectContaining({ id: 'low', atMost: most, atLeast: least }),
  ]);
  expect(conflict?.sizes[0]?.compromise).toBeCloseTo((most + least) / 2, -0.5);
  expect(conflict?.sizes[0]?.text).toMatch(
    /\d mm or less for Ann, [\d,]+ mm or more for Ben; [\d,]+ mm is/,
  );
});

it.each([
  [{ product: 'dsk' }, /^validation_error: "dsk" is no product. Did you mean desk, /],
  [{ product: 'shoe' }, /^product_not_fitted: .*size_chart: .*"product": "shoe"/],
  [{ product: 'console' }, /^product_not_fitted: .*reach_share: .*"scene": "console"/],
  [{ product: 'safety-opening', targetPercent: 90 }, /at least 95 .* one person in 10 in danger/],
  [{ product: 'desk', sizes: { low: 800, high: 700 } }, /sizes.high \(700 mm\) must be at least/],
  [{ product: 'bed', sizes: { length: 20 } }, /Length \(sizes.length\) must be from 500 mm/],
  [{ product: 'bed', clearances: { none: 3 } }, /"none" is no rule of bed; use length, width/],
  [
    {
      product: 'bed',
      persons: [
        {
          gender: 'Male',
          known: [{ measurement: 'FemaleChestCircumferenceBelowBreasts', value: 800 }],
        },
        { known: [{ measurement: 'Stature', value: 20 }] },
      ],
    },
    /^gender_not_supported: .* \(1 more in errors\)$/,
  ],
])('refuses %j', (body, refusal) => {
  expect(refusedWith(body)).toMatch(refusal);
});

describe('a chart and a scene of the catalogue', () => {
  const population = people(['DE']);

  it('are the same as their parts', () => {
    const chart = (body: object) =>
      sizeChart.run(validateRequest(sizeChart, { population, sizes: 4, ...body }), model);
    const tolerances = { unit: 'in', product: 'shoe' };
    const measurements = [
      { measurement: 'FootLength', tolerance: 10 / 25.4 },
      { measurement: 'FootBreadth', tolerance: 15 / 25.4 },
    ];
    expect(chart(tolerances)).toEqual(chart({ unit: 'in', measurements }));
    const reach = (body: object) =>
      reachShare.run(validateRequest(reachShare, { population, ...body }), model);
    const { pose, targets, see, clear } = PRODUCTS.find(({ id }) => id === 'shelf')?.scene ?? {};
    const parts = reach({ pose, targets, see, clear });
    expect(reach({ scene: 'shelf' })).toEqual(parts);
    expect(reach({ scene: 'shelf', unit: 'cm' }).share).toBe(parts.share);
  });

  it('orders are in whole pieces, and each group counts as its people', () => {
    const both = { groups: [...people(['IN']).groups, ...people(['DE']).groups] };
    const asked = { product: 'glove', sizes: 5, population: both };
    const order = (counts: number[]) =>
      sizeChart.run(validateRequest(sizeChart, { ...asked, counts }), model);
    const { sizes, groups, weights } = order([500, 501]);
    expect(sizes.reduce((sum, one) => sum + (one.order ?? 0), 0)).toBe(1001);
    expect(groups[0]?.share).toBeCloseTo(500 / 1001, 4);
    expect(weights).toBe('counts');
    const refused = () => order([1]);
    expect(refused).toThrow('one number for each group: 2, not 1');
  });

  it.each(cases(SCENES.slice(0, 3), SCENES.slice(3)))(
    'the scene of $id is answered for the people that the page proposes',
    ({ id, scene, people: own, clothing }) => {
      const ages = scene?.people ?? own ?? [{ ageMin: 18, ageMax: 65 }];
      const groups = ages.flatMap(({ ageMin, ageMax }) =>
        ['Female', 'Male'].map((gender) => ({ countries: ['US'], gender, ageMin, ageMax })),
      );
      const asked = { scene: id, population: { groups }, clothing };
      const { share } = reachShare.run(validateRequest(reachShare, asked), model);
      expect(share).toBeGreaterThan(0.5);
    },
  );
});

describe('at each door', () => {
  const service = useService(async () => ({ artifacts: await realArtifacts() }));
  const body = { product: 'bed', population: people(['NL']), targetPercent: 99 };

  it('is the same answer', async () => {
    const customer = await service.customer(100);
    const direct = await service.post(productFit.path, body, customer.headers);
    expect(direct.status).toBe(200);
    const { remaining_free_calls: _, ...answer } = direct.body;
    expect(answer).toEqual(JSON.parse(JSON.stringify(ask(body))));
    const requests = [{ operation: 'product_fit', input: body }];
    const batch = await service.post('/v1/batch', { requests }, customer.headers);
    expect(batch.body).toMatchObject({ charged: 10, answers: [{ status: 200, body: answer }] });
  });

  it('the catalogue needs a key and costs nothing', async () => {
    const customer = await service.customer(0);
    const listed = await service.http.inject({ url: '/v1/products', headers: customer.headers });
    expect(listed.statusCode).toBe(200);
    expect(listed.json().products).toEqual(JSON.parse(JSON.stringify(PRODUCTS)));
    expect(listed.headers).toHaveProperty('ratelimit');
    expect((await service.http.inject('/v1/products')).statusCode).toBe(401);
  });
});
