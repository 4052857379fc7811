import type { ChosenPopulation } from '../shared/populations.js';
import type { Clearance, Point, ReachScene, Sight, Target } from './scene-types.js';

/** A line of the room in the side view: points forward and up, in mm. */
export type RoomLine = readonly (readonly [x: number, z: number])[];

/** A room with a person, from which a visitor begins. */
export interface Template extends ReachScene {
  readonly id: string;
  readonly title: string;
  /** Clothing of the people. */
  readonly clothing: string;
  /** People for whom such a room is usually made. Absent: adults. */
  readonly people?: readonly ChosenPopulation[];
  /** Lines of the room that only the picture needs. They follow what is seen, or the edge over which it is. */
  readonly lines: (placeOf: (name: string) => Point) => readonly RoomLine[];
  /** Where the numbers come from. */
  readonly sources: readonly string[];
}

const at = (x: number, y: number, z: number): Point => ({ x, y, z });
const hand = (
  name: string,
  place: Point,
  by: Target['by'],
  which: Target['hand'] = 'either',
  lean: Target['lean'] = 'none',
): Target => ({ name, at: place, by, hand: which, lean });
const box = (name: string, by: Clearance['by'], from: Point, to: Point): Clearance => ({
  name,
  by,
  from,
  to,
});
const see = (name: string, place: Point, limits: Omit<Sight, 'name' | 'at'>): Sight => ({
  name,
  at: place,
  ...limits,
});

const REACH_SOURCE =
  'Limits of the joints in the model of reach: Boone and Azen 1979, Bassey et al. 1989 and Gill et al. 2020.';
const OTHERS = 'All other places are assumptions of ours. Drag them to those of your design.';

