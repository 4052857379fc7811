// cspell:disable
/**
 * Names of columns in public files of surveys, in lower case, with what they have as `--columns` of `fill` would say it:
 * NHANES (documentation of DEMO and BMX), the Demographic and Health Surveys (DHS recode manual: masses in units of
 * 100 g, statures in mm, ages of children in months), and short names of statistics programs.
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
  }),
);

/** Columns of these surveys in which 1 is a man and 2 is a woman. */
export const CODED_GENDERS: ReadonlySet<string> = new Set(['riagendr', 'hv104', 'hc27', 'b4']);
