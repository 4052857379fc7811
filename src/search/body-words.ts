import type { MeasurementKind, MeasurementName } from '../core/measurements.js';
import { OTHER_MEANINGS, type OtherMeaning } from './other-meanings.js';
import { wordsOf } from './terms.js';

// cspell:disable
/**
 * Fields that describe a person in addition to measurements, with their headings in the languages of the search. The
 * words are compared without accents, capitals and marks.
 */
const FIELDS = {
  country: `country, country code, nation, nationality, land, herkunftsland, staatsangehörigkeit, pays, nationalité, país,
    nacionalidad, nacionalidade, paese, nazione, nazionalità, nationaliteit, kraj, ülke, страна, 国家, 國家, 国, 国名, 국가,
    나라, देश, البلد, بلد, negara, quốc gia, nước, দেশ, ملک, దేశం, நாடு, کشور, nchi, bansa, ประเทศ, ਦੇਸ਼`,
  gender: `gender, sex, geschlecht, sexe, genre, sexo, género, gênero, sesso, genere, geslacht, płeć, cinsiyet, пол, 性别,
    性別, 성별, लिंग, الجنس, جنس, jenis kelamin, kelamin, giới tính, giới, লিঙ্গ, లింగం, பாலினம், جنسیت, jinsia,
    kasarian, เพศ, ਲਿੰਗ`,
  age: `age, age years, age in years, years, years old, alter, alter jahre, alter in jahren, age ans, âge, edad, edad años,
    idade, idade anos, età, età anni, anni, leeftijd, leeftijd jaar, wiek, wiek lata, yaş, возраст, возраст лет, 年龄, 年齡,
    年齢, 나이, 연령, आयु, उम्र, العمر, عمر, usia, umur, tuổi, বয়স, वय, వయస్సు, வயது, سن, umri, gulang, อายุ, ਉਮਰ`,
  clothing:
    'clothing, clothes, kleidung, vêtements, ropa, roupa, abbigliamento, kleding, odzież, одежда',
  posture: 'posture, haltung, körperhaltung, postura, houding, postawa, поза',
} as const;

export type Field = keyof typeof FIELDS;

/**
 * Words that name a part of the body, or that mean several dimensions, with the measurements that people mean by them.
 * Two names of one dimension (elbow height and the height of a counter) stand once.
 */
