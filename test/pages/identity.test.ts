import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { useScreens } from '../support/screens.js';

describe.skipIf(!haveBrowser)('the identity of the pages', () => {
  const screens = useScreens();

  it('has a typeface of its own with figures of one width, and a mark', async () => {
    const { page, faults } = await screens.blank();
    const fonts: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.woff2')) fonts.push(response.url());
    });
    await page.goto('/docs');
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready;
      return document.fonts.check('16px "Public Sans Variable"');
    });
    expect(loaded).toBe(true);
    // English pages load one file of it.
    expect(fonts).toHaveLength(1);
    const widths = await page.evaluate(() => {
      const cell = document.createElement('td');
      cell.className = 'number';
      document.querySelector('table tr')?.append(cell);
      return ['1111', '8888'].map((digits) => {
        const text = document.createElement('span');
        text.textContent = digits;
        cell.replaceChildren(text);
        return text.getBoundingClientRect().width;
      });
    });
    expect(widths[0]).toBe(widths[1]);
    expect(widths[0]).toBeGreaterThan(20);
    const mark = page.locator('img.site-mark');
    expect(await mark.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const icon = await page.request.get('/favicon.svg');
    expect(icon.headers()['content-type']).toContain('image/svg+xml');
    expect(faults).toEqual([]);
  });
});
