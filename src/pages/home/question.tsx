import type { ComponentChildren, VNode } from 'preact';
import { COUNTRIES } from '../../core/countries.js';
import { PRODUCTS } from '../../screens/fit/products.js';
import { inSentence } from '../../site/in-sentence.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { ASKED_PEOPLE } from './asked-people.js';
import { FIRST } from './fit-answer.js';

const SHARES = [80, 90, 95, 99, 99.9] as const;

/**
 * A question in one sentence with words that a visitor can change. The script of the page answers it with the
 * computations of the Fit screen. Without the script, the form opens the Fit screen. The children are the first answer.
 */
export function Question({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <form id="question" class="home-question" method="get" action={SCREEN_PATHS.fit}>
      <p>
        Which sizes of a{' '}
        <select name="product" aria-label="Product">
          {PRODUCTS.map(({ id, title }) => (
            <option key={id} value={id} selected={id === FIRST.product}>
              {inSentence(title)}
            </option>
          ))}
        </select>{' '}
        fit{' '}
        <select name="target" aria-label="Share of the people">
          {SHARES.map((share) => (
            <option key={share} value={share} selected={share === FIRST.share}>
              {share} %
            </option>
          ))}
        </select>{' '}
        of{' '}
        <select id="question-who" name="group" aria-label="People">
          {ASKED_PEOPLE.map(({ words, gender = 'Both', ageMin, ageMax }) => (
            <option key={words} value={`${gender}~${ageMin}-${ageMax}`}>
              {words}
            </option>
          ))}
        </select>{' '}
        in{' '}
        <span class="home-question-end">
          <select id="question-country" name="in" aria-label="Country">
            {COUNTRIES.map(({ code, name }) => (
              <option key={code} value={code} selected={code === FIRST.country}>
                {name}
              </option>
            ))}
          </select>
          ?
        </span>
      </p>
      <div id="answer" class="home-answer" role="status">
        {children}
      </div>
      <noscript>
        <button type="submit" class="primary">
          Answer on the Fit screen
        </button>
      </noscript>
    </form>
  );
}
