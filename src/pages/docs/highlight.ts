import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';

const LANGUAGES = { bash, json, python, sql, typescript } as const;
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Names of blocks in documents, and the language that they are in. */
const ALIASES: Readonly<Record<string, keyof typeof LANGUAGES>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'typescript',
  py: 'python',
};

/**
 * Code as HTML: the text with its characters escaped, in `span` elements whose classes name what the
 * parts are (`hljs-string`). Undefined for a language that is not known here.
 */
export function highlighted(text: string, name: string): string | undefined {
  const language = ALIASES[name] ?? name;
  if (!Object.hasOwn(LANGUAGES, language)) return undefined;
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}
