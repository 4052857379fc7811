// Draws the countries of the map of countries: node tools/draw-map.js writes src/screens/dimension/map-paths.ts.
// The shapes are those of Natural Earth (public domain) from the package world-atlas: borders at 1:110 million, and for
// countries that are too small for them, the centre at 1:10 million.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoCentroid, geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import { COUNTRIES } from '../dist/src/core/countries.js';

/** The box of the map. */
const WIDTH = 1000;
/** Room for the dots at the edges. */
const MARGIN = 8;
const TARGET = new URL('../src/screens/dimension/map-paths.ts', import.meta.url);
/** Nobody lives there, and its shape would take much of the picture. */
const LEFT_OUT = '010';

const atlas = (scale) => {
  const path = createRequire(import.meta.url).resolve(`world-atlas/countries-${scale}.json`);
  const topology = JSON.parse(readFileSync(path, 'utf8'));
  return feature(topology, topology.objects.countries).features;
};

/** The code of a country of this service, from the number of ISO 3166-1. The service has UK for GB. */
const codeOf = ({ id }) => {
  if (id === undefined) return undefined;
  const [locale] = Intl.getCanonicalLocales(`und-${id}`);
  return locale.slice(4).replace('GB', 'UK');
};

const shapes = atlas('110m').filter(({ id }) => id !== LEFT_OUT);
const all = { type: 'FeatureCollection', features: shapes };
const projection = geoNaturalEarth1()
  .precision(0)
  .fitWidth(WIDTH - 2 * MARGIN, all);
const [left, top] = projection.translate();
projection.translate([left + MARGIN, top]);

/** The rings of a shape with whole coordinates; each point relative to the one before. They are cut at 180°. */
function pathOf(shape) {
  const rings = [];
  const add = (x, y) => rings.at(-1).push([Math.round(x), Math.round(y)]);
  const moveTo = (x, y) => {
    rings.push([]);
    add(x, y);
  };
  geoPath(projection, { moveTo, lineTo: add, closePath() {} })(shape);
  return rings.map(ringPath).join('');
}

function ringPath([[x, y], ...rest]) {
  let [atX, atY] = [x, y];
  const steps = rest.flatMap(([toX, toY]) => {
    const step = [toX - atX, toY - atY];
    [atX, atY] = [toX, toY];
    return step[0] === 0 && step[1] === 0 ? [] : [step.join(' ')];
  });
  return steps.length < 2 ? '' : `M${x} ${y}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

const known = new Set(COUNTRIES.map(({ code }) => code));
const paths = new Map();
const others = [];
for (const shape of shapes) {
  const code = codeOf(shape);
  const path = pathOf(shape);
  if (path !== '' && known.has(code)) paths.set(code, path);
  else others.push(path);
}
const dots = new Map();
for (const shape of atlas('10m')) {
  const code = codeOf(shape);
  if (!known.has(code) || paths.has(code)) continue;
  dots.set(code, projection(geoCentroid(shape)).map(Math.round));
}
const missing = [...known].filter((code) => !paths.has(code) && !dots.has(code));
if (missing.length > 0) throw new Error(`The map lacks ${missing.join(', ')}.`);
const bottoms = shapes.map((shape) => geoPath(projection).bounds(shape)[1][1]);
const height = Math.ceil(Math.max(...bottoms));

const entries = (map, text) =>
  [...map]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, value]) => `  ${code}: ${text(value)},\n`)
    .join('');
writeFileSync(
  TARGET,
  `// Written by tools/draw-map.js. Made with Natural Earth (naturalearthdata.com), version 4.1.0, public domain: borders at
// 1:110 million, centres of small countries at 1:10 million; Natural Earth projection, without Antarctica.

/** Width and height of the map. */
export const MAP_BOX = [${WIDTH}, ${height}] as const;

/** Countries as SVG paths. */
export const COUNTRY_PATHS: Readonly<Record<string, string>> = {
${entries(paths, (path) => `'${path}'`)}};

/** Centres of countries that are too small for a shape. */
export const COUNTRY_DOTS: Readonly<Record<string, readonly [x: number, y: number]>> = {
${entries(dots, ([x, y]) => `[${x}, ${y}]`)}};

/** Land without numbers, such as Western Sahara. */
export const OTHER_LAND =
  '${others.join('')}';
`,
);
