import type { CountryCode } from '../../src/core/countries.js';

/** The countries that quick builds of tests compute: of several regions, and with the most surveys. */
export const COMPUTED: readonly CountryCode[] = ['US', 'JP', 'IN', 'NG', 'NL', 'TO'];
