import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../../src/accounts/credits.js';
import { createKey, listKeys } from '../../../src/accounts/keys.js';
import {
  DOWNLOAD_ADDRESS,
  kindOf,
  PERSON_ADDRESS,
  populationOfPerson,
} from '../../../src/screens/person/address.js';
import { knownText, readKnownText } from '../../../src/screens/person/browser/known-field.js';
import { personDataOf } from '../../../src/screens/person/data.js';
import { addressOf } from '../../../src/screens/shared/address-fields.js';
import {
  FREE_STEPS_PER_MINUTE,
  type FreeAnswers,
} from '../../../src/screens/shared/free-computations.js';
import { writeBodyArtifact } from '../../support/body.js';
import { csrfIn, FormClient, onceIn, PASSWORD, signedUp } from '../../support/form-client.js';
import { useService } from '../../support/use-service.js';

const read = PERSON_ADDRESS.read;

describe('the address of the Person screen', () => {
  it('takes what is left out from the first population, within the ages of bodies', () => {
    expect(kindOf(read('p=Male~JP~0-0'))).toEqual({ gender: 'Male', age: 0, country: 'JP' });
    expect(kindOf(read('p=Male~JP~110-120'))).toMatchObject({ age: 100 });
    const second = read('p=Female~US~18-65&p=Male~JP~30-30&of=2');
    expect(kindOf(second)).toEqual({ gender: 'Male', age: 30, country: 'JP' });
    expect([second, read('age=8')].map(populationOfPerson)).toEqual([2, 1]);
    expect(kindOf(read('age=8&country=BR'))).toEqual({ gender: 'Female', age: 8, country: 'BR' });
  });

  it('leads to the page that downloads the body in a format', () => {
    const asked = { view: read('age=41&known=Stature~1985'), format: 'stl' } as const;
    const address = addressOf(DOWNLOAD_ADDRESS, asked);
    expect(address).toBe('/account/body?age=41&known=Stature~1985&format=stl');
    expect(DOWNLOAD_ADDRESS.read(address.slice(address.indexOf('?')))).toEqual(asked);
    expect(DOWNLOAD_ADDRESS.read('age=41&format=exe').format).toBe('glb');
  });
});

describe('what is known of a person', () => {
  it.each([
    ['P95', { percentile: 95 }],
    ['p 2.5', { percentile: 2.5 }],
    ['1,720', { value: 1720 }],
    ['172 cm', { value: 1720 }],
    ['61 kg', { value: 61 }],
    ['P100', undefined],
    ['tall', undefined],
    ['0', undefined],
  ])('%s', (text, known) => {
    const measurement = text.endsWith('kg') ? 'BodyMass' : 'Stature';
    expect(readKnownText(text, 'mm', measurement)).toEqual(known);
    if (known === undefined) return;
    const again = knownText({ measurement, ...known }, 'mm');
    expect(readKnownText(again, 'mm', measurement)).toEqual(known);
  });
});

it('says by name that a service has no bodies', async () => {
  const free = { hasBodies: () => false } as FreeAnswers;
  const refused = personDataOf(read(''), free, '2022.000000000000');
  await expect(refused).rejects.toMatchObject({
    code: 'model_not_found',
    message: expect.stringMatching(/no bodies in three dimensions.*MakeHuman/),
  });
});

