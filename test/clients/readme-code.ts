import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The code of a README in one language. It gets a real address and key, and `people` in place of 10,000. */
export function readmeCode(
  folder: string,
  language: string,
  env: Record<string, string>,
  people: number,
): string {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))];
  return blocks
    .map(([, code]) => code)
    .join('\n')
    .replace('http://127.0.0.1:3000', env.VITRUVIA_URL ?? '')
    .replace('vt_live_…', env.VITRUVIA_API_KEY ?? '')
    .replaceAll('count: 10_000', `count: ${people}`);
}
