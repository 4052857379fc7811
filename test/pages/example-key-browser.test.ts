import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { pageAssets } from '../../src/site/assets.js';
import { accessibilityFaults, haveBrowser, type WatchedPage } from '../support/browser.js';
import { PASSWORD } from '../support/form-client.js';
import { copiedText, MAY_COPY } from '../support/screen-page.js';
import { useScreens } from '../support/screens.js';

const USE = 'Use this key in the examples';
const FORGET = 'Forget it';
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>';
const STORED = 'localStorage.getItem("vitruvia.example-key")';

describe.skipIf(!haveBrowser)("the reader's own test key in the examples", () => {
  const screens = useScreens({ keepsPages: true });
  let watched: WatchedPage;
  let page: Page;
  let key: string;

  beforeAll(async () => {
    watched = await screens.blank(MAY_COPY);
    ({ page } = watched);
    key = await signUp(page, 'Ada', 'ada@example.com');
  });

  /** Signs up. Returns the first test key; the page that shows the key stays open. */
  async function signUp(to: Page, name: string, email: string): Promise<string> {
    await to.goto('/account/sign-up');
    await to.getByLabel('Name').fill(name);
    await to.getByLabel('E-mail').fill(email);
    await to.getByLabel('Password').first().fill(PASSWORD);
    await to.getByRole('button', { name: 'Sign up' }).click();
    await to.getByRole('heading', { name: 'Your test key' }).waitFor();
    return (await to.locator('#api-key').textContent()) ?? '';
  }

  it('is in the examples and in the calls of screens once the reader asks for it', async () => {
    const other = await page.context().newPage();
    await other.goto('/docs/operations/predict');
    const curl = other.locator('pre[data-language="sh"]');
    expect(await curl.textContent()).toContain('Bearer <API_KEY>');
    await other.close();
    await page.getByRole('button', { name: USE }).click();
    await page.getByText('The examples in this browser show your key now.').waitFor();
    for (const path of ['/docs/operations/predict', '/docs/billing']) {
      await page.goto(path);
      await page.getByText('is in the examples on this page').waitFor();
      const blocks = await page.locator('pre.code').allTextContents();
      expect([path, blocks.filter((text) => text.includes('<API_KEY>'))]).toEqual([path, []]);
      expect(blocks.some((text) => text.includes(key))).toBe(true);
    }
    await page.goto('/explore/dimension?measurement=Stature');
    await page.getByRole('tab', { name: 'API' }).click();
    await page.getByText('is in this call').waitFor();
    const button = page.locator('.code-bar').getByRole('button', { name: 'Copy' });
    expect(await copiedText(page, () => button.click())).toContain(key);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('is forgotten when the reader asks for that, revokes it or signs out', async () => {
    await page.getByRole('button', { name: FORGET }).click();
    expect(await page.locator('pre.call').textContent()).toContain('<API_KEY>');
    expect(await page.evaluate(STORED)).toBeNull();
    await page.evaluate(`localStorage.setItem("vitruvia.example-key", "${key}")`);
    await page.goto('/account/keys');
    const note = page.getByText('is in the examples that this browser shows');
    await note.waitFor();
    expect(await note.textContent()).toContain(key.slice(0, 14));
    await page.getByRole('link', { name: /^Revoke/ }).click();
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.waitForURL('**/account/keys?done=revoked');
    await page.waitForFunction(`${STORED} === null`);
    await page.getByLabel('Name').fill('examples');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: USE }).click();
    const second = await page.locator('#api-key').textContent();
    expect(await page.evaluate(STORED)).toBe(second);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/account/sign-in?done=out');
    await page.waitForFunction(`${STORED} === null`);
  });

  it('is never a live key, and never shown to a browser that is not signed in', async () => {
    const { page: stranger, faults } = await screens.blank();
    await stranger.goto('/docs/operations/predict');
    await stranger.evaluate(`localStorage.setItem("vitruvia.example-key", "${key}")`);
    await stranger.reload();
    const curl = stranger.locator('pre[data-language="sh"]');
    expect(await curl.textContent()).toContain('Bearer <API_KEY>');
    expect(await stranger.evaluate(STORED)).toBeNull();

    await signUp(stranger, 'Bob', 'bob@example.com');
    const live = key.replace('vt_test_', 'vt_live_');
    await stranger.evaluate(`localStorage.setItem("vitruvia.example-key", "${live}")`);
    await stranger.goto('/docs/operations/predict');
    expect(await curl.textContent()).toContain('Bearer <API_KEY>');
    expect(await stranger.evaluate(STORED)).toBeNull();
    expect([...faults, ...watched.faults]).toEqual([]);
  });
});

describe.skipIf(!haveBrowser)('the script of the documentation', () => {
  const screens = useScreens({ keepsPages: true });

  it('asks again for the picture of a guide that a busy service refused', async () => {
    const { page } = await screens.blank();
    const answers = [{ status: 503 }, { contentType: 'image/svg+xml', body: PICTURE }];
    await page.route(/scene\.svg/, (route) => route.fulfill(answers.shift() ?? { status: 500 }));
    await page.goto('/docs/guides/lever');
    const width = () =>
      page
        .locator('img[src*="scene.svg"]')
        .evaluate((one) => (one as HTMLImageElement).naturalWidth);
    await expect.poll(width, { timeout: 30_000 }).toBe(7);
    expect(answers).toEqual([]);
  });

  it('weighs less than 1.5 KiB', () => {
    const { scripts, preloads } = pageAssets('web/docs/main.ts');
    const bytes = [...scripts, ...preloads].map(
      (path) => brotliCompressSync(readFileSync(join(projectDir(), 'dist', 'web', path))).length,
    );
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(1536);
  });
});
