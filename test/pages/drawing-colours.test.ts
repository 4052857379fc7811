import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { COLOUR, SERIES, TINTS } from '../../src/site/drawing-colours.js';

const web = (file: string) => readFileSync(join(projectDir(), 'web', file), 'utf8');
const TOKENS = web('styles/tokens.css');
/** The value of a token in the light colours. They come first in the file. */
function token(name: string): string | undefined {
  return new RegExp(`--${name}: ([^;]+);`).exec(TOKENS)?.[1];
}

describe('the colours of share images', () => {
  it('are the light tokens of the pages', () => {
    for (const [name, colour] of Object.entries(COLOUR)) {
      const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect([name, colour]).toEqual([name, token(kebab)]);
    }
    const count = [...TOKENS.matchAll(/--series-\d+:/g)].length / 2;
    expect(SERIES).toEqual(Array.from({ length: count }, (_, i) => token(`series-${i + 1}`)));
    for (const [of, tint] of Object.entries(TINTS)) expect(tint).toBe(token(`tint-${of}`));
  });

  it('of the bar of a phone’s browser are the tokens too', () => {
    const layout = readFileSync(join(projectDir(), 'src', 'site', 'layout.tsx'), 'utf8');
    const [light, dark] = [...TOKENS.matchAll(/--ground: ([^;]+);/g)].map(([, value]) => value);
    expect(layout).toContain(`content="${light}" media="(prefers-color-scheme: light)"`);
    expect(layout).toContain(`content="${dark}" media="(prefers-color-scheme: dark)"`);
  });
});
