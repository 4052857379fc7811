import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import { Marked, type RendererObject, type Tokens } from 'marked';

/** A heading of a page, for the table of contents. */
export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** Rendered Markdown. */
export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** A page of the site. */
export interface PagePlace {
  readonly href: string;
  readonly title: string;
}

/** Maps files of the project to addresses on the site. */
export interface FilePlaces {
  /** Page of a file, such as `docs/accuracy.md`; undefined if it has no page. */
  readonly pageOf: (file: string) => PagePlace | undefined;
  /** Address of a picture; undefined if the service does not serve it. */
  readonly pictureOf: (
    file: string,
  ) => { readonly href: string; readonly width: number; readonly height: number } | undefined;
}

/**
 * Renders a Markdown file of the project. Its text cannot inject markup: raw HTML is shown as text, links
 * lead only to pages, anchors or https, and pictures come from this service.
 */
export function renderMarkdown(text: string, places: FilePlaces): Rendered {
  const headings: Heading[] = [];
  const marked = new Marked<string, string>({ gfm: true, renderer: rendererOf(headings, places) });
  return { html: marked.parse(text, { async: false }), headings };
}

/** Maximum length of a number in a table. Longer cells of right-aligned columns are words and may wrap. */
const LONGEST_NUMBER = 16;

const FILE_NAME = /^[\w/-]+\.md$/;

/** A heading. It may end with an explicit id, as in `## Title {#id}`. */
const HEADING = /^(.*?)(?: \{#([\w-]+)\})?$/s;

function rendererOf(headings: Heading[], places: FilePlaces): RendererObject<string, string> {
  // A link cannot be inside another link.
  let isInLink = false;
  return {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth }) {
      const [, inner = '', given] = HEADING.exec(this.parser.parseInline(tokens)) ?? [];
      const text = withoutEntities(inner.replace(/<[^>]*>/g, ''));
      const id = given ?? uniqueId(slugOf(text), headings);
      headings.push({ id, level: depth, text });
      return headingHtml(depth, id, inner);
    },
    code: ({ text, lang }) => codeBlock(text, lang ?? 'text'),
    codespan({ text }) {
      const page = places.pageOf(text);
      const code = `<code>${escapeHtml(text)}</code>`;
      if (page === undefined || isInLink) return code;
      return text.startsWith('/') ? `<a href="${escapeHtml(text)}">${code}</a>` : pageLink(page);
    },
    link({ href, tokens, text }) {
      const page = places.pageOf(href);
      // The site shows the title of a page in place of its file name.
      if (page !== undefined && FILE_NAME.test(text)) return pageLink(page);
      isInLink = true;
      const inner = this.parser.parseInline(tokens);
      isInLink = false;
      const target = targetOf(href, places);
      return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
    },
    image({ href, text }) {
      const source = places.pictureOf(href);
      if (source === undefined) return escapeHtml(text);
      const { href: at, width, height } = source;
      return `<img src="${escapeHtml(at)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
    },
    table(token: Tokens.Table) {
      const stacks = isWide(token);
      const cell = (one: Tokens.TableCell, tag: 'th' | 'td', column = 0) => {
        const { tokens, align, text } = one;
        const short = text.length <= LONGEST_NUMBER;
        const number = align === 'right' && (short || tag === 'th') ? ' class="number"' : '';
        const name = token.header[column]?.text ?? '';
        const label = stacks && column > 0 ? ` data-label="${escapeHtml(name)}"` : '';
        return `<${tag}${number}${label}>${this.parser.parseInline(tokens)}</${tag}>`;
      };
      const head = token.header.map((one) => cell(one, 'th')).join('');
      // Rows of a table of names have ids, so that links can lead to them, as in /docs/sources#Stature.
      const named = token.header[0]?.text === 'name';
      const idOf = (text = '') => (named && /^\w+$/.test(text) ? ` id="${text}"` : '');
      const rows = token.rows.map(
        (row) =>
          `<tr${idOf(row[0]?.text)}>${row.map((one, column) => cell(one, 'td', column)).join('')}</tr>`,
      );
      return scrolling(
        `<table${stacks ? ' class="stacking"' : ''}><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
      );
    },
  };
}

/** Long code does not wrap. A second column beside it does not fit on a phone. */
const LONG_CODE = /`[^`]{21,}`/;

/** Columns of a table of numbers that a phone has room for. */
const NUMBERS_MAX = 4;

/** Whether a table is too wide for a phone: one of words instead of numbers, or with many columns. */
function isWide({ header, rows }: Tokens.Table): boolean {
  const isNumber = (cell: Tokens.TableCell) =>
    cell.align === 'right' && cell.text.length <= LONGEST_NUMBER;
  const numbers = header.filter((_, column) =>
    rows.every(({ [column]: cell }) => cell !== undefined && isNumber(cell)),
  );
  if (numbers.length * 2 >= header.length - 1) return header.length > NUMBERS_MAX;
  return header.length > 2 || rows.some(([first]) => LONG_CODE.test(first?.text ?? ''));
}

function pageLink({ href, title }: PagePlace): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`;
}

function headingHtml(level: number, id: string, inner: string): string {
  const link = `<a class="heading-link" href="#${id}" aria-label="Link to this section">#</a>`;
  return `<h${level} id="${id}">${inner} ${level === 1 ? '' : link}</h${level}>`;
}

/** A block of code as HTML. It scrolls by itself, and a keyboard can reach it. */
export function codeBlock(text: string, language: string): string {
  const name = escapeHtml(language.replace(/[^\w-]/g, ''));
  const inner = highlighted(text, name) ?? escapeHtml(text);
  return `<pre class="code" tabindex="0" data-language="${name}"><code>${inner}</code></pre>`;
}

/** A table that scrolls by itself. A keyboard can reach it. */
function scrolling(table: string): string {
  return `<div class="table-scroll" tabindex="0" role="group" aria-label="Table">${table}</div>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? 'section' : slug;
}

function uniqueId(slug: string, headings: readonly Heading[]): string {
  const taken = (id: string) => headings.some((heading) => heading.id === id);
  if (!taken(slug)) return slug;
  let n = 2;
  while (taken(`${slug}-${n}`)) n++;
  return `${slug}-${n}`;
}

function targetOf(href: string, places: FilePlaces): string | undefined {
  if (/^(#|\/(?!\/)|https:\/\/)/.test(href)) return href;
  return places.pageOf(href)?.href;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

/** Text with characters in place of their names in HTML. */
export function withoutEntities(html: string): string {
  return html.replaceAll(/&(?:lt|gt|amp|quot|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}

const LANGUAGES = { bash, json, python, sql, typescript } as const;
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Names of code blocks in documents, with the language of the code. */
const ALIASES: Readonly<Record<string, keyof typeof LANGUAGES>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'typescript',
  py: 'python',
};

/**
 * Code as HTML with escaped characters. The parts are in `span` elements, whose classes name them
 * (`hljs-string`). Undefined for an unknown language.
 */
function highlighted(text: string, name: string): string | undefined {
  const language = ALIASES[name] ?? name;
  if (!Object.hasOwn(LANGUAGES, language)) return undefined;
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}
