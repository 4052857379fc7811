import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import type { TestService } from './service.js';

/** A size of the window, and the colours that the reader prefers. */
export interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
}

/** Holds back some requests of a page until the returned function is called. */
export async function holdAnswers(page: Page, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** The answer to the call that a screen shows. The call is sent with the key of a customer. */
export async function answerOfShownCall(page: Page, service: TestService) {
  const curl = (await page.locator('pre.call').textContent()) ?? '';
  const path = /http:\/\/[^/]+(\/v1\/[\w/-]+)/.exec(curl)?.[1] ?? '';
  const { headers } = await service.customer(100);
  return (await service.post(path, JSON.parse(/-d '(.*)'/.exec(curl)?.[1] ?? ''), headers)).body;
}

const NAME_OF_FOCUS = `(() => {
  const e = document.activeElement;
  return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? '';
})()`;

/**
 * Presses Tab until the element with this accessible name has the focus.
 *
 * @param selector a selector that the element must match, too
 * @throws Error if 120 presses do not reach it
 */
export async function tabTo(page: Page, name: string, selector = '*'): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    const isIt =
      String(await page.evaluate(NAME_OF_FOCUS)).trim() === name &&
      (await page.locator(':focus').and(page.locator(selector)).count()) === 1;
    if (isIt) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** Opens the tab of exports, if the screen has one. */
async function openExports(page: Page): Promise<void> {
  const tab = page.getByRole('tab', { name: 'Export' });
  if (await tab.isVisible()) await tab.click();
}

/** Presses a button that saves a file. Returns the name and the bytes of the file. */
export async function savedFile(
  page: Page,
  button: string,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  await openExports(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return {
    name: download.suggestedFilename(),
    bytes: await buffer(await download.createReadStream()),
  };
}

/** Permissions that a page needs to copy a text. Pass them when the page opens. */
export const MAY_COPY = { permissions: ['clipboard-read', 'clipboard-write'] };

/** The text that `act` puts on the clipboard. Other tests of the run write to the same clipboard. */
export async function copiedText(page: Page, act: () => Promise<void>): Promise<string> {
  const copied = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const { clipboard } = navigator;
        const write = clipboard.writeText.bind(clipboard);
        clipboard.writeText = async (text) => {
          await write(text);
          resolve(text);
        };
      }),
  );
  await act();
  return await copied;
}

/** Waits until an element has a text that `act` shows for a short time only. */
export async function shownBriefly(
  page: Page,
  text: string,
  act: () => Promise<void>,
): Promise<void> {
  // The page itself looks at every change, because looks from outside can come too late.
  const shown = page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          const all = [...document.querySelectorAll('body *')];
          if (!all.some(({ textContent }) => textContent === wanted)) return;
          observer.disconnect();
          resolve();
        }).observe(document.body, { childList: true, characterData: true, subtree: true });
      }),
    text,
  );
  await act();
  await shown;
}

/** The addresses with a given text that a page requests from now on. The list grows. */
export function requestsTo(page: Page, text: string): readonly string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(text)) urls.push(request.url());
  });
  return urls;
}

/** Bytes that a page has loaded. The search is left out, because it comes after everything that is seen first. */
export async function loadedBytes(page: Page): Promise<number> {
  return Number(
    await page.evaluate(
      `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
        .filter(({ name }) => !name.includes('search-'))
        .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    ),
  );
}

/** Waits until the numbers of the Fit screen belong to the address. Returns the share of everybody. */
export async function overallShare(page: Page): Promise<number> {
  // Another tab may be open.
  await page.locator('.fit-results[aria-busy=false]').waitFor({ state: 'attached' });
  return Number(await page.locator('.fit-share strong').getAttribute('data-share'));
}

/** Changes the size and colours of a loaded page. Its styles follow at once. */
export async function changeLook(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** Width and height from the header of a PNG file. */
export function pngSize(bytes: Buffer): readonly [width: number, height: number] {
  if (bytes.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
