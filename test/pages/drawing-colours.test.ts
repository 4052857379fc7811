import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { COLOUR, figureStyles, peopleStyles, SERIES } from '../../src/pages/drawing-colours.js';
import { haveBrowser } from '../support/browser.js';
import { useBrowser } from '../support/screens.js';

const web = (file: string) => readFileSync(join(projectDir(), 'web', file), 'utf8');
const TOKENS = web('styles/tokens.css');
/** The style rules of the pages for all that share images draw. */
const PAGE_STYLES = [
  TOKENS,
  ...['styles/people.css', 'dimension/figure.css', 'fit/fit.css', 'styles/sheet.css'].map(web),
  web('widgets/fields.css'),
].join('\n');

/** The value of a token in the light colours. They come first in the file. */
function token(name: string): string | undefined {
  return new RegExp(`--${name}: ([^;]+);`).exec(TOKENS)?.[1];
}

describe('the colours of share images', () => {
  it('are the light tokens of the pages', () => {
    // The mixed colours are covered by the test in a browser.
    const { skin: _skin, outline: _outline, detail: _detail, prop: _prop, ...plain } = COLOUR;
    for (const [name, colour] of Object.entries(plain)) {
      const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect([name, colour]).toEqual([name, token(kebab)]);
    }
    const count = [...TOKENS.matchAll(/--series-\d+:/g)].length / 2;
    expect(SERIES).toEqual(Array.from({ length: count }, (_, i) => token(`series-${i + 1}`)));
  });

  it('of the bar of a phone’s browser are the tokens too', () => {
    const layout = readFileSync(join(projectDir(), 'src', 'pages', 'layout.tsx'), 'utf8');
    const [light, dark] = [...TOKENS.matchAll(/--ground: ([^;]+);/g)].map(([, value]) => value);
    expect(layout).toContain(`content="${light}" media="(prefers-color-scheme: light)"`);
    expect(layout).toContain(`content="${dark}" media="(prefers-color-scheme: dark)"`);
  });
});

describe.skipIf(!haveBrowser)('the colours of share images in a browser', () => {
  const browser = useBrowser();

  it('are those of the same parts on the pages', async () => {
    const [people, figure] = [peopleStyles(1), figureStyles(1)];
    const svg =
      svgOf('people-picture', classesIn(people)) +
      svgOf('figure scene', classesIn(figure), '<circle/><text>1</text>');
    const { page } = await browser.blank('http://localhost', { colorScheme: 'light' });
    const onPages = await paints(page, PAGE_STYLES, svg);
    const inImages = await paints(page, people + figure, svg);
    expect(inImages).toEqual(onPages);
    expect(inImages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^series-2 people-p50 overlaid: [\d,]+ at 0.18/),
        expect.stringMatching(/^series-10 need: none at 1, [\d,]+$/),
      ]),
    );
  });
});

/** The classes that styles name, such as `people-p50 overlaid`. Classes of series are left out. */
function classesIn(styles: string): string[] {
  const names = styles.match(/\.(?!series|sheet)[a-z][\w-]*(?:\.(?!series)[a-z]+)?/g);
  return [...new Set(names)]
    .map((selector) => selector.slice(1).replace('.', ' '))
    .map((name) => (name === 'people-region' ? `${name} chosen` : name));
}

/** A picture with a part for each class and series, and a number of a sheet. */
function svgOf(picture: string, classes: readonly string[], number = ''): string {
  const parts = SERIES.map((_, index) => {
    const series = `series-${index + 1}`;
    const own = (name: string) => (name === 'need' ? `${name} ${series}` : name);
    return `<g class="${series}">${classes.map((name) => `<path class="${own(name)}"/>`).join('')}</g>`;
  });
  return `<svg class="${picture}">${parts.join('')}<g class="sheet-number">${number}</g></svg>`;
}

/** Class, fill and stroke of every part. Colours are bytes; the fill has its opacity. */
async function paints(page: Page, styles: string, svg: string): Promise<string[]> {
  await page.setContent(`<style>${styles}</style>${svg}`);
  return await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const bytes = (colour: string) => {
      if (canvas === null || colour === 'none') return colour;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data].join();
    };
    return [...document.querySelectorAll('path, circle, text')].map((part) => {
      const { fill, fillOpacity, stroke } = getComputedStyle(part);
      const series = part.closest('g[class^=series]')?.getAttribute('class');
      const name = part.getAttribute('class')?.replace(/ series-.*/, '') ?? part.tagName;
      return `${series} ${name}: ${bytes(fill)} at ${fillOpacity}, ${bytes(stroke)}`;
    });
  });
}
