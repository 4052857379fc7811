import { describe, expect, it } from 'vitest';
import { type Allowance, keyOf, ProfileAllowances } from '../../pipeline/fit/profiles.js';
import { CLOTHING_RULES, POSTURE_RULES } from '../../pipeline/plans/profile-rules.js';
import { UNTOUCHED_BY_CLOTHING, UNUSED_ALLOWANCES } from '../../pipeline/plans/untouched.js';
import { RawTables } from '../../pipeline/raw-tables/raw-tables.js';
import { readSurvey } from '../../pipeline/raw-tables/surveys.js';
import { GENDERS, type Gender, perGender } from '../../src/core/genders.js';
import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { CLOTHING_IDS, type ClothingId, type PostureId } from '../../src/core/profiles.js';

const STATURE_MM = { Male: 1760, Female: 1620 };

const tables = await RawTables.open('data/raw', []);
const sources = {
  allowances: await tables.rows('allowances', 'allowances', 'kind, condition, dimensions'),
  ansur1: await readSurvey(tables, 'ansur1'),
};
const studies = await tables.rows('world', 'studies', 'study_id');
tables.close();
const allowances = perGender(
  (gender) => new ProfileAllowances(sources, gender, STATURE_MM[gender]),
);

function worn(name: MeasurementName, profile: ClothingId, gender: Gender = 'Male'): Allowance {
  return allowances[gender].amount('clothing', allowances[gender].clothing(name, profile));
}

function held(name: MeasurementName, profile: PostureId, gender: Gender = 'Male'): Allowance {
  return allowances[gender].amount('posture', allowances[gender].posture(name, profile));
}

describe('allowances', () => {
  it('are either applied by a rule or left out for a reason', () => {
    const ruled = [...CLOTHING_RULES, ...POSTURE_RULES].map(({ allowance }) => keyOf(allowance));
    const left = UNUSED_ALLOWANCES.map(keyOf);
    const published = sources.allowances.map(({ condition, dimensions }) =>
      keyOf({ condition: String(condition), dimensions: String(dimensions) }),
    );
    expect([...new Set(ruled), ...left].sort()).toEqual(published.sort());
  });

  it('change every dimension in some clothing, except those with a reason', () => {
    const untouched = MEASUREMENTS.map(({ name }) => name).filter((name) =>
      CLOTHING_IDS.every((id) => allowances.Female.clothing(name, id).size === 0),
    );
    const listed = UNTOUCHED_BY_CLOTHING.flatMap(({ names }) => names);
    expect([...listed].sort()).toEqual([...untouched].sort());
  });
});

describe('clothing', () => {
  it('adds a shoe to every dimension from the floor, and to no other height', () => {
    const floor = [
      'KneeHeight',
      'PoplitealHeight',
      'SeatHeight',
      'MaximumTableHeight',
      'FootHeight',
    ];
    for (const { name, kind, definedIn } of MEASUREMENTS) {
      if (kind !== 'height') continue;
      const shod = definedIn === 'standing' || floor.includes(name);
      for (const gender of GENDERS) {
        expect([name, worn(name, 'shoes', gender).shift]).toEqual([name, shod ? 27.5 : 0]);
        expect([name, worn(name, 'heels', gender).shift]).toEqual([name, shod ? 45 : 0]);
      }
    }
    expect(worn('Stature', 'shoes').sd).toBeCloseTo(5 / Math.sqrt(12), 9);
    expect(worn('LegLength', 'shoes')).toEqual(worn('Stature', 'shoes'));
  });

  it.each<[MeasurementName, ClothingId, number]>([
    ['FootLength', 'shoes', 30],
    ['FootLength', 'winter', 40],
    ['FootBreadth', 'winter', 30],
    ['SittingDistance', 'light_shoes', 5 + 0.95 * 30],
    ['Stature', 'light', 0],
    ['ShoulderHeight', 'light_shoes', 32.5],
    ['SittingShoulderHeight', 'light', 5],
    ['SittingShoulderHeight', 'winter', 10],
    ['TrunkLength', 'winter', 10],
    ['Stature', 'winter', 35],
    ['LegLength', 'winter', 25],
    ['EyeHeight', 'winter', 35],
    ['MaximumTableHeight', 'winter', 45],
    ['LegRoom', 'winter', 20 - 40],
    ['MaximumSeatLength', 'winter', 9],
    ['SittingHipBreadth', 'light', 10],
    ['ShoulderBreadthBideltoid', 'winter', 40],
    ['EyeBodyCentreDistance', 'winter', 0],
    ['HipCircumferenceMax', 'winter', (Math.PI / 2) * (50 + 40)],
    ['MidHipCircumference', 'light', (Math.PI / 2) * (10 + 5)],
  ])('moves %s under %s by what is published', (name, profile, mm) => {
    expect(worn(name, profile).shift).toBeCloseTo(mm, 9);
  });

  it('is never lower in winter boots than in flat shoes', () => {
    for (const gender of GENDERS) {
      for (const { name, definedIn } of MEASUREMENTS) {
        // A person who sits on a thick coat has shorter legs: LegLength = Stature − SittingHeight.
        if (definedIn !== 'standing' && name !== 'PoplitealHeight' && name !== 'FootLength')
          continue;
        const [flat, winter] = [worn(name, 'shoes', gender), worn(name, 'winter', gender)];
        expect([name, winter.shift >= flat.shift]).toEqual([name, true]);
      }
    }
  });

  it('adds light clothing and shoes when both are worn', () => {
    for (const gender of GENDERS) {
      for (const { name } of MEASUREMENTS) {
        const [light, shoes, both] = (['light', 'shoes', 'light_shoes'] as const).map((id) =>
          worn(name, id, gender),
        ) as [Allowance, Allowance, Allowance];
        expect(both.shift).toBeCloseTo(light.shift + shoes.shift, 9);
        expect(both.sd).toBeCloseTo(Math.hypot(light.sd, shoes.sd), 9);
      }
    }
  });

  it('adds no spread to a difference of two dimensions in the same shoe', () => {
    expect(worn('ShoulderHeight', 'shoes').sd).toBeGreaterThan(1);
    expect(worn('SittingShoulderHeight', 'shoes')).toEqual({ shift: 0, sd: 0 });
    expect(worn('CreaseBehindKneeToAnkle', 'shoes')).toEqual({ shift: 0, sd: 0 });
  });
});

