import { NO_BODIES } from '../../site/pictures/notes.js';
import type { ShareContent } from '../../site/share-card.js';
import { type BodyView, pictureTitle } from './address.js';
import type { BodyData } from './data-types.js';

/** The share image of the Body screen: small, median and large people. */
export function sharedBody(view: BodyView, data: BodyData): ShareContent {
  const persons = data.populations.flatMap((one) => one.persons ?? []);
  return {
    title: pictureTitle(view),
    note: data.hasBodies
      ? 'To scale: small, median and large people (P5, P50 and P95 of stature and body mass).'
      : NO_BODIES,
    artifactVersion: data.artifactVersion,
    people: persons.map(({ picture }) => picture),
    facts: [],
  };
}
