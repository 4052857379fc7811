import { COLOUR, figureStyles } from '../../drawing-colours.js';
import { formatLength, shownUnit } from '../../lengths.js';
import { linesOf, type ShareContent } from '../../share/share-card.js';
import { inWords } from '../shared/labels.js';
import { type PersonView, personTitle } from './address.js';
import { type PersonData, USUAL_MARKS } from './data-types.js';
import { drawnBox, PersonDrawing } from './drawing.js';

const TEXT_WIDTH = 560;
const LINE = 32;

/** The share image of the Person screen: the drawn person with some dimensions. */
export function sharedPerson(view: PersonView, data: PersonData): ShareContent {
  const unit = shownUnit(view.unit);
  const marks = new Set<string>(view.marked.length > 0 ? view.marked : USUAL_MARKS[data.pose]);
  const numbers = data.readings
    .filter(({ measurement }) => marks.has(measurement))
    .map(({ measurement, achieved }) => `${inWords(measurement)} ${formatLength(achieved, unit)}`);
  return {
    title: personTitle(view),
    artifactVersion: data.artifactVersion,
    draw: (area) => {
      const [, , width, height] = drawnBox(data.drawing);
      const room = { ...area, x: area.x + TEXT_WIDTH, width: area.width - TEXT_WIDTH };
      const mmPerPx = Math.max(width / room.width, height / room.height);
      const texts = [...linesOf(`${data.who}. ${data.source}`, 48, 4), '', ...numbers];
      return {
        styles: figureStyles(mmPerPx),
        picture: (
          <>
            {texts.map((line, index) => (
              <text
                key={`${index}-${line}`}
                x={area.x}
                y={area.y + 40 + index * LINE}
                font-size={22}
                fill={COLOUR.ink}
              >
                {line}
              </text>
            ))}
            <PersonDrawing
              drawing={data.drawing}
              label={data.who}
              place={{ x: room.x, y: room.y, width: room.width, height: room.height }}
            />
          </>
        ),
      };
    },
  };
}
