import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, haveBrowser } from '../support/browser.js';
import { loadedBytes, savedFile, tabTo } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

const CAR = '/explore/reach?p=Both~DE~18-70';

/** The share of the page, read when it belongs to the address. */
async function share(page: Page): Promise<number> {
  await page.locator('.reach-answer[aria-busy=false]').waitFor();
  return Number(await page.locator('[data-share]').getAttribute('data-share'));
}

/** Waits until the images of the people are in a panel, and returns their addresses. From above, there is one person. */
async function images(page: Page, panel: string): Promise<(string | null)[]> {
  const found = page.locator(`.reach-${panel} .has-image image`);
  await expect.poll(() => found.count()).toBe(panel === 'above' ? 1 : 3);
  expect(await page.locator(`.reach-${panel} .person-part:visible`).count()).toBe(0);
  return found.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
}

describe.skipIf(!haveBrowser)('the files of the Reach screen', () => {
  const screens = useScreens({ ready: '.reach-handle', artifacts: realArtifacts });

  it('saves the picture as SVG and as DXF in mm, and the table', async () => {
    const { page, faults } = await screens.visit(CAR);
    await share(page);
    await images(page, 'side');
    await images(page, 'above');
    // With the four images of people.
    expect(await loadedBytes(page)).toBeLessThanOrEqual(120_000);
    const svg = String((await savedFile(page, 'SVG')).bytes);
    for (const text of ['Lever', 'From above', 'P50 of stature']) expect(svg).toContain(text);
    // A person is an image with its silhouette. The limbs that stood for it are left out.
    expect(svg.match(/<image /g)).toHaveLength(4);
    // Three people have some 160 paths of limbs.
    expect(svg.match(/<path /g)?.length).toBeLessThan(50);
    const dxf = String((await savedFile(page, 'DXF')).bytes);
    const layers = new Set([...dxf.matchAll(/POLYLINE\r\n8\r\n(\w+)/g)].map(([, name]) => name));
    expect([...layers].sort()).toEqual(['ENVELOPE', 'PEOPLE', 'PRODUCT']);
    // The roof is 950 mm long, in both panels.
    const [, ...lines] = dxf.split('POLYLINE');
    const lengths = lines.map((line) => {
      const xs = [...line.matchAll(/\r\n10\r\n(-?[\d.]+)/g)].map(([, x]) => Number(x));
      return Math.max(...xs) - Math.min(...xs);
    });
    expect(lengths.filter((mm) => Math.abs(mm - 950) < 0.1)).toHaveLength(2);
    const csv = String((await savedFile(page, 'CSV')).bytes);
    expect(csv.split('\r\n')).toHaveLength(8);
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!haveBrowser)('the Reach screen in a browser', () => {
  const screens = useScreens({
    ...{ ready: '.reach-handle', artifacts: realArtifacts, blankPeople: true },
  });

  it('moves a target, an edge and a thing, and shows who reaches them then', async () => {
    const { page, faults } = await screens.visit(CAR);
    const before = await share(page);
    const [tall] = await images(page, 'side');
    expect(await images(page, 'above')).not.toContain(tall);
    const lever = page.getByRole('slider', { name: 'Lever, from the side', exact: true });
    const grip = await lever.locator('.grip').boundingBox();
    const [x, y] = [(grip?.x ?? 0) + 6, (grip?.y ?? 0) + 6];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y, { steps: 5 });
    // While something is moved, the people are drawn by their joints.
    expect(await page.locator('.reach-picture image').count()).toBe(0);
    expect(await page.locator('.reach-side .person-part:visible').count()).toBe(3);
    await page.mouse.up();
    await page.waitForURL(/target=Lever/);
    expect(Number(await lever.getAttribute('aria-valuenow'))).toBeGreaterThan(620);
    const after = await share(page);
    expect(after).toBeLessThan(before);
    expect(await images(page, 'side')).not.toContain(tall);
    await page.goBack();
    expect(await share(page)).toBe(before);

    await page.locator('summary', { hasText: 'Seat:' }).click();
    await page.getByLabel('Fixed, without travel').check();
    await page.waitForURL(/seat=300~22~10~0~0~0~0/);
    expect(await share(page)).toBeLessThan(before);
    await page.getByLabel('Fixed, without travel').uncheck();
    await page.waitForURL((url) => !url.search.includes('seat='));

    await tabTo(page, 'Edge: Road over the wheel, from the side');
    for (let press = 0; press < 12; press++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForURL(/see=Road%20over%20the%20wheel~9000~0~0~481~980~~/);
    await tabTo(page, 'Roof, from above');
    await page.keyboard.press('ArrowUp');
    await page.waitForURL(/clear=Roof~-500~-590~1230~450~610~1280~head/);
    expect(await share(page)).toBeLessThan(before);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is turned in three dimensions, where things are moved as they are seen', async () => {
    const { page, faults } = await screens.visit(CAR);
    await page.getByRole('radio', { name: '3-D', exact: true }).click();
    // Lines that are seen at an angle have no true lengths.
    expect(await page.getByRole('button', { name: 'DXF', exact: true }).count()).toBe(0);
    const roof = () => page.locator('.reach-turned path.thing').getAttribute('d');
    const [before, seen] = [await roof(), await images(page, 'turned')];
    await page.getByRole('slider', { name: 'Turn' }).press('ArrowRight');
    expect(await roof()).not.toBe(before);
    for (const href of await images(page, 'turned')) expect(seen).not.toContain(href);
    await page.waitForURL(/turn=60/);
    // Seen from 60°, half of a move along the picture goes forward, the rest to the left.
    await tabTo(page, 'Lever, in three dimensions');
    for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.waitForURL(/target=Lever~530~-23\d~590/);
    await images(page, 'turned');
    await share(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('changes a demand in its fields, adds one and removes one', async () => {
    const { page, faults } = await screens.visit('/explore/reach?template=shelf');
    const before = await share(page);
    await page.locator('summary', { hasText: 'Middle shelf' }).click();
    const entry = page.locator('.reach-entry[open]');
    const up = entry.getByLabel('Up', { exact: true });
    await up.fill('1800');
    await up.press('Enter');
    await page.waitForURL(/target=Middle%20shelf~560~150~1800~grip~left~shoulder/);
    const lower = await share(page);
    expect(lower).toBeLessThan(before);
    // A refused place is said beside its fields. The picture and the last answer stay.
    await up.fill('-20');
    await up.press('Enter');
    await entry.locator('.field-error', { hasText: 'below the floor' }).waitFor();
    expect(await page.locator('.reach-answer[aria-busy=true] [data-share]').innerText()).toMatch(
      /%/,
    );
    expect(await page.getByText('The pale numbers are those of the view before.').count()).toBe(1);
    await images(page, 'side');
    await page.goBack();
    expect(await share(page)).toBe(lower);
    await entry.getByRole('button', { name: 'Remove Middle shelf' }).click();
    await page.waitForURL((url) => !url.search.includes('Middle'));
    expect(await share(page)).toBeGreaterThan(before);
    // The nearest thing that nobody must see yet is proposed.
    await page.getByRole('button', { name: 'Add a sight' }).click();
    await page.waitForURL(/see=Sight%20of%20Bottom%20shelf~560~-150~1390~~~20~60/);
    // What was added is open.
    const sight = entry.last();
    await sight.getByLabel('Over an edge', { exact: true }).check();
    await page.waitForURL(/see=Sight%20of%20Bottom%20shelf~560~-150~1390~280~1390~20~60/);
    await sight.getByLabel('Edge forward').fill('200000');
    await sight.getByLabel('Edge forward').press('Enter');
    expect(await sight.getByText('Enter at most 100,000 mm.').count()).toBe(1);
    await sight.getByLabel('At most so far up', { exact: true }).uncheck();
    await sight.getByLabel('Name', { exact: true }).fill('Label');
    await sight.getByLabel('Name', { exact: true }).press('Enter');
    await page.waitForURL(/see=Label~560~-150~1390~280~1390~~60/);
    // Of the refused place.
    expect(faults).toEqual([expect.stringContaining('422')]);
  });

  it('asks again for pictures that the busy service refused, and says so', async () => {
    const { page } = await screens.blank();
    const asked = new Map<string, number>();
    await page.route(/pictures\/people\/.*webp/, (route) => {
      const times = (asked.get(route.request().url()) ?? 0) + 1;
      asked.set(route.request().url(), times);
      return times === 1 ? route.fulfill({ status: 503 }) : route.continue();
    });
    await page.goto('/explore/reach?template=shelf');
    await page.getByRole('status').getByText('This page asks again in 2 seconds.').waitFor();
    await page.locator('.asks-again').waitFor({ state: 'detached' });
    await expect.poll(() => [...new Set(asked.values())]).toEqual([2]);
  });
});
