/** Clothing profiles; the index is the profile's index in artifacts. */
export const CLOTHING = [
  { id: 'nude', definition: 'No clothing, or light examination wear; barefoot.' },
  { id: 'light', definition: 'Light indoor clothing, no shoes.' },
  { id: 'shoes', definition: 'Shoes only, as for street wear.' },
  { id: 'light_shoes', definition: 'Light indoor clothing and street shoes.' },
  { id: 'winter', definition: 'Heavy outdoor clothing with boots.' },
] as const;

/** Posture profiles; the index is the profile's index in artifacts. */
export const POSTURES = [
  { id: 'standing_erect', definition: "The dimension's own standard measuring posture." },
  { id: 'standing_relaxed', definition: 'Relaxed, comfortable standing.' },
  { id: 'sitting', definition: 'Relaxed, slumped sitting.' },
] as const;

/** Id of a clothing profile. */
export type ClothingId = (typeof CLOTHING)[number]['id'];
/** Id of a posture profile. */
export type PostureId = (typeof POSTURES)[number]['id'];

/** Ids of the clothing profiles, in artifact order. */
export const CLOTHING_IDS: readonly ClothingId[] = CLOTHING.map((profile) => profile.id);
/** Ids of the posture profiles, in artifact order. */
export const POSTURE_IDS: readonly PostureId[] = POSTURES.map((profile) => profile.id);
