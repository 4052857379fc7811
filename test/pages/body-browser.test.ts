import { readFileSync } from 'node:fs';
import type { Browser, Download, Page } from 'playwright-core';
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
const SIX = ['Female~DE', 'Male~DE', 'Female~JP', 'Male~JP', 'Both~US', 'Male~NL']
  .map((who) => `p=${who}~18-65`)
  .join('&');

describe.skipIf(!haveBrowser)('the Body screen in a browser', () => {
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
    await watched.page.locator('.body-table').waitFor();
    return watched;
  }

  /** Numbers of the table in mm, once they belong to the address. */
  async function numbersMm(page: Page): Promise<number[]> {
    await page.locator('.body-table[aria-busy=false]').waitFor();
    const cells = await page.locator('td[data-mm]').all();
    return Promise.all(cells.map(async (cell) => Number(await cell.getAttribute('data-mm'))));
  }

  /** The answer to the call shown on the page, sent with a customer's key. */
  async function answerOfShownCall(page: Page) {
    const curl = (await page.locator('pre.call').textContent()) ?? '';
    const path = /http:\/\/[^/]+(\/v1\/[\w/-]+)/.exec(curl)?.[1] ?? '';
    const { headers } = await service.customer(100);
    return (await service.post(path, JSON.parse(/-d '(.*)'/.exec(curl)?.[1] ?? ''), headers)).body;
  }

  /** Presses Tab until the element with this accessible name has the focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let presses = 0; presses < 80; presses++) {
      const text = String(
        await page.evaluate(
          `(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? ''; })()`,
        ),
      );
      if (text.trim() === name) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  async function textOf(download: Download): Promise<string> {
    return readFileSync(await download.path(), 'utf8');
  }

  it('is used with the mouse: populations, posture, a region, a dimension, and Back', async () => {
    const { page, faults } = await visit('/explore?p=Female~DE~18-65&m=Stature,KneeHeight');
    await page.getByRole('button', { name: 'Add population' }).click();
    await page.waitForURL(/p=Female~DE~18-65&p=Male~DE~18-65/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('.people-p95').nth(1).waitFor();
    expect(await numbersMm(page)).toHaveLength(2 * 2 * 3);
    const answer = await answerOfShownCall(page);
    const shown = await numbersMm(page);
    expect(shown.slice(0, 3)).toEqual(
      answer.measurements[0].values.map(({ value }: { value: number }) => value),
    );

    await page.getByRole('radio', { name: 'Sitting', exact: true }).click();
    await page.waitForURL(/posture=sitting/);
    await page.getByRole('radio', { name: 'Side', exact: true }).click();
    await page.waitForURL(/side=side/);
    expect(await page.getByRole('img', { name: /sitting, from the side/ }).isVisible()).toBe(true);

    const leg = await page.locator('.people-region[data-region=foot]').first().boundingBox();
    await page.mouse.click(
      (leg?.x ?? 0) + (leg?.width ?? 0) / 2,
      (leg?.y ?? 0) + (leg?.height ?? 0) * 0.8,
    );
    await page.waitForURL(/region=foot/);
    expect(await page.getByRole('button', { name: 'Foot', pressed: true }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Leg' }).click();
    await page.locator('tbody.in-region').waitFor();
    expect(await page.locator('tbody.in-region').allTextContents()).toEqual([
      expect.stringContaining('Knee height'),
    ]);

    await page.getByRole('combobox', { name: 'Add a dimension' }).fill('foot length');
    await page.getByRole('option', { name: 'Foot length' }).first().click();
    await page.waitForURL(/m=Stature,KneeHeight,FootLength/);
    expect(await numbersMm(page)).toHaveLength(3 * 2 * 3);
    await page.getByRole('button', { name: 'Remove Stature' }).click();
    await page.waitForURL(/m=KneeHeight,FootLength/);
    await page.goBack();
    await page.waitForURL(/m=Stature,KneeHeight,FootLength/);
    expect(await numbersMm(page)).toHaveLength(3 * 2 * 3);
    expect(faults).toEqual([]);
  });

  it('asks for data only when populations or dimensions change', async () => {
    const { page } = await visit('/explore?m=Stature');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/explore/data')) requests.push(request.url());
    });
    await page.getByRole('radio', { name: 'Overlaid', exact: true }).click();
    await page.waitForURL(/overlaid=1/);
    await page.getByRole('radio', { name: 'ft-in', exact: true }).click();
    await page.waitForURL(/unit=ft-in/);
    expect(await page.locator('.dimensions td[data-mm]').first().textContent()).toMatch(/ft/);
    await page.getByRole('button', { name: 'Remove Men US 18–65' }).click();
    await page.waitForURL(/p=Female~US~18-65/);
    await page.locator('.body-table[aria-busy=false]').waitFor();
    expect(requests).toHaveLength(1);
    expect(await page.locator('.people-p95').count()).toBe(1);
  });

  it('is used with the keyboard only', async () => {
    const { page } = await visit('/explore?p=Female~US~18-65&m=Stature,FootLength');
    await tabTo(page, 'Foot');
    await page.keyboard.press('Enter');
    await page.waitForURL(/region=foot/);
    expect(await page.locator('tbody.in-region').textContent()).toContain('Foot length');
    await tabTo(page, 'Women US 18–65, edit');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Remove United States of America');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Add a country or a set of countries');
    await page.keyboard.type('Japan');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.waitForURL(/p=Female~JP~18-65/);
    await tabTo(page, 'Standing');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/posture=sitting/);
    await tabTo(page, 'Add a dimension');
    await page.keyboard.type('sitting height');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/SittingHeight/);
    expect(await numbersMm(page)).toHaveLength(3 * 3);
  });

  it('shows the picture first on a phone, and the controls from below', async () => {
    const { page, faults } = await visit(`/explore?${SIX}`, {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    });
    const top = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
    expect(await top('.people-picture')).toBeLessThan(400);
    const sheet = page.getByText('Populations and view');
    expect(await top('summary')).toBeGreaterThan(PHONE.height / 2);
    expect(await page.getByRole('radio', { name: 'Sitting', exact: true }).isVisible()).toBe(false);
    await sheet.tap();
    await page.getByRole('radio', { name: 'Sitting', exact: true }).tap();
    await page.waitForURL(/posture=sitting/);
    await page.keyboard.press('Escape');
    await page.locator('.body-controls:not([open])').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      PHONE.width,
    );
    expect(faults).toEqual([]);
  });

  it('has no serious accessibility faults, wide and narrow, light and dark', async () => {
    for (const viewport of [DESKTOP, PHONE]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await visit(`/explore?${SIX}&posture=sitting&region=leg`, {
          viewport,
          colorScheme,
        });
        if (viewport === PHONE) await page.getByText('Populations and view').click();
        expect(await accessibilityFaults(page)).toEqual([]);
      }
    }
  });

  it('exports pictures and a tidy table that stand alone', async () => {
    const { page } = await visit('/explore?p=Female~DE~18-65~winter&m=Stature', {
      colorScheme: 'dark',
    });
    const save = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      return download;
    };
    const csv = await save('CSV');
    expect(csv.suggestedFilename()).toMatch(
      /^vitruvia-body-standing-front-Women-DE-18-65-winter.*\.csv$/,
    );
    const lines = (await textOf(csv)).trim().split('\r\n');
    expect(lines[0]).toContain('measurement,gender,countries,age_min_years,age_max_years,clothing');
    expect(lines[1]).toMatch(
      /^Stature,Female,DE,18,65,winter,standing_erect,percentile,5,[\d.]+,mm,/,
    );
    const svg = await textOf(await save('SVG'));
    expect(svg).toContain('Women DE 18–65, winter clothing: standing, from the front');
    expect(svg).toContain(service.model.artifactVersion);
    expect(svg).not.toMatch(/class=|var\(/);
    expect(svg).toMatch(/<rect[^>]*fill="#f[0-9a-f]{5}"/i);
    const png = readFileSync(await (await save('PNG')).path());
    expect(png.subarray(1, 4).toString()).toBe('PNG');
  });

  it('loads at most 120 kB, and has a picture and numbers without JavaScript', async () => {
    const { page } = await visit('/explore');
    const bytes = await page.evaluate(
      `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
        .filter(({ name }) => !name.includes('search-'))
        .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    );
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(BYTES_MAX);
    const plain = await openPage(browser, address, { javaScriptEnabled: false });
    open.push(plain);
    await plain.page.goto('/explore');
    expect(await plain.page.locator('svg.people-picture').isVisible()).toBe(true);
    await plain.page.getByLabel('Posture').selectOption('sitting');
    await plain.page.getByRole('button', { name: 'Show' }).click();
    expect(await plain.page.locator('tbody tr').count()).toBe(2 * 8);
  });
});
