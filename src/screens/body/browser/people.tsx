import type { RefObject, VNode } from 'preact';
import { BAND_ENDS } from '../../../site/labels.js';
import { formatLength } from '../../../site/lengths.js';
import { BANDS } from '../../../site/pictures/people-layout.js';
import { PeoplePicture, pictureLayout } from '../../../site/pictures/people-picture.js';
import { HowToRead } from '../../widgets/parts.js';
import { usePicturePlaces } from '../../widgets/picture-places.js';
import { pageWidth, useWidth } from '../../widgets/plot.js';
import { pictureCaption, pictureTitle } from '../address.js';
import type { BodyParts } from '../data-types.js';
import { drawnPeople } from '../drawn-people.js';
import { PictureNotes } from '../picture-notes.js';

interface PeopleProps extends BodyParts {
  readonly svg: RefObject<SVGSVGElement | null>;
}

/** Share of the window's height that the tallest figure takes. */
const HEIGHT_SHARE = 0.7;
const HEIGHT_PX = { least: 300, most: 640 } as const;

/** Minimum width of a population with its name in the picture. Otherwise the name is below the picture. */
const LABELS_FROM_PX = 130;

/** The picture. It is drawn again when its width changes. */
export function People({ view, unit, data, choose, svg }: PeopleProps): VNode {
  const [frame, widthPx] = useWidth<HTMLElement>(pageWidth);
  const heightPx = Math.min(
    HEIGHT_PX.most,
    Math.max(HEIGHT_PX.least, Math.round(innerHeight * HEIGHT_SHARE)),
  );
  const refused = data.populations.filter(({ refusal }) => refusal !== undefined);
  const picture = {
    people: drawnPeople(data.populations),
    posture: data.posture,
    overlaid: view.overlaid,
    withBands: true,
    widthPx: Math.max(widthPx, 240),
    heightPx,
    format: (mm: number) => formatLength(mm, unit),
  };
  const { arrangement, namesBands, people } = pictureLayout(picture);
  const hasBands = people.some(({ bandsPx }) => bandsPx !== undefined);
  const shown = picture.people.flatMap(({ figures = [] }) =>
    figures.filter((_, index) => arrangement === 'beside' || index === 1),
  );
  const places = usePicturePlaces(shown.map((one) => one.picture.places));
  const regions = new Map([...places].map(([address, one]) => [address, one.regions]));
  return (
    <figure ref={frame}>
      <PeoplePicture
        {...picture}
        title={pictureTitle(view)}
        region={view.region}
        regions={regions}
        onRegion={(region) => choose({ region: region === view.region ? undefined : region })}
        svg={svg}
      />
      {view.overlaid || widthPx / data.populations.length < LABELS_FROM_PX ? (
        <ul class="row legend">
          {data.populations.map(({ label }, index) => (
            <li key={label}>
              <span class={`swatch series-${index + 1}`} aria-hidden="true" /> {label}
            </li>
          ))}
        </ul>
      ) : null}
      <figcaption class="hint">
        {hasBands && !namesBands
          ? `Bands from ${BAND_ENDS}, from left to right: ${BANDS[data.posture].map(({ name }) => name.toLowerCase()).join(', ')}.`
          : null}
        <HowToRead>{pictureCaption(view, arrangement)}</HowToRead>
        <PictureNotes data={data} places={places} />
      </figcaption>
      {refused.map(({ label, refusal }) => (
        <p key={label} class="field-error">
          {label}: {refusal?.detail}
        </p>
      ))}
    </figure>
  );
}