export const PARTS: readonly (readonly [words: string, ...names: readonly MeasurementName[]])[] = [
  ['taille', 'Stature', 'WaistCircumferenceAbdominal'],
  ['height, hoehe, hauteur, altura, talla, altezza, hoogte, wysokość, высота', 'Stature'],
  [
    'head, kopf, tête, cabeza, cabeça, testa, hoofd, głowa, голова, 头, 頭, 머리',
    ...(['HeadGirth', 'HeadLength', 'HeadBreadth', 'HeadToTragion'] as const),
  ],
  [
    'face, gesicht, visage, cara, rosto, viso, faccia, gezicht, twarz, лицо',
    ...(['HairLine', 'FaceBreadth'] as const),
  ],
  [
    'neck, hals, cou, cuello, pescoço, collo, nek, szyja, boyun, шея',
    ...(['NeckCircumference', 'NapeHeightSitting', 'C7HeightStanding'] as const),
  ],
  [
    'shoulder, shoulders, schulter, schultern, épaule, épaules, hombro, hombros, ombro, ombros, spalla, spalle, schouder, schouders, omuz, плечи',
    ...(['ShoulderBreadthBideltoid', 'ShoulderBreadthBiacromial', 'ShoulderHeight'] as const),
    ...(['SittingShoulderHeight', 'ShoulderDepth'] as const),
  ],
  [
    'chest, bust, brust, poitrine, buste, pecho, busto, peito, tórax, torace, petto, borst, klatka piersiowa, göğüs, грудь, الصدر, سینہ, ngực, อก, 가슴, 胸',
    ...(['ChestCircumferenceNipple', 'ChestBreadth', 'ChestDepth'] as const),
  ],
  [
    'waist, belly, abdomen, bauch, ventre, cintura, cinto, barriga, vita, buik, talia, brzuch, bel, талия, الخصر, eo, เอว, 허리, 腰',
    ...(['WaistCircumferenceAbdominal', 'WaistHeightStanding', 'WaistHeightSitting'] as const),
    ...(['WaistDepthStanding', 'AbdominalDepth'] as const),
  ],
  [
    'hip, hips, hüfte, hüften, hanche, hanches, bassin, cadera, caderas, quadril, anca, fianchi, heup, heupen, biodra, kalça, бедра, कूल्हे, الورك, کولہے, mông, สะโพก, 엉덩이, 臀',
    ...(['HipCircumferenceMax', 'HipBreadth', 'SittingHipBreadth', 'HipHeight'] as const),
  ],
  [
    'seat, buttock, buttocks, bottom, gesäß, fesses, nalgas, glúteo, glúteos, glutei, sedere, billen, pośladki',
    ...(['HipCircumferenceMax', 'MidHipCircumference', 'SittingHipBreadth', 'HipBreadth'] as const),
    ...(['SeatHeight', 'MaximumSeatLength', 'TrunkDepthAtButtocks'] as const),
  ],
  [
    'back, rücken, dos, espalda, costas, schiena, rug, plecy, sırt, спина',
    ...(['DorsomLength', 'ShoulderBreadthBiacromial', 'ShoulderBreadthBideltoid'] as const),
  ],
  [
    'trunk, torso, rumpf, tronc, tronco, romp, tułów, gövde, туловище',
    ...(['TrunkLength', 'SittingHeight', 'DorsomLength'] as const),
  ],
  [
    'arm, arms, arme, bras, brazo, brazos, braço, braços, braccio, braccia, armen, ramię, kol, рука',
    ...(['UpperArmCircumferenceMidpoint', 'UpperLimbLength', 'ShoulderToWristLength'] as const),
    ...([
      'ShoulderGripLength',
      'UpperArmLength',
      'ShoulderElbowLength',
      'WorkReach',
      'Span',
    ] as const),
  ],
  [
    'upper arm, upperarm, bicep, biceps, oberarm, bovenarm, bíceps, bicipite, бицепс',
    ...(['UpperArmCircumferenceMidpoint', 'UpperArmLength', 'ShoulderElbowLength'] as const),
  ],
  [
    'forearm, lower arm, lowerarm, unterarm, avant bras, antebrazo, antebraço, avambraccio, onderarm, przedramię, предплечье',
    ...(['ForearmLength', 'BackOfElbowToWristLength', 'ElbowFingertipLength'] as const),
    'WristCircumference',
  ],
  [
    'elbow, ellenbogen, coude, codo, cotovelo, gomito, elleboog, łokieć, dirsek, локоть',
    ...(['ElbowHeight', 'SittingElbowHeight', 'ElbowSpan'] as const),
  ],
  [
    'wrist, handgelenk, poignet, muñeca, pulso, punho, polso, pols, nadgarstek, bilek, запястье',
    ...(['WristCircumference', 'WristWidth'] as const),
  ],
  [
    'hand, hands, main, mano, mão, dłoń, ręka, el, кисть',
    ...([
      'HandLength',
      'HandBreadth',
      'HandCircumference',
      'FistCircumference',
      'PalmLength',
    ] as const),
  ],
  [
    'leg, legs, bein, beine, jambe, jambes, pierna, piernas, perna, pernas, gamba, gambe, been, benen, noga, bacak, нога',
    ...([
      'LegLength',
      'CrotchHeight',
      'OutsideLegLength',
      'HipHeight',
      'ButtockToSoleSitting',
    ] as const),
    ...(['ThighCircumferenceMidpoint', 'CalfCircumference', 'PoplitealHeight'] as const),
  ],
  [
    'upper leg, upperleg, thigh, thighs, oberschenkel, cuisse, muslo, muslos, coxa, coscia, bovenbeen, dij, udo, uyluk, бедро',
    ...(['ThighCircumferenceMidpoint', 'ThighCircumferenceBelowButtock', 'ThighLength'] as const),
    ...([
      'ButtockKneeLength',
      'ButtockPoplitealLength',
      'ThighThickness',
      'SittingUpperLegLength',
    ] as const),
  ],
  [
    'lower leg, lowerleg, calf, calves, shin, unterschenkel, wade, mollet, pantorrilla, panturrilha, polpaccio, onderbeen, kuit, łydka, baldır, икра, голень',
    ...([
      'CalfCircumference',
      'PoplitealHeight',
      'CreaseBehindKneeToAnkle',
      'CircumferenceBelowKnee',
    ] as const),
  ],
  [
    'knee, knie, genou, rodilla, joelho, ginocchio, kolano, diz, колено',
    ...(['KneeCircumference', 'KneeHeight', 'CircumferenceBelowKnee', 'PoplitealHeight'] as const),
  ],
  [
    'foot, feet, fuß, pied, pie, pé, piede, voet, stopa, ayak, стопа',
    ...([
      'FootLength',
      'FootBreadth',
      'FootCircumferenceBall',
      'FootCircumferenceInstep',
      'FootHeight',
    ] as const),
  ],
  ['ankle, knöchel, cheville, tobillo, tornozelo, caviglia, enkel', 'FootHeight'],
  ['eye, eyes, pupil, pupils', 'Biocular', 'EyeHeight'],
  ['reach, arm reach', 'WorkReach', 'ShoulderGripLength', 'VerticalGripReachStanding', 'Span'],
  ['inseam, inside leg, crotch, entrepierna, schritt, entrejambe', 'CrotchHeight'],
  [
    'sleeve, sleeves, ärmel, manche, manga, manica, mouw, rękaw, рукав',
    ...(['ShoulderToWristLength', 'UpperLimbLength'] as const),
  ],
];

