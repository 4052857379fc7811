import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  deploymentSecret,
  PICTURE_SECRET,
  renewSecret,
  SigningSecret,
} from '../../src/accounts/deployment-secret.js';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.js';
import type { PictureOf } from '../../src/render/picture.js';
import type { StancePicture } from '../../src/render/stance-picture.js';
import { type AnyPicture, PictureAddresses } from '../../src/site/pictures/addresses.js';
import { realArtifacts } from '../support/servers.js';
import { useService } from '../support/use-service.js';

const service = useService(async () => ({ artifacts: await realArtifacts() }));
const addressesOf = (secrets: readonly string[], version = 'one') =>
  new PictureAddresses(
    () => version,
    () => secrets,
  );

const person = { gender: 'Male', ageYears: 40, valuesMm: { Stature: 1750 }, massKg: 80 } as const;
const suit = '#0b5f66';
const standing: PictureOf = { person, view: 'standingFront', suit, heightPx: 160 };
const sitting: StancePicture = {
  ...{ person, suit, heightPx: 160, seen: [30, 20], frame: [-500, 800, -500, 1000] },
  stance: {
    ...{ pose: 'sitting', trunkDegrees: -10, eye: [80, 0, 735], feet: [] },
    hands: [{ at: [550, 250, 500], by: 'grip' }, undefined],
  },
};
const stature = (Stature: number) => ({
  ...standing,
  person: { ...person, valuesMm: { Stature } },
});
const framed = (heightPx: number, ...frame: StancePicture['frame']) => ({
  ...{ ...sitting, heightPx, frame },
});
const foot = { at: [0, 0, 0], pitchDegrees: 0 } as const;
const line = { name: 'Stature', number: 1 } as const;

const BEYOND: Readonly<Record<string, AnyPicture>> = {
  'a wide frame': framed(2000, -1000, 1000, -50, 50),
  'a frame without height': framed(2000, -1000, 1000, 50, 50),
  'an upside-down frame': framed(2000, -1000, 1000, 50, -50),
  'a frame turned twice': framed(2000, 1000, -1000, 50, -50),
  'an endless frame': framed(100, -1e9, 1e9, -1e9, 1e9),
  'a frame of no numbers': framed(100, -1000, Number.NaN, 0, 1000),
  'more than 6 megapixels': framed(2400, -1100, 1100, -1000, 1000),
  'no height': framed(0, -1000, 1000, 0, 1000),
  'parts of pixels': framed(10.5, -1000, 1000, 0, 1000),
  'many feet': { ...sitting, stance: { ...sitting.stance, feet: Array(3).fill(foot) } },
  'an angle of no number': { ...sitting, seen: [Number.NaN, 0] },
  'an eye at no place': {
    ...sitting,
    stance: { ...sitting.stance, eye: [0, 0, Number.POSITIVE_INFINITY] },
  },
  'no age': { ...standing, person: { ...person, ageYears: Number.NaN } },
  'an endless mass': { ...standing, person: { ...person, massKg: 1e9 } },
  'a giant': stature(99_999_999),
  'a person of no size': stature(0),
  'a negative stature': stature(-1700),
  'many lines': { ...standing, lines: { kind: 'numbered', measurements: Array(500).fill(line) } },
  'a line of no number': {
    ...{ ...standing, lines: { kind: 'one', measurements: [{ ...line, number: Number.NaN }] } },
  },
};

it.each(Object.entries(BEYOND))('no picture has %s, also where it is signed', (_, picture) => {
  const addresses = addressesOf(['a secret']);
  expect(addresses.at(addresses.of(picture, 'webp'))).toBeUndefined();
});

it.each([
  ['a view', standing],
  ['a stance', sitting],
])('only the deployment can describe %s, and nodes with other data know it', (_, picture) => {
  const addresses = addressesOf(['a secret']);
  const address = addresses.of(picture, 'webp');
  expect(addresses.at(address)).toMatchObject({ picture, form: 'webp', isOfThisVersion: true });
  expect(addressesOf(['a secret'], 'two').at(address)).toMatchObject({ isOfThisVersion: false });
  expect(addressesOf(['another secret']).at(address)).toBeUndefined();
  // As addresses were until the year 2026.
  const text = address.slice('/pictures/people/'.length).split('~').slice(0, -2).join('~');
  const plain = createHash('sha256').update(`${text} one 3`).digest('base64url').slice(0, 16);
  expect(addresses.at(`/pictures/people/${text}~${plain}.webp`)).toBeUndefined();
});

it('pages with other data get a picture of this node, which nobody keeps', async () => {
  const secret = await deploymentSecret(service.db, PICTURE_SECRET);
  const of = (version: string) => addressesOf([secret], version).of(standing, 'webp');
  const own = await service.get(of(service.model.artifactVersion));
  const other = await service.get(of('other data'));
  expect([own.statusCode, other.statusCode]).toEqual([200, 200]);
  expect(other.rawPayload).toEqual(own.rawPayload);
  expect(own.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(other.headers['cache-control']).toBe('no-store');
});

it('a new secret signs when all nodes know it, and the old one counts for a day', async () => {
  const { db } = service;
  const begunMs = Date.now();
  let nowMs = begunMs;
  const open = () => SigningSecret.open(db, 'tried', () => nowMs);
  const before = await open();
  const [old] = before.inUse();
  before.close();
  await renewSecret(db, 'tried', begunMs);
  const secret = await open();
  const [, renewed] = secret.inUse();
  expect(renewed).not.toBe(old);
  expect(secret.inUse()).toEqual([old, renewed]);
  nowMs = begunMs + 2 * MINUTE_MS;
  expect(secret.inUse()).toEqual([renewed, old]);
  nowMs += DAY_MS;
  expect(secret.inUse()).toEqual([renewed]);
  secret.close();
});
