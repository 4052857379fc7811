import { describe, expect, it } from 'vitest';
import { ComputeError, type ComputeFailure } from '../../../src/request/pool.js';
import type { ExactCall } from '../../../src/screens/shared/data-types.js';
import { FREE_STEPS_PER_MINUTE } from '../../../src/screens/shared/free-computations.js';
import { SCREEN_PATHS, type ScreenId } from '../../../src/site/paths.js';
import { writeBodyArtifact } from '../../support/body.js';
import type { TestService } from '../../support/service.js';
import { whileClockStands } from '../../support/standing-clock.js';
import { WITHOUT_MODEL } from '../../support/tiny-artifact.js';
import { useService } from '../../support/use-service.js';

// biome-ignore lint/suspicious/noExplicitAny: each screen has data of its own.
type Data = any;

/** A call that a screen shows, and what the screen shows of its answer. */
interface Shown {
  readonly call: Pick<ExactCall, 'path' | 'body'> & Partial<ExactCall>;
  readonly answer: unknown;
}

interface ScreenRow {
  /** Queries of views. */
  readonly views: readonly string[];
  readonly shownIn: (data: Data) => readonly Shown[];
  /** Queries that the API refuses, with the status and a part of the page's text. */
  readonly refused: readonly (readonly [query: string, status: number, detail: string])[];
  /** A query, and patterns that its page contains for browsers without JavaScript. */
  readonly plain: readonly [query: string, ...parts: readonly RegExp[]];
  readonly perMinute?: number;
}

const PAIR = 'p=Female~DE,JP~18-65&p=Male~DE,JP~18-65';
const ATLANTIS = ['p=Male~Atlantis~18-65', 400, 'is neither a country nor a set'] as const;

