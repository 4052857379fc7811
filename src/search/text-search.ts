import MiniSearch from 'minisearch';

/** A section of a text that can be found. */
export interface TextSection {
  /** Unique address of the section. */
  readonly href: string;
  readonly title: string;
  readonly text: string;
  /** Factor of the section's score among the results. By default, 1. */
  readonly weight?: number;
}

/** A found section. */
export interface FoundSection {
  readonly section: TextSection;
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

const EXCERPT_CHARS = 180;

/** Words of a query that are searched. */
const TERMS_MAX = 12;
/**
 * A single letter has no meaning here, because half of all words begin with it. A single digit or Han character has
 * one.
 */
const MEANT = /^(?:..|\p{N}|\p{Script=Han})/u;

/** The words of a query that are searched: the first twelve with a meaning. */
export function queryTerms(query: string): string[] {
  const words: string[] = MiniSearch.getDefault('tokenize')(query);
  return words.filter((word) => MEANT.test(word)).slice(0, TERMS_MAX);
}

/** Finds sections of texts by words. Small spelling mistakes and beginnings of words also match. */
export class TextSearch {
  readonly #index: MiniSearch<TextSection>;
  readonly #sections: ReadonlyMap<string, TextSection>;

  constructor(sections: readonly TextSection[]) {
    this.#sections = new Map(sections.map((section) => [section.href, section]));
    this.#index = new MiniSearch({
      idField: 'href',
      fields: ['title', 'text'],
      searchOptions: {
        tokenize: queryTerms,
        boost: { title: 3 },
        boostDocument: (href) => this.#sections.get(String(href))?.weight ?? 1,
        prefix: true,
        fuzzy: 0.2,
      },
    });
    this.#index.addAll([...this.#sections.values()]);
  }

  /**
   * The best sections for a query, the best first. Sections with all words come before others.
   *
   * @param most maximum number of sections
   */
  find(query: string, most: number): readonly FoundSection[] {
    const every = this.#index.search(query, { combineWith: 'AND' });
    const results = every.length > 0 ? every : this.#index.search(query);
    return results.slice(0, most).flatMap(({ id, terms }) => {
      const section = this.#sections.get(String(id));
      return section === undefined ? [] : [{ section, excerpt: excerptOf(section.text, terms) }];
    });
  }
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - EXCERPT_CHARS / 3)));
  const isCut = from + EXCERPT_CHARS < text.length;
  const until = isCut ? text.lastIndexOf(' ', from + EXCERPT_CHARS) : text.length;
  // A word longer than the excerpt is cut.
  const piece = text.slice(from, until > from ? until : from + EXCERPT_CHARS).trim();
  return `${from > 0 ? '… ' : ''}${piece}${isCut ? ' …' : ''}`;
}