describe('posture', () => {
  it('lowers each height by the share of its place on the trunk in a slump', () => {
    expect(held('SittingHeight', 'sitting').shift).toBe(-40);
    expect(held('SittingEyeHeight', 'sitting').shift).toBe(-40);
    expect(held('EyeScalpDistance', 'sitting').shift).toBe(0);
    // ANSUR 1988, men: the acromion is 597.76 mm above the seat, the navel 234.56 mm, and C7 676.26 mm.
    expect(held('SittingShoulderHeight', 'sitting').shift).toBeCloseTo((-40 * 597.76) / 676.26, 2);
    expect(held('WaistHeightSitting', 'sitting').shift).toBeCloseTo((-40 * 234.56) / 676.26, 2);
    expect(held('PoplitealHeight', 'sitting').shift).toBe(0);
  });

  it('does not change the length of the arm', () => {
    for (const gender of GENDERS) {
      const shoulder = held('SittingShoulderHeight', 'sitting', gender);
      expect(held('SittingElbowHeight', 'sitting', gender)).toEqual(shoulder);
      expect(held('EyeToTableDistance', 'sitting', gender).shift).toBeCloseTo(-40 - shoulder.shift);
      const standing = held('ShoulderHeight', 'standing_relaxed', gender);
      expect(held('FingertipHeight', 'standing_relaxed', gender)).toEqual(standing);
    }
  });

  it('lowers the head by 1 to 1.5 % of stature in relaxed standing, and the legs not at all', () => {
    expect(held('Stature', 'standing_relaxed').shift).toBeCloseTo(-22, 9);
    expect(held('EyeHeight', 'standing_relaxed').shift).toBeCloseTo(-22, 9);
    const acromion = (1442.508 - 841.8828) / 676.2604;
    expect(held('ShoulderHeight', 'standing_relaxed').shift / -22).toBeCloseTo(acromion, 1);
    for (const name of ['CrotchHeight', 'HipHeight', 'LegLength'] as const) {
      expect(held(name, 'standing_relaxed').shift).toBe(0);
    }
  });

  it('lowers men in a slump as much as the US survey of 1960–62 found', () => {
    const drops = menSlumpsMeasured();
    expect(drops).toHaveLength(2);
    const slump = -held('SittingHeight', 'sitting').shift;
    for (const drop of drops) expect(Math.abs(slump / drop - 1)).toBeLessThan(0.1);
  });
});

/** Mean erect − mean normal sitting height in mm, for each sample of men that has both. */
function menSlumpsMeasured(): number[] {
  const rows = studies.filter(
    (row) =>
      row.survey_family === 'rp1024-us-nhes1962' &&
      row.gender === 'Male' &&
      row.measurement === 'SittingHeight',
  );
  const mean = (id: string, match: string) =>
    rows.find((row) => row.study_id === id && row.match === match)?.mean_mm;
  return [...new Set(rows.map((row) => String(row.study_id)))].flatMap((id) => {
    const [erect, normal] = [mean(id, 'exact'), mean(id, 'poor')];
    return erect === undefined || normal === undefined ? [] : [Number(erect) - Number(normal)];
  });
}
