import type { MeasurementKind, MeasurementName } from '../core/measurements.js';
import { OTHER_MEANINGS, type OtherMeaning } from './other-meanings.js';
import parts from './parts.json' with { type: 'json' };
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

/**
 * Words that name a part of the body, or that mean several dimensions, with the measurements that people mean by them.
 * Two names of one dimension (elbow height and the height of a counter) stand once.
 */
export const PARTS = parts as unknown as readonly (readonly [
  words: string,
  ...names: readonly MeasurementName[],
])[];

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
