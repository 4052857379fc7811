import { describe, expect, it } from 'vitest';
import { queryTerms, TextSearch } from '../../src/search/text-search.js';

describe('the words of a query that are searched', () => {
  it('are no single letters', () => {
    expect(queryTerms('a b c arm é x')).toEqual(['arm']);
  });

  it('may be single digits and Han characters', () => {
    expect(queryTerms('P 5 手')).toEqual(['5', '手']);
  });

  it('are at most twelve', () => {
    const words = Array.from({ length: 50 }, (_, index) => `word${index}`);
    expect(queryTerms(words.join(' '))).toEqual(words.slice(0, 12));
  });
});

it('a query of nothing but single letters finds nothing', () => {
  const search = new TextSearch([{ href: '/one', title: 'One', text: 'a b c' }]);
  expect(search.find('a b c', 5)).toEqual([]);
  expect(search.find('one', 5)).toHaveLength(1);
});
