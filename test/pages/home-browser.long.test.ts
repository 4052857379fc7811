import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { FitData } from '../../src/screens/fit/data-types.js';
import { accessibilityFaults, excessWidthPx, haveBrowser } from '../support/browser.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

/** Words of the sentence that are cut because they need more space. Names of countries are left out. */
function cutWords(page: Page): Promise<string[]> {
  return page.locator('#question select:not(#question-country)').evaluateAll((all) =>
    all.flatMap((select) => {
      const one = select as HTMLSelectElement;
      const shown = one.getBoundingClientRect().width;
      one.style.maxWidth = 'none';
      const needed = one.getBoundingClientRect().width;
      one.style.maxWidth = '';
      return needed > shown ? [one.selectedOptions[0]?.text ?? ''] : [];
    }),
  );
}

describe.skipIf(!haveBrowser)('the first page', () => {
  const screens = useScreens({ ready: '#question', artifacts: realArtifacts });

  it('answers its question in place with the numbers of the Fit screen', async () => {
    const { page, faults } = await screens.visit('/');
    // The seat moves, and the server has answered the first question.
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBeGreaterThan(0);
    expect(await page.locator('#answer dd').count()).toBe(4);
    // Two people, and the soles of their shoes.
    expect(await page.locator('#question-picture image').count()).toBe(4);
    await page.getByRole('combobox', { name: 'Product' }).selectOption('doorway');
    const reply = page.waitForResponse((response) =>
      /fit\/data\?product=doorway.*NL/.test(response.url()),
    );
    await page.getByRole('combobox', { name: 'Country' }).selectOption('NL');
    const data = (await (await reply).json()) as FitData;
    await page.locator('#answer[aria-busy=false] dl').waitFor();
    expect(await page.locator('#question-picture .figure').getAttribute('aria-label')).toMatch(
      /Netherlands/,
    );
    const shown = await page.locator('#answer dd').allTextContents();
    expect(shown.length).toBeGreaterThan(0);
    const sizes = Object.values(data.proposal?.sizesMm ?? {});
    expect(shown).toEqual(sizes.map((mm) => `${mm.toLocaleString('en')} mm`));
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await excessWidthPx(page)).toBeLessThanOrEqual(0);
    expect(await cutWords(page)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    // Another word asks again.
    const next = page.waitForResponse((response) => response.url().includes('target=99'));
    await page.getByRole('combobox', { name: 'Share of the people' }).selectOption('99');
    expect((await next).status()).toBe(200);
    await page.getByRole('link', { name: 'See who fits, and change the sizes' }).click();
    await page.waitForURL(/\/explore\/fit\?product=doorway.*NL/);
    expect(faults).toEqual([]);
  });
});
