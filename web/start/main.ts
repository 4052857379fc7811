// Loads the script of a screen after the first paint. The page has its answer before, and on a slow line the styles
// would wait for the scripts.

// On a phone, the links to the screens are one row that scrolls.
document.querySelector('.screens-nav [aria-current]')?.scrollIntoView({ block: 'nearest' });

/** Below this width of the window, Body usually draws fewer people than its page has, px. Their pictures are not loaded. */
const PHONE_PX = 600;

const begin = (): void => {
  const later = document.querySelectorAll<SVGElement>('image[data-href]');
  for (const picture of innerWidth < PHONE_PX ? [] : later) {
    picture.setAttribute('href', picture.dataset.href ?? '');
  }
  for (const file of document.querySelectorAll<HTMLLinkElement>('link[data-later]')) {
    file.rel = 'modulepreload';
  }
  const script = document.createElement('script');
  script.type = 'module';
  script.src = document.querySelector<HTMLElement>('[data-entry]')?.dataset.entry ?? '';
  document.head.append(script);
};

// A tab in the background paints nothing.
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));
