import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters } from '../../src/accounts/accounts.js';

describe('hidden characters of a name', () => {
  it.each([
    ['a mark of the writing direction', 'Ada\u202eevoL'],
    ['an isolate of the writing direction', '\u2066Ada\u2069'],
    ['a mark from right to left', 'Ada\u200f'],
    ['a space without width', 'Ada\u200bLovelace'],
    ['a byte order mark', 'Ada\ufeff'],
    ['a soft hyphen', 'Ada\u00ad'],
    ['a word joiner', 'Ada\u2060'],
    ['a line separator', 'Ada\u2028Lovelace'],
    ['a control character', 'Ada\u0000'],
    ['a control character of C1', 'Ada\u0085'],
    ['a Hangul filler', 'Ada\u3164'],
    ['a tag', 'Ada\u{e0041}'],
    ['half of a character', 'Ada\ud83d'],
    ['a private character', 'Ada\ue000'],
    ['a joiner at the end', 'Ada\u200d'],
    ['a joiner before a space', 'Ada\u200c Lovelace'],
    ['a selector without a character', ' \ufe0fAda'],
  ])('%s is one', (_name, text) => {
    expect(hasHiddenCharacters(text)).toBe(true);
  });

  // cspell:disable
  it.each([
    'Ada Lovelace',
    'Société Générale n° 5',
    'می\u200cخواهم',
    'क्\u200dष',
    '葛\u{e0100}城',
    '株式会社 人体',
    'שלום',
    '👩🏽\u200d❤\ufe0f\u200d👩🏽',
    'a.b-c_d/e & f’s "g"',
    // cspell:enable
  ])('%s has none', (text) => {
    expect(hasHiddenCharacters(text)).toBe(false);
  });
});
