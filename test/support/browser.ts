import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { findProgram, type Program, remedyFor } from './programs.js';

/**
 * The browser: Debian's package, which includes its libraries. Without windows, Chromium needs a third of the processor
 * time for a page.
 */
export const CHROMIUM: Program = {
  name: 'chromium-headless-shell',
  debianPackage: 'chromium-headless-shell',
  substitute: 'chromium',
};

/**
 * Whether a browser is installed, for `describe.skipIf(!haveBrowser)`. If there is none, the set-up has printed what to
 * install, or in CI has stopped the run.
 */
export const haveBrowser = findProgram(CHROMIUM) !== undefined;

const FLAGS = [
  // In containers, tests run as root. Chromium cannot set up its own sandbox there.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Time limit that only a fault exceeds, even on a machine that is ten times slower. */
const WAIT_MAX_MS = 180_000;

/** @throws Error if no browser is installed */
function launchOptions(): LaunchOptions {
  const executablePath = findProgram(CHROMIUM);
  if (executablePath === undefined) throw new Error(remedyFor([CHROMIUM]));
  return { executablePath, headless: true, args: FLAGS, timeout: WAIT_MAX_MS };
}

/** Starts a real headless Chromium. Each page opened by `openPage` has an empty profile. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/** Starts a Chromium that many processes use. A process sees only its own pages. */
export async function startBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer({ ...launchOptions(), host: '127.0.0.1' });
}

/** Connects to a browser that `startBrowserServer` started. Closing the connection closes its pages. */
export async function connectBrowser(address: string): Promise<Browser> {
  return chromium.connect(address, { timeout: WAIT_MAX_MS });
}

/** A page in a context of its own, with its faults. */
export interface WatchedPage {
  readonly page: Page;
  /** Exceptions, console errors (such as a violated policy) and requests that left the origin. */
  readonly faults: string[];
}

/**
 * Opens a page of a service.
 *
 * @param address address of the service, such as `http://127.0.0.1:3000`; paths given to `goto` are relative to it
 */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: address, ...options });
  context.setDefaultTimeout(WAIT_MAX_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('console', (line) => {
    if (line.type() === 'error') faults.push(`console: ${line.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    const own = url.startsWith(`${address}/`) || /^(data|blob):/.test(url);
    if (!own) faults.push(`third party: ${url}`);
  });
  return { page, faults };
}

const AXE_SOURCE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const GRAVE = new Set(['serious', 'critical']);
// Only the violations are described and sent. The rest of the report would take most of the time.
const FIND_VIOLATIONS =
  'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)';

/** The serious and critical faults that axe-core finds on a page, one on each line. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The policy of the page blocks scripts, so the test evaluates code through the browser.
  const isThere = await page.evaluate('"axe" in window');
  if (isThere !== true) await page.evaluate(AXE_SOURCE);
  const violations = (await page.evaluate(FIND_VIOLATIONS)) as AxeResults['violations'];
  return violations
    .filter(({ impact }) => GRAVE.has(impact ?? ''))
    .flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`),
    );
}

const EXCESS_WIDTH = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/**
 * Number of pixels by which the content of a page is wider than its window. It works on phones, too, which zoom out.
 */
export async function excessWidthPx(page: Page): Promise<number> {
  return Number(await page.evaluate(EXCESS_WIDTH));
}

/** Folder for screenshots of the pages; unset: no screenshots. */
const { SCREENSHOTS_DIR } = process.env;

/** Takes a picture of the whole page, if pictures were requested. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS_DIR === undefined) return;
  const { width } = page.viewportSize() ?? { width: 0 };
  await page.screenshot({ path: `${SCREENSHOTS_DIR}/${name}-${width}.png`, fullPage: true });
}
