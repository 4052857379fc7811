import { describe, expect, it } from 'vitest';
import { SIZES_ADDRESS } from '../../../src/screens/sizes/address.js';
import { bestSize, spreadOf } from '../../../src/screens/sizes/data.js';
import { leastSizes } from '../../../src/screens/sizes/least-sizes.js';
import { sizesTidy } from '../../../src/screens/sizes/table.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

const { read } = SIZES_ADDRESS;

describe('the least number of sizes', () => {
  /** Numbers of sizes that were asked for. In this curve, n sizes serve the share 1 − 1/n. */
  const asked: number[] = [];
  let turns = 0;
  const sharesOf = async (all: readonly number[]): Promise<readonly number[]> => {
    asked.push(...all);
    turns++;
    return all.map((sizes) => 1 - 1 / sizes);
  };

  it.each([
    [0.5, 2],
    [0.66, 3],
    [0.86, 8],
    [0.9, 10],
    [0.91, 12],
    [0.944, 18],
    [0.96, 25],
    [0.966, 30],
  ])('for a share of %f', async (target, least) => {
    asked.length = 0;
    turns = 0;
    const found = await leastSizes(sharesOf, target);
    expect(found.least).toBe(least);
    expect(new Set(asked).size).toBe(asked.length);
    expect(found.curve.map(({ sizes }) => sizes)).toEqual([...asked].sort((a, b) => a - b));
    expect(asked.length).toBeLessThanOrEqual(17);
    expect(turns).toBeLessThanOrEqual(4);
  });

  it('is unknown where the most sizes serve too few', async () => {
    const { least, curve } = await leastSizes(sharesOf, 0.99);
    expect([least, curve.at(-1)?.sizes]).toEqual([undefined, 30]);
  });
});

describe('the size of a person', () => {
  const size = (name: string, ...centres: number[]) => ({
    name,
    share: 0,
    orderShare: 0,
    ranges: centres.map((centre) => ({
      ...{ measurement: 'Stature', from: centre - 5, centre, to: centre + 5 },
    })),
  });
  const sizes = [size('S', 10, 10), size('M', 16, 16)];

  it('is the one with the nearest centre among those that serve the person', () => {
    expect(bestSize([10, 10], sizes)).toBe(0);
    expect(bestSize([14, 14], sizes)).toBe(1);
    expect(bestSize([12, 12], sizes)).toBe(0);
    expect(bestSize([10, 18], sizes)).toBe(-1);
  });

  it('is drawn from the first to the last, at least once for each population', () => {
    expect(spreadOf([1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5]);
    expect(spreadOf([1, 2], 2)).toEqual([1, 2]);
    expect(spreadOf([1, 2, 3, 4, 5], 4)).toEqual([1, 2, 4, 5]);
    expect(spreadOf([1], 2)).toEqual([1, 1]);
  });
});

describe('the numbers of the Sizes screen', () => {
  const service = useService(async () => ({ artifacts: await realArtifacts() }));

  it('are the fewest that serve the share', async () => {
    const query = 'product=helmet&p=Female~US,IN~20-50';
    const { statusCode, body } = await service.http.inject(`/explore/sizes/data?${query}`);
    expect(statusCode, body).toBe(200);
    const data = JSON.parse(body);
    const { call, chart, curve, least, dots } = data;
    expect(chart.shareServed).toBeGreaterThanOrEqual(0.9);
    expect(chart.sizes).toHaveLength(least);
    const customer = await service.customer(20);
    const fewer = { ...call.body, sizes: least - 1 };
    const below = await service.post(call.path, fewer, customer.headers);
    expect(below.body.shareServed).toBeLessThan(0.9);
    const drawn = curve.find(({ sizes }: { sizes: number }) => sizes === least - 1);
    expect(drawn.share).toBe(below.body.shareServed);
    const served = dots.filter(({ size }: { size: number }) => size >= 0).length / dots.length;
    expect(Math.abs(served - chart.shareServed)).toBeLessThan(0.06);

    const { rows, head } = sizesTidy(read(query), data);
    expect(rows).toHaveLength(2 * least);
    expect(rows[0]).toHaveLength(head.length);
    expect(rows[0]).toContain(chart.sizes[0].ranges[0].from);
  });

  it('are refused for a width that serves everybody', async () => {
    const url = '/explore/sizes/data?product=own&d=FootLength~500&p=Both~DE~18-65';
    const answer = await service.http.inject(url);
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      expect.stringMatching(
        /^Measurement 1 is too wide: FootLength of nearly everybody .* Set it to less than \d+\.\d+ mm, or leave/,
      ),
    ]);
  });
});
