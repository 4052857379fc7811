import type { Browser } from 'playwright-core';
import { SCREEN_PATHS } from '../src/site/paths.js';
import { haveBrowser, startBrowser } from '../test/support/browser.js';
import { TOUCHED } from '../test/support/screens.js';
import { median } from './load.js';
import { ended, startUnlimited } from './service.js';
import { atMost, type Figure, figure } from './table.js';

/**
 * A slow phone: a processor four times slower, and "Slow 4G" of Chromium's developer tools (1.6 Mbit/s
 * down, 750 kbit/s up, 150 ms).
 */
const CPU = { rate: 4 };
const NETWORK = { latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const VISITS = 3;
const LOAD_MAX_MS = 180_000;

interface Visit {
  readonly kilobytes: number;
  readonly firstPaintMs: number;
  /** Until the first number of the server's HTML is painted. */
  readonly firstNumberMs: number;
  /** Until the script of the page has filled the population bar; of the home page, until it has loaded. */
  readonly usableMs: number;
}

/** First visits of the home page and the screens on a slow phone. Yields nothing without a browser. */
export async function* pages(): AsyncGenerator<Figure> {
  if (!haveBrowser) {
    process.stderr.write('The pages are left out: there is no Chromium. Install it first.\n');
    return;
  }
  const { address } = await startUnlimited();
  const browser = await startBrowser();
  ended(browser, () => browser.close());
  for (const path of ['/', ...Object.values(SCREEN_PATHS)]) {
    const visits: Visit[] = [];
    for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, address + path));
    const all = (name: keyof Visit) => visits.map((one) => one[name]);
    // Compressed.
    yield atMost(120, `first load of ${path}`, Math.max(...all('kilobytes')), 'kB');
    yield figure('  first paint on a slow phone', median(all('firstPaintMs')), 'ms');
    yield figure('  first number painted, before scripts', median(all('firstNumberMs')), 'ms');
    const usable = path === '/' ? 'loaded' : 'usable: its script filled the population bar';
    yield atMost(2000, `  ${usable}`, median(all('usableMs')), 'ms');
  }
}

/**
 * A visit with an empty cache. The search and the places of pictures are not counted, because the page fetches them after
 * everything else.
 */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(TOUCHED);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK });
  await devTools.send('Emulation.setCPUThrottlingRate', CPU);
  // A frame shows what is there when its callbacks run. The script of a screen replaces the server's numbers.
  await page.addInitScript(`(() => {
    const awaited = new Map([
      ['number', () => /\\d/.test(document.querySelector('.first-numbers, #answer dd')?.textContent)],
      ['ready', () => document.querySelector('#population-bar[data-ready]') !== null],
    ]);
    const look = () => {
      for (const [name, isThere] of awaited) {
        if (!isThere()) continue;
        performance.mark(name);
        awaited.delete(name);
      }
      if (awaited.size > 0) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })()`);
  // A machine with other work is slow.
  await page.goto(url, { waitUntil: 'networkidle', timeout: LOAD_MAX_MS });
  const seen: Visit = await page.evaluate(`(async () => {
    const firstPaintMs = await new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const [paint] = list.getEntriesByName('first-contentful-paint');
        if (paint !== undefined) resolve(paint.startTime);
      }).observe({ type: 'paint', buffered: true });
    });
    const [load] = performance.getEntriesByType('navigation');
    const parts = [load, ...performance.getEntriesByType('resource')];
    const counted = parts.filter(({ name }) => !/\\/assets\\/search-|\\.json$/.test(name));
    const [number] = performance.getEntriesByName('number');
    const [ready] = performance.getEntriesByName('ready');
    return {
      kilobytes: counted.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
      firstPaintMs,
      firstNumberMs: Math.max(firstPaintMs, number?.startTime ?? Infinity),
      usableMs: ready?.startTime ?? load.loadEventStart,
    };
  })()`);
  await context.close();
  return seen;
}
