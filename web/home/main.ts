import { failureText, textOf } from './texts.js';

const form = document.getElementById('question') as HTMLFormElement | null;
const answer = document.getElementById('answer');
let asked: AbortController | undefined;

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void ask(form);
});
// After the first answer, another word asks again.
form?.addEventListener('change', () => {
  if (asked !== undefined) void ask(form);
});

/** Asks the Fit screen for the sizes, and shows them below the question. */
async function ask(question: HTMLFormElement): Promise<void> {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  answer?.setAttribute('aria-busy', 'true');
  if (answer?.childElementCount === 0) answer.append(textOf('p', 'Computing …'));
  try {
    // Most visitors first read the page, and many never ask. So the script loads only now.
    const { answerTo } = await import('./answer.js');
    const parts = await answerTo(question, signal);
    if (!signal.aborted) show(parts);
  } catch {
    if (!signal.aborted) show([failureText()]);
  }
}

function show(parts: readonly HTMLElement[]): void {
  answer?.replaceChildren(...parts);
  answer?.setAttribute('aria-busy', 'false');
}
