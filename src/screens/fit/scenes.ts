import { lyingIn, type ViewName } from '../../render/drawing.js';
import { FURNITURE_SCENES } from './scenes/furniture.js';
import { AVERAGE, type BodySizes, type Scenes } from './scenes/parts.js';
import { SPACES_SCENES } from './scenes/spaces.js';
import { VEHICLES_SCENES } from './scenes/vehicles.js';
import { WORN_SCENES } from './scenes/worn.js';

export type { BodySizes, DimensionLine, Placed, Scene } from './scenes/parts.js';

/** Scenes by product. A product without a scene has only its rulers. */
export const SCENES: Scenes = {
  ...FURNITURE_SCENES,
  ...SPACES_SCENES,
  ...WORN_SCENES,
  ...VEHICLES_SCENES,
};

/** The sizes for a scene without a person. */
export const AVERAGE_SIZES: BodySizes = { scale: 1, ...AVERAGE };

/** The sizes of a person with these predicted dimensions, mm. */
export function sizesOf(valuesMm: Readonly<Record<string, number>>): BodySizes {
  const { Stature: statureMm = AVERAGE.statureMm, PoplitealHeight, AbdominalDepth } = valuesMm;
  const scale = statureMm / AVERAGE.statureMm;
  const backMm = AVERAGE.backMm * scale;
  return {
    scale,
    statureMm,
    backMm,
    seatMm: PoplitealHeight ?? AVERAGE.seatMm * scale,
    abdomenMm: backMm + (AbdominalDepth ?? (AVERAGE.abdomenMm - AVERAGE.backMm) * scale),
  };
}

/**
 * The views of a body in the picture of a product; empty for own limits. People who are drawn lying have none where
 * others stand or sit.
 */
export function viewsOfProduct(product: string, ageYears: number): readonly ViewName[] {
  const bodies = SCENES[product]?.(() => 0, AVERAGE_SIZES).bodies ?? [];
  const shown = bodies.filter(({ view, isLying }) => isLying || !lyingIn(view, ageYears));
  return [...new Set(shown.map(({ view }) => view))];
}