const ROWS: Readonly<Record<ScreenId, ScreenRow>> = {
  body: {
    views: [
      'p=Female~DE,JP~18-65&p=Male~NL~20-40~winter&m=Stature,HipBreadth',
      'form=sheet&p=Female~DE,NA~18-65&m=Stature,SittingHeight,HandLength',
    ],
    shownIn: ({ populations }) =>
      populations.map(({ call, rows }: Data) => ({
        call,
        answer: {
          measurements: rows.map(({ measurement, meanMm: mean, sdMm: sd, valuesMm }: Data) => ({
            ...{ measurement, mean, sd },
            values: [5, 50, 95].map((percentile, i) => ({ percentile, value: valuesMm[i] })),
          })),
        },
      })),
    refused: [
      ATLANTIS,
      [`m=${WITHOUT_MODEL}`, 404, WITHOUT_MODEL],
      ['m=BodyMass', 400, 'BodyMass is no length'],
    ],
    plain: [
      'p=Female~DE~18-65&posture=sitting&m=KneeHeight',
      /<svg class="people-picture"[^>]*role="img"/,
      /built without the mesh of bodies/,
      /value="Female~DE~18-65"/,
      /<th scope="row">Knee height<\/th>/,
    ],
  },
  fit: {
    views: [
      `product=desk&${PAIR}`,
      'product=bed&p=Male~NL~18-65&length=1900&target=95',
      'limit=BodyMass~~auto&limit=BMI~18.5~30&limit=Stature~1500~&mass=lb&p=Both~DE~18-65',
    ],
    shownIn: ({ overall: { call, excluded: _, ...answer }, proposal, populations }) => [
      ...[
        { call, answer },
        { call: proposal.call, answer: {} },
      ],
      ...populations.map(({ share }: Data) => share),
    ],
    refused: [
      ATLANTIS,
      [
        'product=helmet&girthMin=620&girthMax=600',
        400,
        'Smallest head girth must be at most the largest head girth (600 mm): they are the ends of one range.',
      ],
      [
        'limit=Stature~1900~1800',
        400,
        'Nobody can fit: Stature would have to be at least 1900 mm and at most 1800 mm.',
      ],
      [
        'limit=BodyMass~100~90',
        400,
        'Nobody can fit: Body mass would have to be at least 100 kg and at most 90 kg.',
      ],
      [
        'product=desk&high=600&knees=650',
        400,
        'Knee room below the highest top must be at most the highest top height (600 mm) less 25.0 mm: the knees are under the top, which is 25 mm thick.',
      ],
    ],
    plain: [
      'product=bed&p=Male~NL~18-65&length=1900',
      /name="length"[^>]* value="1900"/,
      /value="Male~NL~18-65"/,
      /Men, NL, 18–65.*\d+\.\d\u00a0%.*\d+\.\d\u00a0% need a longer bed/s,
    ],
  },
  reach: {
    views: [
      `${PAIR}&seat=320~25~8~-100~120~0~0&target=Knob~500~-300~600~fingertip~right~shoulder`,
      'template=own-standing&target=Knob~500~-200~1200~grip~right~none',
    ],
    shownIn: ({ answer, call, envelope }) => [
      { call, answer },
      { call: envelope.call, answer: { unit: 'mm' } },
    ],
    refused: [
      ATLANTIS,
      ['template=shelf&target=Knob~500~0~-20~grip~right~none', 422, '“Knob” lies below the floor'],
      ['p=Both~US~18-65&p=Both~DE~18-65~winter', 400, 'same clothing'],
    ],
    plain: [
      'template=desk&p=Female~DE~18-65',
      /<svg class="reach-picture figure"[^>]*role="img"/,
      /value="Female~DE~18-65"/,
      /<td class="number"><span data-met="[\d.]+">/,
    ],
  },
  sizes: {
    views: ['product=helmet&p=Female~US,IN~20-50'],
    shownIn: ({ call, chart }) => [{ call, answer: chart }],
    refused: [
      ATLANTIS,
      ['product=own&d=BodyMass~5', 400, 'BodyMass is no length. Choose a measurement in mm.'],
      ['p=Both~US~18-65&p=Both~DE~18-65~winter', 400, 'same clothing'],
    ],
    plain: ['p=Female~DE~18-65', /value="Female~DE~18-65"/, /<table/],
  },
  dimension: {
    views: [
      'measurement=Stature&gender=Female&age=30&country=US&percentile=50',
      'measurement=HandLength&gender=Male&age=8.5&country=JP,GT&percentile=97.5&unit=in&clothing=winter',
      'measurement=Stature&gender=Male&age=40&country=DE&value=1843',
      'view=ages&measurement=SittingHeight&gender=Male&age=14&country=NL,JP&percentile=25',
      'view=connected&measurement=Stature&linked=WorkReach&gender=Female&age=35&country=US&percentile=5&cover=80&unit=in',
      'view=countries&measurement=HandLength&gender=Male&age=8&percentile=97.5&unit=in&clothing=winter',
      'view=countries&p=Both~JP,NL~70-80~light&unit=ft-in',
    ],
    shownIn: ({ call, answer, refusal, picture: { countries } }) => {
      expect(refusal).toBeUndefined();
      const answers = countries?.map(({ country, value }: Data) => ({
        ...{ status: 200, body: { country, value } },
      }));
      return [{ call, answer: answer ?? { answers } }];
    },
    refused: [
      ['country=Atlantis', 400, '"Atlantis"'],
      ['view=countries&percentile=100', 400, 'The percentile must be at most 99'],
      [`view=countries&measurement=${WITHOUT_MODEL}`, 404, WITHOUT_MODEL],
    ],
    plain: ['measurement=Stature&age=60', /name="age"[^>]* value="60"/, /<td/],
    perMinute: 60,
  },
  person: {
    views: ['gender=Female&age=34'],
    shownIn: ({ call, readings, massKg, volumeLitres }) => [
      {
        call: { path: call.path, body: { ...call.body, detail: 'light', format: 'json' } },
        answer: {
          measurements: [...readings, { measurement: 'BodyMass' }],
          mass: massKg,
          volume: volumeLitres,
        },
      },
    ],
    refused: [['gender=Male&age=34&known=Stature~1700&known=Stature~1800', 400, 'Known value 2']],
    plain: [
      'gender=Female&age=34',
      /person-drawing/,
      /Measurements of a woman of 34/,
      /A file costs 20 credits.*href="\/account\/body\?[^"]*format=dxf"/s,
    ],
  },
};
const SCREENS = Object.keys(ROWS) as ScreenId[];
const each = <Row>(rowsOf: (row: ScreenRow) => readonly Row[]) =>
  SCREENS.flatMap((screen) => rowsOf(ROWS[screen]).map((row) => [screen, row] as const));

const service = useService();
/** A service whose invented people have bodies. */
const bodied = useService(async () => ({
  artifacts: await writeBodyArtifact(),
}));
let failure: ComputeFailure = 'full';
const compute = async () => {
  throw new ComputeError(failure);
};
const busy = useService({ computer: { compute }, keepsPictures: false });

