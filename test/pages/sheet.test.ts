import { describe, expect, it } from 'vitest';
import { haveBrowser } from '../support/browser.js';
import { useBrowser } from '../support/screens.js';
import { realArtifacts } from '../support/servers.js';
import { whileClockStands } from '../support/standing-clock.js';
import { useService } from '../support/use-service.js';

const QUERY = 'p=Female~DE,NA~18-65&m=Stature,SittingHeight,HandLength';
const ADDRESS = `/explore?form=sheet&${QUERY}`;
const FILE = '/explore/sheet';

const service = useService(async () => ({ artifacts: await realArtifacts() }));

describe('the sheet', () => {
  it('has the evidence of the API', async () => {
    const { statusCode, body } = await service.http.inject(ADDRESS.replace('?', '/data?'));
    expect(statusCode, body).toBe(200);
    const [{ rows }] = JSON.parse(body).populations;
    const customer = await service.customer(10);
    for (const { measurement, evidence } of rows) {
      const person = { measurement, gender: 'Female', country: 'DE', age: 41.5 };
      const known = await service.post('/v1/evidence', person, customer.headers);
      expect(known.status).toBe(200);
      const errorMm = Number(((known.body.high - known.body.low) / 2).toPrecision(2));
      expect(evidence).toMatchObject({ errorMm, grade: known.body.grade });
    }
    expect(rows).toHaveLength(3);
  });

  it('has body mass and BMI, in their own units', async () => {
    const query = 'p=Female~DE~18-65&m=Stature,BodyMass,BMI&unit=ft-in';
    const page = await service.http.inject(`/explore?form=sheet&${query}`);
    const cells = (name: string) =>
      [...(page.body.split(`>${name}<`)[1] ?? '').matchAll(/class="number">([^<]*)</g)]
        .slice(0, 3)
        .map(([, text]) => text);
    const customer = await service.customer(10);
    const asked = {
      population: {
        groups: [{ countries: ['DE'], gender: 'Female', ageMin: 18, ageMax: 65 }],
      },
      ...{ measurements: ['BodyMass', 'BMI'], percentiles: [5, 50, 95] },
    };
    const { body } = await service.post('/v1/population/percentiles', asked, customer.headers);
    const shown = body.measurements.map(({ values }: { values: { value: number }[] }) =>
      values.map(({ value }) => value.toFixed(1)),
    );
    expect([cells('Body mass, kg'), cells('BMI, kg/m²')]).toEqual(shown);
    const csv = await service.http.inject(`${FILE}.csv?${query}`);
    expect(csv.body).toMatch(/^BodyMass,.*,kg,/m);
    expect(csv.body).toMatch(/^Stature,.*,mm,/m);
  });

  it('is exported as tidy CSV and as SVG that stand alone', async () => {
    const csv = await service.http.inject(`${FILE}.csv?${QUERY}`);
    expect(csv.headers['content-disposition']).toMatch(
      /filename="vitruvia-sheet-Women-DE-NA-18-65-2022\.[0-9a-f]+\.csv"/,
    );
    const [header = '', first = '', ...rest] = csv.body.trimEnd().split('\r\n');
    // The format equals that of tables made in the browser. Spreadsheets read it as UTF-8.
    expect(header).toBe(
      '\uFEFFmeasurement,population,gender,countries,age_min_years,age_max_years,clothing,posture,statistic,percentile,value,unit,reading,grade,source,version',
    );
    expect(first).toMatch(
      /^Stature,"Women, DE, NA, 18–65",Female,DE NA,18,65,nude,standing_erect,percentile,5,[\d.]+,mm,direct,[A-D],"?[A-Z].* /,
    );
    expect(rest).toHaveLength(3 * 6 - 1);
    expect(csv.body.replaceAll(/2022\.[0-9a-f]{12}/g, '')).not.toMatch(/\d\.\d{5}/);
    const page = await service.http.inject(ADDRESS);
    expect(page.body).toMatch(/Measured in [A-Z]{2}/);
    expect(page.body).toContain('href="/docs/sources#Stature"');
    expect(page.body).toMatch(/Surveys: [^;]+ \([A-Z]{2}, measured \d{4}\)/);
    const svg = await service.http.inject(`${FILE}.svg?${QUERY}`);
    expect(svg.headers['content-type']).toContain('image/svg+xml');
    expect(svg.body).toMatch(/^<svg xmlns=/);
    expect(svg.body).toContain('Women, DE, NA, 18–65');
    expect(svg.body.match(/<circle/g)).toHaveLength(3);
  });

  it('says in words, with a way back, why a link gives no file', async () => {
    const wrong = await service.http.inject('/explore/sheet.csv?p=Female~XX~18-65&m=Stature');
    expect([wrong.statusCode, wrong.headers['content-type']]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
    expect(wrong.body).toContain('href="/explore?form=sheet&amp;p=Female~XX~18-65&amp;m=Stature"');
    await whileClockStands(async () => {
      const ask = () => service.get(`${FILE}.svg?${QUERY}`, { from: '10.7.7.7' });
      let reply = await ask();
      for (let asked = 1; reply.statusCode === 200 && asked < 100; asked++) reply = await ask();
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([
        429,
        'text/html; charset=utf-8',
      ]);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(reply.body).toContain('Back to the sheet');
      expect(reply.body).not.toContain('"code"');
    });
  });
});

it('has the views of its old address', async () => {
  for (const part of ['', '/data', '/share.png']) {
    const { statusCode, headers } = await service.get(`/explore/sheet${part}?${QUERY}&of=1`);
    const location = `/explore${part}?form=sheet&${QUERY}&of=1`;
    expect([statusCode, headers.location]).toEqual([308, location]);
  }
  const { headers } = await service.get('/explore/sheet');
  expect(headers.location).toBe('/explore?form=sheet');
});

describe.skipIf(!haveBrowser)('the sheet in a browser', () => {
  const browser = useBrowser();

  it('prints on one or two pages of A4, without script', async () => {
    const { page, faults } = await browser.blank(await service.address(), {
      viewport: { width: 1200, height: 900 },
    });
    await page.goto('/explore/sheet?p=Female~DE~18-65');
    expect(await page.locator('.sheet-table tbody tr').count()).toBe(20);
    const figures = page.locator('.sheet-figure image');
    const sources = await figures.evaluateAll((all) =>
      all.map((image) => image.getAttribute('href') ?? ''),
    );
    let numbers = 0;
    for (const source of sources) {
      numbers += (await service.http.inject(source)).body.match(/<circle /g)?.length ?? 0;
    }
    expect(numbers).toBe(20);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThanOrEqual(1);
    expect(pages).toBeLessThanOrEqual(2);
    expect(faults).toEqual([]);
  });
});
