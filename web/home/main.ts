import '../../src/screens/fit/browser/scene.css';
import './stories.css';
import { askAgainForPictures } from '../../src/screens/widgets/ask-again.js';
import { percent } from '../../src/site/labels.js';
import { failureText, textOf } from './texts.js';

const form = document.getElementById('question') as HTMLFormElement | null;
const answer = document.getElementById('answer');
const picture = document.getElementById('question-picture');
let asked: AbortController | undefined;

askAgainForPictures();
moveSeat(document.querySelector('.moving-seat'));
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

/** Moves the seat in the picture once to where its driver needs it, and counts. Nothing moves for visitors who want that. */
function moveSeat(figure: SVGSVGElement | null): void {
  const count = document.querySelector<HTMLElement>('[data-from]');
  if (figure === null || count === null) return;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const { ahead, up } = figure.dataset;
  const [from, to] = [Number(count.dataset.from), Number(count.dataset.to)];
  const end = count.textContent;
  const moves = [...figure.querySelectorAll('[class*="series-"]')].map((part) =>
    part.animate(
      { transform: `translate(${ahead}px, ${-Number(up)}px)` },
      { delay: 400, duration: 2500, easing: 'ease-in-out', fill: 'forwards' },
    ),
  );
  const step = () => {
    const done = moves[0]?.effect?.getComputedTiming().progress ?? 0;
    count.textContent = done < 1 ? percent(from + done * (to - from)) : end;
    if (done < 1) requestAnimationFrame(step);
  };
  step();
}
