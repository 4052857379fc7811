import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { answerOfShownCall, tabTo } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { exactNumbers, numbersMm } from './screen-stories.js';

describe.skipIf(!haveBrowser)('the screens with the keyboard only', () => {
  const screens = useScreens();

  it('Body: a region, another population, a posture and a dimension', async () => {
    const { page } = await screens.visit('/explore?p=Female~US~18-65&m=Stature,FootLength');
    await page.locator('.body-table').first().waitFor();
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
    // Relaxed standing lies between.
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/posture=relaxed/);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/posture=sitting/);
    await tabTo(page, 'Add a dimension');
    await page.keyboard.type('sitting height');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/SittingHeight/);
    expect(await numbersMm(page)).toHaveLength(3 * 3);
  });

  it('Dimension: a measurement, a person and a percentile', async () => {
    const { page, faults } = await screens.visit('/explore/dimension');
    await page.locator('[role=slider]').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Measurement');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('sitting eye');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/measurement=SittingEyeHeight/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/gender=Male/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('45');
    await page.keyboard.press('Enter');
    await page.waitForURL(/age=45/);
    // When its numbers are exact, the slider belongs to the new curve.
    await exactNumbers(page);
    await tabTo(page, (await page.getByRole('slider').getAttribute('aria-label')) ?? '');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/percentile=61/);
    expect(await page.locator('[role=slider]').getAttribute('aria-valuenow')).toBe('61');
    const [value] = await exactNumbers(page);
    const answer = await answerOfShownCall(page, screens.service);
    expect(answer).toMatchObject({ measurement: 'SittingEyeHeight', gender: 'Male' });
    expect(value).toBe(answer.value);
    expect(faults).toEqual([]);
  });
});
