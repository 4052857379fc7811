// cspell:ignore Bradtmiller
import {
  across,
  arc,
  box,
  type Dot,
  dashed,
  ends,
  HAND_SIZES,
  inOrder,
  OWN,
  type Product,
  reach,
  room,
  type Scenes,
  size,
  solid,
  vertical,
} from './rules.js';

/**
 * Zhuang, Bradtmiller & Shaffer 2007, "New respirator fit test panels representing the current U.S. civilian work
 * force", Journal of Occupational and Environmental Hygiene 4(9):647–659.
 */
const FACES =
  'Zhuang, Bradtmiller & Shaffer 2007 sort faces for masks by breadth and length; no clearance';
const FITTING =
  'Common fitting practice: from the seventh neck vertebra down the spine to the top of the hip bones, here to the level of the navel';

export const WORN: readonly Product[] = [
  {
    id: 'helmet',
    title: 'Helmet',
    clothing: 'nude',
    sizes: [
      size('girthMin', 'Smallest head girth', [300, 540, 680]),
      size('girthMax', 'Largest head girth', [300, 600, 680]),
      size('length', 'Inner length', [100, 215, 260]),
      size('breadth', 'Inner breadth', [80, 175, 220]),
    ],
    rules: [
      ...ends('girth', 'HeadGirth', [
        [0, 'a smaller setting', 'The tightest setting still holds the head.'],
        [0, 'a wider setting', 'The widest setting goes around the head.'],
      ]),
      room(
        'length',
        'HeadLength',
        10,
        'a longer helmet',
        'The head and its padding fit from front to back.',
      ),
      room(
        'breadth',
        'HeadBreadth',
        10,
        'a broader helmet',
        'The head and its padding fit from side to side.',
      ),
    ],
    couplings: [inOrder('girthMin', 'girthMax')],
  },
  {
    id: 'glove',
    title: 'Glove',
    clothing: 'nude',
    sizes: [
      size('girthMin', 'Smallest hand circumference', [80, 191, 300]),
      size('girthMax', 'Largest hand circumference', [80, 216, 300]),
      size('length', 'Longest hand', [60, 195, 260]),
    ],
    rules: [
      ...ends(
        'girth',
        'HandCircumference',
        [
          [
            0,
            'a narrower glove',
            'The glove is not loose. Size 8 is for 203 mm; sizes are 25 or 26 mm apart.',
          ],
          [0, 'a wider glove', 'The glove is not tight.'],
        ],
        HAND_SIZES,
      ),
      room(
        'length',
        'HandLength',
        0,
        'a longer glove',
        'The fingers do not press against the tips.',
      ),
    ],
    couplings: [inOrder('girthMin', 'girthMax')],
  },
  {
    id: 'vr-headset',
    title: 'VR headset',
    clothing: 'nude',
    note: 'Not covered: the distance between the pupils, glasses, hair, and the shape of the face at the cushion.',
    sizes: [
      size('girthMin', 'Shortest strap', [300, 530, 680]),
      size('girthMax', 'Longest strap', [300, 600, 680]),
      size('eyes', 'Inner width at the eyes', [60, 125, 180]),
      size('nose', 'Width of the nose opening', [15, 50, 80]),
    ],
    rules: [
      reach(
        'girthMin',
        'HeadGirth',
        0,
        'a shorter strap',
        'The strap at its shortest still holds on the head.',
        `${OWN}: a level strap is as long as the girth of the head`,
      ),
      room(
        'girthMax',
        'HeadGirth',
        20,
        'a longer strap',
        'The strap at its longest goes around the head, and hair adds 20 mm.',
      ),
      room(
        'eyes',
        'Biocular',
        20,
        'more width at the eyes',
        'The outer corners of the eyes are inside the cushion.',
      ),
      room(
        'nose',
        'NoseBreadth',
        8,
        'a wider nose opening',
        'The nose fits without pressure on its sides.',
      ),
    ],
    couplings: [inOrder('girthMin', 'girthMax')],
  },
  {
    id: 'face-mask',
    title: 'Face mask',
    clothing: 'nude',
    note: 'Not covered: the length of the face from chin to nasal root, which panels of test persons use beside the breadth, the shape of the face, and whether a mask seals, which EN 149 tests as inward leakage.',
    sizes: [
      size('faceMin', 'Narrowest face', [70, 125, 180]),
      size('faceMax', 'Broadest face', [70, 150, 180]),
      size('mouth', 'Inner width at the mouth', [30, 80, 130]),
      size('nose', 'Inner width at the nose', [15, 50, 90]),
    ],
    rules: [
      ...ends(
        'face',
        'FaceBreadth',
        [
          [0, 'a mask for narrower faces', 'The mask is meant for faces from this breadth on.'],
          [0, 'a mask for broader faces', 'The mask is meant for faces up to this breadth.'],
        ],
        FACES,
      ),
      room(
        'mouth',
        'LipLength',
        20,
        'more width at the mouth',
        'The edge lies beside the corners of the mouth.',
      ),
      room(
        'nose',
        'NoseBreadth',
        10,
        'more width at the nose',
        'The edge does not press on the nostrils.',
      ),
    ],
    couplings: [inOrder('faceMin', 'faceMax')],
  },
  {
    id: 'backpack',
    title: 'Backpack',
    clothing: 'light',
    note: 'Not covered: the hip bones, which fitters feel for; the level of the navel stands for them. Nor the load, and the angle of the shoulder straps.',
    sizes: [
      size('backMin', 'Shortest back length', [200, 430, 650]),
      size('backMax', 'Longest back length', [200, 500, 650]),
      size('beltMin', 'Shortest hip belt', [400, 800, 1800]),
      size('beltMax', 'Longest hip belt', [400, 1200, 1800]),
    ],
    rules: [
      ...ends(
        'back',
        'DorsomLength',
        [
          [
            0,
            'a shorter back length',
            'At its shortest, the hip belt does not lie below the waist.',
          ],
          [0, 'a longer back length', 'At its longest, the hip belt reaches the waist.'],
        ],
        FITTING,
      ),
      ...ends('belt', 'MidHipCircumference', [
        [0, 'a shorter hip belt', 'The belt at its shortest is tight on the hips.'],
        [50, 'a longer hip belt', 'The belt at its longest closes over clothing.'],
      ]),
    ],
    couplings: [inOrder('backMin', 'backMax'), inOrder('beltMin', 'beltMax')],
  },
  {
    id: 'exoskeleton-cuff',
    title: 'Leg exoskeleton cuff',
    clothing: 'nude',
    note: 'Not covered: where the axes of the joints are, how far they turn, forces, and how far soft tissue gives way.',
    sizes: [
      size('thighMin', 'Smallest thigh cuff', [200, 480, 900]),
      size('thighMax', 'Largest thigh cuff', [200, 620, 900]),
      size('calfMin', 'Smallest calf cuff', [120, 320, 600]),
      size('calfMax', 'Largest calf cuff', [120, 430, 600]),
      size('lengthMin', 'Shortest thigh bar', [150, 380, 600]),
      size('lengthMax', 'Longest thigh bar', [150, 460, 600]),
    ],
    rules: [
      ...ends('thigh', 'ThighCircumferenceMidpoint', [
        [0, 'a smaller thigh cuff', 'The thigh cuff at its smallest is not loose.'],
        [
          20,
          'a larger thigh cuff',
          'The thigh cuff at its largest goes around the thigh and a pad.',
        ],
      ]),
      ...ends('calf', 'CalfCircumference', [
        [0, 'a smaller calf cuff', 'The calf cuff at its smallest is not loose.'],
        [20, 'a larger calf cuff', 'The calf cuff at its largest goes around the calf and a pad.'],
      ]),
      ...ends(
        'length',
        'ThighLength',
        [
          [0, 'a shorter thigh bar', 'The bar at its shortest ends at the knee.'],
          [0, 'a longer thigh bar', 'The bar at its longest reaches the knee.'],
        ],
        `${OWN}: from the greater trochanter to the top of the shin`,
      ),
    ],
    couplings: [
      inOrder('thighMin', 'thighMax'),
      inOrder('calfMin', 'calfMax'),
      inOrder('lengthMin', 'lengthMax'),
    ],
  },
];

