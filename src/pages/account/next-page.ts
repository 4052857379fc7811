/** Path of the sign-up page. */
export const SIGN_UP_PATH = '/account/sign-up';

/** A page of an account or a screen to open after sign-in; undefined for any other address. */
export function ownPath(text: string | undefined): string | undefined {
  const base = 'http://own.invalid';
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const { origin, pathname, search } = new URL(text, base);
  const isPage = pathname.startsWith('/account/') || /^\/explore(\/|$)/.test(pathname);
  const isOwn = origin === base && text.startsWith('/') && isPage;
  return isOwn ? pathname + search : undefined;
}

/** The address of a page that leads to another one when its form is done. */
export function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`;
}
