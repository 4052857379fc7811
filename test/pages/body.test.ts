import { describe, expect, it } from 'vitest';
import { BODY_ADDRESS, isAddressOfOneDimension } from '../../src/screens/body/address.js';
import type { BodyData } from '../../src/screens/body/data-types.js';
import { useService } from '../support/use-service.js';

describe('the Body screen', () => {
  const service = useService();

  it('has rounded heights for the picture', async () => {
    const data: BodyData = (await service.get('/explore/data?m=Stature')).json();
    const [women] = data.populations;
    expect(women?.bandsMm?.map((mm) => mm.length)).toEqual(Array(6).fill(3));
    expect(women?.bandsMm?.flat().every(Number.isInteger)).toBe(true);
    // The invented artifact has no mesh.
    expect([data.hasBodies, women?.persons]).toEqual([false, undefined]);
  });

  it('reads an address to its end where a name has a question mark', async () => {
    const { body } = await service.get(
      '/explore?p=Male~DE~18-65~~Who?&posture=sitting&m=KneeHeight',
    );
    expect(body).toContain('value="Male~DE~18-65~~Who?"');
    expect(body).toContain('<th scope="row">Knee height</th>');
  });
});

describe('addresses of the Body screen', () => {
  const read = BODY_ADDRESS.read;

  it('ask for the same data however it is laid out', () => {
    const people = 'p=Female~DE~18-65&posture=sitting&side=side';
    const drawn = `${people}&overlaid=1&region=leg&unit=in`;
    expect(BODY_ADDRESS.dataQuery(read(drawn))).toBe(people);
    expect(BODY_ADDRESS.dataQuery(read(`${drawn}&m=KneeHeight`))).toBe(`${people}&m=KneeHeight`);
  });

  it('differ from those of the page of one dimension', () => {
    for (const old of ['view=ages&measurement=Stature', 'country=DE']) {
      expect(isAddressOfOneDimension(old)).toBe(true);
    }
    for (const own of ['', 'p=Female~DE~18-65&posture=sitting', 'posture=sitting&unit=in']) {
      expect(isAddressOfOneDimension(own)).toBe(false);
    }
  });
});
