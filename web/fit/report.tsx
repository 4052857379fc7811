import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { SERVICE_NAME } from '../../src/core/version.js';
import { clothingIn, FIT_ADDRESS, rulesOf } from '../../src/pages/screens/fit/address.js';
import type { FitData } from '../../src/pages/screens/fit/data-types.js';
import { boundsOf } from '../../src/pages/screens/fit/needs.js';
import { sizesText } from '../../src/pages/screens/fit/texts.js';
import { clothingText } from '../../src/pages/screens/shared/labels.js';
import { populationLabel } from '../../src/pages/screens/shared/populations.js';
import { formatLength } from '../widgets/lengths.js';
import type { FitParts } from './parts.js';

const SAID_MS = 4000;
/** Surveys that have room on the page; the others are counted. */
const SURVEYS_MAX = 8;

/**
 * What a reader of the printed page needs besides its picture and its numbers: sizes, assumptions, sources,
 * version and link. The styles for paper are in `fit.css`. On the screen it is how to print and to cite.
 */
export function Report({ view, unit, data }: FitParts & { readonly data: FitData }): VNode {
  const [said, setSaid] = useState('');
  const day = new Date().toISOString().slice(0, 10);
  const title = FIT_ADDRESS.title(view);
  const link = `${location.origin}${FIT_ADDRESS.path}?${FIT_ADDRESS.query(view)}`;
  const who = view.populations.map(populationLabel).join('; ');
  const cite = `${SERVICE_NAME}, “${title} ${who}”, data ${data.artifactVersion}, ${day}. ${link}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(cite);
      setSaid('The citation is copied.');
    } catch {
      setSaid('The browser did not allow copying. Select the text and copy it.');
    }
    setTimeout(() => setSaid(''), SAID_MS);
  };
  const clothing = [...new Set(view.populations.map((one) => clothingIn(view, one)))];
  return (
    <section class="panel report" aria-labelledby="report-heading">
      <h2 id="report-heading">Report</h2>
      <p class="on-paper">{sizesText(boundsOf(view), unit)}</p>
      <p class="on-paper">
        People: {who}. Clothing: {clothing.map(clothingText).join(', ')}.
      </p>
      <ul class="on-paper">
        {rulesOf(view).map(({ size, kind, measurement, words, clearanceMm, basis }) => (
          <li key={`${size}-${kind}-${measurement}`}>
            {words} Clearance {formatLength(clearanceMm, unit)}. {basis}.
          </li>
        ))}
      </ul>
      <p class="on-paper">{sourcesText(data)}</p>
      <p class="report-cite">{cite}</p>
      <div class="exports">
        <button type="button" onClick={() => print()}>
          Print the report
        </button>
        <button type="button" onClick={copy}>
          Cite this
        </button>
        <span class="hint" role="status">
          {said}
        </span>
      </div>
    </section>
  );
}

/** The surveys behind the numbers, with title and year. */
function sourcesText({ surveys, artifactVersion }: FitData): string {
  const version = `Numbers: ${SERVICE_NAME}, data ${artifactVersion}.`;
  if (surveys === undefined || surveys.length === 0) {
    return `${version} The operation evidence names the surveys of each country.`;
  }
  const more = surveys.length - SURVEYS_MAX;
  const rest = more > 0 ? ` and ${more} more, which the operation evidence names` : '';
  return `${version} Surveys: ${surveys.slice(0, SURVEYS_MAX).join('; ')}${rest}.`;
}
