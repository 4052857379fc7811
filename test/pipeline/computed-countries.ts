import type { CountryCode } from '../../src/core/countries.js';

/** Countries that quick builds compute: from several regions, and those with the most surveys. */
export const COMPUTED: readonly CountryCode[] = ['US', 'JP', 'IN', 'NG', 'NL', 'TO'];
