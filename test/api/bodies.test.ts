import { unzipSync } from 'fflate';
import { validateBytes } from 'gltf-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSES } from '../../src/body/skeleton.js';
import { body as bodyOperation } from '../../src/operations/body.js';
import { BODY_FORMATS } from '../../src/operations/body-request.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { parseGlb, parseStl } from '../body-files/independent-tape.js';
import { writeBodyArtifact } from '../support/body.js';
import { type Customer, startService, type TestService } from '../support/service.js';
import { itInWholeRun } from '../support/whole-run.js';

const PERSON = { gender: 'Female', age: 34, known: [] };
/** A person whom one shape cannot reach. */
const TWISTED = {
  gender: 'Female',
  age: 34,
  measurements: { HipCircumferenceMax: 800, StandingHipBreadth: 450 },
};
const BODY = '/v1/body';
const BODIES = '/v1/bodies';
const PRICE = 20;

let service: TestService;
beforeAll(async () => {
  service = await startService({ artifacts: await writeBodyArtifact(), computing: { threads: 1 } });
});
afterAll(() => service.close());

/** Posts to a route whose answer may be bytes. */
async function post(
  path: string,
  payload: object,
  { headers }: Customer,
  more: Record<string, string> = {},
) {
  const answer = await service.http.inject({
    ...{ method: 'POST', url: path, payload },
    headers: { ...headers, ...more },
  });
  const { statusCode: status, rawPayload: bytes } = answer;
  const type = answer.headers['content-type'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  const json = (): any => answer.json();
  return { status, type, headers: answer.headers, bytes, json };
}

const spentOf = async (customer: Customer, credits: number) => credits - (await customer.balance());

describe('POST /v1/body', () => {
  it.each(BODY_FORMATS.map((format, i) => [POSES[i % POSES.length], format] as const))(
    'answers the pose %s as %s and charges it once',
    async (pose, format) => {
      const customer = await service.customer(100);
      const request = { person: PERSON, pose, format, detail: 'light' };
      const answer = await post(BODY, request, customer);
      expect(answer.status).toBe(200);
      expect(await spentOf(customer, 100)).toBe(PRICE);
      if (format === 'json') {
        expect(answer.type).toMatch(/^application\/json/);
        const report = answer.json();
        expect(report).toMatchObject({ unit: 'mm', massUnit: 'kg', artifact: 'tiny' });
        expect(report.measurements).toHaveLength(39);
        return;
      }
      const types = {
        ...{ glb: 'model/gltf-binary', stl: 'model/stl', obj: 'model/obj' },
        mjcf: 'application/xml',
      };
      expect(answer.type).toBe(types[format as keyof typeof types]);
      expect(answer.headers.etag).toMatch(/^"[0-9a-f]{64}"$/);
      expect(Number(answer.headers['vitruvia-body-worst'])).toBeLessThanOrEqual(25);
      if (format === 'glb') {
        const { issues } = await validateBytes(answer.bytes);
        expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0]);
      }
      if (format === 'stl') expect(parseStl(answer.bytes, 0).length).toBeGreaterThan(5000);
      if (format === 'obj') expect(answer.bytes.toString()).toMatch(/^# Vitruvia body/);
      if (format === 'mjcf') expect(answer.bytes.toString()).toMatch(/^<mujoco model="body">/);
    },
  );

  it('says in the file what the report says, and of whom', async () => {
    const customer = await service.customer(100);
    const request = { person: { name: 'Aoi', ...PERSON }, unit: 'cm' };
    const glb = await post(BODY, request, customer);
    const { extras } = parseGlb(glb.bytes);
    const { body: report } = await service.post(
      BODY,
      { ...request, format: 'json' },
      customer.headers,
    );
    expect(extras.report).toEqual(report);
    expect(extras.person).toEqual({ name: 'Aoi', ...PERSON, country: 'US' });
    expect(extras.credit).toMatch(/not a scan of anybody.*MakeHuman, CC0/);
    expect(report.worst * 10).toBeCloseTo(Number(glb.headers['vitruvia-body-worst']), 2);
    const obj = await post(BODY, { ...request, format: 'obj' }, customer);
    const lines = obj.bytes.toString().split('\n');
    expect(lines).toContain(`# credit ${extras.credit}`);
    expect(lines).toContain(`# person ${JSON.stringify(extras.person)}`);
    const readings = lines.filter((line) => line.startsWith('# measurement '));
    expect(readings.map((line) => JSON.parse(line.slice(14)))).toEqual(report.measurements);
  });

  it('reports the body of the asked pose, and names dimensions that this pose does not have', async () => {
    const customer = await service.customer(100);
    const request = { person: PERSON, format: 'json' };
    const [standing, sitting] = [
      (await post(BODY, request, customer)).json(),
      (await post(BODY, { ...request, pose: 'sitting' }, customer)).json(),
    ];
    const poseOf = (report: typeof standing, name: string) =>
      report.measurements.find((one: { measurement: string }) => one.measurement === name).pose;
    expect(poseOf(standing, 'Stature')).toBeUndefined();
    expect(poseOf(standing, 'SittingHeight')).toBe('sitting');
    expect(poseOf(sitting, 'Stature')).toBe('standing');
    expect(poseOf(sitting, 'SittingHeight')).toBeUndefined();
    expect(standing.armAngle).toBeGreaterThanOrEqual(9);
    expect(sitting.armAngle).toBeUndefined();
    expect(sitting.volume).not.toBe(standing.volume);
    expect(Math.abs(sitting.volume / standing.volume - 1)).toBeLessThan(0.02);
  });

  itInWholeRun('reports the difference, the mass and the heights of girths', async () => {
    const customer = await service.customer(100);
    const measurements = { Stature: 1682.4, WaistCircumferenceAbdominal: 820, BodyMass: 62 };
    const request = { person: { gender: 'Female', age: 33, measurements }, format: 'json' };
    const report = (await post(BODY, request, customer)).json();
    const of = (name: string) =>
      report.measurements.find((one: { measurement: string }) => one.measurement === name);
    expect(of('Stature').asked).toBe(1682.4);
    expect(of('Stature').difference).toBeCloseTo(of('Stature').achieved - 1682.4, 3);
    expect(of('WaistCircumferenceAbdominal').height).toBeGreaterThan(900);
    expect(of('HandLength')).toMatchObject({ asked: null, difference: null });
    expect(report.mass).toBeCloseTo(report.volume * report.density, 2);
    expect(Math.abs(report.mass - 62)).toBeLessThan(3);
  });

  it('gives 16 segments if asked, in the report and in the GLB, and they sum to the body', async () => {
    const customer = await service.customer(100);
    const request = { person: PERSON, pose: 'sitting', segments: true, unit: 'cm' };
    const report = (await post(BODY, { ...request, format: 'json' }, customer)).json();
    expect(report.segments).toHaveLength(16);
    const masses: number[] = report.segments.map(({ mass }: { mass: number }) => mass);
    expect(masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(report.mass, 9);
    const head = report.segments.find(
      ({ segment }: { segment: string }) => segment === 'head_and_neck',
    );
    expect(head.inertia).toHaveLength(6);
    expect(head.centre[1]).toBeGreaterThan(90);
    expect(head.centre[1]).toBeLessThan(140);
    const { extras } = parseGlb((await post(BODY, request, customer)).bytes);
    expect(extras.report).toEqual(report);
    const plain = (await post(BODY, { person: PERSON, format: 'json' }, customer)).json();
    expect(plain.segments).toBeUndefined();
  });

  it('takes people as sample_people answers them', async () => {
    const customer = await service.customer(100);
    const population = {
      groups: [{ countries: ['DE'], gender: 'Female', ageMin: 30, ageMax: 40 }],
    };
    // The other measurements of these artifacts are made up and contradict each other in every person.
    const measurements = ['Stature', 'SittingHeight', 'LegLength', 'BMI', 'BodyMass'];
    const asked = { population, measurements, count: 1, seed: 4 };
    const { body: sample } = await service.post(samplePeople.path, asked, customer.headers);
    const [person] = sample.people;
    const answer = await service.post(BODY, { person, format: 'json' }, customer.headers);
    const rows = [...(answer.body.measurements ?? []), ...(answer.body.residuals ?? [])];
    const stature = rows.find((one: { measurement: string }) => one.measurement === 'Stature');
    expect(stature.asked).toBe(person.measurements.Stature);
  });

  it('lets format win over Accept, and Accept over the default', async () => {
    const customer = await service.customer(200);
    const request = { person: PERSON, detail: 'light' };
    const typeOf = async (accept: string, more = {}) =>
      (await post(BODY, { ...request, ...more }, customer, { accept })).type;
    for (const [accept, type, more] of [
      ['*/*', 'model/gltf-binary'],
      ['text/html, model/obj;q=0.5', 'model/obj'],
      ['application/json', 'model/obj', { format: 'obj' }],
    ] as const) {
      expect(await typeOf(accept, more)).toBe(type);
    }
  });

  itInWholeRun('repeats the same bytes for the same request, and charges each time', async () => {
    const customer = await service.customer(100);
    const [one, other, sitting] = [
      await post(BODY, { person: PERSON }, customer),
      await post(BODY, { person: PERSON }, customer),
      await post(BODY, { person: PERSON, pose: 'sitting' }, customer),
    ];
    expect(other.bytes.equals(one.bytes)).toBe(true);
    expect(other.headers.etag).toBe(one.headers.etag);
    expect(sitting.headers.etag).not.toBe(one.headers.etag);
    expect(await spentOf(customer, 100)).toBe(3 * PRICE);
  });

  it('repeats the same bytes free under an Idempotency-Key', async () => {
    const customer = await service.customer(100);
    const key = { 'idempotency-key': 'one body'.replace(' ', '-') };
    const first = await post(BODY, { person: PERSON }, customer, key);
    const again = await post(BODY, { person: PERSON }, customer, key);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      etag: first.headers.etag,
      'vitruvia-body-worst': first.headers['vitruvia-body-worst'],
    });
    const other = await post(BODY, { person: PERSON, pose: 'sitting' }, customer, key);
    expect([other.status, other.json().code]).toEqual([422, 'idempotency_conflict']);
    expect(await spentOf(customer, 100)).toBe(PRICE);
  });

  it.each([
    ['pose', { person: PERSON, pose: 'lying' }, 400, 'validation_error', '/pose'],
    ['format', { person: PERSON, format: 'fbx' }, 400, 'validation_error', '/format'],
    ['detail', { person: PERSON, detail: 'low' }, 400, 'validation_error', '/detail'],
    [
      'person without numbers',
      { person: { gender: 'Male', age: 3 } },
      400,
      'validation_error',
      '/person',
    ],
    [
      'person with both',
      { person: { ...PERSON, measurements: { Stature: 1600 } } },
      400,
      'validation_error',
      '/person',
    ],
    [
      'unknown name',
      { person: { gender: 'Male', age: 30, measurements: { Height: 1700 } } },
      400,
      'unknown_measurement',
      '/person/measurements/Height',
    ],
    [
      'text as value',
      { person: { gender: 'Male', age: 30, measurements: { Stature: '1700' } } },
      400,
      'validation_error',
      '/person/measurements/Stature',
    ],
    [
      'no dimension of a body',
      { person: { gender: 'Male', age: 30, measurements: { EarLength: 60 } } },
      400,
      'validation_error',
      '/person/measurements',
    ],
    [
      'known twice',
      {
        person: {
          ...PERSON,
          known: [1, 2].map((n) => ({ measurement: 'Stature', percentile: n })),
        },
      },
      400,
      'validation_error',
      '/person/known/1',
    ],
    ['clothing', { person: PERSON, clothing: 'light' }, 400, 'validation_error', '/clothing'],
    ['infant', { person: { ...PERSON, age: 0.9 } }, 404, 'model_not_found', undefined],
    ['age above 100', { person: { ...PERSON, age: 101 } }, 404, 'model_not_found', undefined],
    [
      'value nobody has',
      { person: { ...PERSON, known: [{ measurement: 'Stature', value: 168 }] } },
      422,
      'value_implausible',
      undefined,
    ],
  ] as const)('refuses %s free', async (_, request, status, code, pointer) => {
    const customer = await service.customer(100);
    const answer = await post(BODY, request, customer);
    expect([answer.status, answer.json().code]).toEqual([status, code]);
    if (pointer !== undefined) expect(answer.json().errors[0].pointer).toBe(pointer);
    expect(await spentOf(customer, 100)).toBe(0);
  });

  it('refuses a person out of reach free, with the residuals', async () => {
    const customer = await service.customer(100);
    const answer = await post(BODY, { person: TWISTED }, customer);
    expect([answer.status, answer.json().code]).toEqual([422, 'body_out_of_reach']);
    const { residuals, unit } = answer.json();
    expect(unit).toBe('mm');
    expect(residuals).toHaveLength(2);
    expect(
      Math.max(...residuals.map((one: { difference: number }) => Math.abs(one.difference))),
    ).toBe(Math.abs(residuals[0].difference));
    expect(Math.abs(residuals[0].difference)).toBeGreaterThan(25);
    expect(await spentOf(customer, 100)).toBe(0);
  });

  it('refuses a measurement that is far from those of all people free, by name', async () => {
    const customer = await service.customer(100);
    const measurements = { Stature: 1650, HandLength: 700 };
    const person = { gender: 'Female', age: 34, measurements };
    const answer = await post(BODY, { person, format: 'json' }, customer);
    expect([answer.status, answer.json().code]).toEqual([422, 'body_out_of_reach']);
    const { residuals, unit, detail } = answer.json();
    expect(detail).toMatch(/^HandLength of 700 mm .* to [\d.]+ mm can be built\./);
    expect(unit).toBe('mm');
    expect(residuals).toHaveLength(1);
    expect(residuals[0]).toMatchObject({ measurement: 'HandLength', asked: 700 });
    expect(residuals[0].achieved).toBeLessThan(350);
    expect(await spentOf(customer, 100)).toBe(0);
  });
});