export const WORN_SCENES: Scenes = {
  helmet: (mm, { scale: k }) => {
    const [from, front] = [100 - mm('length') / 2, 420];
    const half = mm('breadth') / 2;
    const dome = (left: number, right: number) => {
      const [middle, r] = [(left + right) / 2, (right - left) / 2];
      return solid(
        ...Array.from({ length: 25 }, (_, i): Dot => {
          const turn = Math.PI - (i * Math.PI) / 24;
          return [middle + r * Math.cos(turn), -110 * k + 130 * Math.sin(turn)];
        }),
      );
    };
    return {
      box: [-40, 560, -330 * k, 100],
      bodies: [
        { view: 'headSide', x: 100 - 96 * k, y: 0 },
        { view: 'headFront', x: front, y: 0 },
      ],
      lines: [dome(from, from + mm('length')), dome(front - half, front + half)],
      dimensions: [across('length', from, 60), across('breadth', front - half, 60)],
    };
  },
  glove: (mm, { scale: k }) => ({
    box: [-160, 220, -60, Math.max(210 * k, mm('length')) + 40],
    bodies: [{ view: 'handPalm', x: 0, y: 0 }],
    lines: [dashed([-110, mm('length')], [110, mm('length')]), dashed([-110, 0], [110, 0])],
    dimensions: [vertical('length', 150)],
  }),
  'vr-headset': (mm, { scale: k }) => {
    const [front, eyes, nose] = [420, mm('eyes') / 2, mm('nose') / 2];
    return {
      box: [-40, 580, -330 * k, 100],
      bodies: [
        { view: 'headSide', x: 100 - 96 * k, y: 0 },
        { view: 'headFront', x: front, y: 0 },
      ],
      lines: [
        box(100 + 80 * k, 100 + 170 * k, -160 * k, -70 * k),
        solid([100 + 80 * k, -95 * k], [100 - 96 * k, -95 * k]),
        solid(
          ...([
            [front - eyes, -70 * k],
            [front + eyes, -70 * k],
            [front + eyes, -160 * k],
            [front + nose, -160 * k],
            [front, -125 * k],
            [front - nose, -160 * k],
            [front - eyes, -160 * k],
            [front - eyes, -70 * k],
          ] as const),
        ),
      ],
      dimensions: [across('eyes', front - eyes, 60), across('nose', front - nose, -195 * k)],
    };
  },
  'face-mask': (mm, { scale: k }) => {
    const [front, mouth, nose] = [420, mm('mouth') / 2, mm('nose') / 2];
    return {
      box: [-40, 580, -330 * k, 100],
      bodies: [
        { view: 'headSide', x: 100 - 96 * k, y: 0 },
        { view: 'headFront', x: front, y: 0 },
      ],
      lines: [
        solid(
          [100 + 95 * k, -125 * k],
          [100 + 140 * k, -165 * k],
          [100 + 75 * k, -230 * k],
          [100 + 60 * k, -180 * k],
          [100 + 95 * k, -125 * k],
        ),
        solid([100 + 60 * k, -180 * k], [100 - 80 * k, -110 * k]),
        solid(
          ...([
            [front - nose * 0.6, -125 * k],
            [front + nose * 0.6, -125 * k],
            [front + nose, -160 * k],
            [front + mouth, -185 * k],
            [front + mouth * 0.6, -235 * k],
            [front - mouth * 0.6, -235 * k],
            [front - mouth, -185 * k],
            [front - nose, -160 * k],
            [front - nose * 0.6, -125 * k],
          ] as const),
        ),
      ],
      dimensions: [across('mouth', front - mouth, -270 * k), across('nose', front - nose, 60)],
    };
  },
  backpack: (mm, { scale: k, statureMm }) => {
    const [waist, back] = [0.6 * statureMm, -120 * k];
    const low = waist + mm('backMin');
    return {
      box: [-720 * k, 400 * k, -60, 1760 * k],
      bodies: [{ view: 'standingSide', x: 0, y: 0 }],
      lines: [
        box(back - 200 * k, back, waist - 60 * k, low),
        box(back - 280 * k, back - 200 * k, waist - 40 * k, waist + mm('backMin') * 0.6),
        dashed([back - 200 * k, waist + mm('backMax')], [back, waist + mm('backMax')]),
        solid([back, waist], [back + 240 * k, waist]),
        solid([back, low - 20 * k], [back + 200 * k, low - 110 * k], [back, waist + 60 * k]),
      ],
      dimensions: [
        vertical('backMin', back - 360 * k, waist),
        vertical('backMax', back - 520 * k, waist),
      ],
    };
  },
  'exoskeleton-cuff': (mm, { scale: k, statureMm }) => {
    const [leg, knee, bar] = [95 * k, 0.275 * statureMm, 210 * k];
    const cuff = (size: string, y: number) => {
      const half = mm(size) / Math.PI / 2;
      return box(leg - half, leg + half, y - 40 * k, y + 40 * k);
    };
    return {
      box: [-360 * k, 560 * k, -60, 1100 * k],
      bodies: [{ view: 'standingFront', x: 0, y: 0 }],
      lines: [
        cuff('thighMax', 0.4 * statureMm),
        cuff('calfMax', 0.2 * statureMm),
        arc(bar, knee, 25 * k),
        solid([bar, 0.1 * statureMm], [bar, knee + mm('lengthMin')]),
        dashed([bar, knee + mm('lengthMin')], [bar, knee + mm('lengthMax')]),
        arc(bar, knee + mm('lengthMax'), 25 * k),
        solid([leg, 0.4 * statureMm], [bar, 0.4 * statureMm]),
        solid([leg, 0.2 * statureMm], [bar, 0.2 * statureMm]),
      ],
      dimensions: [vertical('lengthMin', 300 * k, knee), vertical('lengthMax', 420 * k, knee)],
    };
  },
};
