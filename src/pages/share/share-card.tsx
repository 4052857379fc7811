import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SERVICE_NAME } from '../../core/version.js';
import { COLOUR } from '../drawing-colours.js';
import { MARK_ARROWS, MARK_LINES } from '../mark.js';

/** Size of a share image in pixels. The services that show such images recommend this size. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** A part of an image in pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Content of a share image. */
export interface ShareContent {
  readonly title: string;
  /** A further line that readers must know. */
  readonly note?: string | undefined;
  readonly artifactVersion: string;
  /** The picture with its styles. */
  readonly draw: (area: Area) => { readonly styles: string; readonly picture: VNode };
}

const EDGE = 48;
const TITLE = { size: 38, line: 46, lines: 2 } as const;
/** Approximate width of a character, as a share of the font size. */
const CHAR = 0.54;
const FOOT_TOP = 580;

/** A share image as an SVG document. */
export function shareSvg(content: ShareContent, host: string): string {
  const { title, note, artifactVersion, draw } = content;
  const { width, height } = SHARE_SIZE;
  const inner = width - 2 * EDGE;
  const titleLines = linesOf(title, inner / (TITLE.size * CHAR), TITLE.lines);
  const noteTop = 112 + titleLines.length * TITLE.line;
  const top = noteTop + (note === undefined ? -20 : 16);
  const area = { x: EDGE, y: top, width: inner, height: FOOT_TOP - 18 - top };
  const { styles, picture } = draw(area);
  const { ground, gridFine, ink, inkSoft, accent } = COLOUR;
  const small = { 'font-size': 21, fill: inkSoft };
  return renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <title>{title}</title>
      <style>{`text{font-family:'Public Sans'}\n${styles}`}</style>
      <rect width={width} height={height} fill={ground} />
      <path d={grid(width, height)} stroke={gridFine} fill="none" />
      <g transform={`translate(${EDGE} 30) scale(1.3)`} fill="none">
        {MARK_LINES.map(({ d, width: line }) => (
          <path
            key={d}
            d={d}
            stroke={accent}
            stroke-width={line}
            stroke-linecap="round"
            stroke-linejoin="round"
          />
        ))}
        <path d={MARK_ARROWS} fill={accent} />
      </g>
      <text x={EDGE + 54} y={62} font-size={29} font-weight={600} fill={ink}>
        {SERVICE_NAME}
      </text>
      {titleLines.map((text, index) => (
        <text
          key={text}
          x={EDGE}
          y={122 + index * TITLE.line}
          font-size={TITLE.size}
          font-weight={600}
          fill={ink}
        >
          {text}
        </text>
      ))}
      {note === undefined ? null : (
        <text x={EDGE} y={noteTop - 6} {...small}>
          {linesOf(note, inner / (21 * CHAR), 1)[0]}
        </text>
      )}
      {picture}
      <text x={EDGE} y={FOOT_TOP + 24} {...small}>
        {`Data ${artifactVersion}`}
      </text>
      <text x={width - EDGE} y={FOOT_TOP + 24} text-anchor="end" {...small}>
        {host}
      </text>
    </svg>,
  );
}

/** The paper behind the picture: a line every 20 pixels. */
function grid(width: number, height: number): string {
  const columns = Array.from(
    { length: Math.floor(width / 20) },
    (_, i) => `M${i * 20}.5 0V${height}`,
  );
  const rows = Array.from({ length: Math.floor(height / 20) }, (_, i) => `M0 ${i * 20}.5H${width}`);
  return [...columns, ...rows].join('');
}

/** Splits a text into at most `most` lines of `chars` characters. An ellipsis replaces the rest. */
export function linesOf(text: string, chars: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > chars) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.slice(0, most).map((line, index) => {
    const isCut = line.length > chars || (index === most - 1 && lines.length > most);
    return isCut ? `${line.slice(0, Math.floor(chars) - 1)}…` : line;
  });
}