describe('the Person screen', () => {
  const service = useService(async () => ({
    artifacts: await writeBodyArtifact(),
  }));

  const dataOf = async (query: string) => {
    const { statusCode, body } = await service.http.inject(`/explore/person/data?${query}`);
    expect(statusCode, body).toBe(200);
    return JSON.parse(body);
  };

  it.each(['standing', 'sitting'])('draws lines as long as the tape finds: %s', async (pose) => {
    const { lines, readings } = await dataOf(`gender=Male&age=34&pose=${pose}`);
    expect(lines.length).toBe(pose === 'standing' ? 31 : 6);
    for (const { measurement, lines: ways } of lines) {
      const [way] = ways as number[][][];
      const size = (way ?? []).slice(1).reduce((sum, point, index) => {
        const before = way?.[index] ?? point;
        return sum + Math.hypot(...point.map((x, k) => x - (before[k] ?? 0)));
      }, 0);
      const found = readings.find(
        (one: { measurement: string }) => one.measurement === measurement,
      );
      // A tape keeps a distance of 1.2 % from the skin. The light body has fewer vertices, so its curves are shorter.
      const isGirth = /Girth|Circumference/.test(measurement);
      const difference = Math.abs(size / found.achieved - 1);
      expect([measurement, difference < (isGirth ? 0.05 : 0.03)]).toEqual([measurement, true]);
    }
  });

  it('shows bodies whose triangles fit their vertices, within the person’s size', async () => {
    const { positions, readings } = await dataOf('gender=Female&age=34');
    const bytes = Buffer.from(positions, 'base64');
    const heights = Array.from({ length: bytes.length / 6 }, (_, i) =>
      bytes.readInt16LE(6 * i + 2),
    );
    const stature = readings.find((one: { measurement: string }) => one.measurement === 'Stature');
    // The tape measures from the soles of the feet. The light body has fewer vertices there.
    expect(Math.abs(Math.max(...heights) / 10 - stature.achieved)).toBeLessThan(3);
    const surface = await service.http.inject('/explore/person/surface?v=tiny');
    expect(surface.headers['cache-control']).toContain('immutable');
    const { triangles, materials } = surface.json();
    const corners = Buffer.from(triangles, 'base64');
    const count = materials.reduce(
      (sum: number, one: { triangles: number }) => sum + one.triangles,
      0,
    );
    expect(corners.length).toBe(count * 6);
    const most = Math.max(
      ...Array.from({ length: 3 * count }, (_, i) => corners.readUInt16LE(2 * i)),
    );
    expect(most).toBe(heights.length - 1);
    // The crown wears the cap, and the suit ends above the knees.
    const [skin, suit] = materials;
    const covered = Array.from({ length: 3 * suit.triangles }, (_, i) =>
      Number(heights[corners.readUInt16LE(2 * (3 * skin.triangles + i))]),
    );
    expect(Math.max(...covered)).toBe(Math.max(...heights));
    expect(Math.min(...covered)).toBeGreaterThan(0.3 * Math.max(...heights));
  });

  it('has an image of an own person for the visitor alone', async () => {
    const own = '/explore/person/share.png?gender=Female&age=34&known=Stature~1650';
    const { headers } = await service.http.inject(own);
    expect(headers['cache-control']).toBe('private, max-age=86400');
  });

  describe('the download', () => {
    const VIEW = 'gender=Female&age=34&format=stl';
    const PAGE = `/account/body?${VIEW}`;

    it('leads who is not signed in to the sign-in page, and back', async () => {
      const { status, location } = await new FormClient(service).get(PAGE);
      expect(status).toBe(303);
      expect(location).toBe(`/account/sign-in?next=${encodeURIComponent(PAGE)}`);
    });

    it('leads back who signs up first', async () => {
      const zoe = new FormClient(service);
      const signIn = await zoe.get(`/account/sign-in?next=${encodeURIComponent(PAGE)}`);
      const signUp = `/account/sign-up?next=${encodeURIComponent(PAGE)}`;
      expect(signIn.html).toContain(`href="${signUp}"`);
      const values = { name: 'Zoe', email: 'zoe@example.com', password: PASSWORD };
      const form = (await zoe.get(signUp)).html;
      expect(form).toContain(`name="next" value="${PAGE.replaceAll('&', '&amp;')}"`);
      // A refused form keeps the page to return to. A page of another site is not accepted.
      const short = await zoe.submit(signUp, { ...values, password: 'short', next: PAGE });
      expect(short.html).toContain(`name="next" value="${PAGE.replaceAll('&', '&amp;')}"`);
      const other = await zoe.get('/account/sign-up?next=https://evil.example/explore');
      expect(other.html).not.toContain('evil');
      const { html } = await zoe.submit(signUp, { ...values, next: PAGE });
      expect(html).toContain(
        `<a href="${PAGE.replaceAll('&', '&amp;')}">Back to where you were</a>`,
      );
      expect((await zoe.get(signUp)).location).toBe(PAGE);
    });

    it('leads back after signing in again, where the session ended before the form was sent', async () => {
      const send = (referer: string) =>
        service.http.inject({
          method: 'POST',
          url: '/account/body',
          headers: { host: 'localhost', referer },
        });
      const ours = await send(`http://localhost${PAGE}`);
      expect(ours.headers.location).toBe(`/account/sign-in?next=${encodeURIComponent(PAGE)}`);
      // A page that only answers forms, a page of another site, and no page.
      for (const other of [
        'http://localhost/account/sign-out',
        'http://evil.example/account',
        '',
      ]) {
        expect((await send(other)).headers.location, other).toBe('/account/sign-in');
      }
    });

    it('is charged once as the API charges it, however often the form is sent', async () => {
      const ada = await signedUp(service, 'ada@example.com');
      const opened = await ada.get(PAGE);
      expect(opened.html).toContain('Download for 20 credits');
      const keys = await listKeys(service.db);
      const test = keys.find(({ id }) => opened.html.includes(`value="${id}"`));
      const account = test?.accountId ?? '';
      const csrf = csrfIn(opened.html);
      const once = onceIn(opened.html) ?? '';
      const send = (key = '') => ada.submit(PAGE, { key }, { action: PAGE, csrf, once });
      // The free calls of a day do not pay for a body.
      const live = await createKey(service.db, account, 'live');
      const short = await send(live.id);
      expect(short.status).toBe(402);
      expect(short.html).toContain(
        'The file costs 20 credits, and you have 0 live credits. Nothing was charged.',
      );
      expect(short.html).toContain('href="/account/credits" data-come-back');
      // The refused form shows what was sent, and its address still has the person.
      expect(short.html).toContain(`action="${PAGE.replaceAll('&', '&amp;')}"`);
      expect(short.html).toMatch(new RegExp(`<option[^>]* value="${live.id}"[^>]* selected`));
      expect(onceIn(short.html)).toBe(once);
      // The page proposes a key that can pay. It does not send users who have credits to buy some.
      const proposed = await ada.get(PAGE);
      expect(proposed.html).toMatch(new RegExp(`<option[^>]* value="${test?.id}"[^>]* selected`));
      expect(proposed.html).not.toContain('data-come-back');

      const before = await balanceOf(service.db, account, 'test');
      const [first, second] = [await send(test?.id), await send(test?.id)];
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.headers['content-type']).toBe('model/stl');
      expect(first.headers['content-disposition']).toContain(
        'filename="vitruvia-body-Female-34-US-standing.stl"',
      );
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(second.html).toBe(first.html);
      expect(before - (await balanceOf(service.db, account, 'test'))).toBe(20);

      const known = ['Stature~1650', 'BodyMass~60', 'HandLength~P50', 'FootLength~P50'];
      const again = await ada.get(PAGE);
      const many = await ada.submit(
        PAGE,
        { key: test?.id ?? '' },
        {
          action: `${PAGE}&${known.map((one) => `known=${one}`).join('&')}`,
          csrf: csrfIn(again.html),
          once: onceIn(again.html) ?? '',
        },
      );
      expect(many.status).toBe(200);
      const name = 'Female-34-US-Stature-1650-BodyMass-60-HandLength-P50-standing.stl';
      expect(many.headers['content-disposition']).toContain(`"vitruvia-body-${name}"`);
    });

    it('finds people free only as often as the screen does', async () => {
      const kim = await signedUp(service, 'kim@example.com', { name: 'Kim' });
      const opened = await kim.get(PAGE);
      const [, key = ''] = /<option value="(key_[^"]+)"/.exec(opened.html) ?? [];
      const send = () =>
        kim.submit(
          PAGE,
          // One dimension is too few, so the search for a person ends at once.
          { key },
          {
            action: '/account/body?from=case&d=Stature',
            csrf: csrfIn(opened.html),
            once: onceIn(opened.html) ?? '',
          },
        );
      const answers: number[] = [];
      while (answers.length <= FREE_STEPS_PER_MINUTE && answers.at(-1) !== 429) {
        answers.push((await send()).status);
      }
      expect(new Set(answers.slice(0, -1))).toEqual(new Set([400]));
      expect(answers.at(-1)).toBe(429);
      const said = await send();
      expect(said.html).toContain('Nothing was charged');
      expect(Number(said.headers['retry-after'])).toBeGreaterThan(0);
    });

    it('takes no key of somebody else, and no form of somebody else', async () => {
      const bob = await signedUp(service, 'bob@example.com', { name: 'Bob' });
      const eve = await signedUp(service, 'eve@example.com', { name: 'Eve' });
      const [, key = ''] = /<option value="(key_[^"]+)"/.exec((await bob.get(PAGE)).html) ?? [];
      const stolen = await eve.submit(PAGE, { key }, { action: PAGE });
      expect(stolen.status).toBe(422);
      expect(stolen.html).toContain('Nothing was charged');
      const once = onceIn((await bob.get(PAGE)).html) ?? '';
      const foreign = await eve.submit(PAGE, { key }, { action: PAGE, once });
      expect(foreign.status).toBe(409);
    });
  });
});
