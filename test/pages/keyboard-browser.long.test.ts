import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { answerOfShownCall, tabTo } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { exactNumbers } from './screen-stories.js';

describe.skipIf(!haveBrowser)('the screens with the keyboard only', () => {
  const screens = useScreens();

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
