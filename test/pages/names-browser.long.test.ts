import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { savedFile } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';

const NAME = 'Night shift';

describe.skipIf(!haveBrowser)('the name of a population', () => {
  const screens = useScreens({ ready: '#population-bar[data-ready]' });

  it('is given in its editor, and is in the answer, the table, the report and the file', async () => {
    const { page, faults } = await screens.visit('/explore/fit?product=bed&p=Male~NL~18-65');
    await page.getByRole('button', { name: 'Men NL 18–65, edit' }).click();
    await page.getByLabel('Name, if you like').fill(NAME);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `${NAME}: Men NL 18–65, edit` }).waitFor();
    await page.getByText(`% of ${NAME} use`).first().waitFor();
    await page.locator('.fit-share', { hasText: `of ${NAME} fit` }).waitFor();
    await page.locator('.shares th', { hasText: NAME }).waitFor();
    const report = (await page.locator('.report').textContent()) ?? '';
    expect(report).toContain(`“Bed: will it fit? ${NAME}”`);
    expect(report).toContain(`People: ${NAME} (Men NL 18–65).`);
    const { name, bytes } = await savedFile(page, 'CSV');
    expect(name).toContain('Night-shift');
    expect(bytes.toString('utf8')).toContain(`\r\nbed,${NAME},Male,NL,18,65,`);
    expect(faults).toEqual([]);
  });

  it('is that under which it is saved, and leaves with other people', async () => {
    const { page } = await screens.visit('/explore/fit?product=bed&p=Male~NL~18-65');
    await page.getByRole('button', { name: 'Saved' }).click();
    await page.getByLabel('Name', { exact: true }).fill(` ${NAME} `);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // Invisible characters protect the direction of a name from the surrounding text.
    await page.getByText(new RegExp(`Saved “.?${NAME}.?”`, 'u')).waitFor();
    await page.waitForURL(/p=Male~NL~18-65~~Night%20shift/);
    await page.goto('/explore/fit?product=bed&p=Male~NL~18-65~~Night%20shift');
    await page.getByRole('button', { name: `${NAME}: Men NL 18–65, edit` }).click();
    await page.getByLabel('In words').fill('women DE 20-30');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Women DE 20–30, edit' }).waitFor();
    expect(page.url()).not.toContain('Night');
  });
});
