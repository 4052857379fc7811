// Which four helmets serve most adults of the European Union? A helmet serves heads whose length and
// breadth differ by at most 12 mm in all.
import { createVitruvia, VitruviaError } from '@vitruvia/client';

// A refusal or a missing service ends the program with one line.
process.on('uncaughtException', (error) => {
  console.error(error instanceof VitruviaError ? error.message : error);
  process.exit(1);
});

const vitruvia = createVitruvia({
  baseUrl: process.env.VITRUVIA_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.VITRUVIA_API_KEY,
});

const chart = await vitruvia.sizeChart({
  population: { groups: [{ countries: ['EU27'], ageMin: 18, ageMax: 75 }] },
  measurements: [
    { measurement: 'HeadLength', tolerance: 12 },
    { measurement: 'HeadBreadth', tolerance: 12 },
  ],
  sizes: 4,
});

for (const { name, share, ranges } of chart.sizes) {
  const parts = ranges.map(
    ({ measurement, from, to }) => `${measurement} ${from.toFixed(0)}–${to.toFixed(0)} mm`,
  );
  console.log(`${name}: ${parts.join(', ')}: ${(share * 100).toFixed(1)} % of the people`);
}
console.log(`Together they serve ${(chart.shareServed * 100).toFixed(1)} % of the people.`);
