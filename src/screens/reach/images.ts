import type { PersonToDraw } from '../../render/body-viewer.js';
import { type Box, LYING_UNTIL_YEARS } from '../../render/drawing.js';
import type { StancePicture } from '../../render/stance-picture.js';
import { seriesColour } from '../../site/drawing-colours.js';
import type { PageImage, PictureAddresses } from '../../site/pictures/addresses.js';
import { type DrawnPerson, type PersonImages, TURNS } from './data-types.js';
import { type Panel, RAISE_DEGREES, shownAt } from './drawing.js';
import { type Figure, figureOf } from './figure.js';
import type { ReachScene } from './scene-types.js';

type Stretch = Parameters<typeof figureOf>[2];

interface ImageOptions {
  readonly stretch: Stretch;
  readonly addresses: PictureAddresses;
  /** Whether the picture has three dimensions. */
  readonly isTurned: boolean;
}

/** Device pixels per mm, and the room around the joints of a person, mm. */
const [PX_PER_MM, ROOM_MM] = [0.4, 90];

/** The images of a person in a scene, as the person sits or stands there; undefined for people who lie. */
export function imagesOf(
  scene: ReachScene,
  drawn: DrawnPerson,
  person: PersonToDraw,
  { stretch, addresses, isTurned }: ImageOptions,
): PersonImages | undefined {
  if (person.ageYears < LYING_UNTIL_YEARS) return undefined;
  const figure = figureOf(scene, drawn, stretch);
  const { stance } = figure;
  const image = (panel: Pick<Panel, 'id' | 'turn'>, seen: StancePicture['seen']): PageImage => {
    const frame = frameOf(figure, panel);
    const heightPx = Math.round(PX_PER_MM * (frame[3] - frame[2]));
    const picture = { person, stance, seen, frame, suit: seriesColour(drawn.series), heightPx };
    return { frame, href: addresses.of(picture, 'webp') };
  };
  return {
    side: image({ id: 'side' }, [0, 0]),
    above: image({ id: 'above' }, 'above'),
    turned: (isTurned ? TURNS : []).map((degrees) =>
      image({ id: 'turned', turn: { degrees, about: [0, 0] } }, [degrees, RAISE_DEGREES]),
    ),
  };
}

/** The box around the joints of a figure, from the place of its seat. */
function frameOf({ limbs, head, seat }: Figure, panel: Pick<Panel, 'id' | 'turn'>): Box {
  const [x, z] = seat;
  const ends = [...limbs.flatMap(({ from, to }) => [from, to]), head.centre];
  const points = ends.map((at) => shownAt(panel, [at[0] - x, at[1], at[2] - z]));
  const across = points.map(([right]) => right);
  const up = points.map(([, down]) => -down);
  const far = ROOM_MM + head.half[2];
  return [
    Math.round(Math.min(...across) - far),
    Math.round(Math.max(...across) + far),
    Math.round(Math.min(...up) - far),
    Math.round(Math.max(...up) + far),
  ];
}
