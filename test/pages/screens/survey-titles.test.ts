import { expect, it } from 'vitest';
import { surveyTitle } from '../../../src/screens/shared/evidence.js';

const title = (name: string) => surveyTitle({ name, year: 1999, country: 'XX' });

// cspell:ignore kafa yanez salem
it.each([
  ['ansur2', '2012 Anthropometric Survey of U.S. Army Personnel, NATICK/TR-15/007'],
  ['rp1024-S47', 'Anthropometric Source Book II, NASA RP-1024 (1978), survey S47'],
  ['rp1024-jp-civ', 'Anthropometric Source Book II, NASA RP-1024 (1978)'],
  ['latam-1965-cl', 'Latin American Armed Forces 1965, USATTC 7209002'],
  ['kr-2023-lee', 'Lee 2023'],
  ['es-2023-yanez-chile-infantry', 'Yanez 2023, Chile infantry'],
  ['pt-2003-2004-salem-brazil-army-women', 'Salem 2003–2004, Brazil army women'],
  ['pmc8909950-poland', 'PMC8909950, Poland'],
  ['pooled-korea-kafa', 'Several studies together, Korea kafa'],
  ['lt-2007-conscripts', 'Conscripts 2007'],
])('%s has a title, a year and a country', (name, expected) => {
  expect(title(name)).toBe(`${expected} (XX, measured 1999)`);
});
