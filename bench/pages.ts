import type { Browser } from 'playwright-core';
import { SCREEN_PATHS } from '../src/pages/screens/paths.js';
import { haveBrowser, startBrowser } from '../test/support/browser.js';
import { PHONE } from '../test/support/screens.js';
import { startVitruvia } from './servers.js';
import type { Line } from './table.js';

/**
 * A slow phone: a processor four times slower, and "Slow 4G" of Chromium's developer tools (1.6 Mbit/s
 * down, 750 kbit/s up, 150 ms).
 */
const SLOW_PHONE = {
  cpuRate: 4,
  network: { latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 },
} as const;
/** Most bytes of a first load, compressed, and longest time until it can be used. */
const LOAD_MAX_KB = 120;
const USABLE_MAX_MS = 2000;
const VISITS = 3;
const PATHS = ['/', ...Object.values(SCREEN_PATHS)];

interface Visit {
  readonly kilobytes: number;
  readonly firstPaintMs: number;
  /** Until the scripts of the page have run. */
  readonly usableMs: number;
}

/** First visits of the first page and the screens on a slow phone; nothing without a browser. */
export async function pageLines(): Promise<Line[]> {
  if (!haveBrowser) {
    process.stderr.write('The pages are left out: there is no Chromium. Install it first.\n');
    return [];
  }
  const server = await startVitruvia();
  const browser = await startBrowser();
  try {
    const lines: Line[] = [];
    for (const path of PATHS) {
      const visits: Visit[] = [];
      for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, server.address + path));
      const most = (of: (one: Visit) => number) => Math.max(...visits.map(of));
      const middle = (of: (one: Visit) => number) =>
        visits.map(of).toSorted((a, b) => a - b)[Math.floor(VISITS / 2)] ?? Number.NaN;
      lines.push(
        {
          measure: `first load of ${path}`,
          value: most(({ kilobytes }) => kilobytes),
          unit: 'kB',
          ceiling: LOAD_MAX_KB,
        },
        {
          measure: '  first paint on a slow phone',
          value: middle(({ firstPaintMs }) => firstPaintMs),
          unit: 'ms',
        },
        {
          measure: '  usable on a slow phone',
          value: middle(({ usableMs }) => usableMs),
          unit: 'ms',
          ceiling: USABLE_MAX_MS,
        },
      );
    }
    return lines;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** A visit with an empty cache. The search is not counted: it is fetched after the rest. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    ...SLOW_PHONE.network,
  });
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PHONE.cpuRate });
  await page.goto(url, { waitUntil: 'load' });
  const seen: Visit = await page.evaluate(`(async () => {
    const firstPaintMs = await new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const [paint] = list.getEntriesByName('first-contentful-paint');
        if (paint !== undefined) resolve(paint.startTime);
      }).observe({ type: 'paint', buffered: true });
    });
    const [load] = performance.getEntriesByType('navigation');
    const parts = [load, ...performance.getEntriesByType('resource')];
    const counted = parts.filter(({ name }) => !name.includes('/assets/search-'));
    return {
      kilobytes: counted.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
      firstPaintMs,
      usableMs: load.loadEventStart,
    };
  })()`);
  await context.close();
  return seen;
}
