import type { MeasurementName } from '../core/measurements.js';
import { wordsOf } from './terms.js';

// cspell:ignore preemies prosthe orthos amput pregnan disab paraly flexib dorsiflexion postmenstrual incisal
// Needs of designers that this service does not cover. A search for such a need would find nothing, or dimensions that
// share a word with it. The answer names the nearest dimensions instead.

/** A need that the service does not cover. */
export interface NotCovered {
  /** The need that the text asks for. */
  readonly need: string;
  /** The nearest measurement, or a statement that there is none. */
  readonly nearest: string;
}

interface Need extends NotCovered {
  readonly words: RegExp;
  /** The nearest dimensions. They replace those that the words of the need find. */
  readonly measurements: readonly MeasurementName[];
  /** Whether the results for the words answer a part of the need, such as the width of a wheelchair's seat. */
  readonly keepsFound?: true;
}

const NEEDS: readonly Need[] = [
  {
    need: 'people who use a wheelchair',
    words: /\bwheel ?chairs?\b/,
    nearest:
      'Nothing here: the numbers are those of people who can stand, also the sitting dimensions. Reach and space of wheelchair users need a survey of them.',
    measurements: [],
    keepsFound: true,
  },
  {
    need: 'pregnancy',
    words: /\b(pregnan\w*|maternity|expecting mothers?|baby bump)\b/,
    nearest:
      'Nothing here: the numbers are not those of pregnant women. Do not use AbdominalDepth for them.',
    measurements: [],
  },
  {
    need: 'gestational age and preterm infants',
    words:
      /\b(gestation\w*|preterm|premature|preemies?|neonatal intensive|(corrected|adjusted|postmenstrual) ages?)\b/,
    nearest:
      'Nothing here by gestational or corrected age: infants are all children of an age from birth.',
    measurements: [],
  },
  {
    need: 'prostheses and amputees',
    words: /\b(prosthe\w*|orthos\w*|amput\w*|artificial (limb|leg|arm|hand|foot)\w*|stump)\b/,
    nearest: 'Nothing here about stumps or sockets. Lengths and girths are those of whole limbs.',
    measurements: [],
  },
  {
    need: 'disabilities and illnesses',
    words: /\b(disab\w*|handicap\w*|dwarfism|paraly\w*|scoliosis|arthritis|oedema|edema)\b/,
    nearest:
      'Nothing here: the distributions are those of the whole population, without groups of health.',
    measurements: [],
  },
  {
    need: 'ranges of joints and flexibility',
    words:
      /\b(range of motion|ranges? of joints?|joint (range|angle|mobility|limit)\w*|rom|flexib\w*|flexion|extension angle|dorsiflexion|abduction)\b/,
    nearest:
      'Nothing here about angles. Reaches, such as WorkReach, are distances of fixed postures.',
    measurements: ['WorkReach', 'VerticalGripReachStanding'],
  },
  {
    need: 'strength and forces',
    words:
      /\b(strength|forces?|torque|push(ing)? force|pull(ing)? force|lifting (limit|capacity)|grip force|muscle\w*)\b/,
    nearest: 'Nothing here: there are no forces. The hand and its grip have sizes only.',
    measurements: [],
  },
  {
    need: 'masses, volumes and centres of mass of body segments',
    words:
      /\b((segment|limb|head|arm|leg|trunk|hand|foot) (mass|weight)\w*|(mass|weight) of (the |an? )?(segment|limb|head|arm|leg|trunk|hand|foot)\w*|cent(er|re) of (mass|gravity)|moments? of inertia|body volume|surface area)\b/,
    nearest: 'Only the mass of the whole body: BodyMass in the tools about populations and people.',
    measurements: [],
  },
  {
    need: 'body fat and composition',
    words:
      /\b(body ?fat|fat (percent\w*|mass|share)|lean mass|skin ?folds?|body composition|muscle mass)\b/,
    nearest: 'Only BMI and BodyMass, in the tools about populations and people, and girths.',
    measurements: ['WaistCircumferenceAbdominal'],
  },
  {
    need: 'the girth of the ankle',
    words:
      /\b(ankle (girth|circumference|perimeter)|(girth|circumference|perimeter) of (the )?ankles?|around the ankle|ankle size)\b/,
    nearest:
      'No girth of the ankle; nearest is that of the calf and that of the foot over the instep.',
    measurements: ['CalfCircumference', 'FootCircumferenceInstep'],
  },
  {
    need: 'the girth of the forearm',
    words:
      /\b((forearm|lower arm) (girth|circumference|perimeter|size)|(girth|circumference|perimeter) of (the )?(forearms?|lower arms?)|around the forearm)\b/,
    nearest:
      'No girth of the forearm; nearest are those of the wrist, which is smaller, and of the upper arm.',
    measurements: ['WristCircumference', 'UpperArmCircumferenceMidpoint'],
  },
  {
    need: 'the natural waist',
    words: /\b(waist\w* natural|(natural|narrowest|smallest|minimum) waist\w*)\b/,
    nearest:
      'No girth at the narrowest place of the trunk; nearest is WaistCircumferenceAbdominal, at the navel, which is larger.',
    measurements: ['WaistCircumferenceAbdominal'],
  },
  {
    need: 'the opening of the mouth',
    words: /\b((mouth|jaw) opening|(opening|gape) of (the )?mouth|open mouth|inter ?incisal\w*)\b/,
    nearest: 'Nothing here about open mouths; nearest is LipLength, the width of the closed mouth.',
    measurements: ['LipLength'],
  },
  {
    need: 'girths of fingers and rings',
    words: /\b(finger (girth|circumference)|(girth|circumference) of (the |a )?finger)\b/,
    nearest: 'No girths of fingers; nearest are their breadths at the joints.',
    measurements: ['RingFingerWidthPip', 'MiddleFingerWidthPip'],
  },
  {
    need: 'the distance between the pupils',
    words: /\b(ipd|inter ?pupil\w*|pupil\w* distance|distance (between|of) (the )?pupils)\b/,
    nearest:
      'No distance between pupils; nearest is Biocular, across the outer corners of the eyes, which is larger.',
    measurements: ['Biocular'],
  },
  {
    need: 'left-handed and right-handed people',
    words: /\b((left|right) hand(ed|ers?)\w*|handedness|lefty|lefties|southpaws?)\b/,
    nearest:
      'Nothing here: both hands count as equally large, and nobody was asked which one they use.',
    measurements: ['HandLength', 'HandBreadth', 'GripWidth'],
  },
  {
    need: 'very heavy people as a group of their own',
    words: /\b(bariatric\w*|morbid\w* obes\w*|severe\w* obes\w*)\b/,
    nearest:
      'No survey of them; nearest is complete_person with a known BodyMass, and these dimensions at high percentiles. BodyMass and BMI have percentiles in population_percentiles.',
    measurements: [
      'SittingHipBreadth',
      'WholeBodyBreadthMax',
      'AbdominalDepth',
      'WaistCircumferenceAbdominal',
    ],
  },
  {
    need: 'walking',
    words: /\b(gait|strides?|step length|walking speed|cadence|running speed)\b/,
    nearest: 'Nothing here: nobody was measured in motion.',
    measurements: [],
  },
  {
    need: 'sight and hearing',
    words:
      /\b(eye ?sight|visual (field|acuity|angle)|field of (view|vision)|viewing angle|hearing (loss|threshold)|reaction time|(visual\w*|vision|sight|hearing) impair\w*|low vision|blindness|(blind|deaf) (people|persons?|users?))\b/,
    nearest: 'Only where the eyes are: EyeHeight standing and SittingEyeHeight.',
    measurements: ['EyeHeight', 'SittingEyeHeight'],
  },
  {
    need: 'shapes and scans',
    words: /\b(3 ?d scans?|body scans?|face shape|head shape|point clouds?)\b/,
    nearest: 'No scans of persons; dimensions only.',
    measurements: ['HeadLength', 'HeadBreadth'],
  },
  {
    need: 'groups by ethnic origin or occupation',
    words: /\b(ethnic\w*|racial|ancestry|occupation\w*|profession|athletes?)\b/,
    nearest:
      'Only countries, genders and ages. Conditions in `keep` (such as a least stature) describe who may apply for a job.',
    measurements: [],
    keepsFound: true,
  },
  {
    need: 'people who are selected for their work',
    words:
      /\b(pilots?|air ?crews?|astronauts?|soldiers?|military|army|navy|troops|recruits?|police\w*|(fire ?)?fighters?|fire(m[ae]n|wom[ae]n))\b/,
    nearest:
      'They are no sample of the population: selected by size, fitter, and mostly men. Their size is not known here. Take the population from which they come and leave out whom the job does not admit, for example "keep": [{"measurement": "Stature", "min": 1580, "max": 1960}].',
    measurements: [],
    keepsFound: true,
  },
];

/** The needs in a text that the service does not cover. */
export function findNotCovered(text: string): readonly NotCovered[] {
  return needsIn(text).map(({ need, nearest }) => ({ need, nearest }));
}

/** Such a need as sentences. */
export function notCoveredText({ need, nearest }: NotCovered): string {
  return `Not covered: ${need}. ${nearest}`;
}

/** The dimensions to show for a text: those found, or the nearest ones if the need is not covered. */
export function orNearest<Found extends { readonly name: string }>(
  text: string,
  found: readonly Found[],
  all: readonly Found[],
): readonly Found[] {
  const needs = needsIn(text);
  if (needs.length === 0 || needs.some(({ keepsFound }) => keepsFound)) return found;
  const names = needs.flatMap(({ measurements }): readonly string[] => measurements);
  return all.filter(({ name }) => names.includes(name));
}

function needsIn(text: string): readonly Need[] {
  const wanted = wordsOf(text);
  return NEEDS.filter(({ words }) => words.test(wanted));
}
