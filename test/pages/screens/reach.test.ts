import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../../src/accounts/credits.js';
import { listKeys } from '../../../src/accounts/keys.js';
import {
  ENVELOPE_ADDRESS,
  REACH_ADDRESS,
  viewOfTemplate,
} from '../../../src/screens/reach/address.js';
import type { ReachData } from '../../../src/screens/reach/data-types.js';
import { figuresOf, sceneOf } from '../../../src/screens/reach/drawing.js';
import { movablesOf } from '../../../src/screens/reach/moves.js';
import { TEMPLATES } from '../../../src/screens/reach/templates.js';
import { addressOf } from '../../../src/screens/shared/address-fields.js';
import { csrfIn, onceIn, signedUp } from '../../support/form-client.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

const written = (query: string) => REACH_ADDRESS.query(REACH_ADDRESS.read(query));
const noticesOf = (query: string) => {
  const notices: string[] = [];
  REACH_ADDRESS.read(query, (text) => notices.push(text));
  return notices;
};

describe('the address of the Reach screen', () => {
  it.each([
    'template=car-seat&p=Both~DE~18-70',
    'template=console&p=Both~DE~18-70&unit=in',
    'template=car-seat&p=Both~DE~18-70&seat=350~20~5~-80~80~0~0',
    'template=car-seat&p=Both~DE~18-70&target=Knob~500~-300~600~pinch~left~trunk',
    'template=car-seat&p=Both~DE~18-70&see=Lamp~3000~0~900~800~700~~10&see=Sign~9000~10~2000~~~15~',
    'template=car-seat&p=Both~DE~18-70&clear=Door~0~300~300~500~340~900~shoulder',
    'template=car-seat&p=Both~DE~18-70&target=none&see=none',
  ])('keeps its view: %s', (query) => {
    const view = REACH_ADDRESS.read(query);
    expect(noticesOf(query)).toEqual([]);
    expect(REACH_ADDRESS.read(REACH_ADDRESS.query(view))).toEqual(view);
    const wanted = [...new URLSearchParams(query)].filter(([, text]) => text !== 'car-seat').sort();
    expect([...new URLSearchParams(written(query))].sort()).toEqual(wanted);
  });

  it('leaves out what is as in the template', () => {
    for (const { id } of TEMPLATES) {
      const view = viewOfTemplate(REACH_ADDRESS.read(''), id);
      expect(REACH_ADDRESS.query(view)).not.toMatch(/target|see|clear|seat/);
      expect(REACH_ADDRESS.read(REACH_ADDRESS.query(view))).toEqual(view);
    }
  });

  it.each([
    ['template=boat', 'template “boat”'],
    ['target=Knob~5000~0~0~grip~left~none', '“5000” as target'],
    ['target=Knob~500~0', '“” as target'],
    ['target=Knob~500~0~600~nose~left~none', 'A target in the address has “nose”, which'],
    [
      'template=shelf&target=Pedal~500~0~100~foot~left~none',
      'A target in the address has “foot”, which',
    ],
    ['template=shelf&clear=Box~0~0~0~1~1~1~knee', 'A clearance in the address has “knee”, which'],
    ['target=Knob~500~0~600~grip', 'A target in the address has too few parts'],
    ['see=Sign~9000~0~0~~860', 'has an edge without x or z'],
    [Array.from({ length: 11 }, (_, i) => `clear=B${i}~0~0~0~1~1~1~head`).join('&'), 'at most 10'],
  ])('says what of a damaged link it cannot show: %s', (query, notice) => {
    expect(noticesOf(query).join()).toContain(notice);
    expect(REACH_ADDRESS.read(written(query))).toEqual(REACH_ADDRESS.read(query));
  });
});

describe('things of a scene', () => {
  it('move in two directions and stay in the room', () => {
    const view = REACH_ADDRESS.read('');
    const find = (key: string) => movablesOf(view).find((one) => one.key === key);
    expect(find('target-2')?.move({ x: 510.4, z: 9000 }).targets?.[2]?.at).toEqual({
      ...{ x: 510, y: view.targets[2]?.at.y, z: 3000 },
    });
    expect(find('edge-0')?.move({ z: 700 }).see?.[0]?.over).toEqual({
      ...{ x: view.see[0]?.over?.x, z: 700 },
    });
    const { from, to } = view.clear[0] ?? {};
    const moved = find('clearance-0')?.move({ z: ((from?.z ?? 0) + (to?.z ?? 0)) / 2 - 30 });
    expect(moved?.clear?.[0]).toMatchObject({
      from: { ...from, z: (from?.z ?? 0) - 30 },
      to: { ...to, z: (to?.z ?? 0) - 30 },
    });
    // A road 9 m away is not in the picture.
    expect(find('sight-0')).toBeUndefined();
  });
});

