import { type ProductScene, SCENES } from '../../products/scenes.js';
import { type ChosenPopulation, usualPeople } from '../shared/populations.js';
import type { Clearance, Point, ReachScene, Sight, Target } from './scene-types.js';

/** A line of the room in the side view: points forward and up, in mm. */
export type RoomLine = readonly (readonly [x: number, z: number])[];

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
  readonly lines: (placeOf: (name: string) => Point) => readonly RoomLine[];
  /** Where the numbers come from. */
  readonly sources: readonly string[];
}

const LINES: Readonly<Record<string, Template['lines']>> = {
  'car-seat': (placeOf) => {
    const { x: topX, z: topZ } = placeOf('Road over the wheel');
    return [
      [
        [topX, topZ],
        [topX - 150, topZ - 310],
      ],
      [
        [topX - 75, topZ - 155],
        [topX + 240, topZ - 310],
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
