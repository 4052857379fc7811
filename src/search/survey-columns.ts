// cspell:disable
/**
 * Names of columns in public files of surveys, in lower case, with what they have as `--columns` of `fill` would say it:
 * NHANES (documentation of DEMO and BMX), the Demographic and Health Surveys (DHS recode manual: masses in units of
 * 100 g, statures in mm, ages of children in months), and short names of programs and clinics.
 */
export const SURVEY_COLUMNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    riagendr: 'gender',
    ridageyr: 'age',
    ridagemn: 'age (months)',
    ridageex: 'age (months)',
    ridexagm: 'age (months)',
    bmxwt: 'BodyMass (kg)',
    bmxht: 'Stature (cm)',
    bmxbmi: 'BMI',
    bmxleg: 'SittingUpperLegLength (cm)',
    bmxarml: 'ShoulderElbowLength (cm)',
    bmxarmc: 'UpperArmCircumferenceMidpoint (cm)',
    bmxwaist: 'WaistCircumferenceAbdominal (cm)',
    bmxhip: 'HipCircumferenceMax (cm)',
    bmxcalf: 'CalfCircumference (cm)',
    bmxthicr: 'ThighCircumferenceMidpoint (cm)',
    bmxhead: 'HeadGirth (cm)',
    hv104: 'gender',
    hv105: 'age',
    hc1: 'age (months)',
    hc2: 'BodyMass (hg)',
    hc3: 'Stature (mm)',
    hc27: 'gender',
    b4: 'gender',
    hw1: 'age (months)',
    hw2: 'BodyMass (hg)',
    hw3: 'Stature (mm)',
    v012: 'age',
    v437: 'BodyMass (hg)',
    v438: 'Stature (mm)',
    ha1: 'age',
    ha2: 'BodyMass (hg)',
    ha3: 'Stature (mm)',
    hb1: 'age',
    hb2: 'BodyMass (hg)',
    hb3: 'Stature (mm)',
    ht: 'Stature',
    hgt: 'Stature',
    wt: 'BodyMass',
    wgt: 'BodyMass',
    muac: 'UpperArmCircumferenceMidpoint',
    lila: 'UpperArmCircumferenceMidpoint',
    bb: 'BodyMass',
    cân: 'BodyMass',
    tb: 'Stature',
    'recumbent length': 'Stature',
    'length/height': 'Stature',
    male: 'gender',
    female: 'gender',
  }),
);

const MAN_1: ReadonlyMap<string, string> = new Map([
  ['1', 'Male'],
  ['2', 'Female'],
]);

/** Meanings of the numbers in a column of genders, by its heading. */
export const CODED_GENDERS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ...['riagendr', 'hv104', 'hc27', 'b4'].map((name) => [name, MAN_1] as const),
  [
    'male',
    new Map([
      ['1', 'Male'],
      ['0', 'Female'],
    ]),
  ],
  [
    'female',
    new Map([
      ['1', 'Female'],
      ['0', 'Male'],
    ]),
  ],
]);
