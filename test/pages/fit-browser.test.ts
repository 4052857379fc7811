import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../../src/screens/fit/products.js';
import { accessibilityFaults, haveBrowser } from '../support/browser.js';
import {
  answerOfShownCall,
  holdAnswers,
  overallShare,
  pngSize,
  savedFile,
  tabTo,
} from '../support/screen-page.js';
import { DESKTOP, PHONE, useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { isWholeRun } from '../support/whole-run.js';

/** A desk that fits some of the invented people of the tests. Their knees are as high as a table. */
const DESK = '/explore/fit?low=850&high=950&clear=0,-50,-600,-50';

describe.skipIf(!haveBrowser)('the Fit screen in a browser', () => {
  const screens = useScreens({ ready: '.fit-share' });
  const { visit } = screens;

  it.each([
    ['product=desk&low=600&high=700&knees=610', DESKTOP],
    ['product=doorway', PHONE],
  ])('has no length over or under a handle: %s', async (query, device) => {
    const { page } = await visit(`/explore/fit?${query}`, { viewport: device });
    await page.locator('.scene .dimension text').first().waitFor();
    const covered = await page.locator('.scene').evaluate((scene) => {
      const boxes = (selector: string) =>
        [...scene.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
      const [grips, texts] = [boxes('.grip'), boxes('.dimension text')];
      const meet = (one: DOMRect, other: DOMRect) =>
        one.left < other.right - 1 &&
        other.left < one.right - 1 &&
        one.top < other.bottom - 3 &&
        other.top < one.bottom - 3;
      return [grips.length, texts.filter((text) => grips.some((grip) => meet(text, grip))).length];
    });
    expect(covered[0]).toBeGreaterThan(0);
    expect(covered[1]).toBe(0);
  });

  it('plots a single limit against the stature, and takes a body mass in its own unit', async () => {
    const { page, faults } = await visit(
      '/explore/fit?product=own&limit=SittingHeight~~900&p=Female~US~18-65',
    );
    await page.locator('.pair .plot').waitFor();
    expect(await page.locator('.pair .plot').getAttribute('aria-label')).toMatch(
      /^Sitting height and Stature/,
    );
    await page.getByRole('combobox', { name: 'Add a limit' }).fill('body mass');
    await page.getByRole('option', { name: /^Body mass/ }).click();
    const mass = page.getByRole('group', { name: 'Body mass', exact: true });
    await mass.getByLabel('Largest', { exact: true }).fill('180 lb');
    await page.keyboard.press('Enter');
    await page.waitForURL(/BodyMass~~81\.6/);
    await page.getByRole('radio', { name: 'lb', exact: true }).check();
    await page.waitForURL(/mass=lb/);
    expect(await mass.getByLabel('Largest', { exact: true }).inputValue()).toBe('180.0 lb');
    await page.locator('.pair[aria-busy=false]').waitFor();
    const share = await overallShare(page);
    expect(share).toBe((await answerOfShownCall(page, screens.service)).share);
    expect(faults).toEqual([]);
  });

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

  it('forgets a text that is no length when the size is typed again or moved in the picture', async () => {
    const { page, faults } = await visit(DESK);
    const field = page.getByLabel('Lowest top height', { exact: true }).and(page.locator('input'));
    const error = page.getByText(/^Enter a length, such as/);
    const size = await field.inputValue();
    const type = async (text: string) => {
      await field.fill(text);
      await field.press('Enter');
    };
    await type('high');
    await error.waitFor();
    await type(size);
    await error.waitFor({ state: 'hidden' });
    await type('high');
    await error.waitFor();
    await tabTo(page, 'Lowest top height, ruler');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/low=840/);
    await error.waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toBe('840 mm');
    expect(faults).toEqual([]);
  });

  it('lets a size be typed over that an answer changes under the cursor', async () => {
    const { page, faults } = await visit('/explore/fit?product=bed&p=Male~US~18-65');
    const field = page.getByRole('textbox', { name: 'Length', exact: true });
    const proposed = await field.inputValue();
    const answer = await holdAnswers(page, '**/explore/fit/data?*');
    const share = page.getByLabel('Share to design for, in %');
    await share.fill('60');
    await share.press('Enter');
    await field.click();
    answer();
    await page.waitForFunction(
      ([label, before]) =>
        [...document.querySelectorAll<HTMLInputElement>('.length-field input')].some(
          (input) => input.labels?.[0]?.textContent === label && input.value !== before,
        ),
      ['Length', proposed] as const,
    );
    await page.keyboard.type('1900');
    await page.keyboard.press('Enter');
    await page.waitForURL(/length=1900/);
    expect(await field.inputValue()).toBe('1,900 mm');
    expect(faults).toEqual([]);
  });

  it('keeps the choice that people wear nothing on the way to another screen and back', async () => {
    const { page, faults } = await visit('/explore/fit?product=chair&p=Male~US~18-65');
    const shownCall = () => page.locator('pre.call').textContent();
    const screenNav = page.locator('.screens-nav');
    expect(await shownCall()).toContain('"clothing":"light_shoes"');
    await page.locator('.population-name').click();
    await page.getByLabel('Clothing').selectOption('None (nude)');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Men US 18–65, nude').first().waitFor();
    await screenNav.getByRole('link', { name: 'Body' }).click();
    await page.getByText('Men US 18–65, nude').first().waitFor();
    await screenNav.getByRole('link', { name: 'Fit' }).click();
    await page.locator('.view-links [href*="product=chair"]').click();
    await page.waitForURL(/product=chair.*~nude/);
    await page.locator('.pair[aria-busy=false]').waitFor({ state: 'attached' });
    expect(await shownCall()).not.toContain('clothing');
    expect(faults).toEqual([]);
  });

  it('shows all products with pictures, and one can be chosen by keyboard', async () => {
    const { page, faults } = await visit('/explore/fit?product=chair&p=Male~US~18-65');
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

  it('dims the plot and the call of the view before until the answer for other people is there', async () => {
    const { page } = await visit(DESK);
    const answer = await holdAnswers(page, '**/explore/fit/data?*');
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click();
    for (const part of ['.fit-results', '.pair', '.fit-calls']) {
      await page.locator(`${part}[aria-busy=true]`).waitFor({ state: 'attached' });
    }
    await page.getByText('Computing…').waitFor();
    expect(await page.locator('.fit-scene[aria-busy=true]').count()).toBe(1);
    answer();
    await page.locator('.pair[aria-busy=false]').waitFor({ state: 'attached' });
  });

  it('keeps its sizes in view beside its pictures and what follows', async () => {
    const { page } = await visit('/explore/fit?product=chair');
    const place = (selector: string) =>
      page.locator(selector).evaluate((one) => one.getBoundingClientRect());
    await page.getByRole('tab', { name: 'API' }).click();
    await page.locator('.fit-calls').evaluate((one) => one.scrollIntoView({ block: 'end' }));
    const [controls, calls] = [await place('.fit .side'), await place('.fit-calls')];
    expect(calls.right).toBeLessThan(controls.left);
    expect(controls.top).toBeGreaterThanOrEqual(0);
    expect(controls.bottom).toBeLessThanOrEqual(DESKTOP.height);
  });

  it('shows what follows in tabs, by keys too, and keeps the open tab for another product', async () => {
    const { page, faults } = await visit('/explore/fit?product=chair');
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
    expect(first).toMatch(/^bed,Men NL 18–65,Male,NL,18,65,nude,standing_erect,Stature,/);
    // What is saved or cited goes to others: no address in the table, and no known person in an address.
    expect(csv.toString('utf8')).not.toMatch(/Zebedee|1812|\/explore/);
    const svg = (await savedFile(page, 'Product SVG')).bytes.toString('utf8');
    const source = [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text).join('');
    expect(source.replaceAll(' ', '')).toContain('/explore/fit?product=bed');
    expect(source).not.toContain('who=');
    expect(await page.locator('.report-cite').textContent()).not.toContain('who=');
  });

  it('exports the product and the plot of two dimensions as pictures that stand alone', async () => {
    const { page, faults } = await visit(
      '/explore/fit?product=bed&p=Male~NL~18-65~winter&p=Male~DE~18-65~winter&length=1900&width=2200',
      { colorScheme: 'dark' },
    );
    const version = screens.service.model.artifactVersion;
    const sizes = { Product: [0, 0], Plot: [0, 0] };
    for (const label of ['Product', 'Plot'] as const) {
      const { name, bytes } = await savedFile(page, `${label} SVG`);
      const what = label === 'Plot' ? 'Stature-WholeBodyBreadthMax-' : '';
      expect(name).toBe(
        `vitruvia-fit-bed-${what}length-1900-width-2200-mm-Men-NL-18-65-winter-clothing-Men-DE-18-65-winter-clothing-${version}.svg`,
      );
      const svg = bytes.toString('utf8');
      expect(svg).toContain(label === 'Product' ? '>Bed: who fits<' : '>Bed: two dimensions<');
      const texts = [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text).join(' ');
      expect(texts).toContain('Length 1,900 mm, Width 2,200 mm');
      expect(texts).toContain('Men NL 18–65, winter clothing Men DE 18–65, winter clothing');
      expect(texts).toContain(`data ${version}`);
      expect(texts.replaceAll(' ', '')).toContain('length=1900&amp;width=2200');
      // The picture does not depend on the page: neither on its styles nor on its dark colours.
      expect(svg).not.toMatch(/class=|var\(|color\(|role=|tabindex/);
      expect(svg).toMatch(/<rect[^>]*fill="#fdfcf9"/);
      const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
      sizes[label] = [Number(width), Number(height)];
      const png = await savedFile(page, `${label} PNG`);
      expect(png.name).toBe(name.replace(/svg$/, 'png'));
      expect(pngSize(png.bytes)).toEqual([Number(width) * 2, Number(height) * 2]);
    }
    expect(sizes.Product[0]).toBeGreaterThan(300);
    expect(sizes.Product).not.toEqual(sizes.Plot);
    // Limits of the user's own have no product to draw.
    await page.goto('/explore/fit?limit=Stature~1500~1900&limit=BodyMass~~90.5');
    await page.locator('.pair .plot').waitFor();
    expect(await page.getByRole('button', { name: 'Product SVG' }).count()).toBe(0);
    const box = await savedFile(page, 'Plot SVG');
    expect(box.name).toContain('Stature-1500-to-1900-mm-BodyMass-any-to-90.5-kg-');
    expect(faults).toEqual([]);
  });
});

describe.runIf(haveBrowser && isWholeRun)('the Fit screen with the real model in a browser', () => {
  const screens = useScreens({ ready: '.fit-share', artifacts: realArtifacts });

  it.each(['car-seat', 'own'])(
    'shows its answer and its fields in one column that does not scroll: %s',
    async (product) => {
      const { page } = await screens.visit(`/explore/fit?product=${product}`);
      const excess = await page
        .locator('.fit .side')
        .evaluate((side) => side.scrollHeight - side.clientHeight);
      expect(excess).toBe(0);
      const rows = page.locator('.answer .size');
      expect(await rows.locator('[data-size]').count()).toBeGreaterThan(2);
      expect(await rows.locator('input').count()).toBe(await rows.count());
    },
  );
});
