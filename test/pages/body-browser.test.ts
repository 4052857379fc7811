import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import {
  answerOfShownCall,
  holdAnswers,
  pngSize,
  requestsTo,
  savedFile,
} from '../support/screen-page.js';
import { TOUCHED, useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { itInWholeRun } from '../support/whole-run.js';
import { numbersMm, useOnPhone } from './screen-stories.js';

const BODY = { ready: '.body-table', artifacts: realArtifacts };

describe.skipIf(!haveBrowser)('the Body screen in a browser', () => {
  const screens = useScreens({ ...BODY, blankPeople: true });
  const { visit } = screens;

  it('is used with the mouse: populations, posture, a region, a dimension, and Back', async () => {
    const { page, faults } = await visit('/explore?p=Female~DE~18-65&m=Stature,KneeHeight');
    await page.getByRole('button', { name: 'Add population' }).click();
    await page.getByRole('textbox', { name: 'In words' }).fill('men Deutschland 18 to 65');
    await page.keyboard.press('Enter');
    await page.waitForURL(/p=Female~DE~18-65&p=Male~DE~18-65/);
    const sheet = page.getByRole('link', { name: 'Sheet to print' });
    expect(await sheet.getAttribute('href')).toBe(
      '/explore?form=sheet&p=Female~DE~18-65&p=Male~DE~18-65&m=Stature,KneeHeight',
    );
    await page.locator('.people-person').nth(5).waitFor();
    expect(await numbersMm(page)).toHaveLength(2 * 2 * 3);
    const answer = await answerOfShownCall(page, screens.service);
    const shown = await numbersMm(page);
    expect(shown.slice(0, 3)).toEqual(
      answer.measurements[0].values.map(({ value }: { value: number }) => value),
    );

    await page.getByRole('radio', { name: 'Sitting', exact: true }).click();
    await page.waitForURL(/posture=sitting/);
    await page.getByRole('radio', { name: 'Side', exact: true }).click();
    await page.waitForURL(/side=side/);
    // The file of a person is made of the numbers that the table has.
    await page.getByRole('tab', { name: 'Export' }).click();
    const man = page.locator('.body-files li', { hasText: /^P95 .*, a man of/ });
    await man.locator('a[href*="pose=sitting"]').first().waitFor();
    for (const [name, format] of [
      ['GLB', ''],
      ['DXF', '&format=dxf'],
    ] as const) {
      const href = await man.getByRole('link', { name }).getAttribute('href');
      expect(href).toContain(
        `/account/body?gender=Male&age=41.5&country=DE&known=Stature~${shown[5]}`,
      );
      expect(href).toMatch(new RegExp(`&known=BodyMass~[\\d.]+&pose=sitting${format}$`));
    }
    expect(await page.getByText('A file costs 20 credits').isVisible()).toBe(true);
    await page.getByRole('tab', { name: 'Measurements' }).click();
    expect(await page.getByRole('img', { name: /sitting, from the side/ }).isVisible()).toBe(true);

    await page.locator('.body-picture[aria-busy=false]').waitFor();
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

    await page.getByRole('combobox', { name: 'Add a measurement' }).fill('foot length');
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

  it('shows the picture first on a phone, and the controls from below', () =>
    useOnPhone(screens, '/explore?p=Female~DE~18-65'));

  it('asks for people after its first numbers, on a phone for those it shows', async () => {
    for (const path of ['/explore', '/']) {
      const { page } = await screens.blank(TOUCHED);
      const people = requestsTo(page, '/pictures/people/');
      const answered = await page.goto(path, { waitUntil: 'networkidle' });
      // Browsers ask at once for what the page names. Scripts let the styles go first, and people wait for the script.
      const early = String(await answered?.text()).replaceAll(/<noscript>.*?<\/noscript>/gs, '');
      expect(early).toMatch(/<script type="module" src="[^"]*" fetchPriority="low">/i);
      if (path === '/') continue;
      expect(early).not.toMatch(/<image[^>]* href="/);
      expect(people.filter((url) => url.endsWith('webp'))).toHaveLength(2);
    }
  });

  it('loads the sheet of a phone without moving what is there', async () => {
    const { page } = await screens.blank({ viewport: { width: 390, height: 900 } });
    await page.addInitScript(`
      window.moved = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.moved += value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto('/explore?form=sheet', { waitUntil: 'networkidle' });
    expect(Number(await page.evaluate('window.moved'))).toBeLessThan(0.05);
  });

  it('reads words late, changes their population, and leaves the one open that is edited by then', async () => {
    const { page } = await screens.blank();
    const searchArrives = await holdAnswers(page, /assets\/search-/);
    await page.goto('/explore?p=Female~DE~18-65&p=Male~DE~18-65');
    const words = page.getByRole('textbox', { name: 'In words' });
    await page.getByRole('button', { name: 'Women, DE, 18–65, edit' }).click();
    await words.fill('IT 75+');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Men, DE, 18–65, edit', exact: true }).click();
    await words.fill('SE 18-30');
    searchArrives();
    await page.waitForURL(/p=Both~IT~75-120&p=Male~DE~18-65/);
    expect(await words.inputValue()).toBe('SE 18-30');
    await page.keyboard.press('Enter');
    await page.waitForURL(/p=Both~IT~75-120&p=Both~SE~18-30/);
  });
});

describe.skipIf(!haveBrowser)('the files of the Body screen', () => {
  const screens = useScreens(BODY);

  itInWholeRun('exports pictures and a tidy table that stand alone', async () => {
    const { page } = await screens.visit('/explore?p=Female~DE~18-65~winter&m=Stature', {
      colorScheme: 'dark',
    });
    const csv = await savedFile(page, 'CSV');
    expect(csv.name).toMatch(/^vitruvia-body-standing-front-Women-DE-18-65-winter.*\.csv$/);
    const lines = csv.bytes.toString('utf8').trim().split('\r\n');
    expect(lines[0]).toContain(
      'measurement,population,gender,countries,age_min_years,age_max_years,clothing',
    );
    expect(lines[1]).toMatch(
      /^Stature,"Women, DE, 18–65, winter clothing",Female,DE,18,65,winter,standing_erect,percentile,5,[\d.]+,mm,/,
    );
    const svg = (await savedFile(page, 'SVG')).bytes.toString('utf8');
    expect(svg).toContain('Women, DE, 18–65, winter clothing: standing, from the front');
    expect(svg).toContain(screens.service.model.artifactVersion);
    expect(svg).not.toMatch(/class=|var\(/);
    expect(svg).toMatch(/<rect[^>]*fill="#f[0-9a-f]{5}"/i);
    // Other programs find the people in the file: as pixels and as lines.
    expect(svg.match(/<image [^>]*xlink:href="data:image\/png;base64,/g)).toHaveLength(3);
    // Shapes for the pointer alone are not exported, because other programs would fill them black.
    expect(svg).not.toContain('rgba(0, 0, 0, 0)');
    expect(svg.match(/<\/?path[^>]*d="M[^"]*Z"/g)?.length).toBeGreaterThanOrEqual(3);
    const dxf = (await savedFile(page, 'DXF')).bytes.toString('latin1').split('\r\n');
    expect(dxf.filter((value) => value === 'POLYLINE')).not.toHaveLength(0);
    const heights = dxf.flatMap((value, i) => (dxf[i - 1] === '20' ? [Number(value)] : []));
    const stature = Number(/percentile,95,([\d.]+)/.exec(csv.bytes.toString('utf8'))?.[1]);
    expect(Math.abs(Math.max(...heights) - Math.min(...heights) - stature)).toBeLessThan(40);
    const [widthPx, heightPx] = pngSize((await savedFile(page, 'PNG')).bytes);
    expect(Math.min(widthPx, heightPx)).toBeGreaterThan(300);
  });
});
