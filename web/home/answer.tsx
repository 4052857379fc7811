import { render } from 'preact';
import { FitAnswer, FitPicture } from '../../src/pages/home/fit-answer.js';
import { FIT_ADDRESS, type FitView, viewOfProduct } from '../../src/screens/fit/address.js';
import type { FitData } from '../../src/screens/fit/data-types.js';
import { productById, SAFE_PERCENT_MIN } from '../../src/screens/fit/products.js';
import { addressOf } from '../../src/screens/shared/address-fields.js';
import { populationOf } from '../../src/screens/shared/populations.js';
import { fetchAgain } from '../../src/screens/widgets/ask-again.js';
import { failureText, textOf } from './texts.js';

/** Places that this script has filled. */
const shown = new WeakSet<Element>();

/**
 * Shows the Fit screen's answer to the question on the first page, and its picture.
 *
 * @throws the errors of `fetch`
 */
export async function showAnswer(
  question: HTMLFormElement,
  answer: Element,
  picture: Element,
  signal: AbortSignal,
): Promise<void> {
  const view = viewOf(question);
  const target = question.querySelector<HTMLSelectElement>('[name=target]');
  const percent = String(view.targetPercent);
  // The question says which share its answer has.
  if (target !== null && [...target.options].some(({ value }) => value === percent)) {
    target.value = percent;
  }
  // The link leads to the new question before its answer is here.
  answer.querySelector('a')?.setAttribute('href', addressOf(FIT_ADDRESS, view));
  const response = await fetchAgain(
    `${FIT_ADDRESS.path}/data?${FIT_ADDRESS.query(view)}`,
    signal,
    (text) => !signal.aborted && answer.replaceChildren(textOf('p', text)),
  );
  const data = (await response.json()) as FitData & { readonly detail?: string };
  if (signal.aborted) return;
  if (!response.ok) {
    answer.replaceChildren(failureText(data.detail));
    // The picture of another question would be wrong.
    empty(picture);
    return;
  }
  for (const place of [answer, picture]) {
    // The first answer is from the server, and a fault is a text.
    const isKept = shown.has(place) && place.querySelector(':scope > :not(.field-error)') !== null;
    if (!isKept) empty(place);
    shown.add(place);
  }
  render(<FitAnswer view={view} data={data} />, answer);
  render(<FitPicture view={view} data={data} />, picture);
}

/** Empties a place that the server, this script or a fault has filled. */
export function empty(place: Element): void {
  render(null, place);
  place.replaceChildren();
}

/** The view of the Fit screen for the words in the question. */
function viewOf(question: HTMLFormElement): FitView {
  const value = (selector: string) =>
    question.querySelector<HTMLSelectElement>(selector)?.value ?? '';
  const asked = populationOf(value('#question-who'), value('#question-country'));
  const id = value('[name=product]');
  const product = productById(id);
  const percent = Number(value('[name=target]'));
  // A product of safety has no answer for a small share, and its own share takes the place.
  const isRefused = product?.safety === true && percent < SAFE_PERCENT_MIN;
  return viewOfProduct(id, {
    ...(asked === undefined ? {} : { populations: [asked] }),
    targetPercent: (isRefused ? product.targetPercent : undefined) ?? percent,
  });
}
