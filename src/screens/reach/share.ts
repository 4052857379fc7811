import { percent } from '../../site/labels.js';
import type { ShareContent } from '../../site/share-card.js';
import type { ReachView } from './address.js';
import type { ReachData } from './data-types.js';
import { demandsOf, lackText, reachTitle } from './texts.js';

/** The share image of the Reach screen: the share, and who fails what. */
export function sharedReach(view: ReachView, data: ReachData): ShareContent {
  return {
    title: reachTitle(view, data),
    artifactVersion: data.artifactVersion,
    people: data.persons.flatMap((one) => (one?.images === undefined ? [] : [one.images.side])),
    headline: percent(data.answer.share),
    facts: [
      `of ${data.label} reach, see and fit all`,
      ...demandsOf(view, data).map(
        ({ title, met }) => `${title}: ${percent(met.share)}${lackText(met, 'mm')}`,
      ),
    ],
  };
}
