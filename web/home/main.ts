import type { FitData } from '../../src/pages/screens/fit/data-types.js';
import { productById } from '../../src/pages/screens/fit/products.js';
import { SCREEN_PATHS } from '../../src/pages/screens/paths.js';

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

/** Asks the Fit screen for the sizes, and shows them below the sentence. */
async function ask(question: HTMLFormElement): Promise<void> {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  answer?.setAttribute('aria-busy', 'true');
  if (answer?.childElementCount === 0) answer.append(textOf('p', 'Computing …'));
  const query = queryOf(question);
  try {
    const response = await fetch(`${SCREEN_PATHS.fit}/data?${query}`, { signal });
    const data = (await response.json()) as FitData & { readonly detail?: string };
    show(response.ok ? answerOf(data, query) : [textOf('p', data.detail ?? FAILED, 'field-error')]);
  } catch {
    if (!signal.aborted) show([textOf('p', FAILED, 'field-error')]);
  }
}

const FAILED = 'The service did not answer. Check your connection and ask again.';

/** The parameters of the Fit screen for the words of the sentence. */
function queryOf(question: HTMLFormElement): string {
  const value = (selector: string) =>
    question.querySelector<HTMLSelectElement>(selector)?.value ?? '';
  const who = value('#question-who').replace('~~', `~${value('#question-country')}~`);
  return `product=${value('[name=product]')}&p=${who}&target=${value('[name=target]')}`;
}

function show(parts: readonly HTMLElement[]): void {
  answer?.replaceChildren(...parts);
  answer?.setAttribute('aria-busy', 'false');
}

/** The proposed sizes, the share that they fit, and the way to the screen that shows them. */
function answerOf({ product: id, proposal, populations, notes }: FitData, query: string) {
  const refusal = populations.find((one) => one.refusal !== undefined)?.refusal?.detail;
  const link = document.createElement('p');
  const to = textOf('a', 'See who fits, and change the sizes');
  to.setAttribute('href', `${SCREEN_PATHS.fit}?${query}`);
  link.append(to);
  if (proposal === undefined) {
    return [textOf('p', refusal ?? notes[0] ?? 'There is no answer for these people.'), link];
  }
  const list = document.createElement('dl');
  for (const { id: size, label } of productById(id)?.sizes ?? []) {
    const mm = proposal.sizesMm[size];
    if (mm === undefined) continue;
    const pair = document.createElement('div');
    pair.append(textOf('dt', label), textOf('dd', `${mm.toLocaleString('en')} mm`));
    list.append(pair);
  }
  const share = proposal.share?.answer.share;
  const served =
    share === undefined ? '' : `These sizes fit ${(share * 100).toFixed(1)} % of them.`;
  return [list, textOf('p', served), link];
}

function textOf(tag: string, text: string, name = ''): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  return element;
}
