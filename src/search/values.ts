import type { Gender } from '../core/genders.js';
import type { ClothingId, PostureId } from '../core/profiles.js';
import type { MassUnit, Unit } from '../core/units.js';
import { plainText } from './terms.js';

/**
 * Words that people use for the values of the short lists. Only hints use them: requests accept exactly the values of
 * the specification.
 */
const OTHER_WORDS: Readonly<Record<Unit | MassUnit | Gender | ClothingId | PostureId, string>> = {
  mm: 'millimeter, millimeters, millimetre, millimetres, milimeter, mms, мм, 毫米',
  cm: 'centimeter, centimeters, centimetre, centimetres, zentimeter, cms, см, 厘米, 公分, センチ',
  in: 'inch, inches, ", zoll, pouces, pulgada, pulgadas, pollici, cali, imperial',
  kg: 'kilo, kilos, kilogram, kilograms, kilogramme, kgs, кг, 公斤, 千克',
  lb: 'lbs, pound, pounds, #, libras, livres, pfund',
  Male: `m, l, e, man, men, boy, boys, gentlemen, males, masculine, homme, hombre, mann, uomo, männlich, masculin, masculino, hombres,
    männer, hommes, uomini, homem, maschio, maschile, mannelijk, mężczyzna, erkek, мужской, мужчина, муж, м, 男, 男性, 남, 남성, 남자, पुरुष, ذكر, laki-laki,
    pria, nam, পুরুষ, مرد, పురుషుడు, ஆண், mwanaume, lalaki, ชาย, mies, mand, mann, laki, lelaki,
    nam giới, नर, ছেলে, مذكر, ولد, پسر, 男子, 男孩, 남아, masc, garçon, junge, jongen, niño, varón, macho, муж.`,
  Female: `f, w, p, k, woman, women, girl, girls, ladies, females, feminine, femme, mujer, frau, donna, frauen, femmes, mujeres, donne, weiblich,
    féminin, femenino,
    feminino, mulher, femmina, femminile, vrouwelijk, vrouw, kobieta, kadın, женский, женщина, жен, ж, 女, 女性, 여, 여성,
    여자, महिला, أنثى, perempuan, wanita, nữ, মহিলা, নারী, عورت, स्त्री, స్త్రీ, మహిళ, பெண், زن, mwanamke, babae, หญิง, nainen, kvinna, kvinde, kvinne,
    nữ giới, मादा, মেয়ে, انثى, مؤنث, بنت, دختر, kız, 女子, 女孩, 여아, fem, fille, mädchen, meisje, niña, hembra, жен.`,
  nude: 'naked, none, no, undressed, unclothed, bare, barefoot, without clothes, underwear, unclad',
  light: 'indoor, summer, t-shirt, shirt, normal, casual, clothed, dressed',
  shoes: 'shoe, footwear, street shoes, flat shoes, flats, sneakers, boots',
  light_shoes: 'light clothing and shoes, light and shoes, street, office, work, light shoes',
  heels: 'heel, high heels, high-heeled shoes, pumps, stilettos',
  winter: 'coat, jacket, heavy, outdoor, outdoors, winter clothing, warm, parka',
  standing_erect: 'standing, stand, erect, upright, standard, standing straight, straight',
  standing_relaxed: 'relaxed, relaxed standing, slouched, normal standing',
  sitting: 'seated, sit, sitting relaxed, slumped, sitting_relaxed, sitting_erect',
};

const VALUE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_WORDS).flatMap(([value, words]) => [
    [letters(value), value] as const,
    ...words.split(/,\s+/).map((word) => [letters(word), value] as const),
  ]),
);

function letters(text: string): string {
  return plainText(text)
    .replace(/[\s_-]+/g, ' ')
    .replace(/^(with|wearing) /, '')
    .trim();
}

/** The value of any of the lists that a word means; undefined if the word means none. */
export function anyValueNamed(word: string): string | undefined {
  return VALUE_OF.get(letters(word));
}

/** The value of a list that a word means; undefined if the word means none. */
export function valueNamed(word: string, allowed: readonly string[]): string | undefined {
  const value = anyValueNamed(word);
  return value !== undefined && allowed.includes(value) ? value : undefined;
}
