import './stories.css';
import { askAgainForPictures } from '../../src/screens/widgets/ask-again.js';
import { failureText, textOf } from './texts.js';

const form = document.getElementById('question') as HTMLFormElement | null;
const answer = document.getElementById('answer');
const picture = document.getElementById('question-picture');
let asked: AbortController | undefined;

askAgainForPictures();
countShare(document.querySelector('.counted'));
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void ask(form);
});
// Another word asks again.
form?.addEventListener('change', () => void ask(form));

/** Asks the Fit screen for the sizes, and shows them below the question and in the picture. */
async function ask(question: HTMLFormElement): Promise<void> {
  if (answer === null || picture === null) return;
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  for (const place of [answer, picture]) place.setAttribute('aria-busy', 'true');
  if (answer.childElementCount === 0) answer.append(textOf('p', 'Computing …'));
  try {
    // The script loads at the first question, because many visitors only read the page.
    const { showAnswer } = await import('./answer.js');
    await showAnswer(question, answer, picture, signal);
  } catch {
    if (!signal.aborted) {
      answer.replaceChildren(failureText());
      picture.replaceChildren();
    }
  }
  if (signal.aborted) return;
  for (const place of [answer, picture]) place.setAttribute('aria-busy', 'false');
}

/** Counts a share up while the seat beside it moves. Nothing moves for visitors who want that. */
function countShare(counted: HTMLElement | null): void {
  const [moving] = document.querySelector('.moving-seat .series-1')?.getAnimations() ?? [];
  const [from, to] = [Number(counted?.dataset.from), Number.parseFloat(counted?.textContent ?? '')];
  const step = () => {
    const done = moving?.effect?.getComputedTiming().progress ?? 1;
    if (counted !== null) counted.textContent = `${Math.round(from + done * (to - from))} %`;
    if (done < 1) requestAnimationFrame(step);
  };
  if (moving !== undefined) step();
}
