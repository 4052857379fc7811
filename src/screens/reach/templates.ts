import { type ProductScene, SCENES } from '../../products/scenes.js';
import { type ChosenPopulation, usualPeople } from '../shared/populations.js';
import type { Clearance, Point, ReachScene, Sight, Target } from './scene-types.js';

/** A line of the room: points forward and up, or from above forward and to the left, in mm. */
export type RoomLine = readonly (readonly [x: number, zOrY: number])[];

type LinesOf = (placeOf: (name: string) => Point) => readonly RoomLine[];

/** The scene from which a visitor begins: that of a product, or an empty one. */
export interface Template extends ReachScene {
  /** Id of the product, or of an empty scene. */
  readonly id: string;
  readonly title: string;
  /** Clothing of the people. */
  readonly clothing: string;
  /** People for whom such a room is usually made. */
  readonly people: readonly ChosenPopulation[];
  /** Lines of the room that only the picture needs. They follow what is seen, or the edge over which it is. */
  readonly lines: LinesOf;
  /** Lines that are seen from above. */
  readonly above: LinesOf;
  /** Where the numbers come from. */
  readonly sources: readonly string[];
}

/** Cosines and sines around a circle. */
const TURNS = Array.from({ length: 37 }, (_, i) => {
  return [Math.cos((i * Math.PI) / 18), Math.sin((i * Math.PI) / 18)] as const;
});

/** Radius of the rim of a steering wheel, mm: our own assumption. */
const RIM_MM = 180;

/** The hub of a steering wheel, and the way from it to the top of the rim, which passes through the place of the hand. */
function wheelOf(placeOf: (name: string) => Point) {
  const [top, hand] = [placeOf('Road over the wheel'), placeOf('Wheel')];
  const far = Math.hypot(top.x - hand.x, top.z - hand.z) || 1;
  const [ahead, up] = [(RIM_MM * (top.x - hand.x)) / far, (RIM_MM * (top.z - hand.z)) / far];
  return { ahead, up, hubX: top.x - ahead, hubZ: top.z - up };
}

const ABOVE: Readonly<Record<string, LinesOf>> = {
  'car-seat': (placeOf) => {
    const { ahead, hubX } = wheelOf(placeOf);
    return [TURNS.map(([cos, sin]) => [hubX + ahead * cos, RIM_MM * sin])];
  },
};

const LINES: Readonly<Record<string, LinesOf>> = {
  'car-seat': (placeOf) => {
    const { ahead, up, hubX, hubZ } = wheelOf(placeOf);
    const pedal = placeOf('Pedal');
    return [
      // The rim is nearly a line from the side.
      TURNS.map(([cos, sin]) => {
        return [hubX + ahead * cos - up * sin * 0.08, hubZ + up * cos + ahead * sin * 0.08];
      }),
      [
        [pedal.x - 15, pedal.z - 45],
        [pedal.x + 50, pedal.z + 40],
        [pedal.x + 190, pedal.z + 300],
      ],
      [
        [hubX, hubZ],
        [hubX + 315, hubZ - 155],
      ],
      [
        [450, 1255],
        [1050, 870],
        [1250, 820],
      ],
    ];
  },
  desk: (placeOf) => {
    const { x, z } = placeOf('Screen top');
    return [
      [
        [x, z],
        [x + 20, z - 330],
        [x + 40, z - 330],
        [x + 20, z],
        [x, z],
      ],
      [
        [1110, 715],
        [1110, 0],
      ],
    ];
  },
  wheelchair: (placeOf) => {
    const { x, z } = placeOf('Screen');
    return [
      [
        [x, z + 120],
        [x + 20, z - 160],
      ],
      [
        [910, 230],
        [910, 0],
      ],
    ];
  },
  shelf: () => [
    [
      [250, 810],
      [250, 850],
      [850, 850],
      [850, 0],
      [310, 0],
      [310, 810],
      [250, 810],
    ],
    [
      [500, 1680],
      [850, 1680],
    ],
    [
      [850, 850],
      [850, 1350],
    ],
  ],
  console: (placeOf) => {
    const { x, z } = placeOf('Wall display');
    return [
      [
        [620, 740],
        [820, 860],
        [x - 60, 900],
        [x, z],
        [x + 30, z],
        [x + 30, 0],
      ],
    ];
  },
};

/** A scene of the catalogue, whose demands are those of `reach_share`. */
interface SceneOfProduct {
  readonly seat?: {
    readonly height: number;
    readonly backAngle?: number;
    readonly panAngle?: number;
    readonly travel?: { readonly [Axis in 'x' | 'z']?: readonly [number, number] };
  };
  readonly targets?: readonly (Omit<Target, 'hand' | 'lean'> & Partial<Target>)[];
  readonly see?: readonly Sight[];
  readonly clear?: readonly (Pick<Clearance, 'name' | 'by'> & {
    readonly box: Pick<Clearance, 'from' | 'to'>;
  })[];
}

function templateOf(scene: ProductScene): Template {
  const { product: id, title, clothing, people, pose, sources } = scene;
  const { seat, targets = [], see = [], clear = [] } = scene as SceneOfProduct;
  const { travel = {} } = seat ?? {};
  return {
    ...{ id, title, clothing, pose, see, sources },
    people: usualPeople(people),
    ...(seat === undefined
      ? {}
      : {
          seat: {
            ...{ heightMm: seat.height, backAngle: seat.backAngle ?? 0 },
            ...{ panAngle: seat.panAngle ?? 0 },
            ...{ travelX: travel.x ?? [0, 0], travelZ: travel.z ?? [0, 0] },
          },
        }),
    targets: targets.map((one) => ({ hand: 'either', lean: 'none', ...one })),
    clear: clear.map(({ name, by, box }) => ({ name, by, ...box })),
    lines: LINES[id] ?? (() => []),
    above: ABOVE[id] ?? (() => []),
  };
}

/** Scenes in which a visitor starts from nothing. The seat does not move. */
const EMPTY: readonly ProductScene[] = (['sitting', 'standing'] as const).map((pose) => ({
  ...{ product: `own-${pose}`, title: `Own scene, ${pose}`, pose, clothing: 'light_shoes' },
  ...(pose === 'sitting' && { seat: { height: 450 } }),
  sources: [],
}));

/** The templates in the order of their row. */
export const TEMPLATES: readonly Template[] = [...SCENES, ...EMPTY].map(templateOf);

/** Id of the template of an address without one. */
export const FIRST_TEMPLATE = 'car-seat';

/** The template with this id. */
export function templateById(id: string): Template {
  return TEMPLATES.find((one) => one.id === id) as Template;
}
