// cspell:ignore עברית
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, excessWidthPx, haveBrowser } from '../support/browser.js';
import { PHONE, useScreens } from '../support/screens.js';

// cspell:ignore עברית

const FOCUSED = 'document.activeElement.getAttribute("aria-label")';

describe.skipIf(!haveBrowser)('the panel of saved populations', () => {
  const screens = useScreens();

  it('holds long names on a phone, and says and undoes what replaces or deletes', async () => {
    const { page, faults } = await screens.open('/explore/dimension', { viewport: PHONE });
    await page.getByRole('button', { name: 'Saved' }).click();
    const panel = page.getByRole('region', { name: 'Saved populations' });
    const name = panel.getByRole('textbox', { name: 'Name' });
    const said = panel.getByRole('status');
    const saidText = async () => (await said.textContent())?.replaceAll(/[\u2068\u2069]/g, '');
    for (const one of ['W'.repeat(60), 'team 10', 'Team 9', 'עברית 18–65']) {
      await name.fill(one);
      await name.press('Enter');
      await panel.getByRole('button', { name: `Add ${one}`, exact: true }).waitFor();
    }
    // Keyboards add marks of direction. They are no part of a name, and the account refuses them.
    await name.fill('\u200fעברית 18–65\u200e');
    await name.press('Enter');
    await expect.poll(() => name.inputValue()).toBe('');
    expect(await panel.locator('.saved-name').allTextContents()).toEqual([
      ...['Team 9', 'team 10', 'W'.repeat(60), 'עברית 18–65'],
    ]);
    expect(await excessWidthPx(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);

    // A refused name stays in its field.
    await name.fill('   ');
    await name.press('Enter');
    await said.getByText('Give a name of 1 to 60 characters.').waitFor();
    expect([await name.inputValue(), await name.getAttribute('aria-invalid')]).toEqual([
      '   ',
      'true',
    ]);

    await panel.getByLabel('Population to save').selectOption({ index: 1 });
    await name.fill('Team 9');
    await name.press('Enter');
    await expect.poll(saidText).toBe('Saved “Team 9” in place of Women, US, 18–65.');
    const row = panel.getByRole('listitem').filter({ hasText: 'Team 9' });
    expect(await row.textContent()).toContain('Men, US, 18–65');
    await panel.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => row.textContent()).toContain('Women, US, 18–65');

    await panel.getByRole('button', { name: 'Delete Team 9' }).press('Enter');
    await expect.poll(saidText).toBe('Deleted “Team 9”.');
    expect(await page.evaluate(FOCUSED)).toBe('Rename team 10');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Crew');
    await page.keyboard.press('Enter');
    await expect.poll(saidText).toBe('“team 10” is now “Crew”.');
    expect(await page.evaluate(FOCUSED)).toBe('Rename Crew');
    expect(faults).toEqual([]);
  });
});