describe('POST /v1/bodies', () => {
  const NAMED = [
    { name: 'one', ...PERSON },
    { name: 'infant', ...PERSON, age: 0.5 },
    { name: '=twisted', ...TWISTED },
    { name: 'two', gender: 'Male', age: 60, known: [{ measurement: 'Stature', percentile: 60 }] },
  ];

  it('answers a ZIP with a file for each person that can be built, and charges those', async () => {
    const customer = await service.customer(200);
    const request = { people: NAMED, pose: 'sitting', detail: 'light', format: 'stl' };
    const key = { 'idempotency-key': 'four' };
    const answer = await post(BODIES, request, customer, key);
    expect([answer.status, answer.type]).toEqual([200, 'application/zip']);
    expect(await spentOf(customer, 200)).toBe(2 * PRICE);
    const files = unzipSync(answer.bytes);
    expect(Object.keys(files).sort()).toEqual([
      'LICENSE.txt',
      'body-01.stl',
      'body-04.stl',
      'people.csv',
      'report.csv',
    ]);
    const text = (name: string) => Buffer.from(files[name] ?? []).toString();
    expect(text('LICENSE.txt')).toMatch(/CC0 1\.0/);
    const people = text('people.csv').trim().split('\r\n');
    expect(people[0]).toMatch(/^person,file,name,gender,age,country,unit,massUnit,Stature,/);
    expect(people).toHaveLength(5);
    expect(people[1]).toMatch(/^1,body-01\.stl,one,Female,34,US,mm,kg,\d/);
    expect(people[3]).toMatch(/^3,,'=twisted,Female,34,US/);
    const report = text('report.csv').trim().split('\r\n');
    expect(report.filter((line) => /^1,body-01\.stl,one,built,/.test(line))).toHaveLength(39);
    expect(report.filter((line) => /^4,body-04\.stl,two,built,/.test(line))).toHaveLength(39);
    expect(report.filter((line) => /^2,,infant,model_not_found,,/.test(line))).toHaveLength(1);
    expect(report.filter((line) => /^3,,'=twisted,body_out_of_reach,/.test(line))).toHaveLength(3);
    const columns = report[0]?.split(',').length;
    expect(
      report
        .filter((line) => !line.includes('"'))
        .every((line) => line.split(',').length === columns),
    ).toBe(true);
    const again = await post(BODIES, request, customer, key);
    expect(again.bytes.equals(answer.bytes)).toBe(true);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await spentOf(customer, 200)).toBe(2 * PRICE);
  });

  itInWholeRun('has the same file as POST /v1/body', async () => {
    const customer = await service.customer(200);
    const options = { pose: 'a_pose', detail: 'light' };
    const zip = await post(BODIES, { people: [PERSON], ...options }, customer);
    const one = await post(BODY, { person: PERSON, ...options }, customer);
    const file = unzipSync(zip.bytes)['body-01.glb'] ?? new Uint8Array();
    expect(one.bytes.equals(file)).toBe(true);
  });

  itInWholeRun('has a table of segments if asked', async () => {
    const customer = await service.customer(200);
    const options = { detail: 'light', format: 'mjcf', segments: true };
    const zip = await post(BODIES, { people: [PERSON], ...options }, customer);
    const files = unzipSync(zip.bytes);
    expect(Buffer.from(files['body-01.mjcf'] ?? []).toString()).toMatch(/^<mujoco/);
    const [header, ...rows] = Buffer.from(files['segments.csv'] ?? [])
      .toString()
      .trim()
      .split('\r\n');
    expect(header).toBe('person,segment,massKg,x,y,z,unit,xx,yy,zz,xy,xz,yz');
    expect(rows).toHaveLength(16);
  });

  it('is refused free when nobody can be built', async () => {
    const customer = await service.customer(100);
    const answer = await post(BODIES, { people: [TWISTED, { ...PERSON, age: 0 }] }, customer);
    expect([answer.status, answer.json().code]).toEqual([422, 'body_out_of_reach']);
    expect(answer.json().errors.map((one: { pointer: string }) => one.pointer)).toEqual([
      '/people/0',
      '/people/1',
    ]);
    expect(await spentOf(customer, 100)).toBe(0);
  });

  it('takes 32 people', async () => {
    const customer = await service.customer();
    const many = (count: number) => ({ people: Array.from({ length: count }, () => PERSON) });
    expect((await post(BODIES, many(32), customer)).json().code).toBe('insufficient_credits');
    const more = await post(BODIES, many(33), customer);
    expect([more.status, more.json().errors[0].pointer]).toEqual([400, '/people']);
  });
});

describe('bodies in a batch', () => {
  const entry = (input: object) => ({ operation: 'body', input: { person: PERSON, ...input } });

  it('are reports, and must say so', async () => {
    const customer = await service.customer(100);
    const requests = [
      ...[entry({ format: 'json' }), entry({}), entry({ format: 'glb' })],
      { operation: 'bodies', input: { people: [PERSON] } },
    ];
    const { body } = await service.post('/v1/batch', { requests }, customer.headers);
    expect(body.answers.map(({ status }: { status: number }) => status)).toEqual([
      200, 400, 400, 400,
    ]);
    const { body: alone } = await service.post(
      BODY,
      { person: PERSON, format: 'json' },
      customer.headers,
    );
    expect(body.answers[0].body).toEqual(alone);
    expect(body.charged).toBe(PRICE);
    expect(await spentOf(customer, 100)).toBe(2 * PRICE);
  });

  it('count among the twenty computations', async () => {
    const customer = await service.customer();
    const requests = Array.from({ length: 21 }, () => entry({ format: 'json' }));
    const { status, body } = await service.post('/v1/batch', { requests }, customer.headers);
    expect([status, body.errors[0].pointer]).toEqual([400, '/requests']);
  });
});

describe('an artifact without the mesh', () => {
  it('has no bodies, and says why, free', async () => {
    const bare = await startService({ computing: { threads: 1 } });
    try {
      const customer = await bare.customer(100);
      for (const [path, request] of [
        [BODY, bodyOperation.example],
        [BODIES, { people: [PERSON] }],
      ] as const) {
        const { status, body } = await bare.post(path, request, customer.headers);
        expect([status, body.code]).toEqual([404, 'model_not_found']);
        expect(body.message).toMatch(/built without the source makehuman/);
      }
      expect(await spentOf(customer, 100)).toBe(0);
    } finally {
      await bare.close();
    }
  });
});