/** The templates in the order of their row. */
export const TEMPLATES: readonly Template[] = [
  {
    id: 'car',
    title: 'Car',
    pose: 'sitting',
    clothing: 'light_shoes',
    seat: { heightMm: 300, backAngle: 22, panAngle: 10, travelX: [-120, 120], travelZ: [-25, 25] },
    targets: [
      hand('Pedal', at(900, -150, 120), 'foot', 'right'),
      hand('Wheel', at(430, 170, 720), 'grip', 'left'),
      hand('Lever', at(560, -320, 580), 'grip', 'right'),
    ],
    see: [see('Road over the wheel', at(9000, 0, 0), { over: { x: 480, z: 860 } })],
    clear: [box('Roof', 'head', at(-500, -600, 1230), at(450, 600, 1280))],
    lines: (placeOf) => {
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
    sources: [
      'Eyes of drivers lie 635 mm above the hip point (ocular points of UN Regulation 46); the model places them by each person’s measurements.',
      REACH_SOURCE,
      OTHERS,
    ],
  },
  {
    id: 'workstation',
    title: 'Workstation',
    pose: 'sitting',
    clothing: 'light_shoes',
    seat: { heightMm: 455, backAngle: 0, panAngle: 0, travelX: [-150, 150], travelZ: [-60, 60] },
    targets: [
      hand('Keyboard', at(480, 0, 755), 'fingertip', 'either'),
      hand('Mouse', at(470, -280, 755), 'grip', 'right'),
      hand('Floor', at(480, -110, 10), 'foot', 'right'),
      hand('Back of the desk', at(820, 150, 740), 'fingertip', 'left', 'trunk'),
    ],
    see: [
      see('Screen top', at(780, 0, 1120), { upMax: 0 }),
      see('Screen middle', at(780, 0, 960), { downMax: 35 }),
    ],
    clear: [
      box('Desk top', 'thigh', at(330, -700, 715), at(1130, 700, 740)),
      box('Rail', 'knee', at(880, -700, 400), at(900, 700, 715)),
    ],
    lines: (placeOf) => {
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
    sources: [
      'Desk 680–760 mm high, screen 500–600 mm from the eyes, top line not above them, look at the middle of the screen about 35° down: German guide BGI 650, as the manual of VS furniture cites it.',
      REACH_SOURCE,
      OTHERS,
    ],
  },
  {
    id: 'wheelchair',
    title: 'Wheelchair at a counter',
    pose: 'sitting',
    clothing: 'light_shoes',
    seat: { heightMm: 495, backAngle: 0, panAngle: 0, travelX: [-150, 150], travelZ: [0, 0] },
    targets: [
      hand('Card reader', at(620, -150, 915), 'fingertip', 'right', 'shoulder'),
      hand('Button', at(910, 150, 1220), 'fingertip', 'left', 'trunk'),
      hand('Socket beside', at(100, -430, 380), 'fingertip', 'right', 'none'),
    ],
    see: [see('Screen', at(800, 0, 1100), { downMax: 40, upMax: 20 })],
    clear: [
      box('Counter', 'thigh', at(400, -450, 875), at(910, 450, 915)),
      box('Panel', 'knee', at(880, -450, 230), at(910, 450, 875)),
    ],
    lines: (placeOf) => {
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
    sources: [
      'Seat of an occupied manual wheelchair 495 mm above the floor, standard deviation 38 mm: D’Souza 2022 for the US Access Board, table 2.',
      'Counter at most 915 mm high: ADA Standards 2010, 904.4. Reach from 380 to 1,220 mm, over a counter at most 510 mm deep: 308.2 and 308.3.',
      'The people are all of the population. Bodies and strength of people who use wheelchairs differ; the numbers are a best case.',
      REACH_SOURCE,
      OTHERS,
    ],
  },
  {
    id: 'cupboard',
    title: 'Kitchen cupboard, 75+',
    pose: 'standing',
    clothing: 'light_shoes',
    people: [{ countries: ['DE'], ageMin: 75, ageMax: 120 }],
    targets: [
      hand('Bottom shelf', at(560, -150, 1390), 'grip', 'right', 'shoulder'),
      hand('Middle shelf', at(560, 150, 1690), 'grip', 'left', 'shoulder'),
      hand('Back of the worktop', at(800, -250, 870), 'fingertip', 'right', 'trunk'),
    ],
    see: [see('Things on the shelf', at(700, 0, 1430), { over: { x: 500, z: 1370 } })],
    clear: [box('Cupboard', 'head', at(500, -450, 1350), at(850, 450, 2050))],
    lines: () => [
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
    sources: [
      'Worktop 850 mm high: Kirvesoja, Väyrynen and Häikiö 2000, Applied Ergonomics 31:109, with 55 older people.',
      'Wall cupboards 350–400 mm deep, 450–500 mm above the worktop: advice on accessible homes of KVJS Baden-Württemberg.',
      REACH_SOURCE,
      OTHERS,
    ],
  },
  {
    id: 'console',
    title: 'Control room console',
    pose: 'sitting',
    clothing: 'light_shoes',
    seat: { heightMm: 455, backAngle: 0, panAngle: 0, travelX: [-150, 150], travelZ: [-60, 60] },
    targets: [
      hand('Keys', at(500, -150, 760), 'fingertip', 'right'),
      hand('Floor', at(480, -110, 10), 'foot', 'right'),
      hand('Farthest switch', at(700, 300, 860), 'fingertip', 'left', 'shoulder'),
    ],
    see: [
      see('Display', at(900, 0, 1050), { upMax: 20, downMax: 40 }),
      see('Wall display', at(4000, 0, 1100), { over: { x: 900, z: 1130 }, upMax: 20 }),
    ],
    clear: [
      box('Console', 'thigh', at(350, -900, 690), at(850, 900, 740)),
      box('Panel', 'knee', at(880, -900, 0), at(900, 900, 690)),
    ],
    lines: (placeOf) => {
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
    sources: [
      'Displays in frequent use at most 20° above and 40° below the horizontal line of sight, and at most 35° to each side: NUREG-0700 rev. 2, 11.1.2. The operation has no limit to the sides; keep displays within 0.7 of their distance to each side.',
      REACH_SOURCE,
      OTHERS,
    ],
  },
];

/** The template with this id. */
export function templateById(id: string): Template {
  return TEMPLATES.find((one) => one.id === id) ?? (TEMPLATES[0] as Template);
}
