import { BODY_REGIONS } from '../../core/body-regions.js';
import { COUNTRIES } from '../../core/countries.js';
import { COUNTRY_SETS } from '../../core/country-sets.js';
import { problemBody } from '../../core/errors.js';
import { BATCH_BODY_BYTES_MAX, POPULATION_BODY_BYTES_MAX } from '../../core/limits.js';
import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { buildCatalog, SERVICE_DESCRIPTION } from '../../operations/catalog.js';
import { OPERATIONS } from '../../operations/index.js';
import { sampleProblem } from '../../operations/refusals.js';
import { curlText } from '../../site/call-text.js';
import { count } from '../format.js';
import { EXAMPLE_ORIGIN, sectionOf, withoutTeamParts } from './files.js';
import { answerBlocks } from './operation-text.js';
import type { PageContext } from './page.js';
import { blocks, fenced, json, prettyJson, table } from './write.js';

/** First page: what the service is, a first call with its real answer, and links. */
export function quickStartText(context: PageContext): string {
  const [predict] = OPERATIONS;
  if (predict === undefined) throw new Error('there are no operations');
  const { path, example } = predict;
  return blocks(
    SERVICE_DESCRIPTION,
    'Designers: read the [guides](/docs/guides). Numbers without code: [explore the data](/explore). How exact they are: [accuracy](/docs/accuracy). For a language model: [MCP](/docs/mcp).',
    'Create an API key in [your account](/account/keys). See [Authentication](/docs/authentication) for details. All examples show real answers of this service.',
    '## First call',
    fenced(
      'sh',
      curlText(
        { operation: predict.name, path, body: example },
        context.origin,
        prettyJson(example),
      ),
    ),
    ...answerBlocks(predict, context),
    '## Routes',
    sectionOf('docs/api.md', 'Routes'),
    '## Next steps {#where-to-go-on}',
    [
      `- Read about each operation: ${OPERATIONS.map(({ title, path }) => `[${title.toLowerCase()}](${operationPage(path)})`).join(', ')}.`,
      '- See [what a call costs](/docs/billing) and how to repeat a call at no cost.',
      '- Find every route in the [API reference](/docs/reference), or use [`/openapi.json`](/openapi.json) in a program.',
    ].join('\n'),
  );
}

/** The index of all operations. Each has a page of its own. */
export function referenceText(context: PageContext): string {
  return blocks(
    `Each operation has a page with its fields, a real example beside them, and its errors. Routes under \`/v1\` need the header \`Authorization: Bearer <API_KEY>\` ([Authentication](/docs/authentication)) and a JSON body. The base URL is \`${context.origin}\`. Programs read the same from [\`/openapi.json\`](/openapi.json) (OpenAPI 3.1).`,
    table(
      ['operation', 'route', 'cost'],
      OPERATIONS.map(({ title, path, price }) => [
        `[${title}](${operationPage(path)})`,
        `\`POST ${path}\``,
        price,
      ]),
    ),
    '## All routes {#routes}',
    sectionOf('docs/api.md', 'Routes'),
  );
}

/** Address of an operation's page. */
export function operationPage(path: string): string {
  return `/docs/operations/${path.replace('/v1/', '').replaceAll('/', '-')}`;
}

/** How requests are authenticated, and the rate limit. */
export function authenticationText(context: PageContext): string {
  const { authentication, limits } = buildCatalog(context);
  const problem = problemBody(sampleProblem('unauthorized'), 'req_0mb1x2y3z00010123456789abcdef');
  return blocks(
    authentication.description,
    fenced('http', authentication.header),
    '## Keys',
    [
      'You create keys in [your account](/account/keys). A key is shown only once, because the service stores only its hash and its first characters. Do not put a key into pages, apps or repositories that others can read.',
      'An account can have several keys, each in live or test mode. Keys of the same mode share the credits and the free calls of the account. Each key has its own rate limit. A revoked key stops working within a second. To replace a key without an interruption, rotate it: the old key works beside the new one for a time that you choose.',
    ].join('\n\n'),
    '## Your key in the examples',
    'The page of a new test key has a button “Use this key in the examples”. The examples of these pages and of the screens then show your key in place of `<API_KEY>`, and copied texts have it, too. Only your browser keeps the key. It forgets the key when you sign out, or when you choose “Forget it” beside an example. Live keys are never kept.',
    '## Without a valid key',
    'The service answers a request without a valid key with status 401, the header `WWW-Authenticate: Bearer` and this body:',
    json(problem),
    '## Rate limit',
    `A key may make ${limits.rate.requests} requests in any ${limits.rate.seconds} seconds. Refused requests count too. Every answer has the headers \`RateLimit\` and \`RateLimit-Policy\`. Over the limit, the answer is 429 [\`rate_limited\`](/docs/errors#error-rate_limited), and \`Retry-After\` says how many seconds to wait.`,
  );
}

