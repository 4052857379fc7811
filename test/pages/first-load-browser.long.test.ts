import { afterAll, describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { loadedBytes } from '../support/screen-page.js';
import { TOUCHED, useScreens } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';

/** Bytes that a page may load at first, compressed. */
const BYTES_MAX = 120_000;
/** A phone of the lower middle class, and the network that Lighthouse calls slow 4G. */
const SLOW_PHONE = {
  cpuRate: 4,
  network: {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  },
};

interface LoadedPage {
  readonly path: string;
  /** What the page shows once it can be used, as a CSS selector. */
  readonly ready: string;
  /** Whether the drawing in three dimensions, which comes after everything else, is left out. */
  readonly isPerson?: boolean;
}

const BAR = '#population-bar[data-ready]';
const PAGES: readonly LoadedPage[] = [
  { path: '/', ready: '#question' },
  { path: '/explore', ready: `${BAR} ~ * .body-table` },
  { path: '/explore/fit', ready: '.fit-share' },
  { path: '/explore/sizes', ready: '.sizes-count' },
  { path: '/explore/sheet', ready: '.sheet-table' },
  { path: '/explore/dimension', ready: '.readout-value' },
  { path: '/explore/person', ready: '.person-stage', isPerson: true },
  { path: '/docs', ready: 'h1' },
  { path: '/docs/reference', ready: 'h1' },
  { path: '/account/sign-in', ready: 'form' },
  { path: '/account/sign-up', ready: 'form' },
];

describe.skipIf(!haveBrowser)('the first load of a page', () => {
  const screens = useScreens({ artifacts: realArtifacts });
  const bytes: string[] = [];
  const times: string[] = [];
  afterAll(() => {
    console.log(`Bytes of the first load: ${bytes.join(', ')}`);
    console.log(`Usable on a slow phone after: ${times.join(', ')}`);
  });

  it.each(PAGES)('$path: has at most 120 kB', async ({ path, ready, isPerson = false }) => {
    const { page, faults } = await screens.blank();
    await page.goto(path);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    const loaded = await loadedBytes(page);
    bytes.push(`${path} ${loaded}`);
    // The screen that draws in three dimensions loads its drawing beyond that.
    if (isPerson) expect(loaded).toBeGreaterThan(BYTES_MAX / 10);
    else expect(loaded).toBeLessThanOrEqual(BYTES_MAX);
    expect(loaded).toBeGreaterThan(5_000);
    expect(faults).toEqual([]);
  });

  // The time depends on the machine: it is printed, and nothing is asked of it.
  it.each(PAGES)('$path: can be used on a slow phone', async ({ path, ready }) => {
    // The service has answered this view before, as it has for a page that people visit.
    const warm = await screens.blank();
    await warm.page.goto(path);
    await warm.page.locator(ready).first().waitFor();
    const { page, faults } = await screens.blank({ ...TOUCHED });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_PHONE.network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PHONE.cpuRate });
    await page.addInitScript((selector) => {
      const look = () => {
        const isReady = document.querySelector(selector) !== null;
        if (isReady) Object.assign(window, { readyMs: performance.now() });
        else requestAnimationFrame(look);
      };
      look();
    }, ready);
    await page.goto(path);
    await page.waitForFunction('window.readyMs > 0');
    const readyMs = Number(await page.evaluate('window.readyMs'));
    times.push(`${path} ${(readyMs / 1000).toFixed(2)} s`);
    expect(readyMs).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