describe('the data of the Reach screen', () => {
  const service = useService(async () => ({
    artifacts: await realArtifacts(),
  }));
  const dataOf = async (query: string): Promise<ReachData> => {
    const { statusCode, body } = await service.get(`/explore/reach/data?${query}`);
    expect(statusCode, body).toBe(200);
    return JSON.parse(body);
  };

  it('keeps the picture of a scene that is refused', async () => {
    const query = 'template=shelf&target=Knob~500~0~-20~grip~right~none';
    const data = (await service.http.inject(`/explore/reach/data?${query}`)).json();
    expect(data).toMatchObject({ status: 422, drawn: { persons: [{}, {}, {}] } });
    const { statusCode, body } = await service.http.inject(`/explore/reach?${query}`);
    expect(statusCode).toBe(422);
    expect(body).toMatch(/“Knob” lies below the floor.*<svg class="reach-picture/s);
    expect(body).not.toContain('data-met');
    expect(body).toMatch(
      /value="Knob~500~0~-20[^>]* aria-invalid[^<]*<p[^>]*>[^<]*below the floor/,
    );
    // A form sends what it showed before.
    const before = `&before=${encodeURIComponent('template=shelf')}`;
    const { body: again } = await service.http.inject(`/explore/reach?${query}${before}`);
    expect(again).toMatch(
      /class="pale"><p>The pale numbers are those of the scene before.*data-met/s,
    );
    expect(again).toMatch(/name="before" value="template=shelf"/);
  });

  it('begins with nothing, and takes the first target, also from a form without JavaScript', async () => {
    const empty = await dataOf('template=own-sitting');
    expect(empty.persons).toEqual([expect.anything(), expect.anything(), expect.anything()]);
    expect(empty.answer).toBeUndefined();
    const { statusCode, body: html } = await service.get('/explore/reach?template=own-sitting');
    expect(statusCode).toBe(200);
    expect(html).toContain('Nothing is asked of these people yet.');
    expect(html).not.toContain('meets all');
    expect(html).toMatch(/<svg class="reach-picture.*name="target"/s);
    const [, example = ''] = /Add a target, such as ([^(]+) \(/.exec(html) ?? [];
    // A form sends its empty fields, too.
    const sent = `template=own-sitting&seat=470~0~0&target=${encodeURIComponent(example)}`;
    const { call } = await dataOf(`${sent}&see=&clear=`);
    const seat = { height: 470, travel: { x: [0, 0], z: [0, 0] } };
    expect(call.body).toMatchObject({ pose: 'sitting', seat, targets: [{ name: 'Target 1' }] });
    expect(call.body).not.toHaveProperty('scene');
    const { body: wrong } = await service.get(`/explore/reach?${sent.replace('~0~', '~x~')}`);
    expect(wrong).toMatch(/<p class="notice warning">[^<]*seat/);
  });

  it('leads to a page that downloads the envelope, charged once as the API charges it', async () => {
    const address = addressOf(ENVELOPE_ADDRESS, { view: REACH_ADDRESS.read(''), format: 'stl' });
    expect(address).toMatch(/^\/account\/envelope\?.*format=stl$/);
    expect(ENVELOPE_ADDRESS.read('format=exe').format).toBe('glb');
    const ada = await signedUp(service, 'ada@example.com');
    const { html } = await ada.get(address);
    expect(html).toContain('Download for 10 credits');
    const key = /<option[^>]* value="([^"]+)"/.exec(html)?.[1] ?? '';
    const { accountId = '' } = (await listKeys(service.db)).find(({ id }) => id === key) ?? {};
    const before = await balanceOf(service.db, accountId, 'test');
    const form = { action: address, csrf: csrfIn(html), once: onceIn(html) ?? '' };
    const [first, again] = [
      await ada.submit(address, { key }, form),
      await ada.submit(address, { key }, form),
    ];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(first.headers['content-disposition']).toContain('vitruvia-envelope-car-seat.stl');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.html).toBe(first.html);
    expect(before - (await balanceOf(service.db, accountId, 'test'))).toBe(10);
    // A scene without a hand has no envelope.
    const without = await ada.get('/account/envelope?target=none');
    const refused = await ada.submit(
      '/account/envelope?target=none',
      { key },
      {
        action: '/account/envelope?target=none',
        csrf: csrfIn(without.html),
        once: onceIn(without.html) ?? '',
      },
    );
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('No hand reaches for anything in this room. Add one.');
  });

  it('draws three people whose hands end at what they reach', async () => {
    const view = REACH_ADDRESS.read('p=Both~DE~18-70');
    const data = await dataOf(REACH_ADDRESS.query(view));
    const figures = figuresOf(view, data);
    expect(figures.map(({ person }) => person.percentile)).toEqual([5, 50, 95]);
    const { call, side } = data.envelope ?? {};
    const { headers } = await service.customer(100);
    const around = await service.post(call?.path ?? '', call?.body, headers);
    const { x, y, z } = around.body.curves[0].percentiles[1].points[0];
    expect(side?.[1]?.[0]).toEqual([x, y, z].map(Math.round));
    const { targets } = sceneOf(view);
    for (const { figure } of figures) {
      expect(figure.marginsMm).toHaveLength(5);
      const ends = figure.limbs.map(({ to }) => to);
      for (const [index, { at, by }] of targets.entries()) {
        if (by === 'foot') continue;
        const far = Math.min(...ends.map(([x, y, z]) => Math.hypot(x - at.x, y - at.y, z - at.z)));
        // A hand that is too short ends before its target by what it lacks.
        const lacks = Math.max(0, -(figure.marginsMm[index] ?? 0));
        expect(far).toBeLessThan(lacks + 3);
      }
    }
    const everybody = await dataOf('p=Female~DE~18-70&p=Male~DE~18-70');
    const alike = ({ persons }: typeof data) =>
      persons.map((one) => ({ ...one, series: 0, images: undefined }));
    expect(alike(everybody)).toEqual(alike(data));
    // Each has the colour of one of the populations.
    expect(everybody.persons.map((one) => [one?.who.slice(0, 5), one?.series])).toEqual(
      expect.arrayContaining([
        ['a wom', 0],
        ['a man', 1],
      ]),
    );
    const [small, , tall] = figures;
    expect(small?.figure.seat[0]).toBeGreaterThan(tall?.figure.seat[0] ?? 0);
    expect(small?.figure.head.centre[2]).toBeLessThan(tall?.figure.head.centre[2] ?? 0);
  });
});
