import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { COLOUR, DARK } from '../../src/site/drawing-colours.js';

const web = (file: string) => readFileSync(join(projectDir(), 'web', file), 'utf8');
const TOKENS = web('styles/tokens.css');
/** The values of a token in the light and in the dark colours, which follow each other in the file. */
function token(name: string): (string | undefined)[] {
  return [...TOKENS.matchAll(new RegExp(`--${name}: ([^;]+);`, 'g'))].map(([, value]) => value);
}

describe('the colours of share images', () => {
  it('are the tokens of the pages', () => {
    for (const [name, colour] of Object.entries(COLOUR)) {
      const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect([name, colour]).toEqual([name, token(kebab)[0]]);
    }
    for (const [name, colour] of Object.entries(DARK)) expect(colour).toBe(token(name)[1]);
  });

  it('of the bar of a phone’s browser are the tokens too', () => {
    const layout = readFileSync(join(projectDir(), 'src', 'site', 'layout.tsx'), 'utf8');
    const [light, dark] = token('ground');
    expect(layout).toContain(`content="${light}" media="(prefers-color-scheme: light)"`);
    expect(layout).toContain(`content="${dark}" media="(prefers-color-scheme: dark)"`);
  });
});
