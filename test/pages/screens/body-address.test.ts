import { describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import {
  BODY_MEASUREMENTS_MAX,
  bodyDataQuery,
  bodyQuery,
  DEFAULT_BODY_MEASUREMENTS,
  isAddressOfOneDimension,
  readBodyView,
} from '../../../src/pages/screens/body/address.js';

const read = readBodyView;

describe('addresses of the Body screen', () => {
  it('hold the whole view, and leave defaults out', () => {
    const query =
      'p=Female~DE,JP~18-65&p=Both~World~3-3~winter&posture=sitting&side=side&overlaid=1&m=Stature,KneeHeight&region=leg&unit=ft-in';
    expect(bodyQuery(read(query))).toBe(query);
    expect(bodyQuery(read(''))).toBe('');
    expect(read('').measurements).toEqual(DEFAULT_BODY_MEASUREMENTS);
  });

  it('ask for the same data however it is laid out', () => {
    const people = 'p=Female~DE~18-65&posture=sitting&side=side';
    const drawn = `${people}&overlaid=1&region=leg&unit=in`;
    expect(bodyDataQuery(read(drawn))).toBe(people);
    expect(bodyDataQuery(read(`${drawn}&m=KneeHeight`))).toBe(`${people}&m=KneeHeight`);
  });

  it('have a limited table and ignore unknown regions', () => {
    const many = read(`m=${MEASUREMENT_NAMES.join(',')}&region=tail`);
    expect(many.measurements).toHaveLength(BODY_MEASUREMENTS_MAX);
    expect(many.region).toBeUndefined();
  });

  it('differ from those of the page of one dimension', () => {
    const isOld = isAddressOfOneDimension;
    expect(isOld('view=ages&measurement=Stature')).toBe(true);
    expect(isOld('country=DE')).toBe(true);
    expect(isOld('')).toBe(false);
    expect(isOld('p=Female~DE~18-65&posture=sitting')).toBe(false);
    expect(isOld('posture=sitting&unit=in')).toBe(false);
  });
});
