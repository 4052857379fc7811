import { clamp } from '../body/vectors.js';

/** How much light a place of a material reflects, as a share of what its colour reflects. */
export type Features = (material: number, x: number, y: number, z: number) => number;

/** Centre of the left eye on the base mesh, and the radius of a grown iris, mm. */
const EYE = { x: 30.8, y: 728.4, irisMm: 6 } as const;
/** Radius of the pupil, and radius and place of the light that it mirrors, in radii of the iris. */
const PUPIL = 0.42;
const MIRRORED = { radius: 0.2, x: 0.3, y: 0.36 } as const;
/** Shares of light: eye, iris at the pupil, iris at its rim, pupil. */
const REFLECTED = { iris: 0.19, rim: 0.06, pupil: 0.012, mirrored: 1.1 } as const;
/** Upper lids cast a shadow on the eye from this height above its centre on, mm. */
const SHADOW = { fromMm: 1, toMm: 6, share: 0.55 } as const;
/** Edge of the upper lid: its middle, how much lower its ends are, half of its length, and its thickness, mm. */
const LASHES = { x: 31.5, y: 733.4, fallMm: 5.6, half: 12.8, thickMm: 0.9 } as const;
/** The brow: its ends and its highest place. Thickness falls to the outer end. */
const BROW = { from: 13, to: 50, peak: 36, y: 747.5, inner: 2, outer: 5, thickMm: 2.6 } as const;
/** The lips: the middle of the line between them, half of their length, and their heights, mm. */
const LIPS = { y: 660.6, fallMm: 2.2, half: 25, upperMm: 7.5, lowerMm: 11 } as const;
/** The face lies in front of a plane of the base mesh, and above another, mm. */
const [FRONT_MM, LOW_MM] = [118, 640];
/** Completed years at which brows and lashes are as dark as those of adults. */
const DARK_YEARS = 14;
/** Irises are larger in relation to the face until this age, by this share in newborn children. */
const LARGE_IRIS = { years: 10, share: 0.16 } as const;

/**
 * Irises with pupils, brows, lashes and lips of a person. They lie at places of the base mesh, so they move with the
 * shape, and their edges do not follow the triangles. Sizes are those of the mean faces of the base mesh.
 *
 * @param pixelMm size of a pixel; edges are as soft
 */
export function featuresOf(ageYears: number, pixelMm: number): Features {
  const soft = Math.max(0.4, 0.7 * pixelMm);
  /** Coverage of a pixel that lies so far inside an edge. */
  const inside = (mm: number): number => clamp(0.5 + mm / soft, 0, 1);
  const dark = clamp(0.3 + ageYears / DARK_YEARS, 0, ageYears > 65 ? 0.45 : 1);
  const young = LARGE_IRIS.share * Math.max(0, 1 - ageYears / LARGE_IRIS.years);
  const iris = EYE.irisMm * (1 + young);
  const onEye = (x: number, y: number, isLeft: boolean): number => {
    const radius = Math.sqrt((x - EYE.x) ** 2 + (y - EYE.y) ** 2) / iris;
    const shadow = 1 - SHADOW.share * clamp((y - EYE.y - SHADOW.fromMm) / SHADOW.toMm, 0, 1);
    const ring = REFLECTED.iris + (REFLECTED.rim - REFLECTED.iris) * radius ** 4;
    let own = 1 + (ring - 1) * inside(iris * (1 - radius));
    own += (REFLECTED.pupil - own) * inside(iris * (PUPIL - radius));
    // The light is at the upper left of the picture, on both eyes.
    const aside = (isLeft ? x - EYE.x : EYE.x - x) / iris + MIRRORED.x;
    const far = Math.sqrt(aside * aside + ((y - EYE.y) / iris - MIRRORED.y) ** 2);
    own += (REFLECTED.mirrored - own) * inside(iris * (MIRRORED.radius - far));
    return own * shadow;
  };
  const onSkin = (x: number, y: number): number => {
    const along = (x - BROW.from) / (BROW.to - BROW.from);
    const bend = (x - BROW.peak) / (x < BROW.peak ? BROW.peak - BROW.from : BROW.to - BROW.peak);
    const brow = BROW.y - (x < BROW.peak ? BROW.inner : BROW.outer) * bend * bend;
    const thick = BROW.thickMm * (0.55 + 0.45 * dark) * clamp(3 - 2.4 * along, 0.3, 1);
    const ends = Math.min(x - BROW.from, BROW.to - x);
    const hair =
      0.55 * dark * inside(ends) * clamp((thick - Math.abs(y - brow)) / (soft + 1), 0, 1);
    const lid = LASHES.y - LASHES.fallMm * ((x - LASHES.x) / LASHES.half) ** 2;
    const onLid = Math.abs(x - LASHES.x) < LASHES.half + 1;
    const lash = onLid ? 0.6 * inside(LASHES.thickMm - Math.abs(y - lid)) : 0;
    const across = Math.min(1, (x / LIPS.half) ** 2);
    const above = y - LIPS.y + LIPS.fallMm * across;
    const high = (above > 0 ? LIPS.upperMm : LIPS.lowerMm) * (1 - across);
    const lips = 0.24 * inside(Math.min(high - Math.abs(above), LIPS.half - x));
    return (1 - hair) * (1 - lash) * (1 - lips);
  };
  return (material, x, y, z) => {
    if (material >= 2) return onEye(Math.abs(x), y, x > 0);
    return material === 0 && z > FRONT_MM && y > LOW_MM ? onSkin(Math.abs(x), y) : 1;
  };
}
