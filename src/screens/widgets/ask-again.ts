// Pictures and data that the service could not make at once: the page asks again and says so. `useScreen` asks again for
// the data of a screen.

/** Waits before the page asks again for what got 503. */
export const AGAIN_SECONDS: readonly number[] = [2, 4, 8];
const BUSY = 503;

/** What a page says while it waits to ask again. */
export function againText(seconds: number): string {
  return `Many people are computing at this moment. This page asks again in ${seconds} seconds.`;
}

/**
 * Fetches an address, and asks again after 2, 4 and 8 s while the service is busy.
 *
 * @param say called before each wait with what to tell the reader; without it, a line of the page says it
 * @returns the first answer other than 503, or the last 503
 * @throws the errors of `fetch`
 */
export async function fetchAgain(
  address: string,
  signal: AbortSignal | undefined,
  say?: (text: string) => void,
): Promise<Response> {
  const waiter = {};
  for (const seconds of AGAIN_SECONDS) {
    const response = await fetch(address, { signal: signal ?? null });
    if (response.status !== BUSY) return response;
    if (say === undefined) tell(waiter, seconds);
    else say(againText(seconds));
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    tell(waiter);
  }
  return fetch(address, { signal: signal ?? null });
}

/** Documents that were loaded, by their address. */
const loaded = new Map<string, unknown>();
const LOADED_MAX = 120;

/** The document at an address if it is loaded already. */
export function loadedJson<Document>(address: string): Document | undefined {
  return loaded.get(address) as Document | undefined;
}

/** Loads a JSON document, or returns the loaded one; undefined if it cannot be loaded now. */
export async function loadJson<Document>(
  address: string,
  signal?: AbortSignal,
): Promise<Document | undefined> {
  const known = loadedJson<Document>(address);
  if (known !== undefined) return known;
  try {
    const reply = await fetchAgain(address, signal);
    if (!reply.ok) return undefined;
    const document = (await reply.json()) as Document;
    if (loaded.size >= LOADED_MAX) loaded.clear();
    loaded.set(address, document);
    return document;
  } catch {
    return undefined;
  }
}

type Picture = HTMLImageElement | SVGImageElement;

/** The address of a picture as its element has it. */
const addressOf = (picture: Picture) =>
  picture.getAttribute(picture instanceof SVGImageElement ? 'href' : 'src') ?? '';

/** Asks again for pictures of this service that got 503, from now on and for those that got it before. */
export function askAgainForPictures(): void {
  const asked = new WeakMap<Picture, { address: string; times: number }>();
  const failed = (picture: Picture): void => {
    const address = addressOf(picture);
    if (!address.startsWith('/') || statusOf(address) !== BUSY) return;
    const before = asked.get(picture);
    const times = before?.address === address ? before.times : 0;
    const seconds = AGAIN_SECONDS[times];
    if (seconds === undefined) return;
    tell(picture, seconds);
    asked.set(picture, { address, times: times + 1 });
    setTimeout(() => {
      tell(picture);
      // Meanwhile the page may show another picture in this place.
      if (!picture.isConnected || addressOf(picture) !== address) return;
      const name = picture instanceof SVGImageElement ? 'href' : 'src';
      picture.removeAttribute(name);
      picture.setAttribute(name, address);
    }, 1000 * seconds);
  };
  const isPicture = (target: EventTarget | null): target is Picture =>
    target instanceof HTMLImageElement || target instanceof SVGImageElement;
  document.addEventListener('error', ({ target }) => isPicture(target) && failed(target), true);
  for (const picture of document.querySelectorAll<Picture>('img[src], image[href]'))
    failed(picture);
}

/** Status of the last answer for an address. */
function statusOf(address: string): number {
  const entries = performance.getEntriesByName(new URL(address, location.href).href, 'resource');
  return (entries.at(-1) as PerformanceResourceTiming | undefined)?.responseStatus ?? 0;
}

/** What waits to be asked for again. */
const waiting = new Set<object>();

/** Says in one line of the page that something is asked for again; without seconds, that it no longer waits. */
function tell(waiter: object, seconds?: number): void {
  if (seconds === undefined) waiting.delete(waiter);
  else waiting.add(waiter);
  const line = document.querySelector<HTMLElement>('.asks-again');
  if (waiting.size === 0) line?.remove();
  if (seconds === undefined) return;
  const shown = line ?? document.body.appendChild(document.createElement('p'));
  shown.className = 'notice asks-again';
  shown.role = 'status';
  shown.textContent = againText(seconds);
}
