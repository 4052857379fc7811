/** Path of the sign-up page. */
export const SIGN_UP_PATH = '/account/sign-up';

/** The address to open after sign-in, if it is a page of an account or a screen; otherwise undefined. */
export function ownPath(text: string | undefined): string | undefined {
  const base = 'http://own.invalid';
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const { origin, pathname, search } = new URL(text, base);
  const isPage = pathname.startsWith('/account/') || /^\/explore(\/|$)/.test(pathname);
  const isOwn = origin === base && text.startsWith('/') && isPage;
  return isOwn ? pathname + search : undefined;
}

/** The address of a page with a form. When the form is done, the page leads to `next`. */
export function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`;
}
