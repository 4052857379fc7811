import { ASKED_PEOPLE, type AskedPeople } from '../../src/pages/home/asked-people.js';
import { FIT_ADDRESS, type FitView, viewOfProduct } from '../../src/screens/fit/address.js';
import type { FitData } from '../../src/screens/fit/data-types.js';
import { productById } from '../../src/screens/fit/products.js';
import { addressOf } from '../../src/screens/shared/address-fields.js';
import { failureText, textOf } from './texts.js';

/**
 * The Fit screen's answer to the question on the first page.
 *
 * @throws the errors of `fetch`
 */
export async function answerTo(
  question: HTMLFormElement,
  signal: AbortSignal,
): Promise<readonly HTMLElement[]> {
  const view = viewOf(question);
  const response = await fetch(`${FIT_ADDRESS.path}/data?${FIT_ADDRESS.query(view)}`, { signal });
  const data = (await response.json()) as FitData & { readonly detail?: string };
  return response.ok ? answerOf(data, view) : [failureText(data.detail)];
}

/** The view of the Fit screen for the words in the question. */
function viewOf(question: HTMLFormElement): FitView {
  const value = (selector: string) =>
    question.querySelector<HTMLSelectElement>(selector)?.value ?? '';
  const { gender, ageMin, ageMax } = ASKED_PEOPLE[Number(value('#question-who'))] as AskedPeople;
  const countries = [value('#question-country')];
  return viewOfProduct(value('[name=product]'), {
    populations: [{ gender, countries, ageMin, ageMax }],
    targetPercent: Number(value('[name=target]')),
  });
}

/** The proposed sizes, the share that they fit, and a link to the Fit screen with these sizes. */
function answerOf({ product: id, proposal, populations, notes }: FitData, view: FitView) {
  const refusal = populations.find((one) => one.refusal !== undefined)?.refusal?.detail;
  const link = document.createElement('p');
  const to = textOf('a', 'See who fits, and change the sizes');
  to.setAttribute('href', addressOf(FIT_ADDRESS, view));
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
