import type { MeasurementName } from '../core/measurements.js';
import table from './measurement-words.json' with { type: 'json' };

/** What people call a measurement, besides its name. Lists are separated by commas. */
export interface MeasurementWords {
  /**
   * Other English names, as tailors, doctors, ergonomists and shoppers use them. A name that fits several measurements
   * stands at each; the search prefers the measurement used most. Words that mean the same everywhere ("width" and
   * "breadth") are in `terms.ts`.
   */
  readonly names?: string;
  /**
   * Codes in standards and surveys: numbers of the clauses of ISO 7250-1:2017 (they begin with 6) and of ISO 8559-1:2017
   * (they begin with 5), and the names of the variables of ANSUR II (Gordon et al. 2014, "2012 Anthropometric Survey of
   * U.S. Army Personnel"). A code stands at the nearest measurement of this service; `/docs/sources` says how this service
   * reads each name. Clauses without such a measurement, and those that could not be checked, are left out.
   */
  readonly codes?: string;
  /**
   * Words of large languages for what people ask for most: German, French, Spanish, Portuguese, Italian, Dutch, Polish,
   * Turkish, Russian, Chinese (simplified and traditional), Japanese, Korean, Hindi and Arabic; for stature, chest, waist
   * and hip also Indonesian, Vietnamese, Bengali, Urdu, Persian, Marathi, Telugu, Tamil, Swahili, Tagalog and Thai.
   * Accents and capitals do not matter to the search.
   */
  readonly foreign?: string;
  /**
   * The name in files of Seamly2D (`.smis`) and Valentina (`.vit`), and that in sets of FreeSewing, if they measure the
   * same. docs/spreadsheets.md says what differs. Measurements from their natural waist are missing, because this
   * service measures at the navel.
   */
  readonly seamly?: string;
  readonly freeSewing?: string;
  /** Measurements that people ask for most, in steps from 1 to 3. The search prefers them among equal results. */
  readonly muchUsed?: number;
}

/** The words of measurements. */
export const MEASUREMENT_WORDS: Readonly<Partial<Record<MeasurementName, MeasurementWords>>> =
  table;

/** Measurements by a name that other programs have for them. */
const namedBy = (of: 'seamly' | 'freeSewing') =>
  Object.fromEntries(
    Object.entries(MEASUREMENT_WORDS).flatMap(([name, { [of]: other }]) =>
      other === undefined ? [] : [[other, name as MeasurementName] as const],
    ),
  );

/** Measurements of names in files of Seamly2D and Valentina. */
export const SEAMLY_NAMES = namedBy('seamly');

/** Measurements of names in sets of FreeSewing. */
export const FREESEWING_NAMES = namedBy('freeSewing');
