// Fills a table of 10,000 predictions: node examples/table.mjs
import { CLOTHING, COUNTRIES, createVitruvia, VitruviaError } from '@vitruvia/client';

// A refusal or a missing service ends the program with one line.
process.on('uncaughtException', (error) => {
  console.error(error instanceof VitruviaError ? error.message : error);
  process.exit(1);
});

const vitruvia = createVitruvia({
  baseUrl: process.env.VITRUVIA_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.VITRUVIA_API_KEY,
});

const { rows, leftOut } = await vitruvia.table({
  measurements: ['Stature', 'SittingHeight', 'PoplitealHeight', 'HipBreadth', 'HandLength'],
  countries: ['NA', ...COUNTRIES.filter((code) => code !== 'NA')].slice(0, 50),
  genders: ['Female', 'Male'],
  ages: [20, 65],
  percentiles: [5, 95],
  clothing: CLOTHING.filter((profile) => profile !== 'heels'),
});

const tallest = rows.reduce((one, other) => (other.value > one.value ? other : one));
console.log(`${rows.length} predictions, ${leftOut.length} combinations left out`);
console.log(
  `largest: ${tallest.measurement} of ${tallest.country}, ${tallest.value} ${tallest.unit}`,
);
