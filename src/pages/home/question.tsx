import type { VNode } from 'preact';
import { COUNTRIES } from '../../core/countries.js';
import { PRODUCTS } from '../screens/fit/products.js';
import { SCREEN_PATHS } from '../screens/paths.js';

/** Who is asked for, in words; gender and ages as an address has them. */
const WHO = [
  ['Both', '18-65', 'adults of 18 to 65'],
  ['Female', '18-65', 'women of 18 to 65'],
  ['Male', '18-65', 'men of 18 to 65'],
  ['Both', '65-90', 'people of 65 to 90'],
  ['Both', '12-17', 'teenagers of 12 to 17'],
  ['Both', '8-8', 'children of 8'],
] as const;
const SHARES = [80, 90, 95, 99] as const;
/** What the question is about at first. */
const FIRST = { product: 'desk', country: 'DE', share: 90 } as const;

/**
 * A question in one sentence, whose words can be changed. The script of the page answers it with the
 * computations of the Fit screen. Without the script it leads there.
 */
export function Question(): VNode {
  return (
    <form id="question" class="home-question" method="get" action={SCREEN_PATHS.fit}>
      <p>
        Which sizes of a{' '}
        <select name="product" aria-label="Product">
          {PRODUCTS.map(({ id, title }) => (
            <option key={id} value={id} selected={id === FIRST.product}>
              {title.toLowerCase()}
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
        <select id="question-who" aria-label="People">
          {WHO.map(([gender, ages, words]) => (
            <option key={words} value={`${gender}~~${ages}`}>
              {words}
            </option>
          ))}
        </select>{' '}
        in{' '}
        <span class="home-question-end">
          <select id="question-country" aria-label="Country">
            {COUNTRIES.map(({ code, name }) => (
              <option key={code} value={code} selected={code === FIRST.country}>
                {name}
              </option>
            ))}
          </select>
          ?
        </span>
      </p>
      <button type="submit" class="primary">
        Answer
      </button>
      <div id="answer" class="home-answer" role="status" />
      <noscript>
        <p class="soft">
          Without JavaScript, <a href={SCREEN_PATHS.fit}>the Fit screen</a> answers this.
        </p>
      </noscript>
    </form>
  );
}
