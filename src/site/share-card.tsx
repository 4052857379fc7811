import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { projectDir } from '../core/project-dir.js';
import { SERVICE_NAME } from '../core/version.js';
import type { Box } from '../render/drawing.js';
import { COLOUR, DARK, DARK_SERIES, SERIES } from './drawing-colours.js';
import { MARK_ARROWS, MARK_LINES } from './mark.js';
import { SCENE_SIZE } from './paths.js';
import type { PageImage } from './pictures/addresses.js';

/** Size of a share image in pixels. The services that show such images recommend this size. */
const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** A part of an image in pixels. */
type Area = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** Content of a share image. All screens have the same layout: people to scale, and beside them what is said of them. */
export interface ShareContent {
  readonly title: string;
  /** A further line that readers must know. */
  readonly note?: string | undefined;
  readonly artifactVersion: string;
  readonly people: readonly PageImage[];
  /** Lines below each of the people. */
  readonly captions?: readonly (readonly string[])[] | undefined;
  /** A picture with these people in it, which stands in their place, and the part of the scene that it shows in mm. */
  readonly scene?: {
    readonly box: Box;
    /** Draws it in a place. The texts can be larger than usual. */
    readonly draw: (place: Area, textScale: number) => VNode;
  };
  /** The main number, such as `93 %`. */
  readonly headline?: string | undefined;
  /** Lines below the main number. */
  readonly facts: readonly string[];
}

const EDGE = 48;
const TITLE = { size: 38, line: 46, lines: 2 } as const;
/** Approximate width of a character, as a share of the font size. */
const CHAR = 0.54;
const FOOT_TOP = 574;
const LINK = { size: 15 } as const;
const FACTS = { width: 430, size: 21, line: 32 } as const;
/** Styles of a scene. The pages have them too, with lines that do not scale, which few other programs know. */
function sceneStyles(
  [left, right, bottom, top]: Box,
  { width, height }: Area,
  isDark = false,
): string {
  const mmPerPx = Math.max((right - left) / width, (top - bottom) / height);
  const px = (pixels: number) => (pixels * mmPerPx).toFixed(2);
  const colour = isDark ? DARK : COLOUR;
  const series = isDark ? DARK_SERIES : SERIES;
  return [
    `.grid-lines{fill:none;stroke:${colour.rule};stroke-width:${px(0.6)}}`,
    `.product{fill:none;stroke:${colour.ink};stroke-width:${px(1.6)}}`,
    `.solid,.behind{fill:${colour.rule}}`,
    `.leader{stroke:${colour.ink};stroke-width:${px(0.7)}}`,
    `.thing{fill:${colour.ink};fill-opacity:.16}`,
    `.envelope{fill:${colour.ink};fill-opacity:.08;stroke:${colour.ink};stroke-opacity:.5;stroke-width:${px(0.5)}}`,
    `.panel-frame,.sight,.seat-line{fill:none;stroke-width:${px(1.2)}}`,
    `.person-outline,.person-part{fill:${colour.rule};stroke-width:${px(1)}}`,
    `.dashed,.fails{stroke-dasharray:${px(6)} ${px(4)}}`,
    '.soles image{filter:brightness(.45)}',
    ...series.map((stroke, index) => `.series-${index + 1}{stroke:${stroke}}`),
    `circle{fill:${colour.accent}}`,
    `.dimension-line{fill:none;stroke:${colour.accent};stroke-width:${px(1.4)}}`,
    `.scene text{fill:${colour.ink};font-weight:600;paint-order:stroke;stroke:${colour.ground};stroke-width:${px(5)}}`,
  ].join('');
}
/** Lines below people. */
const CAPTION = { size: 19, line: 32 } as const;
/** The words of a scene have places for a phone. In a wide place, they are smaller. */
const NARROW_TEXT = 2.1;
const RESPONSIVE =
  '@media(min-width:501px){svg svg text{transform:scale(.62);transform-box:fill-box;transform-origin:center}}@media(max-width:500px){#plain>g text{font-size:28px}.person-label{display:none}}#plain:target :is(text,.leader){display:none}';
/** Most people of an image. */
const PEOPLE_MAX = 8;

/**
 * A share image as an SVG document.
 *
 * @param link the address of the view
 * @param images the pictures of the people as `data:` addresses; without them, the image has no people
 */
export function shareSvg(
  content: ShareContent,
  link: string,
  images: readonly string[] | undefined,
): string {
  const { title, note, artifactVersion, headline, facts, scene } = content;
  const { width, height } = SHARE_SIZE;
  const inner = width - 2 * EDGE;
  const titleLines = linesOf(title, inner / (TITLE.size * CHAR), TITLE.lines);
  const noteTop = 112 + titleLines.length * TITLE.line;
  const top = noteTop + (note === undefined ? -20 : 16);
  const hasText = headline !== undefined || facts.length > 0;
  const left = EDGE + (hasText ? FACTS.width : 0);
  const area = { x: left, y: top, width: width - EDGE - left, height: FOOT_TOP - 18 - top };
  const { ground, ink, inkSoft, accent } = COLOUR;
  const small = { 'font-size': 21, fill: inkSoft };
  const factsTop = top + (headline === undefined ? 34 : 130);
  const factChars = (FACTS.width - 24) / (FACTS.size * CHAR);
  const room = Math.floor((FOOT_TOP - 20 - factsTop) / FACTS.line) + 1;
  const lines = factLines(
    facts.map((text) => linesOf(text, factChars, 2)),
    room,
  );
  const svg = renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <title>{title}</title>
      <style>{`text{font-family:'Public Sans',sans-serif}${scene === undefined ? '' : sceneStyles(scene.box, area)}`}</style>
      <rect width={width} height={height} fill={ground} />
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
      {headline === undefined ? null : (
        <text x={EDGE} y={top + 84} font-size={82} font-weight={600} fill={accent}>
          {headline}
        </text>
      )}
      {lines.map((text, index) => (
        <text
          key={text}
          x={EDGE}
          y={factsTop + index * FACTS.line}
          font-size={FACTS.size}
          fill={ink}
        >
          {text}
        </text>
      ))}
      <People {...{ content, images }} area={area} textScale={1} />
      <text x={EDGE} y={FOOT_TOP + 12} {...small}>
        {`Source: ${SERVICE_NAME}, data ${artifactVersion}`}
      </text>
      <a href={link}>
        <text x={EDGE} y={FOOT_TOP + 36} {...small} font-size={LINK.size}>
          {linesOf(link, inner / (LINK.size * CHAR), 1)[0]}
        </text>
      </a>
    </svg>,
  );
  return withImages(svg, content, images);
}

