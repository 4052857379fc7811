import { COLOUR, figureStyles } from '../../drawing-colours.js';
import { linesOf, type ShareContent } from '../../share/share-card.js';
import { percent } from '../shared/labels.js';
import { type SizesView, sizesTitle } from './address.js';
import type { SizesData } from './data-types.js';
import { PersonsRowPicture, rowsOf } from './persons.js';
import { answerText, targetText } from './texts.js';

const TEXT_WIDTH = 400;

/** The share image of the Sizes screen: the number of sizes, and people in three of these sizes. */
export function sharedSizes(view: SizesView, data: SizesData): ShareContent {
  return {
    title: sizesTitle(view),
    artifactVersion: data.artifactVersion,
    draw: (area) => {
      const persons = Array.isArray(data.persons) ? data.persons : [];
      const [row] = rowsOf(persons);
      const room = { ...area, x: area.x + TEXT_WIDTH, width: area.width - TEXT_WIDTH };
      const mmPerPx =
        row === undefined ? 1 : Math.max(row.widthMm / room.width, row.heightMm / room.height);
      const texts = [answerText(view, data), targetText(view, data)].flatMap((text) => [
        ...linesOf(text, 36, 5),
        '',
      ]);
      return {
        styles: `${figureStyles(mmPerPx)}\n.sizes-name{fill:${COLOUR.ink};font-weight:600}`,
        picture: (
          <>
            <text x={area.x} y={area.y + 76} font-size={82} font-weight={600} fill={COLOUR.accent}>
              {percent(data.chart.shareServed)}
            </text>
            {texts.map((text, index) => (
              <text
                key={`${index}-${text}`}
                x={area.x}
                y={area.y + 124 + index * 29}
                font-size={21}
                fill={COLOUR.ink}
              >
                {text}
              </text>
            ))}
            {row === undefined ? null : (
              <PersonsRowPicture
                row={row}
                place={{ x: room.x, y: room.y, width: room.width, height: room.height }}
              />
            )}
          </>
        ),
      };
    },
  };
}
