// The definitions say how far a profile moves some dimensions of US adults. Other people's figures are
// in proportion to their stature. `docs/clothing-and-posture.md` has the figures of all dimensions; a
// test compares them.

/** Clothing profiles; the index is the profile's index in artifacts. */
export const CLOTHING = [
  { id: 'nude', definition: 'No clothing, or light examination wear; barefoot.' },
  {
    id: 'light',
    definition: 'Indoor clothing, no shoes: HipBreadth +10 mm.',
  },
  { id: 'shoes', definition: 'Street shoes only: Stature +25 mm (men), +45 mm (women).' },
  { id: 'light_shoes', definition: 'Indoor clothing and street shoes.' },
  {
    id: 'winter',
    definition: 'Heavy outdoor clothing with boots: Stature +35 mm, HipBreadth +50 mm.',
  },
] as const;

/** Posture profiles; the index is the profile's index in artifacts. */
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
/** Ids of the posture profiles, in artifact order. */
export const POSTURE_IDS: readonly PostureId[] = POSTURES.map((profile) => profile.id);
