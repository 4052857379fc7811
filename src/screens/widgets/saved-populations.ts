import {
  type ChosenPopulation,
  POPULATION_NAME_MAX,
  populationText,
  readPopulation,
  visibleText,
} from '../shared/populations.js';

/** A population with the name that the user has given to it. */
export interface NamedPopulation {
  readonly name: string;
  readonly population: ChosenPopulation;
}

/** A store of named populations. */
export interface PopulationStore {
  /** Whether the populations are in the user's account, rather than only in this browser. */
  readonly isAccount: boolean;
  /** Why some populations of this browser are not in the account; undefined if all are. */
  readonly notMoved?: string | undefined;
  list(): Promise<readonly NamedPopulation[]>;
  /** @throws Error whose message can be shown */
  save(named: NamedPopulation): Promise<readonly NamedPopulation[]>;
  remove(name: string): Promise<readonly NamedPopulation[]>;
}

/** A population in the form that both stores keep. */
interface Kept {
  readonly name: string;
  readonly population: string;
}

/** Thrown if the session of the account has ended, here or in another tab. */
export class SignedOutError extends Error {
  constructor() {
    super('You are signed out, so the account was not changed.');
  }
}

const PATH = '/account/populations';
/** Key of the populations that this browser keeps. */
const STORED_AS = 'vitruvia.populations';
const SAVED_MAX = 100;

/**
 * The store of this user. Populations that were saved in the browser before a sign-in move to the account. A
 * moved population never replaces another one. If the account refuses a population, it stays in the browser.
 */
export async function openPopulationStore(): Promise<PopulationStore> {
  if (document.documentElement.dataset.signedIn === undefined) return BROWSER;
  const account = await accountStore();
  if (account === undefined) return BROWSER;
  let there = await account.list();
  let notMoved: string | undefined;
  for (const one of readBrowser()) {
    try {
      if (!there.some((other) => isSame(one, other))) {
        there = await account.save({ ...one, name: freeName(one.name, there) });
      }
      writeBrowser(readBrowser().filter(({ name }) => name !== one.name));
    } catch (error) {
      notMoved = `“${one.name}” stays in this browser: ${(error as Error).message}`;
    }
  }
  return { ...account, notMoved };
}

function isSame(one: NamedPopulation, other: NamedPopulation): boolean {
  return kept(one).population === kept(other).population && one.name === other.name;
}

/** The name. If another population already has it, a number is added. */
function freeName(name: string, there: readonly NamedPopulation[]): string {
  const isTaken = (text: string) => there.some((other) => other.name === text);
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` (${number})`;
    const free = `${name.slice(0, POPULATION_NAME_MAX - end.length)}${end}`;
    if (!isTaken(free)) return free;
  }
}

/** A name as the account and the browser store it, without invisible characters and outer spaces. */
export function keptName(name: string): string {
  return visibleText(name).normalize('NFC').trim();
}

function checkedName(name: string): string {
  const kept = keptName(name);
  if (kept !== '' && kept.length <= POPULATION_NAME_MAX) return kept;
  throw new Error(`Give a name of 1 to ${POPULATION_NAME_MAX} characters.`);
}

const BROWSER: PopulationStore = {
  isAccount: false,
  list: async () => readBrowser(),
  async save({ name, population }) {
    const kept = checkedName(name);
    const others = readBrowser().filter((one) => one.name !== kept);
    if (others.length >= SAVED_MAX) {
      throw new Error(`A browser keeps at most ${SAVED_MAX} populations. Remove one first.`);
    }
    writeBrowser(byName([...others, { name: kept, population }]));
    if (readBrowser().some((one) => one.name === kept)) return readBrowser();
    throw new Error('This browser keeps nothing. Sign in to save populations in your account.');
  },
  async remove(name) {
    writeBrowser(readBrowser().filter((one) => one.name !== name));
    return readBrowser();
  },
};

function readBrowser(): readonly NamedPopulation[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(kept) ? kept.flatMap(named) : [];
  } catch {
    // The browser or its user blocks storage, or another program has written there.
    return [];
  }
}

function writeBrowser(all: readonly NamedPopulation[]): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(all.map(kept)));
  } catch {
    // `save` then says that nothing was stored.
  }
}

/** The store of the account; undefined if nobody is signed in any more. */
async function accountStore(): Promise<PopulationStore | undefined> {
  let csrf = '';
  const read = async (response: Response): Promise<readonly NamedPopulation[]> => {
    // Without a session, the account answers with its sign-in page, or refuses the old CSRF token.
    if (response.redirected || response.status === 403) throw new SignedOutError();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body = isJson ? await response.json() : {};
    if (!response.ok || !isJson) {
      throw new Error(body.detail ?? 'The account did not answer. Reload the page and try again.');
    }
    csrf = body.csrf;
    return byName((body.populations as Kept[]).flatMap(named));
  };
  const list = async () => read(await fetch(PATH));
  const send = async (path: string, fields: Readonly<Record<string, string>>) =>
    read(await fetch(path, { method: 'POST', body: new URLSearchParams({ ...fields, csrf }) }));
  try {
    await list();
  } catch {
    return undefined;
  }
  return {
    isAccount: true,
    list,
    save: (one) => send(PATH, { ...kept({ ...one, name: checkedName(one.name) }) }),
    remove: (name) => send(`${PATH}/remove`, { name }),
  };
}

/** Populations in the order of their names. Case does not matter, and numbers are ordered by their value. */
function byName(all: readonly NamedPopulation[]): readonly NamedPopulation[] {
  return all.toSorted((one, other) =>
    one.name.localeCompare(other.name, undefined, { numeric: true }),
  );
}

function kept({ name, population }: NamedPopulation): Kept {
  return { name, population: populationText({ ...population, name: undefined }) };
}

/** A stored population; empty if its text cannot be read. */
function named(one: unknown): NamedPopulation[] {
  const { name, population: text } = (one ?? {}) as Partial<Kept>;
  if (typeof name !== 'string' || typeof text !== 'string') return [];
  const population = readPopulation(text);
  return population === undefined ? [] : [{ name, population: { ...population, name } }];
}
