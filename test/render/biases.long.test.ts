import { beforeAll, expect, it } from 'vitest';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { achievedMm, BodyViewer, type PersonToDraw } from '../../src/render/body-viewer.js';
import { drawnMm } from '../../src/render/marks.js';
import { RUNS } from '../../src/render/runs.js';
import { foundPerson } from '../../src/screens/shared/found-person.js';
import { freeAnswers } from '../../src/screens/shared/free-computations.js';
import { computerHere } from '../support/computer-here.js';
import { realModel } from '../support/servers.js';

/** Lengths that no request for a body names, with the largest mean error of the drawn lengths, mm. */
const ON_AVERAGE_MM = {
  IndexFingerLength: 3,
  MiddleFingerLength: 3,
  RingFingerLength: 3,
  PalmLength: 3,
  ThumbLength: 3,
  ShoulderGripLength: 9,
  HandGripHeightStanding: 5,
  HorizontalPinchGripReach: 15,
  NapeHeightSitting: 10,
  ButtockPoplitealLength: 12,
  VerticalGripReachStanding: 25,
} as const satisfies Partial<Record<MeasurementName, number>>;
/** Share of all drawn dimensions that are within 5 mm of the prediction, and the least share that may be. */
const WITHIN_MM = 5;
const WITHIN_LEAST = 0.84;
const NAMES = Object.keys(ON_AVERAGE_MM) as (keyof typeof ON_AVERAGE_MM)[];

const people: PersonToDraw[] = [];
let viewer: BodyViewer;

beforeAll(async () => {
  const model = await realModel();
  viewer = new BodyViewer(model.bodies());
  const free = freeAnswers({
    model: () => model,
    computer: computerHere(model),
    pictureSecrets: () => ['one'],
  });
  for (const gender of GENDERS) {
    for (const age of [4, 12, 30, 80]) {
      for (const percentile of [5, 50, 95]) {
        const kind = { gender, countries: ['DE'], ageMin: age, ageMax: age, clothing: 'nude' };
        const known = [{ measurement: 'Stature', percentile }] as const;
        const found = await foundPerson(kind, known, 'nude', free);
        if (found) people.push(found.person);
      }
    }
  }
});

it('draws nearly all dimensions as predicted', () => {
  let [all, within] = [0, 0];
  for (const person of people) {
    const achieved = achievedMm(viewer.fit(person));
    for (const name of MEASUREMENT_NAMES) {
      const asked = person.valuesMm[name];
      const found = achieved[name] ?? drawnMm(viewer.see(person, RUNS[name].view).drawing, name);
      if (asked === undefined || found === undefined) continue;
      all += 1;
      if (Math.abs(found - asked) <= WITHIN_MM) within += 1;
    }
  }
  expect(all).toBeGreaterThan(3000);
  expect(within / all).toBeGreaterThan(WITHIN_LEAST);
});

it.each(NAMES)('%s is drawn as long as predicted, on average', (name) => {
  const differences = people.flatMap((person) => {
    const length = drawnMm(viewer.see(person, RUNS[name].view).drawing, name);
    const asked = person.valuesMm[name];
    return length === undefined || asked === undefined ? [] : [length - asked];
  });
  expect(differences.length).toBeGreaterThan(10);
  const mean = differences.reduce((sum, mm) => sum + mm, 0) / differences.length;
  expect(Math.abs(mean)).toBeLessThan(ON_AVERAGE_MM[name]);
});