const serviceOf = (screen: ScreenId) => (screen === 'person' ? bodied : service);
type GetOptions = Parameters<TestService['get']>[1] & { readonly of?: TestService };
const get = (
  screen: ScreenId,
  rest: string,
  { of = serviceOf(screen), ...more }: GetOptions = {},
) => of.get(SCREEN_PATHS[screen] + rest, more);

describe('the data of every screen', () => {
  it.each(each(({ views }) => views))(
    'of %s equal the answers of the API to the shown calls, and cost nothing: %s',
    async (screen, query) => {
      const api = serviceOf(screen);
      const { headers, balance } = await api.customer(10_000);
      const data = await get(screen, `/data?${query}`);
      expect(data.statusCode, data.body).toBe(200);
      let credits = await balance();
      expect(credits).toBe(10_000);
      for (const { call, answer } of ROWS[screen].shownIn(data.json())) {
        const { status, body } = await api.post(call.path, call.body, headers);
        expect([call.path, status]).toEqual([call.path, 200]);
        const { distributionPoints: _, ...paid } = body;
        expect(paid).toMatchObject(answer as object);
        if (screen === 'dimension' && call.path !== '/v1/batch')
          expect(Object.keys(paid)).toEqual(Object.keys(answer as object));
        credits -= call.credits ?? credits - (await balance());
        expect(await balance()).toBe(credits);
      }
    },
  );
});

