import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.js';
import { refusalsOf } from '../../src/operations/refusals.js';
import { operationPage } from '../../src/pages/docs/texts.js';
import { unescaped } from '../support/page-text.js';
import { useService } from '../support/use-service.js';

const service = useService();
const pageOf = async (path: string) => unescaped((await service.http.inject(path)).body);

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
  it('leads to the page of each operation, with route and price', async () => {
    const index = await pageOf('/docs/reference');
    for (const { title, path, price } of OPERATIONS) {
      expect(index).toContain(`<a href="${operationPage(path)}">${title}</a>`);
      expect(index).toContain(`<code>POST ${path}</code>`);
      expect(index).toContain(price);
    }
    for (const path of ['/', '/health', '/ready'])
      expect(index).toContain(`<code>GET ${path}</code>`);
  });

  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    '%s: its page has the fields, the price and the errors',
    async (_, operation) => {
      const page = await pageOf(operationPage(operation.path));
      expect(page).toContain(`POST ${operation.path}`);
      expect(page).toContain(`Cost in credits: ${operation.price}.`);
      const shown = [...page.matchAll(/<td><code>([^<]*)<\/code>/g)].map(([, path = '']) => path);
      const names = new Set(shown.map((path) => path.split('.').at(-1)?.replaceAll('[]', '')));
      for (const field of fieldNames(operation.request as Walked)) expect(names).toContain(field);
      for (const code of refusalsOf(operation)) {
        expect(page).toContain(`<a href="/docs/errors#error-${code}">`);
      }
    },
  );
});
