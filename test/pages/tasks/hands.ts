import type { BrowserContextOptions, Page } from 'playwright-core';
import { tabTo } from '../../support/screen-page.js';
import { DESKTOP, TOUCHED } from '../../support/screens.js';

/** How a person uses the page. */
export interface Hands {
  readonly options: BrowserContextOptions;
  press(page: Page, role: 'button' | 'link' | 'radio', name: string): Promise<void>;
  /** Types into a field and ends with Enter. */
  type(page: Page, name: string, text: string): Promise<void>;
  /** Types into a list of options and chooses the first option. */
  pick(page: Page, name: string, text: string): Promise<void>;
}

const PHONE = {
  ...TOUCHED,
  deviceScaleFactor: 3,
  userAgent:
    'Mozilla/5.0 (Linux; Android 16; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
};

/** Points with a mouse or a finger. */
function pointing(options: BrowserContextOptions, act: 'click' | 'tap'): Hands {
  return {
    options,
    press: (page, role, name) => page.getByRole(role, { name, exact: true })[act](),
    async type(page, name, text) {
      const field = page.getByRole('textbox', { name, exact: true });
      await field[act]();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
    async pick(page, name, text) {
      await page.getByRole('combobox', { name, exact: true })[act]();
      await page.keyboard.type(text);
      await page.getByRole('option', { name: text }).first()[act]();
    },
  };
}

export const KEYBOARD: Hands = {
  options: { viewport: DESKTOP },
  async press(page, _role, name) {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  },
  async type(page, name, text) {
    // A handle in a picture can have the same name as its field.
    await tabTo(page, name, 'input');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  },
  async pick(page, name, text) {
    await tabTo(page, name);
    await page.keyboard.type(text);
    await page.getByRole('option', { name: text }).first().waitFor();
    await page.keyboard.press('Enter');
  },
};

export const MOUSE = pointing({ viewport: DESKTOP }, 'click');
export const TOUCH = pointing(PHONE, 'tap');

/** Hands that count interactions. A click, a choice or a filled field counts as one. */
export class CountedHands implements Hands {
  count = 0;
  readonly options: BrowserContextOptions;

  constructor(private readonly hands: Hands) {
    this.options = hands.options;
  }

  press(page: Page, role: 'button' | 'link' | 'radio', name: string): Promise<void> {
    this.count++;
    return this.hands.press(page, role, name);
  }

  type(page: Page, name: string, text: string): Promise<void> {
    this.count++;
    return this.hands.type(page, name, text);
  }

  pick(page: Page, name: string, text: string): Promise<void> {
    this.count++;
    return this.hands.pick(page, name, text);
  }

  /** Opens the controls of a screen on a phone, where they slide in from below. */
  async openControls(page: Page, label: string): Promise<void> {
    if (this.options.hasTouch !== true) return;
    this.count++;
    await page.locator('summary', { hasText: label }).tap();
  }
}

/** Changes the people of a population in the bar at the top of a screen. The words are such as `people DE 18–65`. */
export async function describePeople(hands: Hands, page: Page, chip: string, words: string) {
  await hands.press(page, 'button', `${chip}, edit`);
  await hands.type(page, 'In words', words);
}
