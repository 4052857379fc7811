import type { Gender } from './genders.js';
import type { PostureId } from './profiles.js';

/** Kinds of dimensions in the terms of ISO 7250-1. The kind says how a dimension is measured. */
export const MEASUREMENT_KINDS = [
  'height',
  'length',
  'breadth',
  'depth',
  'circumference',
  'reach',
  'face',
  'finger',
] as const;

/** One of the kinds of dimensions. */
export type MeasurementKind = (typeof MEASUREMENT_KINDS)[number];

/** Posture in which a dimension is defined; `any` if posture does not change the dimension. */
export type DefiningPosture = 'standing' | 'sitting' | 'any';

type Row = readonly [
  name: string,
  kind: MeasurementKind,
  definedIn: DefiningPosture,
  definition: string,
];

/**
 * The dimensions of the specification (2.2), in its order, with the reading of each name that this
 * service uses. `/docs/sources` gives the evidence for the names that leave a choice.
 */
// biome-ignore format: one dimension a line reads as a table
const ROWS = [
  ['AbdominalDepth', 'depth', 'sitting', 'Sitting erect: horizontal depth from back plane to most protruding point of abdomen'],
  ['ArmRestHeight', 'height', 'sitting', 'Design height of an arm rest above the (compressed) seat surface: seat to underside of elbow, upper arm hanging, elbow 90 degrees'],
  ['BackOfHeadToChin', 'depth', 'any', 'Head in Frankfort plane: horizontal distance from occiput plane to most forward point of chin (pogonion)'],
  ['BackOfHeadToEye', 'depth', 'any', 'Horizontal distance from occiput plane to outer corner of eye (ectocanthus)'],
  ['BackOfHeadToLip', 'depth', 'any', 'Horizontal distance from occiput plane to mouth (stomion)'],
  ['BackOfHeadToNoseTip', 'depth', 'any', 'Horizontal distance from occiput plane to tip of nose (pronasale)'],
  ['BackOfHeadToSelion', 'depth', 'any', 'Horizontal distance from occiput plane to sellion (deepest point of nasal root)'],
  ['BackOfHeadToTragion', 'depth', 'any', 'Horizontal distance from occiput plane to tragion (ear)'],
  ['Biocular', 'face', 'any', 'Breadth across the outer corners of the eyes (ectocanthus to ectocanthus)'],
  ['BitragionWidth', 'breadth', 'any', 'Breadth of head between left and right tragion'],
  ['ButtockKneeLength', 'length', 'sitting', 'Sitting: back of buttock to front of knee'],
  ['ButtockPoplitealLength', 'length', 'sitting', 'Sitting: back of buttock to crease behind knee'],
  ['ChestBreadth', 'breadth', 'standing', 'Standing: maximum horizontal breadth of chest at nipple level'],
  ['ChestDepth', 'depth', 'standing', 'Standing: horizontal depth of chest at nipple level'],
  ['CrotchHeight', 'height', 'standing', 'Standing: floor to crotch'],
  ['DorsomLength', 'length', 'any', 'Length of the back (dorsum): C7 (cervicale) down the spine to waist at navel level, surface'],
  ['EarLength', 'face', 'any', 'Length of ear, top of rim to bottom of lobe'],
  ['ElbowFingertipLength', 'length', 'any', 'Elbow 90 degrees: back of elbow to tip of middle finger'],
  ['ElbowHeight', 'height', 'standing', 'Standing: floor to elbow (radiale)'],
  ['ElbowSpan', 'breadth', 'any', 'Arms akimbo at shoulder height, fingertips touching at chest: elbow to elbow'],
  ['EyeBodyCentreDistance', 'depth', 'any', 'Standing/sitting erect against a wall: horizontal distance of the eye in front of the trunk mid-depth line'],
  ['EyeHeight', 'height', 'standing', 'Standing: floor to outer corner of eye'],
  ['EyeScalpDistance', 'height', 'any', 'Vertical distance from eye to top of head'],
  ['EyeToSeat', 'height', 'sitting', 'Sitting erect: seat surface to eye'],
  ['EyeToTableDistance', 'height', 'sitting', 'Sitting: vertical distance from eye to table top when table is at seated elbow height'],
  ['FingertipHeight', 'height', 'standing', 'Standing, arm hanging: floor to tip of middle finger (dactylion)'],
  ['FootBreadth', 'breadth', 'any', 'Standing: maximum breadth of foot'],
  ['FootLength', 'length', 'any', 'Standing: heel to tip of longest toe'],
  ['ForearmLength', 'length', 'any', 'Radiale to stylion (elbow joint to wrist)'],
  ['ForeheadWidth', 'face', 'any', 'Minimum frontal breadth between temporal crests above the brows'],
  ['GripWidth', 'finger', 'any', 'Inside diameter of the largest cylinder the thumb and middle finger can just close round'],
  ['HairLine', 'face', 'any', 'Hairline (crinion) to chin (menton): physiognomic face height'],
  ['HandBreadth', 'breadth', 'any', 'Breadth across metacarpal heads II-V'],
  ['HandLength', 'length', 'any', 'Stylion (wrist) to tip of middle finger, hand flat'],
  ['HeadBreadth', 'breadth', 'any', 'Maximum breadth of head above ears'],
  ['HeadGirth', 'circumference', 'any', 'Maximum circumference of head above brows'],
  ['HeadLength', 'depth', 'any', 'Glabella to back of head'],
  ['HeadToGlabella', 'height', 'any', 'Vertical distance from top of head to glabella'],
  ['HeadToNoseTip', 'height', 'any', 'Vertical distance from top of head to tip of nose'],
  ['HeadToTragion', 'height', 'any', 'Vertical distance from top of head to tragion (ear)'],
  ['HighCounterHeight', 'height', 'standing', 'Standing worktop for light/detailed work: at standing elbow height'],
  ['HipBreadth', 'breadth', 'standing', 'Standing: breadth across hips at lateral buttock level'],
  ['HipHeight', 'height', 'standing', 'Standing: floor to greater trochanter'],
  ['IndexFingerLength', 'finger', 'any', 'Palm side: crease at base of index finger to tip'],
  ['IndexFingerWidthPip', 'finger', 'any', 'Breadth of index finger at proximal interphalangeal joint'],
  ['IndexFingerWidthTip', 'finger', 'any', 'Breadth of index finger at distal joint/fingertip'],
  ['KneeHeight', 'height', 'sitting', 'Sitting: floor to top of knee'],
  ['KnuckleHeight', 'height', 'standing', 'Standing, arm hanging: floor to knuckle of middle finger (metacarpal III)'],
  ['LegLength', 'length', 'any', 'Subischial leg length: stature minus sitting height'],
  ['LegRoom', 'depth', 'sitting', 'Sitting at a table: free depth for knees from table edge at abdomen to front of knee'],
  ['LipLength', 'face', 'any', 'Mouth width, corner to corner (cheilion)'],
  ['LittleFingerLength', 'finger', 'any', 'Palm side: crease/web at base of little finger to tip'],
  ['LittleFingerWidthPip', 'finger', 'any', 'Breadth of little finger at proximal interphalangeal joint'],
  ['LittleFingerWidthTip', 'finger', 'any', 'Breadth of little finger at distal joint/fingertip'],
  ['LowCounterHeight', 'height', 'standing', 'Standing worktop for heavy/manual work: about 255 mm below standing elbow height'],
  ['MaximumSeatLength', 'depth', 'sitting', 'Deepest seat that still supports the back: buttock-popliteal length less 50 mm clearance'],
  ['MaximumTableHeight', 'height', 'sitting', 'Highest usable seated work surface: popliteal height + elbow rest height + 50 mm'],
  ['MiddleFingerLength', 'finger', 'any', 'Palm side: crease/web at base of middle finger to tip'],
  ['MiddleFingerWidthPip', 'finger', 'any', 'Breadth of middle finger at proximal interphalangeal joint'],
  ['MiddleFingerWidthTip', 'finger', 'any', 'Breadth of middle finger at distal joint/fingertip'],
  ['NeckCircumference', 'circumference', 'any', 'Circumference of neck, perpendicular to its axis, at larynx'],
  ['NoseLength', 'face', 'any', 'Sellion to subnasale'],
  ['PalmLength', 'length', 'any', 'Stylion to crease at base of middle finger'],
  ['PoplitealHeight', 'height', 'sitting', 'Sitting: floor to underside of thigh behind knee'],
  ['RingFingerLength', 'finger', 'any', 'Palm side: crease/web at base of ring finger to tip'],
  ['RingFingerWidthPip', 'finger', 'any', 'Breadth of ring finger at proximal interphalangeal joint'],
  ['RingFingerWidthTip', 'finger', 'any', 'Breadth of ring finger at distal joint/fingertip'],
  ['SeatHeight', 'height', 'sitting', 'Seat height above floor matching the sitter: popliteal height, barefoot'],
  ['ShoulderBreadthBiacromial', 'breadth', 'any', 'Between left and right acromion'],
  ['ShoulderBreadthBideltoid', 'breadth', 'any', 'Maximum breadth across deltoids'],
  ['ShoulderElbowLength', 'length', 'any', 'Sitting, elbow 90 degrees: acromion to underside of elbow'],
  ['ShoulderGripLength', 'length', 'any', 'Arm straight: acromion to centre of gripped rod'],
  ['ShoulderHeight', 'height', 'standing', 'Standing: floor to acromion'],
  ['SittingDistance', 'depth', 'sitting', 'Sitting, lower leg vertical: horizontal distance from back of buttock to toe tip'],
  ['SittingElbowHeight', 'height', 'sitting', 'Sitting: seat to underside of elbow'],
  ['SittingEyeHeight', 'height', 'sitting', 'Sitting erect: seat to outer corner of eye'],
  ['SittingHeight', 'height', 'sitting', 'Sitting erect: seat to top of head'],
  ['SittingHipBreadth', 'breadth', 'sitting', 'Sitting: maximum breadth across hips/thighs'],
  ['SittingShoulderHeight', 'height', 'sitting', 'Sitting: seat to acromion'],
  ['Span', 'reach', 'any', 'Arms stretched sideways: fingertip to fingertip'],
  ['StandingHipBreadth', 'breadth', 'standing', 'Standing: breadth across hips'],
  ['Stature', 'height', 'standing', 'Standing erect: floor to top of head; lying length under 2 years'],
  ['ThighLength', 'length', 'any', 'Trochanterion height minus tibial height'],
  ['ThighThickness', 'depth', 'sitting', 'Sitting: seat to highest point of thigh'],
  ['ThumbTipToCrotch', 'finger', 'any', 'Thumb tip to web (crotch) between thumb and index finger'],
  ['TopOfHeadToStomion', 'height', 'any', 'Vertical distance from top of head to mouth (stomion)'],
  ['TrunkLength', 'length', 'sitting', 'Sitting: seat to suprasternal notch'],
  ['UpperArmLength', 'length', 'any', 'Acromion to radiale, arm hanging'],
  ['UpperLimbLength', 'length', 'any', 'Arm straight: acromion to fingertip'],
  ['WorkReach', 'reach', 'any', 'Forward functional reach: back against wall to centre of grip, arm horizontal'],
  ['WristWidth', 'breadth', 'any', 'Breadth of wrist across the styloids'],
  ['ShoulderToWristLength', 'length', 'any', 'Arm hanging: acromion to wrist (stylion), outside of arm'],
  ['SittingUpperLegLength', 'length', 'sitting', 'Sitting: groin (hip crease) to top of kneecap'],
  ['BackOfElbowToWristLength', 'length', 'any', 'Elbow 90 degrees: back of elbow to wrist (stylion)'],
  ['ElbowToMiddleFingertipLength', 'length', 'any', 'Elbow 90 degrees: back of elbow to tip of middle finger'],
  ['CreaseBehindKneeToAnkle', 'length', 'any', 'Popliteal crease to lateral ankle bone'],
  ['ButtockToSoleSitting', 'length', 'sitting', 'Sitting, leg straight forward: back to sole'],
  ['OutsideLegLength', 'length', 'standing', 'Standing: side waist (navel level) to floor'],
  ['MidShoulderToWaistLength', 'length', 'any', 'Vertical distance from mid-shoulder to waist at navel level'],
  ['ShoulderToFingertipHorizontal', 'reach', 'any', 'Arm straight forward: acromion to middle fingertip'],
  ['UpperLegLengthSitting', 'length', 'sitting', 'Sitting: back of buttock to front of knee'],
  ['WaistToCrotchLength', 'length', 'standing', 'Vertical distance from waist (navel) to crotch'],
  ['FrontOfNeckToWaistLength', 'length', 'any', 'Surface length from front of neck to waist (navel)'],
  ['ThumbLength', 'finger', 'any', 'Base of thumb (web) to tip'],
  ['VerticalGripReachStanding', 'reach', 'standing', 'Standing, arm overhead: floor to centre of grip'],
  ['VerticalGripReachSitting', 'reach', 'sitting', 'Sitting, arm overhead: seat to centre of grip'],
  ['HorizontalPinchGripReach', 'reach', 'any', 'Back against wall, arm forward: wall to thumb-forefinger pinch (thumb tip)'],
  ['EarBreadth', 'face', 'any', 'Breadth of ear perpendicular to its length'],
  ['HandGripHeightStanding', 'height', 'standing', 'Standing, arm hanging: floor to centre of gripped rod'],
  ['NapeHeightSitting', 'height', 'sitting', 'Sitting: seat to middle of nape, midway between C7 and ear level'],
  ['SacralHeightSitting', 'height', 'sitting', 'Sitting: seat to top of sacrum (PSIS level), taken 45 mm below iliac crest'],
  ['C7HeightStanding', 'height', 'standing', 'Standing: floor to cervicale (C7)'],
  ['C7HeightSitting', 'height', 'sitting', 'Sitting: seat to cervicale (C7)'],
  ['ArmpitHeightStanding', 'height', 'standing', 'Standing: floor to armpit'],
  ['JawWidth', 'face', 'any', 'Breadth across the angles of the jaw (gonion)'],
  ['MidShoulderHeightStanding', 'height', 'standing', 'Standing: floor to top of shoulder midway neck-acromion'],
  ['MidShoulderHeightSitting', 'height', 'sitting', 'Sitting: seat to top of shoulder midway neck-acromion'],
  ['IndexFingerHeightStanding', 'height', 'standing', 'Standing, arm hanging: floor to tip of index finger'],
  ['WristCircumference', 'circumference', 'any', 'Circumference of wrist at stylion'],
  ['HandCircumference', 'circumference', 'any', 'Circumference over metacarpal heads II-V'],
  ['FistCircumference', 'circumference', 'any', 'Circumference of clenched fist over thumb and knuckles'],
  ['WaistHeightStanding', 'height', 'standing', 'Standing: floor to waist at navel'],
  ['WaistHeightSitting', 'height', 'sitting', 'Sitting: seat to waist at navel'],
  ['WaistDepthStanding', 'depth', 'standing', 'Standing: depth of waist at navel'],
  ['FaceBreadth', 'face', 'any', 'Bizygomatic breadth'],
  ['NoseBreadth', 'face', 'any', 'Breadth across nostrils (alare)'],
  ['InterNippleDistance', 'breadth', 'any', 'Between nipples (bustpoints on women)'],
  ['ThighCircumferenceMidpoint', 'circumference', 'standing', 'Standing: circumference of thigh midway groin-patella'],
  ['UpperArmCircumferenceMidpoint', 'circumference', 'any', 'Relaxed upper arm at midpoint'],
  ['NeckCircumferenceAdamsApple', 'circumference', 'any', 'Circumference of neck at larynx'],
  ['HipCircumferenceMax', 'circumference', 'standing', 'Maximum circumference at buttocks'],
  ['MidHipCircumference', 'circumference', 'standing', 'Circumference midway between waist (navel) and maximum hip'],
  ['ChestCircumferenceArmpit', 'circumference', 'standing', 'Chest circumference at armpit (scye) level'],
  ['ChestCircumferenceNipple', 'circumference', 'standing', 'Chest circumference at nipple/bustpoint'],
  ['CalfCircumference', 'circumference', 'any', 'Maximum circumference of calf'],
  ['KneeCircumference', 'circumference', 'any', 'Standing: circumference at mid-patella'],
  ['WaistCircumferenceAbdominal', 'circumference', 'standing', 'Circumference of abdomen at navel'],
  ['FemaleChestCircumferenceBelowBreasts', 'circumference', 'standing', 'Chest circumference just below breasts (women)'],
  ['FootHeight', 'height', 'any', 'Ankle height: floor to lateral malleolus'],
  ['FootCircumferenceBall', 'circumference', 'any', 'Circumference over ball of foot'],
  ['FootCircumferenceInstep', 'circumference', 'any', 'Circumference over instep arch'],
  ['ThighCircumferenceBelowButtock', 'circumference', 'standing', 'Thigh circumference at gluteal furrow'],
  ['CircumferenceBelowKnee', 'circumference', 'any', 'Circumference just below kneecap (tibial tuberosity)'],
  ['TrunkDepthAtButtocks', 'depth', 'standing', 'Standing: depth at maximum buttock protrusion'],
  ['ThighDepthSitting', 'depth', 'sitting', 'Sitting: thickness of thigh above seat'],
  ['ShoulderDepth', 'depth', 'any', 'Front-back depth of shoulder at armscye (ellipse from scye circumference and acromion-axilla drop)'],
  ['WholeBodyBreadthMax', 'breadth', 'standing', 'Standing, arms at sides: maximum body breadth (elbow to elbow or deltoids)'],
  ['WholeBodyDepthMax', 'depth', 'standing', 'Standing: horizontal distance from most forward to most rearward point of trunk'],
] as const satisfies readonly Row[];

