import { inWords } from '../../site/labels.js';
import { formatLength, shownUnit } from '../../site/lengths.js';
import type { ShareContent } from '../../site/share-card.js';
import { type PersonView, personTitle } from './address.js';
import { type PersonData, USUAL_MARKS } from './data-types.js';

/** The share image of the Person screen: the person with some dimensions. */
export function sharedPerson(view: PersonView, data: PersonData): ShareContent {
  const unit = shownUnit(view.unit);
  const shown = new Set<string>(view.marked.length > 0 ? view.marked : USUAL_MARKS[data.pose]);
  return {
    title: personTitle(view),
    note: `${data.who}. ${data.source}`,
    artifactVersion: data.artifactVersion,
    people: [data.picture],
    facts: [
      ...data.readings
        .filter(({ measurement }) => shown.has(measurement))
        .map(
          ({ measurement, asked, achieved }) =>
            `${inWords(measurement)} ${formatLength(achieved ?? asked ?? 0, unit)}`,
        ),
      `Body mass ${data.massKg.toFixed(1)} kg`,
    ],
  };
}
