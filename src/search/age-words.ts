// cspell:ignore Agemos meses mwdy
import { fieldNamed } from './body-words.js';
import { wordsOf } from './terms.js';

/** Units of ages, in years. A year has 365.2425 days. */
export const YEARS_PER_UNIT = {
  years: 1,
  months: 1 / 12,
  weeks: 7 / 365.2425,
  days: 1 / 365.2425,
} as const;

export type AgeUnit = keyof typeof YEARS_PER_UNIT;

// cspell:disable
const UNIT_WORDS: Readonly<Record<AgeUnit, string>> = {
  years: `years, year, yrs, yr, y, yo, jahre, jahren, jahr, j, ans, an, años, año, a, anos, ano, anni, anno, jaar, jaren, lata,
    lat, yıl, лет, года, год, 岁, 歳, 세, साल, سنة, tahun, thn, năm, বছর, سال, miaka`,
  months: `months, month, mos, mo, mths, mth, mon, m, monate, monaten, monat, mois, meses, mes, mesi, mese, maanden, maand,
    miesiące, miesięcy, ay, aylar, месяцы, месяцев, мес, 月, 个月, か月, 月齢, 개월, महीने, أشهر, bulan, bln, tháng, মাস, ماه, miezi`,
  weeks: `weeks, week, wks, wk, w, wochen, woche, semaines, semaine, semanas, semana, settimane, weken, tygodnie, hafta,
    недели, недель, 周, 週, 주, minggu, tuần, wiki`,
  days: `days, day, d, tage, tagen, tag, jours, jour, días, dias, día, giorni, dagen, dni, gün, дни, дней, 天, 日, 일, hari, ngày`,
};
const DATE_WORDS = {
  birth: `birth year, year of birth, yob, date of birth, birth date, birthdate, birthday, dob, born, geburtsdatum, geburtstag, geboren, date de naissance, né le,
    fecha de nacimiento, data de nascimento, data di nascita, geboortedatum, data urodzenia, doğum tarihi, дата рождения,
    出生日期, 生年月日, 생년월일, जन्म तिथि, تاريخ الميلاد, tanggal lahir, ngày sinh, জন্ম তারিখ, تاریخ تولد`,
  measurement: `date of measurement, measurement date, date measured, measured, measured on, date of exam, exam date, date of
    examination, examination date, date of visit, visit date, test date, date of test, survey date, interview date, date of
    interview, date, messdatum, untersuchungsdatum, datum, date de mesure, date de la mesure, fecha, fecha de medición, data
    da medição, data di misura, data pomiaru, дата измерения, дата, 测量日期, 測定日, 측정일, tanggal ukur, ngày đo`,
} as const;
// cspell:enable

export type DateKind = keyof typeof DATE_WORDS;

function wordMap<T extends string>(lists: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  return new Map(
    (Object.entries(lists) as [T, string][]).flatMap(([name, words]) =>
      words.split(/,\s+/).map((word) => [wordsOf(word), name] as const),
    ),
  );
}

const UNIT_OF = wordMap(UNIT_WORDS);
const KIND_OF = wordMap(DATE_WORDS);

/** The unit of time that a word names. */
export const ageUnitNamed = (word: string): AgeUnit | undefined => UNIT_OF.get(wordsOf(word));

/** Whether a heading is the date of birth, or of the measurement. */
export const dateNamed = (heading: string): DateKind | undefined => KIND_OF.get(wordsOf(heading));

/** Beside the word for age and its unit. */
const SMALL_WORDS =
  /^(?:in|en|em|w|of|at|de|di|old|screening|exam|interview|visit|baseline|survey)$/;

/** The unit of the ages of a column: `Age`, `Agemos`, `edad_meses`, `Age (weeks)`; undefined for other headings. */
export function ageUnitOf(heading: string): AgeUnit | undefined {
  if (fieldNamed(heading) === 'age') return 'years';
  const words = wordsOf(heading)
    .replace(/^age(?=[mwdy])/, 'age ')
    .split(' ')
    .filter((word) => !SMALL_WORDS.test(word));
  if (fieldNamed(words.join(' ')) === 'age') return 'years';
  const unit = words.length < 2 ? undefined : UNIT_OF.get(words.at(-1) as string);
  return fieldNamed(words.slice(0, -1).join(' ')) === 'age' ? unit : undefined;
}
