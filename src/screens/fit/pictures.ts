import type { Demand, Target } from '../../reach/demands.js';
import { MEAN_SCORES, postureOf } from '../../reach/posture.js';
import { armOf, frameOf, TIPS } from '../../reach/sitter.js';
import type { PersonToDraw } from '../../render/body-viewer.js';
import { type Box, LYING_UNTIL_YEARS } from '../../render/drawing.js';
import { lyingIn } from '../../render/frames.js';
import type { StancePicture } from '../../render/stance-picture.js';
import { seriesColour } from '../../site/drawing-colours.js';
import {
  deviceHeightPx,
  type PageImage,
  type PictureAddresses,
} from '../../site/pictures/addresses.js';
import type { FitView } from './address.js';
import { type BodySizes, type Placed, SCENES } from './products.js';
import { type Held, RIDER_PITCH_DEGREES } from './scenes/drawing-parts.js';

/** Height of a person on a page, CSS pixels; device pixels per mm of a person with hands in their places. */
const [PERSON_PX, PX_PER_MM] = [400, 0.5];
/** Half the distance of hands and of feet, mm of an average adult. */
const ASIDE = { fingertip: 130, grip: 240, foot: 90 } as const;
const NO_STRETCH = { stretchShare: 0, stretchSdMm: 0 };

/** A person and the index of the person's colour. */
export interface Look {
  readonly person: PersonToDraw;
  readonly series: number;
  readonly isOwn?: boolean;
}

/** The pictures of a person at a view's product, one for each part; null in a part where the person lies. */
export function picturesOf(
  view: FitView,
  sizes: BodySizes,
  { person, series, isOwn = false }: Look,
  addresses: PictureAddresses,
): readonly (PageImage | null)[] {
  const parts = SCENES[view.product]?.((size) => view.sizesMm[size] ?? 0, sizes) ?? [];
  const suit = seriesColour(series);
  return parts.map(({ placed: { body, isLying } }: { readonly placed: Placed }) => {
    if (typeof body === 'string') {
      if (lyingIn(body, person.ageYears) && isLying !== true) return null;
      const heightPx = deviceHeightPx(PERSON_PX);
      const { frame, href } = addresses.page({ person, view: body, suit, heightPx, isOwn });
      return { frame, href };
    }
    if (person.ageYears < LYING_UNTIL_YEARS) return null;
    const frame = frameAround(body, sizes, person);
    const stance = stanceOf(body, sizes, person);
    const seen: StancePicture['seen'] = body.isFromFront === true ? [90, 0] : [0, 0];
    const heightPx = Math.round(PX_PER_MM * (frame[3] - frame[2]));
    const picture = { person, stance, seen, frame, suit, heightPx, isOwn };
    return { frame, href: addresses.of(picture, 'webp') };
  });
}

/** How a person sits or stands who is held by hands and feet. The model of reach finds the rest. */
function stanceOf(held: Held, { scale }: BodySizes, { valuesMm, ageYears }: PersonToDraw) {
  const { pose, seatMm = 0, leanDegrees = 0, hands = [], hold, feet = [] } = held;
  const value = (name: string): number => valuesMm[name] ?? Number.NaN;
  const target = (by: Target['by'], index: number, [x, z]: readonly [number, number]): Demand => {
    const side = index === 0 ? -1 : 1;
    return {
      ...{ kind: 'target', at: [x, side * ASIDE[by as keyof typeof ASIDE] * scale, seatMm + z] },
      ...{ by, hand: side === 1 ? 'left' : 'right', lean: by === 'fingertip' ? 'trunk' : 'none' },
    };
  };
  const demands = [
    ...hands.map((at, index) => target(hold ? 'grip' : 'fingertip', index, at)),
    ...feet.map((at, index) => target('foot', index, at)),
  ];
  const arm = armOf(value, pose, new Set(TIPS), ageYears, MEAN_SCORES, NO_STRETCH);
  const still = { travelX: [0, 0], travelZ: [0, 0], panAngle: 0 } as const;
  const seat =
    pose === 'sitting' ? { heightMm: seatMm, backAngle: -leanDegrees, ...still } : undefined;
  const posture = postureOf({ pose, seat, demands }, frameOf(value, pose), arm, [0, 0, seatMm]);
  const pitchDegrees = leanDegrees === 0 ? 0 : RIDER_PITCH_DEGREES;
  return { ...posture, feet: posture.feet.map((foot) => ({ ...foot, pitchDegrees })) };
}

/** The part of the view around a person, mm. */
function frameAround(
  { pose, seatMm = 0, isFromFront, leanDegrees = 0 }: Held,
  sizes: BodySizes,
  { valuesMm }: PersonToDraw,
): Box {
  const { statureMm, kneeMm, abdomenMm } = sizes;
  const isSitting = pose === 'sitting';
  const top = isSitting ? (valuesMm.SittingHeight ?? 0.53 * statureMm) : statureMm;
  const half = 0.8 * (valuesMm.WholeBodyBreadthMax ?? 0.3 * statureMm);
  const ahead = isSitting ? kneeMm + 0.16 * statureMm : abdomenMm + 0.3 * statureMm;
  const lean = (leanDegrees / 90) * statureMm;
  const across = isFromFront === true ? [-half, half] : [-0.08 * statureMm, ahead + 0.2 * lean];
  return [...across, -seatMm - 0.03 * statureMm, top + 0.02 * statureMm].map(
    Math.round,
  ) as unknown as Box;
}
