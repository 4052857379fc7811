import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../../src/screens/fit/products.js';
import { accessibilityFaults, haveBrowser } from '../support/browser.js';
import { overallShare, pngSize, savedFile, tabTo } from '../support/screen-page.js';
import { DESKTOP, PHONE, useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { itInWholeRun } from '../support/whole-run.js';

/** A desk that fits some of the invented people of the tests. Their knees are as high as a table. */
const DESK = '/explore/fit?low=850&high=950&clear=0,-50,-600,-50';

describe.skipIf(!haveBrowser)('the Fit screen in a browser', () => {
  const screens = useScreens({ ready: '.fit-share' });
  const { visit } = screens;
  /** No chair suits the invented people. */
  const real = useScreens({ ready: '.fit-share', artifacts: realArtifacts });

  it('changes a size by dragging and by arrow keys, advises others, and goes back', async () => {
    const { page, faults } = await visit(DESK);
    const before = await overallShare(page);
    const handle = page.getByRole('slider', { name: 'Lowest top height', exact: true });
    await handle.locator('.grip').scrollIntoViewIfNeeded();
    const grip = await handle.locator('.grip').boundingBox();
    const [x, y] = [(grip?.x ?? 0) + 8, (grip?.y ?? 0) + 8];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 15, { steps: 6 });
    await page.mouse.up();
    await page.waitForURL((url) => !url.search.includes('low=850'));
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBeGreaterThan(870);
    const after = await overallShare(page);
    expect(after).toBeGreaterThan(0.02);
    expect(after).toBeLessThan(before);
    await page.goBack();
    expect(await overallShare(page)).toBe(before);
    await tabTo(page, 'Lowest top height, ruler');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.waitForURL(/low=839/);
    expect(faults).toEqual([]);
  });

  itInWholeRun(
    'keeps the choice that people wear nothing on the way to another screen and back',
    async () => {
      const { page, faults } = await real.visit('/explore/fit?product=chair&p=Male~US~18-65');
      const shownCall = () => page.locator('pre.call').textContent();
      const screenNav = page.locator('.screens-nav');
      expect(await shownCall()).toContain('"clothing":"light_shoes"');
      await page.locator('.population-name').click();
      await page.getByLabel('Clothing').selectOption('None (nude)');
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('Men, US, 18–65, nude').first().waitFor();
      await screenNav.getByRole('link', { name: 'Body' }).click();
      await page.getByText('Men, US, 18–65, nude').first().waitFor();
      await screenNav.getByRole('link', { name: 'Fit' }).click();
      await page.locator('.view-links [href*="product=chair"]').click();
      await page.waitForURL(/product=chair.*~nude/);
      await page.locator('.pair[aria-busy=false]').waitFor({ state: 'attached' });
      expect(await shownCall()).toContain('"clothing":"nude"');
      expect(faults).toEqual([]);
    },
  );

  it('shows all products with pictures, and one can be chosen by keyboard', async () => {
    const { page, faults } = await real.visit('/explore/fit?product=chair&p=Male~US~18-65');
    const button = page.getByText('All products');
    const height = () => page.locator('.gallery').evaluate((one) => one.clientHeight);
    const closed = await height();
    expect(closed).toBeLessThan(50);
    await button.focus();
    await page.keyboard.press('Enter');
    const all = page.getByRole('navigation', { name: 'All products' });
    await all.waitFor();
    expect(await all.getByRole('link').count()).toBe(PRODUCTS.length);
    expect(await all.locator('.product-icon').count()).toBe(PRODUCTS.length);
    expect(await all.locator('[aria-current=page]').allInnerTexts()).toEqual(['Chair']);
    // The pictures are over the page, so that nothing moves.
    expect(await height()).toBe(closed);
    await page.keyboard.press('Escape');
    await all.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await tabTo(page, 'Handrail', '.gallery-all a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/product=handrail/);
    await all.waitFor({ state: 'hidden' });
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
    // The row beside the button has the product, too.
    const row = page.getByRole('navigation', { name: 'Products', exact: true });
    expect(await row.locator('[aria-current=page]').allInnerTexts()).toEqual(['Handrail']);
    await row.getByRole('link', { name: 'Own limits' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows what follows in tabs, by keys too, and keeps the open tab for another product', async () => {
    const { page, faults } = await real.visit('/explore/fit?product=chair');
    const opens = async (name: string) => {
      expect(await page.getByRole('tab', { selected: true }).allTextContents()).toEqual([name]);
      expect(await page.getByRole('tabpanel').count()).toBe(1);
      expect(await page.getByRole('tabpanel', { name, exact: true }).count()).toBe(1);
    };
    await opens('Who fits');
    await tabTo(page, 'Who fits', '[role=tab]');
    const isOpen = async (key: string, name: string) => {
      await page.keyboard.press(key);
      await opens(name);
      expect(await page.locator(':focus').textContent()).toBe(name);
    };
    await isOpen('ArrowLeft', 'API');
    await isOpen('ArrowRight', 'Who fits');
    await isOpen('ArrowRight', 'Sizes needed');
    await isOpen('End', 'API');
    await isOpen('Home', 'Who fits');
    await isOpen('ArrowRight', 'Sizes needed');
    // The next stop is in the open panel, and not another tab.
    await page.keyboard.press('Tab');
    const panel = page.getByRole('tabpanel', { name: 'Sizes needed' });
    expect(await panel.locator(':focus').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?product=chair');
    await page.locator('.view-links [href*="product=bed"]').click();
    await page.waitForURL(/product=bed/);
    await page.locator('.fit-results[aria-busy=false]').waitFor({ state: 'attached' });
    await opens('Sizes needed');
    // The caption is pale until the pictures have come.
    await page.locator('.pale').waitFor({ state: 'detached' });
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('leads from a refused population to its first wrong field', async () => {
    const { page } = await visit(DESK);
    const wrong = () =>
      page.locator('[aria-invalid=true]:focus').evaluate((one) => {
        const [label] = (one as HTMLInputElement).labels ?? [];
        return label?.textContent;
      });
    await page.getByRole('button', { name: 'Add population' }).click();
    const done = page.getByRole('button', { name: 'Done' });
    await done.click();
    expect(await wrong()).toBe('Add a country or a set of countries');
    await page.getByText('Choose at least one country.').waitFor();
    await page.keyboard.type('Japan');
    await page.keyboard.press('Enter');
    const remove = page.getByRole('button', { name: 'Remove Japan' });
    await remove.waitFor();
    // On a phone, two populations share a row. A country must still have enough space.
    await page.setViewportSize(PHONE);
    const rightOf = (one: Element) => one.getBoundingClientRect().right;
    const chip = page.locator('.population-places .chip');
    expect(await remove.evaluate(rightOf)).toBeLessThanOrEqual(await chip.evaluate(rightOf));
    await page.setViewportSize(DESKTOP);
    await page.getByLabel('Oldest age').fill('200');
    await page.getByLabel('Youngest age').fill('18');
    await done.click();
    expect(await wrong()).toBe('Oldest age');
  });

  it('draws own limits as a box, whose edges can be dragged', async () => {
    const { page, faults } = await visit(
      '/explore/fit?limit=Stature~1500~1900&limit=SittingHeight~~2500',
      { colorScheme: 'dark' },
    );
    const before = await overallShare(page);
    const edge = page.getByRole('slider', { name: 'Largest stature, upper edge of the box' });
    await edge.locator('.grip').scrollIntoViewIfNeeded();
    const box = (await edge.locator('.grip').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + 7, box.y + 7);
    await page.mouse.down();
    await page.mouse.move(box.x - 150, box.y + 7, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL((url) => !url.search.includes('~1900'));
    expect(await overallShare(page)).toBeLessThan(before);
    await page.getByRole('combobox', { name: 'Add a limit' }).fill('hand length');
    await page
      .getByRole('option', { name: /^Hand length/ })
      .first()
      .click();
    await page.waitForURL(/limit=HandLength~~auto/);
    await page.getByRole('radio', { name: 'ft-in' }).check();
    await page.waitForURL(/unit=ft-in/);
    expect(await page.getByRole('textbox', { name: 'Largest' }).first().inputValue()).toMatch(
      /^\d ft \d+\.\d in$/,
    );
    expect(faults).toEqual([]);
  });

  it('exports a tidy table', async () => {
    const { page } = await visit(
      '/explore/fit?product=bed&p=Male~NL~18-65&who=1812~Male~45~83.5~Zebedee',
    );
    const { name, bytes: csv } = await savedFile(page, 'CSV');
    expect(name).toMatch(/^vitruvia-fit-bed-Men-NL-18-65-.+\.csv$/);
    const [head = '', first = ''] = csv.toString('utf8').split('\r\n');
    expect(head).toContain('product,population,gender,countries,age_min_years');
    expect(first).toMatch(/^bed,"Men, NL, 18–65",Male,NL,18,65,nude,standing_erect,Stature,/);
    // What is saved or cited goes to others: no address in the table, and no known person in an address.
    expect(csv.toString('utf8')).not.toMatch(/Zebedee|1812|\/explore/);
    const svg = (await savedFile(page, 'Product SVG')).bytes.toString('utf8');
    const source = [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text).join('');
    expect(source.replaceAll(' ', '')).toContain('/explore/fit?product=bed');
    expect(source).not.toContain('who=');
    expect(await page.locator('.report-cite').textContent()).not.toContain('who=');
  });

  it('exports pictures that stand alone, and prints its report on one page', async () => {
    const { page, faults } = await visit(
      '/explore/fit?product=bed&p=Male~NL~18-65~winter&length=1900&width=2200',
      { colorScheme: 'dark' },
    );
    const version = screens.service.model.artifactVersion;
    for (const label of ['Product', 'Plot'] as const) {
      const { name, bytes } = await savedFile(page, `${label} SVG`);
      const what = label === 'Plot' ? 'Stature-WholeBodyBreadthMax-' : '';
      expect(name).toBe(
        `vitruvia-fit-bed-${what}length-1900-width-2200-mm-Men-NL-18-65-winter-clothing-${version}.svg`,
      );
      const svg = bytes.toString('utf8');
      const texts = [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text).join(' ');
      expect(texts).toContain('Length 1,900 mm, Width 2,200 mm');
      expect(texts).toContain(`data ${version}`);
      // The picture does not depend on the page: neither on its styles nor on its dark colours.
      expect(svg).not.toMatch(/class=|var\(|color\(|role=|tabindex/);
      expect(svg).toMatch(/<rect[^>]*fill="#fdfcf9"/);
      const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
      const png = await savedFile(page, `${label} PNG`);
      expect(pngSize(png.bytes)).toEqual([Number(width) * 2, Number(height) * 2]);
    }
    await page.setViewportSize({ width: 703, height: 1032 });
    await page.emulateMedia({ media: 'print' });
    const picture = await page.locator('.scene').boundingBox();
    expect(picture?.width).toBeGreaterThan(600);
    expect(await page.locator('.one-page').getByRole('button').count()).toBe(0);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    // Chromium writes the objects of pages as plain text.
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});