/** The page on the cost of calls and the limits of requests. */
export function billingText(context: PageContext): string {
  const { billing, limits } = buildCatalog(context);
  const { rate, bodyBytes, percentiles, countries, idempotencyKey } = limits;
  return blocks(
    `The unit is ${billing.unit}.`,
    table(
      ['call', 'cost'],
      Object.entries(billing.costs).map(([call, cost]) => [`\`${call}\``, cost]),
    ),
    billing.rules.map((rule) => `- ${rule}`).join('\n'),
    `You buy credits in [your account](/account/credits), in packs of ${billing.packs.map(count).join(', ')}. The account also shows your balance, your free calls, your usage by day and every ledger entry. Test keys spend test credits, which are free.`,
    '## Repeating a request at no cost {#a-repeat-costs-nothing}',
    `If an answer is lost on the way, the request may already be paid. To repeat a request safely, send it with an \`Idempotency-Key\` header: a text of your choice with up to ${idempotencyKey.maxLength} characters. If you repeat the request with the same key within ${idempotencyKey.hours} hours, you get the first answer again. It costs nothing and has the header \`Idempotent-Replayed: true\`. The same key with another body is refused with [\`idempotency_conflict\`](/docs/errors#error-idempotency_conflict). Refusals are not stored, because they cost nothing.`,
    fenced(
      'sh',
      `curl -s ${context.origin}/v1/predict \\\n  -H 'Authorization: Bearer <API_KEY>' \\\n  -H 'Content-Type: application/json' \\\n  -H 'Idempotency-Key: order-4711' \\\n  -d '${JSON.stringify(OPERATIONS[0]?.example)}'`,
    ),
    '## Limits',
    table(
      ['limit', 'at most'],
      [
        ['requests of a key', `${rate.requests} in ${rate.seconds} seconds`],
        ['percentiles in a call', `${percentiles.maxItems}, all different`],
        ['countries in a call', `${countries.maxItems}, all different`],
        ['body of a request', `${count(bodyBytes)} bytes`],
        [
          'body of a request about populations or people',
          `${count(POPULATION_BODY_BYTES_MAX)} bytes`,
        ],
        ['body of a batch', `${count(BATCH_BODY_BYTES_MAX)} bytes`],
        ['`Idempotency-Key`', `${idempotencyKey.maxLength} characters`],
      ],
    ),
  );
}

/** How language models use the service. */
export function mcpPageText(context: PageContext): string {
  const rows = OPERATIONS.map(({ name, path, description, price }) => [
    `[\`${name}\`](${operationPage(path)})`,
    description,
    price,
  ]);
  return blocks(
    buildCatalog(context).mcp.description,
    '## Tools',
    table(
      ['tool', 'purpose', 'cost'],
      [['`get_catalog`', 'Names, limits, prices and errors of the service.', 'free'], ...rows],
    ),
    '## Set it up',
    withoutTeamParts(sectionOf('docs/mcp.md', 'Set it up')).replaceAll(
      EXAMPLE_ORIGIN,
      context.origin,
    ),
  );
}

/** All measurements by body region. */
export function measurementsText(): string {
  const sections = BODY_REGIONS.map(({ title, measurements }) =>
    blocks(
      `## ${title}`,
      table(
        ['name', 'what it is', 'kind'],
        measurements.map(({ name, definition, kind }) => [
          `[\`${name}\`](/explore/dimension?measurement=${name})`,
          definition,
          kind,
        ]),
      ),
    ),
  );
  return blocks(
    `The ${MEASUREMENT_NAMES.length} measurements, with the definition that this service uses for each name. Each name links to its screen, which shows the measurement on a drawing of the body.`,
    ...sections,
  );
}

/** The alphabetical order of English names. */
const inEnglish = new Intl.Collator('en');

/** All countries, in the order of their names. */
export function countriesText(): string {
  return blocks(
    `The ${COUNTRIES.length} countries and the codes for requests.`,
    table(
      ['country', 'code'],
      COUNTRIES.toSorted((one, other) => inEnglish.compare(one.name, other.name)).map(
        ({ code, name }) => [name, `\`${code}\``],
      ),
    ),
    '## Sets of countries',
    'Operations on populations accept the name of a set in place of a code. A set has only members among the countries above.',
    table(
      ['set', 'countries'],
      Object.entries(COUNTRY_SETS).map(([name, codes]) => [
        `\`${name}\``,
        codes.length === COUNTRIES.length ? 'all' : codes.join(' '),
      ]),
    ),
  );
}
