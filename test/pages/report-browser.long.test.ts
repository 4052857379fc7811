import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { OWN_ID, PRODUCTS } from '../../src/screens/fit/products.js';
import { dimensionsOf, readSizesView } from '../../src/screens/sizes/address.js';
import { haveBrowser } from '../support/browser.js';
import { copiedText, MAY_COPY, openExports, overallShare } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

/** Women and men of four countries. Every table has two rows, and there are many surveys. */
const PEOPLE = 'p=Female~US,DE,CN,IN~18-65&p=Male~US,DE,CN,IN~18-65';
/** Space that browsers leave free at the edges of a page. */
const EDGE = '10mm';

/** Number of pages of a PDF. Chromium writes the objects of pages as plain text. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

/** The PDF that the browser prints. */
function printed(page: Page): Promise<Buffer> {
  return page.pdf({
    format: 'A4',
    margin: { top: EDGE, right: EDGE, bottom: EDGE, left: EDGE },
  });
}

/** The text of a page in one line. */
async function lineOf(page: Page, selector: string): Promise<string> {
  const text = await page.locator(selector).locator('visible=true').first().innerText();
  return text.replaceAll(/\s+/g, ' ');
}

/**
 * Reads a screen before it is printed, and returns a function. That function checks that the printed text shows the
 * same values.
 */
type Reading = (page: Page, query: string) => Promise<(text: string) => void>;

const readFit: Reading = async (page, query) => {
  const share = await overallShare(page);
  const sizes = await page.locator('.advice strong').allTextContents();
  expect(sizes.length).toBeGreaterThan(0);
  return (text) => {
    for (const size of sizes) expect(text).toContain(size);
    expect(text.match(/For 90 % of .+? use/g) ?? []).toHaveLength(1);
    expect(text).toContain(`${(share * 100).toFixed(1)} % of`);
    expect(text).toMatch(/Excluded: |Almost nobody is excluded/);
    expect(text).toMatch(/Women .*Men .*Clothing: /);
    // Every rule is printed with its clearance and its source. A user's own limits have no rules.
    const product = new URLSearchParams(query).get('product');
    const rules = PRODUCTS.find(({ id }) => id === product)?.rules ?? [];
    expect(text.match(/Clearance \S+ mm\. /g) ?? []).toHaveLength(rules.length);
  };
};

const readSizes: Reading = async (page, query) => {
  const answer = await lineOf(page, '.sizes-count');
  const rows = await page.locator('.sizes-table tbody tr').allInnerTexts();
  return (text) => {
    for (const part of [answer, ...rows])
      expect(text).toContain(part.replaceAll(/\s+/g, ' ').trim());
    expect(text).toMatch(/People: Women .*Men .*Clothing: no clothing/);
    const { length } = dimensionsOf(readSizesView(query));
    expect(text.match(/one size serves a range of \S+ mm\. /g) ?? []).toHaveLength(length);
  };
};

/** Reads a screen whose table has at least this many numbers. */
const readNumbers =
  (count: number): Reading =>
  async (page) => {
    const cells = page.locator('main td.number').locator('visible=true');
    expect(await cells.count()).toBeGreaterThanOrEqual(count);
    return (text) => expect(text).not.toContain('Bearer');
  };

const MANY = ['DE', 'FR', 'US', 'CN', 'IN', 'JP'].map((code) => `p=Both~${code}~18-65`).join('&');
const FIT = ['.fit-picture svg', '.fit-picture svg path', 200, readFit] as const;
const SIZES = ['.sizes-curve', '.sizes-curve path', 100, readSizes] as const;
const BODY = ['.people-picture', '.people-picture path', 150] as const;
const DIMENSION = ['.plot', '.plot path', 150, readNumbers(0)] as const;
const PERSON = ['.person-still', '[data-state=shown] .person-labels b', 150] as const;

