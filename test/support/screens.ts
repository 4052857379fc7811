import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openPage, startBrowser, type WatchedPage } from './browser.js';
import { startService, type TestService } from './service.js';

/** Sizes of windows in which screens are tried. */
export const DESKTOP = { width: 1400, height: 900 } as const;
export const PHONE = { width: 360, height: 740 } as const;

/** How the tests of a `describe` visit screens. */
interface ScreensOptions {
  /** Selector of what a screen shows once its script has run; nothing is awaited without it. */
  readonly ready?: string;
  /** Options of the context of every page; a window of desktop size by default. */
  readonly context?: BrowserContextOptions;
  /** Options of the service; asked after the set-up of the `describe`. */
  readonly service?: () => Parameters<typeof startService>[0];
}

/** The screens of a service, in a real browser. */
export interface Screens {
  /** The service of the current test. */
  readonly service: TestService;
  /** Its address, as `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Opens a page in a context of its own and waits until it is ready. */
  visit(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** An empty page, for tests that watch the first load. */
  blank(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens a page without waiting, for pages that never get ready. */
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/**
 * Starts a browser for the tests of a `describe`, and a service for each of them, so that they do not
 * share a rate limit. Both end with the tests.
 */
export function useScreens(options: ScreensOptions = {}): Screens {
  const { ready, context = { viewport: DESKTOP } } = options;
  let browser: Browser;
  let service: TestService;
  let address: string;
  let pages: WatchedPage[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    service = await startService(options.service?.());
    address = await service.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    await Promise.all(pages.map(({ page }) => page.context().close()));
    pages = [];
    await service.close();
  });

  const blank: Screens['blank'] = async (more = {}) => {
    const watched = await openPage(browser, address, { ...context, ...more });
    pages.push(watched);
    return watched;
  };
  const open: Screens['open'] = async (path, more) => {
    const watched = await blank(more);
    await watched.page.goto(path);
    return watched;
  };
  return {
    get service() {
      return service;
    },
    get address() {
      return address;
    },
    blank,
    open,
    async visit(path, more) {
      const watched = await open(path, more);
      if (ready !== undefined) await watched.page.locator(ready).first().waitFor();
      return watched;
    },
  };
}
