import { beforeAll, describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { refusalsOf } from '../../src/operations/refusals.js';
import { codeOf, sectionOf, unescaped } from '../support/page-text.js';
import { useService } from '../support/use-service.js';

const REFERENCE = '/docs/reference';

const service = useService();
let html: string;
beforeAll(async () => {
  html = (await service.http.inject(REFERENCE)).body;
});

const about = (id: string) => sectionOf(html, id);

/** A schema that is walked by hand. */
interface Walked {
  readonly properties?: Readonly<Record<string, Walked>>;
  readonly items?: Walked;
}

/** Names of the fields of a schema, and of the fields inside them. */
function fieldNames({ properties = {}, items }: Walked): string[] {
  const inside = Object.entries(properties).flatMap(([name, field]) => [
    name,
    ...fieldNames(field),
  ]);
  return [...inside, ...(items === undefined ? [] : fieldNames(items))];
}

describe('the reference of the API', () => {
  it('is a page of the site: its header, its navigation, no foreign parts', () => {
    expect(html).toContain('<header class="site-header">');
    expect(html).toContain(`<a href="${REFERENCE}" aria-current="page">API reference</a>`);
    expect(html).not.toMatch(/style=|<script(?![^>]*src=)|(src|href)="(https?:)?\/\//);
  });

  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    '%s: has the fields, the price and the errors of the operation',
    (name, operation) => {
      const section = unescaped(about(name));
      expect(section).toContain(`<strong>POST</strong> <code>${operation.path}</code>`);
      expect(section).toContain(`Cost: ${operation.price}.`);
      const shared = ['Population', 'PopulationGroup', 'PopulationCondition'].map((type) =>
        unescaped(about(`type-${type}`)),
      );
      const shown = [section, ...shared].join('').matchAll(/<dt><code>([^<]*)<\/code>/g);
      const names = new Set([...shown].map(([, path = '']) => path.split('.').at(-1)));
      for (const field of fieldNames(operation.request as Walked)) {
        expect(
          [...names].map((one) => one?.replaceAll('[]', '')),
          field,
        ).toContain(field);
      }
      for (const code of refusalsOf(operation)) {
        expect(section).toContain(`<a href="/docs/errors#error-${code}">`);
      }
    },
  );

  it('shows the free routes, and every value of the lists', async () => {
    for (const [id, path] of [
      ['get_catalog', '/'],
      ['get_health', '/health'],
      ['get_ready', '/ready'],
    ] as const) {
      const section = about(id);
      expect(section).toContain(`<strong>GET</strong> <code>${path}</code>`);
      expect(codeOf(section, 'sh')).toEqual([`curl -s http://localhost${path}`]);
    }
    const measurements = about('type-Measurement');
    for (const name of MEASUREMENT_NAMES) expect(measurements).toContain(`<code>${name}</code>`);
    expect(about('type-Population')).toContain('1990 to 2035, optional</span>');
    expect(about('type-Problem')).toContain(', not always</span>');
    const country = about('type-Country');
    expect(country).toContain('<p><span>A country.</span></p>');
    expect(country).toMatch(/<code>NL<\/code><\/dt><dd><span>Netherlands/);
  });
});