describe.skipIf(!haveBrowser)('the report of a screen on paper', () => {
  const screens = useScreens({ ready: '.tab-list, .report', artifacts: realArtifacts });

  it.each<[string, string, string, number, Reading]>([
    ...['car-seat', OWN_ID, 'desk&me=1720'].map((product): [string, ...typeof FIT] => [
      `/fit?product=${product}&${PEOPLE}`,
      ...FIT,
    ]),
    ...['helmet', 'own&sizes=30'].map((product): [string, ...typeof SIZES] => [
      `/sizes?product=${product}&${PEOPLE}`,
      ...SIZES,
    ]),
    ['', ...BODY, readNumbers(36)],
    [`?${MANY}&region=hand`, ...BODY, readNumbers(100)],
    [`/dimension?${PEOPLE}`, ...DIMENSION],
    ['/dimension?view=ages&measurement=HandLength', ...DIMENSION],
    ['/dimension?view=connected', ...DIMENSION],
    ['/person', ...PERSON, readNumbers(30)],
    ['/person?from=case&pose=sitting&p=Both~US,DE,CN,IN~18-65', ...PERSON, readNumbers(30)],
  ])(
    'is one page with picture, numbers, sources, version and link: %s',
    async (path, picture, drawn, heightPx, read) => {
      const { page, faults } = await screens.visit(`/explore${path}`);
      await page.locator(drawn).locator('visible=true').first().waitFor();
      const check = await read(page, path.replace(/^.*\?/, ''));
      expect([path, pagesOf(await printed(page))]).toEqual([path, 1]);
      await page.emulateMedia({ media: 'print' });
      const shown = page.locator(picture).locator('visible=true').first();
      expect((await shown.boundingBox())?.height ?? 0).toBeGreaterThan(heightPx);
      const text = await lineOf(page, 'main');
      check(text);
      expect(text).toMatch(/Surveys: .+\([A-Z]{2}, measured \d{4}\)/);
      expect(text).toContain(`data ${screens.service.model.artifactVersion}`);
      expect(text).toContain(`${screens.address}/explore`);
      expect(text).not.toContain('Print the report');
      expect(faults).toEqual([]);
    },
  );

  it.each(['/fit?product=bed', '/sizes?product=helmet'])(
    'is cited with its version and its link: %s',
    async (path) => {
      const { page, faults } = await screens.visit(`/explore${path}&${PEOPLE}`, MAY_COPY);
      await openExports(page);
      const cite = () => page.getByRole('button', { name: 'Cite this' }).click();
      const cited = await copiedText(page, cite);
      expect(cited).toContain(`data ${screens.service.model.artifactVersion}`);
      expect(await lineOf(page, '.report')).toContain(cited);
      const [link = ''] = /http\S+$/.exec(cited) ?? [];
      expect(link).toContain(`${screens.address}/explore${path.replace(/\?.*/, '')}?`);
      await page.goto(link);
      await page.locator('.tab-list, .report').first().waitFor();
      expect(new URL(page.url()).searchParams.getAll('p')).toHaveLength(2);
      expect(faults).toEqual([]);
    },
  );

  it('shows the person as it was turned, in light colours, and not an empty canvas', async () => {
    const { page } = await screens.visit('/explore/person', { colorScheme: 'dark' });
    await page.locator('[data-state=shown] .person-labels b').first().waitFor();
    const stills: string[] = [];
    for (const side of ['Front', 'Back']) {
      await page.getByRole('button', { name: side, exact: true }).click();
      await printed(page);
      stills.push(
        await page
          .locator('.person-still')
          .evaluate((still) => (still as HTMLCanvasElement).toDataURL()),
      );
    }
    expect(stills[0]).not.toBe(stills[1]);
    const colours = await page.locator('.person-still').evaluate((still) => {
      const { width, height } = still as HTMLCanvasElement;
      const pixels =
        (still as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      let [drawn, light] = [0, 0];
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at + 3] !== 255) continue;
        drawn += 1;
        if ((pixels[at] ?? 0) > 190) light += 1;
      }
      return { drawn: drawn / (width * height), light: light / drawn };
    });
    // A standing person covers a part of the picture. The skin is light.
    expect(colours.drawn).toBeGreaterThan(0.03);
    expect(colours.light).toBeGreaterThan(0.1);
    // The screen has its own colours and size again.
    const size = await page
      .locator('.person-canvas canvas')
      .first()
      .evaluate((canvas) => [(canvas as HTMLCanvasElement).width, canvas.clientWidth]);
    expect(size[0]).toBe(size[1]);
  });
});