/** Words that say how a dimension is measured. */
const KIND_WORDS: Readonly<Record<'girth' | 'line', string>> = {
  girth: `circumference, circ, circum, circumf, girth, around, perimeter, umfang, weite, tour, circonférence, périmètre, contorno,
    perímetro, circunferencia, circunferência, giro, circonferenza, omvang, obwód, çevresi, çevre, обхват, окружность`,
  line: `length, long, height, breadth, width, wide, depth, diameter, thickness, länge, höhe, breite, tiefe, dicke, longueur, hauteur,
    largeur, profondeur, épaisseur, longitud, largo, altura, ancho, anchura, profundidad, comprimento, largura,
    profundidade, lunghezza, altezza, larghezza, profondità, lengte, hoogte, breedte, diepte, długość, wysokość, szerokość,
    uzunluğu, yüksekliği, genişliği, длина, высота, ширина, глубина`,
};
// cspell:enable

const listOf = (words: string): string[] => words.split(',').map(wordsOf);

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  Object.entries(FIELDS).flatMap(([field, words]) =>
    listOf(words).map((word) => [word, field as Field] as const),
  ),
);
/** The words of all fields. */
export const FIELD_WORDS: readonly string[] = [...FIELD_OF.keys()];
const MEASUREMENTS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  PARTS.flatMap(([words, ...names]) => listOf(words).map((word) => [word, names] as const)),
);
const KIND_OF: ReadonlyMap<string, 'girth' | 'line'> = new Map(
  Object.entries(KIND_WORDS).flatMap(([kind, words]) =>
    listOf(words).map((word) => [word, kind as 'girth' | 'line'] as const),
  ),
);

/** The field of a person that a heading names. */
export function fieldNamed(heading: string): Field | undefined {
  return FIELD_OF.get(wordsOf(heading));
}

/** Small words that a heading may have between its part and its kind. */
const SMALL_WORDS = /^(?:de|del|du|des|da|do|di|la|le|of|the|size|left|right|l|r)$/;

/** Possible meanings of a heading: measurements of this service, and others. */
export interface Meanings {
  readonly names: readonly string[];
  readonly others: readonly OtherMeaning[];
  /** Whether the heading says only the part. */
  readonly isPart: boolean;
}

/**
 * Possible meanings of a heading by the part of the body and the kind that it names: `Knee`, `Knee girth`, `tour de
 * cuisse`. Both lists are empty if it has other words.
 */
export function meaningsOfPart(
  heading: string,
  kindOf: (name: string) => MeasurementKind | undefined,
): Meanings {
  const telling = wordsOf(heading)
    .split(' ')
    .filter((word) => !SMALL_WORDS.test(word));
  const whole = wordsOf(heading);
  const [kind] = MEASUREMENTS_OF.has(whole)
    ? []
    : telling.flatMap((word) => KIND_OF.get(word) ?? []);
  const part = kind === undefined ? telling : telling.filter((word) => !KIND_OF.has(word));
  const names = MEASUREMENTS_OF.get(whole) ?? MEASUREMENTS_OF.get(part.join(' ')) ?? [];
  const others = OTHER_MEANINGS.filter(({ parts }) =>
    parts.some((word) => names.length > 0 && MEASUREMENTS_OF.get(word) === names),
  );
  if (kind === undefined) return { names, others, isPart: names.length > 0 };
  const isGirth = kind === 'girth';
  return {
    names: names.filter((name) => (kindOf(name) === 'circumference') === isGirth),
    others: others.filter((other) => other.isGirth === isGirth),
    isPart: false,
  };
}
