import { unzipSync } from 'fflate';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { POSES } from '../../src/body/skeleton.js';
import { ERRORS, type ErrorCode } from '../../src/core/errors.js';
import { body as bodyOperation } from '../../src/operations/body.js';
import { BODY_FORMATS } from '../../src/operations/body-request.js';
import { parseGlb, parseStl } from '../body-files/independent-tape.js';
import { writeBodyArtifact } from '../support/body.js';
import type { Customer } from '../support/service.js';
import { useService } from '../support/use-service.js';

const PERSON = { gender: 'Female', age: 34, known: [] };
/** A person of whom one measurement is far from those of all people. */
const STRANGE = { gender: 'Female', age: 34, measurements: { Stature: 1650, HandLength: 700 } };
const BODY = '/v1/body';
const BODIES = '/v1/bodies';
const PRICE = 20;

const service = useService(async () => ({ artifacts: await writeBodyArtifact() }));

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
        expect(report.measurements).toHaveLength(40);
        return;
      }
      const types = {
        ...{ glb: 'model/gltf-binary', stl: 'model/stl', obj: 'model/obj' },
        ...{ dxf: 'image/vnd.dxf', mjcf: 'application/xml' },
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
      if (format === 'dxf') expect(answer.bytes.toString()).toMatch(/^999\r\ncredit .*POLYLINE/s);
      if (format === 'mjcf') expect(answer.bytes.toString()).toMatch(/^<mujoco model="body">/);
    },
  );

  it('says in the file what the report says, and of whom', async () => {
    const customer = await service.customer(100);
    const request = { person: { name: 'Aoi', ...PERSON }, unit: 'cm' };
    const glb = await post(BODY, request, customer);
    const { extras } = parseGlb(glb.bytes);
    // A format wins over Accept, and Accept over the default.
    const asReport = { ...request, format: 'json' };
    const report = (await post(BODY, asReport, customer, { accept: 'model/obj' })).json();
    expect(extras.report).toEqual(report);
    expect(extras.person).toEqual({ name: 'Aoi', ...PERSON, country: 'US' });
    expect(extras.credit).toMatch(/not a scan of anybody.*MakeHuman, CC0/);
    expect(report.worst * 10).toBeCloseTo(Number(glb.headers['vitruvia-body-worst']), 2);
    const obj = await post(BODY, request, customer, { accept: 'text/html, model/obj;q=0.5' });
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
    expect(sitting.segments).toBeUndefined();
    expect(sitting.volume).not.toBe(standing.volume);
    expect(Math.abs(sitting.volume / standing.volume - 1)).toBeLessThan(0.02);
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
  });

  const BAD = 'validation_error';
  const handAt = (x: number) => ({
    ...{ base: 'sitting', hands: { left: { at: { x, y: 200, z: 500 }, by: 'grip' } } },
  });
  const SEATED = handAt(400);
  const STANDING = { ...SEATED, base: 'standing', feet: { left: { at: { x: 0, y: 0, z: 0 } } } };
  const known = [1, 2].map((percentile) => ({ measurement: 'Stature', percentile }));
  const tiny = [{ measurement: 'Stature', value: 168 }];
  const man = (measurements: object) => ({ person: { gender: 'Male', age: 30, measurements } });
  it.each<[string, object, ErrorCode, string?]>([
    ['pose', { person: PERSON, pose: 'lying' }, BAD, '/pose'],
    ['person without numbers', { person: { gender: 'Male', age: 3 } }, BAD, '/person'],
    [
      'person with both',
      { person: { ...PERSON, measurements: { Stature: 1600 } } },
      BAD,
      '/person',
    ],
    ['unknown name', man({ Height: 1 }), 'unknown_measurement', '/person/measurements/Height'],
    ['text as value', man({ Stature: '1700' }), BAD, '/person/measurements/Stature'],
    ['no dimension of a body', man({ EarLength: 60 }), BAD, '/person/measurements'],
    ['known twice', { person: { ...PERSON, known } }, BAD, '/person/known/1'],
    ['clothing', { person: PERSON, clothing: 'light' }, BAD, '/clothing'],
    ['pose and stance', { person: PERSON, pose: 'standing', stance: SEATED }, BAD, '/stance'],
    ['a foot of standing people', { person: PERSON, stance: STANDING }, BAD, '/stance/feet'],
    ['a stance of nothing', { person: PERSON, stance: { base: 'sitting' } }, BAD, '/stance'],
    ['a huge place', { person: PERSON, stance: handAt(2e5) }, BAD, '/stance/hands/left/at/x'],
    [
      ...(['an unknown reach', { ...man({ Stature: 1700 }), stance: SEATED }, BAD] as const),
      '/person/measurements',
    ],
    ['infant', { person: { ...PERSON, age: 0.9 } }, 'model_not_found'],
    ['age above 100', { person: { ...PERSON, age: 101 } }, 'model_not_found'],
    ['value nobody has', { person: { ...PERSON, known: tiny } }, 'value_implausible'],
  ])('refuses %s free', async (_, request, code, pointer) => {
    const customer = await service.customer(100);
    const answer = await post(BODY, request, customer);
    expect([answer.status, answer.json().code]).toEqual([ERRORS[code].status, code]);
    if (pointer !== undefined) expect(answer.json().errors[0].pointer).toBe(pointer);
    expect(await spentOf(customer, 100)).toBe(0);
  });

  it('refuses a person out of reach free, with the residuals', async () => {
    const customer = await service.customer(100);
    // One shape cannot reach both.
    const measurements = { HipCircumferenceMax: 800, StandingHipBreadth: 450 };
    const person = { gender: 'Female', age: 34, measurements };
    const answer = await post(BODY, { person }, customer);
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
    const answer = await post(BODY, { person: STRANGE, format: 'json' }, customer);
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
    { name: '=strange', ...STRANGE },
    { name: 'two', ...PERSON, known: [{ measurement: 'Stature', percentile: 60 }] },
  ];

  it('answers a ZIP with a file for each person that can be built, and charges those', async () => {
    const customer = await service.customer(200);
    const options = { pose: 'sitting', detail: 'light', format: 'stl', segments: true };
    const request = { people: NAMED, ...options };
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
      'segments.csv',
    ]);
    const segments = Buffer.from(files['segments.csv'] ?? []).toString();
    expect(segments.trim().split('\r\n')).toHaveLength(1 + 2 * 16);
    const text = (name: string) => Buffer.from(files[name] ?? []).toString();
    expect(text('LICENSE.txt')).toMatch(/CC0 1\.0/);
    const people = text('people.csv').trim().split('\r\n');
    expect(people[0]).toMatch(/^person,file,name,gender,age,country,unit,massUnit,Stature,/);
    expect(people).toHaveLength(5);
    expect(people[1]).toMatch(/^1,body-01\.stl,one,Female,34,US,mm,kg,\d/);
    expect(people[3]).toMatch(/^3,,'=strange,Female,34,US/);
    const report = text('report.csv').trim().split('\r\n');
    expect(report.filter((line) => /^1,body-01\.stl,one,built,/.test(line))).toHaveLength(40);
    expect(report.filter((line) => /^4,body-04\.stl,two,built,/.test(line))).toHaveLength(40);
    expect(report.filter((line) => /^2,,infant,model_not_found,,/.test(line))).toHaveLength(1);
    expect(report.filter((line) => /^3,,'=strange,body_out_of_reach,/.test(line))).toHaveLength(2);
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
    const one = await post(BODY, { person: PERSON, ...options }, customer);
    expect(one.bytes.equals(files['body-01.stl'] ?? new Uint8Array())).toBe(true);
  });

  it('is refused free when nobody can be built', async () => {
    const customer = await service.customer(100);
    const answer = await post(BODIES, { people: [STRANGE, { ...PERSON, age: 0 }] }, customer);
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
});

describe('an artifact without the mesh', () => {
  const bare = useService();
  it('has no bodies, and says why, free', async () => {
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
  });
});
