import type { Importer } from '../importer.js';
import { type NationalStudy, nationalStudyTables, studyVariables } from '../national-study.js';
import { columnsOf, publishedMean } from '../person-survey.js';

/** SQL of the height of the seat above the floor. Standing heights are measured from the floor. */
const SEAT = '(M38_stature - M39_sitting_height)';

const WOMEN: NationalStudy = {
  id: 'asran-2015-women-part',
  family: 'asran-2015',
  partOf: 'asran-2015',
  country: 'AU',
  gender: 'Female',
  year: 2015,
  population: 'military',
  citation:
    'Anthropometric Survey of the Royal Australian Navy (ASRAN) 2015. DST-Group-TR-3564, Commonwealth of Australia. CC BY 3.0 AU.',
  statureMm: 'M38_stature',
  massKg: 'M40_weight_kg',
  dimensions: {
    exact: [
      ['AbdominalDepth', 'M23_abdominal_extension_depth'],
      ['ButtockKneeLength', 'M25_buttock_knee_length'],
      ['ButtockPoplitealLength', 'M26_buttock_popliteal_length'],
      ['C7HeightSitting', `M01_cervicale_height - ${SEAT}`],
      ['C7HeightStanding', 'M01_cervicale_height'],
      ['ChestBreadth', 'M19_chest_breadth'],
      ['ChestCircumferenceNipple', 'M33_chest_circumference'],
      ['ChestDepth', 'M20_chest_depth'],
      ['CrotchHeight', 'M08_crotch_height'],
      ['EyeHeight', `M09_eye_height_sitting + ${SEAT}`],
      ['EyeScalpDistance', 'M39_sitting_height - M09_eye_height_sitting'],
      ['EyeToTableDistance', 'M09_eye_height_sitting - M11_elbow_rest_height'],
      ['FaceBreadth', 'M16_bizygomatic_breadth'],
      ['FemaleChestCircumferenceBelowBreasts', 'M34_chest_circumference_below_breast'],
      ['FootBreadth', 'M27_foot_breadth'],
      ['HeadBreadth', 'M41_head_breadth'],
      ['HeadGirth', 'M28_head_circumference'],
      ['HeadLength', 'M42_head_length'],
      ['HipCircumferenceMax', 'M36_buttock_circumference'],
      ['HorizontalPinchGripReach', 'M37_thumbtip_reach'],
      ['KneeHeight', 'M13_knee_height_sitting'],
      ['LegLength', SEAT],
      [
        'MidHipCircumference',
        '(M35_waist_circumference_omphalion + M36_buttock_circumference) / 2',
      ],
      ['PoplitealHeight', 'M14_popliteal_height'],
      ['ShoulderBreadthBideltoid', 'M18_bideltoid_breadth'],
      ['ShoulderHeight', 'M03_acromion_height'],
      ['SittingElbowHeight', 'M11_elbow_rest_height'],
      ['SittingEyeHeight', 'M09_eye_height_sitting'],
      ['SittingHeight', 'M39_sitting_height'],
      ['SittingHipBreadth', 'M24_hip_breadth_sitting'],
      ['SittingShoulderHeight', 'M10_acromion_height_sitting'],
      ['Stature', 'M38_stature'],
      ['ThighThickness', 'M12_thigh_clearance'],
      ['TrunkLength', `M04_suprasternale_height - ${SEAT}`],
      ['WaistCircumferenceAbdominal', 'M35_waist_circumference_omphalion'],
    ],
    // As for the US soldiers, a constant or a second column replaces what was not measured.
    close: [
      ['SacralHeightSitting', `M07_iliocristale_height - ${SEAT} - 45`],
      ['UpperArmCircumferenceMidpoint', 'M31_biceps_circumference_flexed * 0.94'],
      ['WholeBodyBreadthMax', 'larger_of(M22_forearm_forearm_breadth, M18_bideltoid_breadth)'],
    ],
    poor: [],
  },
};

/** Women of the Royal Australian Navy 2015: 84 of the 232 who were measured, mm. */
export const ASRAN_2015: Importer = {
  source: 'asran2015',
  files: [
    {
      label: 'ASRAN 2015 women',
      rows: 84,
      numbers: columnsOf(studyVariables(WOMEN)),
      figures: [
        publishedMean('M38_stature', 'mm', 'the 232', 1666.9, 14),
        publishedMean('M40_weight_kg', 'kg', 'the 232', 70, 2.5),
      ],
    },
  ],
  build: (context) => nationalStudyTables(context, 'asran2015', WOMEN),
};
