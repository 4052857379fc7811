// The definitions say by how much a profile changes some dimensions of US adults. For other people, the change is
// proportional to their stature. `/docs/clothing-and-posture` has the figures of all dimensions, and a test compares
// them.

/** Parts of the body that clothing may leave nude. */
export const NUDE_PARTS = ['head', 'hands', 'feet', 'trunk and limbs'] as const;

/**
 * Clothing profiles. Artifacts use the index of a profile in this list. `leavesNude` names the parts of the body that
 * stay nude; their dimensions do not change. Nobody under `ageMin` years has the profile.
 */
export const CLOTHING = [
  {
    id: 'nude',
    definition: 'No clothing, or light examination wear; barefoot.',
    leavesNude: NUDE_PARTS,
    ageMin: 0,
  },
  {
    id: 'light',
    definition: 'Indoor clothing, no shoes: HipBreadth +10 mm.',
    leavesNude: ['head', 'hands', 'feet'],
    ageMin: 0,
  },
  {
    id: 'shoes',
    definition: 'Flat everyday shoes only: Stature +28 mm.',
    leavesNude: ['head', 'hands', 'trunk and limbs'],
    ageMin: 0,
  },
  {
    id: 'light_shoes',
    definition: 'Indoor clothing and flat everyday shoes.',
    leavesNude: ['head', 'hands'],
    ageMin: 0,
  },
  {
    id: 'winter',
    definition:
      'Heavy outdoor clothing with boots, without hat and gloves: Stature +35 mm, HipBreadth +50 mm.',
    leavesNude: ['head', 'hands'],
    ageMin: 0,
  },
  {
    id: 'heels',
    definition: 'Shoes with a heel only, from 12 years of age: Stature +45 mm.',
    leavesNude: ['head', 'hands', 'trunk and limbs'],
    ageMin: 12,
  },
] as const;

/** Posture profiles. Artifacts use the index of a profile in this list. */
export const POSTURES = [
  {
    id: 'standing_erect',
    definition: "The dimension's standard posture; sitting dimensions are taken sitting erect.",
  },
  {
    id: 'standing_relaxed',
    definition: 'Relaxed standing: Stature −22 mm (men), −20 mm (women).',
  },
  { id: 'sitting', definition: 'Relaxed, slumped sitting: SittingHeight −40 mm.' },
] as const;

/** Id of a clothing profile. */
export type ClothingId = (typeof CLOTHING)[number]['id'];
/** Id of a posture profile. */
export type PostureId = (typeof POSTURES)[number]['id'];

/** Ids of the clothing profiles, in artifact order. */
export const CLOTHING_IDS: readonly ClothingId[] = CLOTHING.map((profile) => profile.id);
/** Age in years from which a clothing profile has a model. */
export const CLOTHING_AGE_MIN = Object.fromEntries(
  CLOTHING.map(({ id, ageMin }) => [id, ageMin]),
) as Readonly<Record<ClothingId, number>>;

/** The reason why younger people have no model in a clothing profile. */
export function tooYoungText(clothing: ClothingId): string {
  const ageMin = CLOTHING_AGE_MIN[clothing];
  return `clothing ${clothing} has no model under ${ageMin} years; set clothing to shoes, or ask for people of ${ageMin} years and older.`;
}

/** Ids of the posture profiles, in artifact order. */
export const POSTURE_IDS: readonly PostureId[] = POSTURES.map((profile) => profile.id);
