import { BODY_REGIONS } from '../../core/body-regions.js';
import { curlText } from '../../core/call-text.js';
import { COUNTRIES } from '../../core/countries.js';
import { problemBody } from '../../core/errors.js';
import { buildCatalog, SERVICE_DESCRIPTION } from '../../operations/catalog.js';
import { OPERATIONS } from '../../operations/index.js';
import { sampleProblem } from '../../operations/refusals.js';
import { EXAMPLE_ORIGIN, sectionOf } from './files.js';
import type { PageContext } from './page.js';
import { blocks, fenced, json, table } from './write.js';

/** What the pages take from the catalog that `GET /` answers with. */
interface CatalogWords {
  readonly authentication: { readonly header: string; readonly description: string };
  readonly mcp: { readonly description: string };
  readonly billing: {
    readonly unit: string;
    readonly costs: Readonly<Record<string, string>>;
    readonly rules: readonly string[];
    readonly packs: readonly number[];
  };
  readonly limits: {
    readonly rate: { readonly requests: number; readonly seconds: number };
    readonly bodyBytes: number;
    readonly percentiles: { readonly maxItems: number };
    readonly countries: { readonly maxItems: number };
    readonly idempotencyKey: { readonly maxLength: number; readonly hours: number };
  };
}

function catalogOf({ rateLimitMax }: PageContext): CatalogWords {
  return buildCatalog({ rateLimitMax }) as unknown as CatalogWords;
}

/** First page: what the service is, a first call and its real answer, where to go on. */
export function quickStartText(context: PageContext): string {
  const [predict] = OPERATIONS;
  if (predict === undefined) throw new Error('there are no operations');
  const { path, example } = predict;
  return blocks(
    SERVICE_DESCRIPTION,
    'A key comes from [your account](/account/keys); [authentication](/docs/authentication) says more. The examples are real: this is what the service answers.',
    '## First call',
    fenced('sh', curlText({ operation: predict.name, path, body: example }, context.origin)),
    'The answer is:',
    json(predict.run(example as never, context.model)),
    '## Routes',
    sectionOf('docs/api.md', 'Routes'),
    '## Where to go on',
    [
      '- [Look at the data](/explore) before writing a line; each view shows the call that gives its numbers.',
      `- Each operation in full: ${OPERATIONS.map(({ title, path }) => `[${title.toLowerCase()}](${operationPage(path)})`).join(', ')}.`,
      '- [What a call costs](/docs/billing), and how a repeat costs nothing.',
      '- [From a language model](/docs/mcp), over MCP.',
      '- [Try requests in the browser](/docs/reference); [`/openapi.json`](/openapi.json) is the same for programs.',
    ].join('\n'),
  );
}

/** Address of an operation's page. */
export function operationPage(path: string): string {
  return `/docs/operations/${path.replace('/v1/', '').replaceAll('/', '-')}`;
}

/** How a request says whose it is. */
export function authenticationText(context: PageContext): string {
  const { authentication, limits } = catalogOf(context);
  const problem = problemBody(sampleProblem('unauthorized'), 'req_0mb1x2y3z00010123456789abcdef');
  return blocks(
    authentication.description,
    fenced('http', authentication.header),
    '## Keys',
    [
      'Keys are made in [your account](/account/keys), or by whoever runs the service, on the command line. A key is shown once: what is stored is a hash and the first characters. Keep it out of pages, apps and repositories that others can read.',
      'An account may have several keys, each for live or for test calls. They share the credits and the free calls of the account in that mode, and each has a rate limit of its own. A revoked key is refused within a second. To change a key without a gap, rotate it: the old one stays good for a while beside the new one.',
    ].join('\n\n'),
    '## Without a valid key',
    'the answer is 401, with the header `WWW-Authenticate: Bearer` and',
    json(problem),
    '## Rate limit',
    `A key may make ${limits.rate.requests} requests in any ${limits.rate.seconds} seconds; those that are refused count too. Every answer carries \`RateLimit\` and \`RateLimit-Policy\`. Over the limit it is 429 [\`rate_limited\`](/docs/errors#error-rate_limited), and \`Retry-After\` says how many seconds to wait.`,
  );
}

/** What calls cost and what is limited. */
export function billingText(context: PageContext): string {
  const { billing, limits } = catalogOf(context);
  const { rate, bodyBytes, percentiles, countries, idempotencyKey } = limits;
  return blocks(
    `The unit is ${billing.unit}.`,
    table(
      ['call', 'cost'],
      Object.entries(billing.costs).map(([call, cost]) => [`\`${call}\``, cost]),
    ),
    billing.rules.map((rule) => `- ${rule}`).join('\n'),
    `Credits come in packs of ${billing.packs.join(', ')} and are bought in [your account](/account/credits), where the balance, the free calls left, the use by day and every entry of the ledger are shown. Test keys spend test credits, which cost nothing.`,
    '## A repeat costs nothing',
    `A request whose answer was lost may have been paid for. Send it with an \`Idempotency-Key\` header of your own making, up to ${idempotencyKey.maxLength} characters, and repeat it with the same key: for ${idempotencyKey.hours} hours the first answer comes back, uncharged and marked \`Idempotent-Replayed: true\`. The same key with another body is [\`idempotency_conflict\`](/docs/errors#error-idempotency_conflict). Refusals are not kept: they cost nothing anyway.`,
    fenced(
      'sh',
      `curl -s ${context.origin}/v1/predict \\\n  -H 'Authorization: Bearer <API_KEY>' \\\n  -H 'Content-Type: application/json' \\\n  -H 'Idempotency-Key: order-4711' \\\n  -d '${JSON.stringify(OPERATIONS[0]?.example)}'`,
    ),
    '## Limits',
    table(
      ['what', 'at most'],
      [
        ['requests of a key', `${rate.requests} in ${rate.seconds} seconds`],
        ['percentiles in a call', `${percentiles.maxItems}, all different`],
        ['countries in a call', `${countries.maxItems}, all different`],
        ['body of a request', `${bodyBytes} bytes`],
        ['`Idempotency-Key`', `${idempotencyKey.maxLength} characters`],
      ],
    ),
  );
}

/** The service for language models. */
export function mcpPageText(context: PageContext): string {
  const rows = OPERATIONS.map(({ name, path, description, price }) => [
    `[\`${name}\`](${operationPage(path)})`,
    description,
    price,
  ]);
  return blocks(
    catalogOf(context).mcp.description,
    '## Tools',
    table(
      ['tool', 'question', 'cost'],
      [
        ['`get_catalog`', 'What the service knows: names, limits, prices, errors.', 'free'],
        ...rows,
      ],
    ),
    '## Set it up',
    sectionOf('docs/mcp.md', 'Set it up').replaceAll(EXAMPLE_ORIGIN, context.origin),
  );
}

/** Every measurement by body region. */
export function measurementsText(): string {
  const sections = BODY_REGIONS.map(({ title, measurements }) =>
    blocks(
      `## ${title}`,
      table(
        ['name', 'what it is', 'kind'],
        measurements.map(({ name, definition, kind }) => [
          `[\`${name}\`](/explore?measurement=${name})`,
          definition,
          kind,
        ]),
      ),
    ),
  );
  return blocks(
    'The 148 dimensions with the reading this service uses of each name. A name leads to the explorer, which shows where on the body it runs.',
    ...sections,
  );
}

/** Every country. */
export function countriesText(): string {
  return blocks(
    `The ${COUNTRIES.length} countries, by their codes in requests.`,
    table(
      ['code', 'country'],
      COUNTRIES.map(({ code, name }) => [`\`${code}\``, name]),
    ),
  );
}
