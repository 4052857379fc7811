import { describe, expect, it } from 'vitest';
import { AGES_TEXT } from '../../../src/screens/shared/populations.js';
import { SCREEN_PATHS, type ScreenId } from '../../../src/site/paths.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

interface BodyAnswer {
  readonly populations: readonly {
    readonly rows: readonly {
      readonly measurement: string;
      readonly valuesMm: readonly number[];
    }[];
    readonly persons: readonly { readonly who: string; readonly picture: object }[];
  }[];
}

interface PersonAnswer {
  readonly who: string;
  readonly call: { readonly path: string; readonly body: { readonly person: { age: number } } };
  readonly readings: readonly { readonly measurement: string; readonly asked: number }[];
}

describe('an age of people', () => {
  const service = useService(async () => ({
    artifacts: await realArtifacts(),
  }));

  const dataOf = async <Data>(screen: ScreenId, query: string): Promise<Data> => {
    const { statusCode, body } = await service.http.inject(`${SCREEN_PATHS[screen]}/data?${query}`);
    expect(statusCode, body).toBe(200);
    return JSON.parse(body);
  };

  const NAMES = ['Stature', 'SittingHeight', 'HeadGirth', 'FootLength'];
  /** Medians of the population and of one person; the people of a year are not all in its middle. */
  it('is the same on Body and Person', async () => {
    const [age, mm] = [8, 1];
    const people = `p=Female~US~${age}-${age}`;
    const body = await dataOf<BodyAnswer>('body', `${people}&m=${NAMES}`);
    const known = 'known=Stature~P50';
    const person = await dataOf<PersonAnswer>('person', `${people}&${known}`);
    expect(person.call.body.person.age).toBe(age + 0.5);
    expect(person.who).toBe(`a girl of ${age} (United States of America)`);
    expect(body.populations[0]?.persons[1]?.who).toBe(person.who);
    const compared: string[] = [];
    for (const { measurement, valuesMm } of body.populations[0]?.rows ?? []) {
      const asked = person.readings.find((one) => one.measurement === measurement)?.asked;
      if (asked === undefined) continue;
      compared.push(measurement);
      expect(
        Math.abs(asked - (valuesMm[1] as number)),
        `${measurement} ${asked} ${valuesMm[1]}`,
      ).toBeLessThan(mm);
    }
    expect(compared).toContain('Stature');
    expect(compared.length).toBeGreaterThan(2);
  });

  it('is 0 for babies: they lie on Body and on Person, which says that files begin at 1', async () => {
    const people = 'p=Female~US~0-0';
    const { populations } = await dataOf<BodyAnswer>('body', people);
    for (const { who, picture } of populations[0]?.persons ?? []) {
      expect(who).toContain('a girl of 0 ');
      expect(picture).toHaveProperty('lying');
    }
    expect(populations[0]?.persons).toHaveLength(3);
    const { statusCode, body } = await service.http.inject(`${SCREEN_PATHS.person}?${people}`);
    expect(statusCode).toBe(200);
    expect(body).toContain('they and their files begin at 1 completed year');
    expect(body).toContain('value="0"');
    for (const query of ['', '&from=sample&seed=3']) {
      const { call, ...person } = await dataOf<PersonAnswer>('person', people + query);
      expect(person.who).toBe('a girl of 0 (United States of America)');
      expect(person).toHaveProperty('picture.lying');
      expect(person).not.toHaveProperty('positions');
      const { statusCode: status, body: answer } = await service.http.inject({
        ...{ method: 'POST', url: call.path, payload: call.body },
        headers: (await service.customer(100)).headers,
      });
      expect(status, answer).toBe(200);
      const stature = person.readings.find(({ measurement }) => measurement === 'Stature')?.asked;
      expect(stature).toBeGreaterThan(500);
      expect(stature).toBeLessThan(800);
      expect(answer).toContain(String(stature));
    }
  });

  it('is explained once', async () => {
    const { body } = await service.http.inject(SCREEN_PATHS.body);
    expect(body.split(AGES_TEXT)).toHaveLength(2);
  });
});
