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

  it.each([...PRODUCTS.map(({ id }) => id), OWN_ID])(
    'is one page with all that its reader needs: %s',
    async (product) => {
      const { page, faults } = await screens.visit(`/explore/fit?product=${product}&${PEOPLE}`);
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
    },
  );

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
    const { length } = dimensionsOf(readSizesView(new URLSearchParams(query)));
    expect(text.match(/one size serves a range of \S+ mm\. /g) ?? []).toHaveLength(length);
    expect(text).toMatch(/Surveys: .+\([A-Z]{2}, measured \d{4}\)/);
    expect(text).toContain(cited);
    expect(text).not.toContain('Print the report');
    expect(faults).toEqual([]);
  });
});
