import { COLOUR, peopleStyles } from '../../drawing-colours.js';
import { formatLength, shownUnit } from '../../lengths.js';
import { NO_BODIES } from '../../pictures/notes.js';
import { PeoplePicture, pictureLayout } from '../../pictures/people-picture.js';
import type { ShareContent } from '../../share/share-card.js';
import { type BodyView, pictureTitle } from './address.js';
import type { BodyData } from './data-types.js';
import { drawnPeople } from './drawn-people.js';

/** Factor by which the picture is enlarged, so that its texts are readable in a small image. */
const ENLARGED = 1.45;
/** Height above the figures and for two lines of names below the floor, before enlargement. */
const NAMES_PX = 56;

/** The share image of the Body screen. It shows the figures. */
export function sharedPeople(
  view: BodyView,
  data: BodyData,
  title = pictureTitle(view),
): ShareContent {
  const unit = shownUnit(view.unit);
  return {
    title,
    note: data.hasBodies
      ? 'Small, median and large people: P5, P50 and P95 of stature and body mass. Grid: 100 mm.'
      : NO_BODIES,
    artifactVersion: data.artifactVersion,
    draw: (area) => {
      const { x, y, width, height } = area;
      const picture = {
        people: drawnPeople(data.populations),
        posture: view.posture,
        overlaid: view.overlaid,
        withBands: true,
        widthPx: width / ENLARGED,
        heightPx: height / ENLARGED - NAMES_PX,
        format: (mm: number) => formatLength(mm, unit),
        region: view.region,
      };
      const layout = pictureLayout(picture);
      const scale = Math.min(ENLARGED, height / layout.heightPx);
      const left = x + (width - layout.widthPx * scale) / 2;
      return {
        styles: peopleStyles(layout.pxPerMm),
        picture: (
          <>
            <rect {...area} fill={COLOUR.surface} />
            <g transform={`translate(${left} ${y}) scale(${scale})`}>
              <PeoplePicture {...picture} layout={layout} title={title} />
            </g>
          </>
        ),
      };
    },
  };
}
