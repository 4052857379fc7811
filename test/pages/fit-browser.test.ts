import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  accessibilityFaults,
  haveBrowser,
  openPage,
  startBrowser,
  type WatchedPage,
} from '../support/browser.js';
import { startService, type TestService } from '../support/service.js';

const DESKTOP = { width: 1400, height: 900 };
const PHONE = { width: 360, height: 740 };
const BYTES_MAX = 120_000;
/** A desk that fits some of the invented people of the tests, whose knees are as high as a table. */
const DESK = '/explore/fit?low=850&high=950&clear=0,-50,-600,-50';

describe.skipIf(!haveBrowser)('the Fit screen in a browser', () => {
  let browser: Browser;
  let service: TestService;
  let address: string;
  let open: WatchedPage[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  // Each test has its own service, so that the tests do not share a rate limit.
  beforeEach(async () => {
    service = await startService();
    address = await service.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    await Promise.all(open.map(({ page }) => page.context().close()));
    open = [];
    await service.close();
  });

  async function visit(path: string, options: Parameters<typeof openPage>[2] = {}) {
    const watched = await openPage(browser, address, { viewport: DESKTOP, ...options });
    open.push(watched);
    await watched.page.goto(path);
    await watched.page.locator('.fit-share').waitFor();
    return watched;
  }

  /** Waits until the numbers belong to the address, and returns the share of everybody. */
  async function overallShare(page: Page): Promise<number> {
    await page.locator('.fit-results[aria-busy=false]').waitFor();
    return Number(await page.locator('.fit-share strong').getAttribute('data-share'));
  }

  /** The answer to the call shown on the page, sent with a customer's key. */
  async function answerOfShownCall(page: Page) {
    const curl = (await page.locator('pre.call').textContent()) ?? '';
    const path = /http:\/\/[^/]+(\/v1\/[\w/-]+)/.exec(curl)?.[1] ?? '';
    const { headers } = await service.customer(100);
    return (await service.post(path, JSON.parse(/-d '(.*)'/.exec(curl)?.[1] ?? ''), headers)).body;
  }

  /** Presses Tab until the element with this accessible name has the focus. */
  async function tabTo(page: Page, name: string | RegExp): Promise<void> {
    const matches = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
    for (let presses = 0; presses < 80; presses++) {
      const text = String(
        await page.evaluate(
          `(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? ''; })()`,
        ),
      );
      if (matches(text.trim())) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  it('answers the desk task with the mouse', async () => {
    const { page, faults } = await visit(DESK);
    for (const who of ['Women US 18–65', 'Men US 18–65']) {
      await page.getByRole('button', { name: `${who}, edit` }).click();
      await page.getByRole('button', { name: 'Remove United States' }).click();
      expect(await page.getByText('Choose at least one country.').isVisible()).toBe(true);
      for (const place of ['Germany', 'Japan']) {
        await page
          .getByRole('combobox', { name: 'Add a country or a set of countries' })
          .fill(place);
        await page.getByRole('option', { name: place }).first().click();
      }
      await page.getByRole('button', { name: 'Done' }).click();
    }
    await page.waitForURL(/p=Female~DE,JP~18-65&p=Male~DE,JP~18-65/);
    const before = await overallShare(page);
    const handle = page.getByRole('slider', { name: 'Lowest top height', exact: true });
    const box = (await handle.locator('.grip').boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 15, { steps: 6 });
    await page.mouse.up();
    await page.waitForURL((url) => !url.search.includes('low=850'));
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBeGreaterThan(870);
    const after = await overallShare(page);
    expect(after).toBeGreaterThan(0.02);
    expect(after).toBeLessThan(before);
    expect(after).toBe((await answerOfShownCall(page)).share);
    await page.getByLabel('Numbers', { exact: true }).selectOption('Ranges to design for');
    const { ranges } = await answerOfShownCall(page);
    const tableHeight = ranges.find(
      ({ measurement }: { measurement: string }) => measurement === 'MaximumTableHeight',
    );
    const advice = (await page.locator('.advice li').allTextContents()).join('\n');
    expect(advice).toContain(
      `Lowest top height: at most ${Math.round(tableHeight.min).toLocaleString('en')} mm`,
    );
    expect(advice).toContain(
      `Highest top height: at least ${Math.round(tableHeight.max - 50).toLocaleString('en')} mm`,
    );
    await page.goBack();
    expect(await overallShare(page)).toBe(before);
    expect(faults).toEqual([]);
  });

  it('answers the desk task with the keyboard only', async () => {
    const { page } = await visit(DESK);
    await tabTo(page, 'Women US 18–65, edit');
    await page.keyboard.press('Enter');
    // The editor takes the focus; Tab leads to its next fields.
    await tabTo(page, 'Remove United States of America');
    await page.keyboard.press('Enter');
    for (const place of ['Germany', 'Japan']) {
      await tabTo(page, 'Add a country or a set of countries');
      await page.keyboard.type(place);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Escape');
    await page.waitForURL(/p=Female~DE,JP~18-65/);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Women DE, JP 18–65');
    const before = await overallShare(page);
    await tabTo(page, 'Lowest top height');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('88 cm');
    await page.keyboard.press('Enter');
    await page.waitForURL(/low=880/);
    const typed = await overallShare(page);
    expect(typed).not.toBe(before);
    await tabTo(page, 'Lowest top height, ruler');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.waitForURL(/low=869/);
    expect(await overallShare(page)).toBe((await answerOfShownCall(page)).share);
  });

  it('says on a phone whether a 95th-percentile Dutch man fits into a bed of 1,900 mm', async () => {
    const { page, faults } = await visit('/explore/fit', {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    });
    await page.getByRole('link', { name: 'Bed' }).tap();
    const picture = await page.locator('.fit-scene').boundingBox();
    const controls = await page.locator('.fit-controls').boundingBox();
    expect(picture?.y).toBeLessThan(controls?.y ?? 0);
    await page.getByRole('button', { name: 'Remove Women US 18–65' }).tap();
    await page.getByRole('button', { name: 'Men US 18–65, edit' }).tap();
    await page.getByRole('button', { name: 'Remove United States' }).tap();
    await page
      .getByRole('combobox', { name: 'Add a country or a set of countries' })
      .fill('Netherlands');
    await page.getByRole('option', { name: 'Netherlands' }).tap();
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('textbox', { name: 'Length' }).fill('1900');
    await page.getByRole('textbox', { name: 'Length' }).press('Enter');
    // The invented people of the test are wide.
    await page.getByRole('textbox', { name: 'Width' }).fill('2200');
    await page.getByRole('textbox', { name: 'Width' }).press('Enter');
    await page.waitForURL(/p=Male~NL~18-65&length=1900&width=2200/);
    const share = await overallShare(page);
    const answer = await answerOfShownCall(page);
    expect(share).toBe(answer.share);
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.9);
    const { headers } = await service.customer(100);
    const { body } = await service.post(
      '/v1/population/percentiles',
      {
        population: { groups: [{ countries: ['NL'], gender: 'Male', ageMin: 18, ageMax: 65 }] },
        measurements: ['Stature'],
        percentiles: [95],
      },
      headers,
    );
    const needsMm = body.measurements[0].values[0].value + 150;
    const row = page.locator('.needs tbody tr').first();
    const cell = (await row.locator('td').nth(3).textContent()) ?? '';
    expect(cell).toContain(Math.round(needsMm).toLocaleString('en'));
    expect(needsMm).toBeGreaterThan(1900);
    expect(cell).toContain('does not fit');
    const fits = ((1 - answer.limits[0].above) * 100).toLocaleString('en', {
      maximumFractionDigits: 1,
    });
    expect(await row.locator('td').last().textContent()).toBe(`up to P${fits}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('draws a box of free limits, whose edges can be dragged', async () => {
    const { page, faults } = await visit(
      '/explore/fit?limit=Stature~1500~1900&limit=SittingHeight~~2500',
      { colorScheme: 'dark' },
    );
    const before = await overallShare(page);
    const edge = page.getByRole('slider', { name: 'Largest stature, edge of the box' });
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
    await page.waitForURL(/limit=HandLength~~\d+/);
    await page.getByRole('radio', { name: 'ft-in' }).check();
    await page.waitForURL(/unit=ft-in/);
    expect(await page.getByRole('textbox', { name: 'Largest' }).first().inputValue()).toMatch(
      /^\d ft \d+\.\d in$/,
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it.each(['desk', 'chair', 'bed', 'doorway', 'counter', 'shelf', 'seat-row', 'helmet', 'glove'])(
    'shows %s without grave accessibility faults',
    async (product) => {
      const { page, faults } = await visit(`/explore/fit?product=${product}&unit=cm`);
      await page.getByText('Rules and clearances').click();
      const handles = await page.locator('.scene [role=slider]').count();
      expect(handles).toBeGreaterThan(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it('exports a tidy table, and loads at most 120 kB', async () => {
    const { page } = await visit('/explore/fit?product=bed&p=Male~NL~18-65');
    const bytes = await page.evaluate(
      `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
        .filter(({ name }) => !name.includes('search-'))
        .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(BYTES_MAX);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^vitruvia-fit-bed-Men-NL-18-65-.+\.csv$/);
    const stream = await download.createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    const [head = '', first = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n');
    expect(head).toContain('product,gender,countries,ageMinYears');
    expect(first).toMatch(/^bed,Male,NL,18,65,nude,standing_erect,Stature,/);
    expect(first).toContain(`${address}/explore/fit?product=bed`);
  });
});