describe('every screen', () => {
  it.each(each(({ refused }) => refused))(
    '%s refuses in words that a visitor understands: %j',
    async (screen, [query, status, detail]) => {
      const data = await get(screen, `/data?${query}`);
      expect([data.statusCode, data.json().detail]).toEqual([
        status,
        expect.stringContaining(detail),
      ]);
      expect(data.json().detail).not.toMatch(/(person|population)\.\w|GET \//);
      const page = await get(screen, `?${query}`);
      expect(page.statusCode).toBe(status);
      expect(page.body).toContain('notice danger');
      expect(page.body).not.toContain('og:image');
    },
  );

  it.each(SCREENS)('%s allows no foreign and no inline scripts or styles', async (screen) => {
    // Another test shows this view, so its answers are kept.
    const { headers, body: html } = await get(screen, `?${ROWS[screen].plain[0]}`);
    const body = html.replaceAll('http://localhost/', '/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    expect(body).not.toMatch(/ style=|javascript:|<style| on\w+=/);
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
    const evil = '</script><script>alert(1)</script>';
    const query = `measurement=${evil}&m=${evil}&p=${evil}&product=${evil}&name="><img src=x>`;
    const page = await get(screen, `?${encodeURI(query)}&${ROWS[screen].plain[0]}`);
    expect(page.body).not.toMatch(/<script>alert|<img src=x/);
  });

  it.each(SCREENS)('%s has a form and its numbers without JavaScript', async (screen) => {
    const [query, ...parts] = ROWS[screen].plain;
    const { body } = await get(screen, `?${query}`);
    const plain = /<h1.*<\/noscript>/s.exec(body)?.[0];
    const form = new RegExp(`<form method="get" action="${SCREEN_PATHS[screen]}"`);
    for (const part of [form, ...parts]) expect(plain).toMatch(part);
    // The answer is for browsers with JavaScript too: their script lets the styles of the first paint go first.
    const [before = ''] = body.split('<noscript>');
    expect(before).toMatch(/class="first-numbers">.*\d/s);
    expect(before).toMatch(/<script type="module" src="[^"]*" fetchPriority="low">/i);
    expect(before).not.toMatch(/(<script type|rel="modulepreload")(?![^>]* fetchPriority="low")/i);
  });

  it.each(SCREENS)('%s limits what an address asks for, and says how long to wait', (screen) =>
    whileClockStands(async () => {
      const { perMinute = FREE_STEPS_PER_MINUTE, refused: wrong, plain } = ROWS[screen];
      // Refused requests count too, and cost no time here.
      const [query, status] = wrong[0] ?? [];
      const from = `10.5.0.${SCREENS.indexOf(screen)}`;
      for (let asked = 1; asked < perMinute; asked++) {
        expect((await get(screen, `/data?${query}`, { from })).statusCode).toBe(status);
      }
      expect((await get(screen, `?${plain[0]}`, { from })).statusCode).toBe(200);
      const refused = await get(screen, '/data', { from });
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
      const page = await get(screen, '', { from });
      expect(page.statusCode).toBe(429);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain(
        perMinute === FREE_STEPS_PER_MINUTE
          ? 'use at most 45 seconds of free computing per minute'
          : `at most ${perMinute} views per minute`,
      );
      for (const { headers } of [refused, page]) {
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      }
      expect((await get(screen, `?${plain[0]}`)).statusCode).toBe(200);
    }),
  );

  // Views of one dimension are not computed in the pool. Views of a person need bodies.
  it.each(SCREENS.filter((screen) => !['dimension', 'person'].includes(screen)))(
    '%s says that many people compute, and asks again; and what to ask less of',
    async (screen) => {
      for (failure of ['full', 'waited'] as const) {
        const data = await get(screen, '/data', { of: busy });
        expect([data.statusCode, data.json().code]).toEqual([503, 'service_busy']);
        expect(data.json().detail).toContain('Many people are computing');
        const page = await get(screen, '', { of: busy });
        expect(page.body).toContain('Many people are computing');
        for (const { statusCode, headers } of [data, page]) {
          expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
        }
      }
      failure = 'too_long';
      const data = await get(screen, '/data', { of: busy });
      expect([data.statusCode, data.json().code]).toEqual([422, 'computation_too_large']);
    },
  );

  it('gives a file without the user once its computation has a turn, also without a script', async () => {
    for (failure of ['full', 'waited'] as const) {
      const { statusCode, headers, body } = await get('body', '/sheet.csv', { of: busy });
      expect([statusCode, headers['retry-after'], headers.refresh]).toEqual([503, '5', '5']);
      expect(body).toContain('The file comes automatically in 5 seconds.');
      expect(body).not.toContain('Please try again in');
    }
    failure = 'too_long';
    const tooLarge = await get('body', '/sheet.csv', { of: busy });
    expect([tooLarge.statusCode, tooLarge.headers.refresh]).toEqual([422, undefined]);
  });

  it.each(SCREENS)(
    '%s links to the account if the browser has a session cookie, otherwise to sign-in',
    async (screen) => {
      const linksFor = async (cookie: string) => {
        const { body } = await get(screen, `?${ROWS[screen].refused[0]?.[0]}`, {
          headers: { cookie },
        });
        const links = [...body.matchAll(/href="(\/account[^"]*)"/g)].map(([, href]) => href ?? '');
        return links.filter((href) => !/^\/account\/(sign-up|body)\b/.test(href));
      };
      expect(await linksFor('vitruvia_session=abc')).toEqual(['/account']);
      expect(await linksFor('a=1; __Host-vitruvia_session=abc')).toEqual(['/account']);
      const [signIn = '', ...others] = await linksFor('vitruvia_form=abc');
      expect(others).toEqual([]);
      // Someone who signs in comes back to the view.
      const { pathname, searchParams } = new URL(signIn, 'http://own.invalid');
      expect(pathname).toBe('/account/sign-in');
      expect(searchParams.get('next')).toMatch(new RegExp(`^${SCREEN_PATHS[screen]}(\\?|$)`));
    },
  );

  it('has a bar of the screens, whose links carry the populations', async () => {
    const people = 'p=Both~IT~75-120&p=Both~SE~18-28';
    for (const screen of ['body', 'dimension', 'person'] as const) {
      const { body, statusCode } = await get(screen, `?${people}&of=2`, { of: service });
      // This service has no bodies, and its page of a person says so.
      expect([screen, statusCode]).toEqual([screen, screen === 'person' ? 404 : 200]);
      const bar = /<nav class="row screens-nav".*?<\/nav>/s.exec(body)?.[0] ?? '';
      const links = [...bar.matchAll(/href="([^"]+)"( aria-current="page")?/g)];
      expect(
        links.map(([, href = '', isCurrent]) => [href.replaceAll('&amp;', '&'), isCurrent]),
      ).toEqual(
        (Object.keys(SCREEN_PATHS) as ScreenId[]).map((one) => [
          `${SCREEN_PATHS[one]}?${people}`,
          one === screen ? ' aria-current="page"' : undefined,
        ]),
      );
      // The Dimension screen shows the second population.
      if (screen === 'dimension') expect(body).toContain('gender=Female&amp;age=23&amp;country=SE');
    }
  });
});
