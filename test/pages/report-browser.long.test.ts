import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { OWN_ID, PRODUCTS } from '../../src/pages/screens/fit/products.js';
import { dimensionsOf, readSizesView } from '../../src/pages/screens/sizes/address.js';
import { haveBrowser } from '../support/browser.js';
import { copiedText, MAY_COPY, overallShare } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

/** Women and men of four countries: two rows in every table, and many surveys. */
const PEOPLE = 'p=Female~US,DE,CN,IN~18-65&p=Male~US,DE,CN,IN~18-65';
/** What browsers leave free at the edges of a page. */
const EDGE = '10mm';

/** How many pages a PDF has. Chromium writes the objects of pages as plain text. */
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

describe.skipIf(!haveBrowser)('the report of the Fit screen on paper', () => {
  const screens = useScreens({ ready: '.fit-share', artifacts: realArtifacts });

  it.each([
    ...[...PRODUCTS.map(({ id }) => id), OWN_ID].map((product) => [product, ''] as const),
    ['desk', '&me=1720'] as const,
    ['counter', '&me=1720'] as const,
    [OWN_ID, '&me=1720'] as const,
  ])('is one page with all that its reader needs: %s%s', async (product, me) => {
    const address = `/explore/fit?product=${product}${me}&${PEOPLE}`;
    const { page, faults } = await screens.visit(address);
    const share = await overallShare(page);
    await page.locator('.fit-picture svg path').first().waitFor();
    const sizes = await page.locator('.advice strong').allTextContents();
    expect(sizes.length).toBeGreaterThan(0);
    const shown = await printed(page);
    expect([product, pagesOf(shown)]).toEqual([product, 1]);
    await page.emulateMedia({ media: 'print' });
    const picture = page.locator('.fit-picture svg').locator('visible=true').first();
    expect((await picture.boundingBox())?.height ?? 0).toBeGreaterThan(200);
    const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    for (const size of sizes) expect(text).toContain(size);
    expect(text.match(/For 90 % of .+? use/g) ?? []).toHaveLength(1);
    expect(text).toContain(`${(share * 100).toFixed(1)} % of`);
    expect(text).toMatch(/Excluded: |Almost nobody is excluded/);
    expect(text).toMatch(/Women .*Men .*Clothing: /);
    // Every rule has its clearance and where it comes from. Own limits have no rules.
    const rules = PRODUCTS.find(({ id }) => id === product)?.rules ?? [];
    expect(text.match(/Clearance \S+ mm\. /g) ?? []).toHaveLength(rules.length);
    expect(text).toMatch(/Surveys: .+\([A-Z]{2}, measured \d{4}\)/);
    expect(text).toContain(`data ${screens.service.model.artifactVersion}`);
    expect(text).toContain(`${screens.address}/explore/fit?`);
    expect(text).not.toContain('Print the report');
    expect(faults).toEqual([]);
  });

  it('is cited with its version and its link', async () => {
    const { page, faults } = await screens.visit(`/explore/fit?product=bed&${PEOPLE}`, MAY_COPY);
    await overallShare(page);
    const cited = await copiedText(page, () =>
      page.getByRole('button', { name: 'Cite this' }).click(),
    );
    expect(cited).toContain(`data ${screens.service.model.artifactVersion}`);
    const [link = ''] = /http\S+$/.exec(cited) ?? [];
    await page.goto(link);
    await page.getByRole('link', { name: 'Bed', exact: true, disabled: false }).waitFor();
    expect(new URL(page.url()).searchParams.getAll('p')).toHaveLength(2);
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!haveBrowser)('the report of the Sizes screen on paper', () => {
  const screens = useScreens({ ready: '.sizes-count', artifacts: realArtifacts });

  it.each([
    `product=helmet&${PEOPLE}`,
    `product=t-shirt&${PEOPLE}`,
    `product=own&sizes=30&${PEOPLE}`,
  ])('is one page with all that its reader needs, and is cited: %s', async (query) => {
    const { page, faults } = await screens.visit(`/explore/sizes?${query}`, MAY_COPY);
    await page.locator('.sizes-curve path').first().waitFor();
    const answer = (await page.locator('.sizes-count').innerText()).replaceAll(/\s+/g, ' ');
    const rows = await page.locator('.sizes-table tbody tr').allInnerTexts();
    const cited = await copiedText(page, () =>
      page.getByRole('button', { name: 'Cite this' }).click(),
    );
    expect(cited).toContain(`data ${screens.service.model.artifactVersion}`);
    expect(cited).toContain(`${screens.address}/explore/sizes?`);
    expect([query, pagesOf(await printed(page))]).toEqual([query, 1]);
    await page.emulateMedia({ media: 'print' });
    expect((await page.locator('.sizes-curve').boundingBox())?.height ?? 0).toBeGreaterThan(100);
    const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain(answer);
    for (const row of rows) expect(text).toContain(row.replaceAll(/\s+/g, ' ').trim());
    expect(text).toMatch(/People: Women .*Men .*Clothing: no clothing/);
    const { length } = dimensionsOf(readSizesView(query));
    expect(text.match(/one size serves a range of \S+ mm\. /g) ?? []).toHaveLength(length);
    expect(text).toMatch(/Surveys: .+\([A-Z]{2}, measured \d{4}\)/);
    expect(text).toContain(cited);
    expect(text).not.toContain('Print the report');
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!haveBrowser)('the reports of the other screens on paper', () => {
  const screens = useScreens({ ready: '.report', artifacts: realArtifacts });
  const MANY = ['DE', 'FR', 'US', 'CN', 'IN', 'JP'].map((code) => `p=Both~${code}~18-65`).join('&');

  it.each([
    ['', '.people-picture', 36],
    [`?${MANY}&region=hand`, '.people-picture', 100],
    [`/dimension?${PEOPLE}`, '.plot', 0],
    ['/dimension?view=ages&measurement=HandLength', '.plot', 0],
    ['/dimension?view=connected', '.plot', 0],
    ['/person', '.person-still', 30],
    ['/person?from=case&pose=sitting&p=Both~US,DE,CN,IN~18-65', '.person-still', 30],
  ])(
    'are one page with picture, numbers, sources, version and link: %s',
    async (path, picture, numbers) => {
      const { page, faults } = await screens.visit(`/explore${path}`);
      await page
        .locator('.plot path, .people-picture path, [data-state=shown] .person-labels b')
        .locator('visible=true')
        .first()
        .waitFor();
      expect([path, pagesOf(await printed(page))]).toEqual([path, 1]);
      await page.emulateMedia({ media: 'print' });
      const shown = page.locator(picture).locator('visible=true').first();
      expect((await shown.boundingBox())?.height ?? 0).toBeGreaterThan(150);
      const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
      expect(text).toMatch(/Surveys: .+\([A-Z]{2}, measured \d{4}\)/);
      expect(text).toContain(`data ${screens.service.model.artifactVersion}`);
      expect(text).toContain(`${screens.address}/explore`);
      expect(text).not.toContain('Print the report');
      expect(text).not.toContain('Bearer');
      const cells = page.locator('main td.number').locator('visible=true');
      expect(await cells.count()).toBeGreaterThanOrEqual(numbers);
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
    // A standing person covers a part of the picture; skin is light.
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
