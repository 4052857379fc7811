/** Hides old notices when a download starts. The page stays open, because its form answers with a file. */
export function connectDownloads(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-download]')) {
    form.addEventListener('submit', () => {
      for (const old of form.querySelectorAll('.notice')) old.remove();
      const sent = form.querySelector<HTMLElement>('[data-sent]');
      if (sent !== null) sent.hidden = false;
    });
  }
}

/** Key under which this tab stores the page that the user came from. */
const CAME_FROM = 'vitruvia.came-from';

/** Adds a link from the credits page back to the page that the user came from. */
export function connectWayBack(): void {
  if (document.querySelector('form[data-download]') !== null) keep(undefined);
  const away = document.querySelector<HTMLAnchorElement>('a[data-come-back]');
  away?.addEventListener('click', () => {
    keep(JSON.stringify({ href: location.href, label: away.dataset.comeBack }));
  });
  const place = document.querySelector<HTMLElement>('[data-came-from]');
  const link = place?.querySelector('a');
  const kept = stored();
  if (place == null || link == null || kept === undefined) return;
  const { href, label } = JSON.parse(kept) as { href: string; label: string };
  link.href = href;
  link.textContent = label;
  place.hidden = false;
}

function keep(text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(CAME_FROM);
    else sessionStorage.setItem(CAME_FROM, text);
  } catch {
    // The browser or its user blocks storage. The user can still go back with the browser's own button.
  }
}

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(CAME_FROM) ?? undefined;
  } catch {
    return undefined;
  }
}