let knownFont: string | undefined;

/** The font of labels as a style. A picture within a page cannot use the fonts of the page. */
function labelFont(): string {
  const file = join(projectDir(), 'dist', 'fonts', 'public-sans-labels.woff2');
  knownFont ??= `@font-face{font-family:Labels;src:url(data:font/woff2;base64,${readFileSync(file, 'base64')})}text{font-family:Labels,sans-serif}`;
  return knownFont;
}

/** The scene of a view alone, in light and in dark colours, as an SVG document. The parameters are those of `shareSvg`. */
export function sceneSvg(content: ShareContent, images: readonly string[] | undefined): string {
  const area = { x: 0, y: 0, ...SCENE_SIZE };
  const box = content.scene?.box ?? [0, SCENE_SIZE.width, 0, SCENE_SIZE.height];
  const dark = sceneStyles(box, area, true);
  const svg = renderToString(
    <svg
      id="plain"
      xmlns="http://www.w3.org/2000/svg"
      {...SCENE_SIZE}
      viewBox={`0 0 ${SCENE_SIZE.width} ${SCENE_SIZE.height}`}
      role="img"
      aria-label={content.title}
    >
      <style>
        {`${labelFont()}${sceneStyles(box, area)}@media (prefers-color-scheme:dark){${dark}image{filter:contrast(.75)}.soles image{filter:brightness(.6) sepia(.6)}}${RESPONSIVE}.panel-title{display:none}`}
      </style>
      <People {...{ content, images, area }} textScale={NARROW_TEXT} />
    </svg>,
  );
  return withImages(svg, content, images);
}

/** A document with the pictures of its people in place of their addresses. */
function withImages(
  svg: string,
  content: ShareContent,
  images: readonly string[] | undefined,
): string {
  return sharedPeople(content).reduce(
    (text, { href }, index) => text.replaceAll(`"${href}"`, `"${images?.[index] ?? ''}"`),
    svg,
  );
}

/** The lines of the first facts, as many as have room. The last line counts the others. */
function factLines(facts: readonly (readonly string[])[], room: number): readonly string[] {
  const all = facts.flat();
  if (all.length <= room) return all;
  let shown = facts.length;
  while (facts.slice(0, shown).flat().length >= room) shown--;
  return [...facts.slice(0, shown).flat(), `and ${facts.length - shown} more`];
}

/** The people that an image shows. */
export function sharedPeople({ people }: ShareContent): readonly PageImage[] {
  return people.slice(0, PEOPLE_MAX);
}

interface PeopleProps {
  readonly content: ShareContent;
  readonly images: readonly string[] | undefined;
  readonly area: Area;
  /** Size of the texts of a scene, as a share of their usual size. */
  readonly textScale: number;
}

/** A scene, or people side by side on one floor, to one scale. */
function People({ content, images, area, textScale }: PeopleProps): VNode | null {
  const people = sharedPeople(content);
  if (images === undefined || people.length === 0) return null;
  if (content.scene !== undefined) return content.scene.draw(area, textScale);
  const sizes = people.map(({ frame: [left, right, bottom, top] }) => ({
    width: right - left,
    height: top - bottom,
  }));
  const captions = content.captions ?? [];
  const textHeight = CAPTION.line * Math.max(0, ...captions.map(({ length }) => length));
  const widthMm = sizes.reduce((sum, one) => sum + one.width, 0);
  const tallMm = Math.max(...sizes.map((one) => one.height));
  const scale = Math.min(area.width / widthMm, (area.height - textHeight) / tallMm);
  const floor = area.y + area.height - textHeight;
  const gap = captions.length === 0 ? 0 : (area.width - scale * widthMm) / sizes.length;
  let x = area.x + (area.width - scale * widthMm - gap * (sizes.length - 1)) / 2;
  return (
    <g class="scene">
      {sizes.map(({ width, height }, index) => {
        const place = { x, y: floor - scale * height };
        x += scale * width + gap;
        return (
          <g key={index}>
            <image {...place} width={scale * width} height={scale * height} href={images[index]} />
            {captions[index]?.map((line, at) => (
              <text
                key={line}
                x={place.x + (scale * width) / 2}
                y={floor + (at + 0.8) * CAPTION.line}
                font-size={CAPTION.size}
                text-anchor="middle"
              >
                {line}
              </text>
            ))}
          </g>
        );
      })}
    </g>
  );
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
