import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyPluginCallback } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { PEOPLE_PATH } from '../../src/site/paths.js';
import { connectBrowser, openPage, type WatchedPage } from './browser.js';
import { type ServiceOptions, startService, type TestService } from './service.js';

/** Sizes of windows in which screens are tried. */
export const DESKTOP = { width: 1400, height: 900 } as const;
export const PHONE = { width: 360, height: 740 } as const;
/** A phone whose screen is touched. */
export const TOUCHED = { viewport: PHONE, hasTouch: true, isMobile: true } as const;

/** Options of the tests of a browser. */
export interface BrowserOptions {
  /** Whether pages stay open for the following tests. */
  readonly keepsPages?: boolean;
}

/** The pages of one `describe` in the browser of the run. */
export interface TestBrowser {
  /** Opens an empty page in an empty profile. It is closed after the test, unless `keepsPages` is set. */
  blank(address: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** The browser of this run. It starts when a test first asks for it. */
async function sharedBrowser(): Promise<Browser> {
  const address = await text(connect(inject('browserSocket')));
  if (address === '') throw new Error("The run's browser did not start.");
  return connectBrowser(address);
}

/** Gives tests pages of the run's browser. Call this function in a `describe`. */
export function useBrowser({ keepsPages = false }: BrowserOptions = {}): TestBrowser {
  let browser: Browser | undefined;
  let pages: Page[] = [];
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterEach(async () => {
    if (keepsPages) return;
    await Promise.all(pages.map((page) => page.context().close()));
    pages = [];
  });
  afterAll(() => browser?.close());
  return {
    async blank(address, options) {
      if (browser === undefined) throw new Error('The browser starts before the first test.');
      const watched = await openPage(browser, address, { viewport: DESKTOP, ...options });
      pages.push(watched.page);
      return watched;
    },
  };
}

/** Options of the tests of screens. */
export interface ScreenOptions extends BrowserOptions {
  /** CSS selector of what a screen shows when it can be used. Without one, it is enough that the page is loaded. */
  readonly ready?: string;
  /** Gives the folder of the artifacts that replace the invented people of the tests. */
  readonly artifacts?: () => Promise<string>;
  /** Computes heavy operations in threads, as paid files need. */
  readonly computing?: ServiceOptions['computing'];
  /** Sends an empty picture in place of each person, who takes a second of processor time. */
  readonly blankPeople?: boolean;
}

const EMPTY_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

const sendBlankPeople: FastifyPluginCallback = Object.assign(
  ((app, _, done) => {
    app.addHook('onRequest', async ({ url }, reply) => {
      const isPicture = url.startsWith(PEOPLE_PATH) && !url.endsWith('.json');
      if (isPicture) return reply.type('image/svg+xml').send(EMPTY_PICTURE);
    });
    done();
  }) satisfies FastifyPluginCallback,
  // The hook is for the routes of all plugins.
  { [Symbol.for('skip-override')]: true },
);

/** A service and a browser. They exist from the first test of a `describe` to its last. */
export interface Screens {
  readonly service: TestService;
  /** Address of the service, such as `http://127.0.0.1:3000`. */
  readonly address: string;
  /**
   * Opens an empty page for paths of the service. It is closed like the pages of `TestBrowser`. Every visitor has an IP
   * address of their own, so that the tests do not share a rate limit.
   */
  blank(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens a path in a page of its own. */
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens a path in a new page, and waits until its screen can be used. */
  visit(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** Registers a service and pages for tests. Call this function in a `describe`. */
export function useScreens(options: ScreenOptions = {}): Screens {
  const { ready, artifacts, computing, blankPeople = false, ...rest } = options;
  let started: { readonly service: TestService; readonly address: string } | undefined;
  let visitors = 0;
  beforeAll(async () => {
    const parts = {
      ...(artifacts && { artifacts: await artifacts() }),
      ...(computing && { computing }),
      ...(blankPeople && { onRoutes: sendBlankPeople }),
    };
    // The service trusts the addresses that `blank` gives to visitors.
    const service = await startService({ trustProxy: true, ...parts });
    started = { service, address: await service.address() };
  });
  afterAll(() => started?.service.close());
  const browser = useBrowser(rest);
  const running = () => {
    if (started === undefined) throw new Error('The service starts before the first test.');
    return started;
  };
  const blank: Screens['blank'] = (options) => {
    const extraHTTPHeaders = { 'x-forwarded-for': `10.1.0.${++visitors}` };
    return browser.blank(running().address, { extraHTTPHeaders, ...options });
  };
  const open: Screens['open'] = async (path, options) => {
    const watched = await blank(options);
    await watched.page.goto(path);
    return watched;
  };
  return {
    get service() {
      return running().service;
    },
    get address() {
      return running().address;
    },
    blank,
    open,
    async visit(path, options) {
      const watched = await open(path, options);
      if (ready !== undefined) await watched.page.locator(ready).first().waitFor();
      return watched;
    },
  };
}