/** Name of one of the dimensions. */
export type MeasurementName = (typeof ROWS)[number][0];

/** One dimension: its name, a plain definition, and the posture in which it is defined. */
export interface Measurement {
  readonly name: MeasurementName;
  readonly kind: MeasurementKind;
  readonly definedIn: DefiningPosture;
  readonly definition: string;
  readonly genders: readonly Gender[];
  /** Posture profiles that have a model. The others are refused with `model_not_found`. */
  readonly postures: readonly PostureId[];
}

/** Whether a name is that of a measurement. */
export const isMeasurementName = (name: string): name is MeasurementName =>
  (MEASUREMENT_NAMES as readonly string[]).includes(name);

const POSTURES_OF: Record<DefiningPosture, readonly PostureId[]> = {
  standing: ['standing_erect', 'standing_relaxed'],
  sitting: ['standing_erect', 'sitting'],
  any: ['standing_erect', 'standing_relaxed', 'sitting'],
};

/** The only dimension that the specification limits to a gender (422 `gender_not_supported`). */
const FEMALE_ONLY: MeasurementName = 'FemaleChestCircumferenceBelowBreasts';

/** All dimensions in the specification's order. Artifacts use the index of a dimension in this list. */
export const MEASUREMENTS: readonly Measurement[] = ROWS.map(
  ([name, kind, definedIn, definition]) => ({
    name,
    kind,
    definedIn,
    definition,
    genders: name === FEMALE_ONLY ? ['Female'] : ['Male', 'Female'],
    postures: POSTURES_OF[definedIn],
  }),
);

/** All names in the specification's order. */
export const MEASUREMENT_NAMES: readonly MeasurementName[] = ROWS.map(([name]) => name);

const INDEX_BY_NAME: ReadonlyMap<string, number> = new Map(
  MEASUREMENT_NAMES.map((name, index) => [name, index]),
);

/** Index of a dimension in `MEASUREMENTS`, or undefined for an unknown name. */
export function measurementIndex(name: string): number | undefined {
  return INDEX_BY_NAME.get(name);
}
