import { ERRORS, type ErrorCode, problemBody } from '../../core/errors.js';
import { ERROR_NOTES } from '../../operations/catalog.js';
import { REFUSED_REQUESTS, refuse, sampleProblem } from '../../operations/refusals.js';
import { sectionOf } from './files.js';
import type { PageContext } from './page.js';
import { blocks, fenced, json, table } from './write.js';

/** Id of the request in examples. */
const SAMPLE_ID = 'req_0mb1x2y3z00010123456789abcdef';

/** All error codes. */
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** Page of the errors: what all have in common, then each code with a refusal. */
export function errorsText({ model }: PageContext): string {
  const [intro = ''] = sectionOf('docs/api.md', 'Errors').split('\n\n| ');
  return blocks(
    intro,
    table(
      ['status', 'code', 'in short'],
      ERROR_CODES.map((code) => [
        String(ERRORS[code].status),
        `[\`${code}\`](#error-${code})`,
        ERRORS[code].title,
      ]),
    ),
    'Before anything else a path that is no route is 404; then come 401, 429, 400, what the model has no answer for (404, 422), and payment, 402. Where a request has only unknown names as faults, their own code is given, otherwise `validation_error`.',
    ...ERROR_CODES.map((code) => errorSection(code, model)),
  );
}

function errorSection(code: ErrorCode, model: PageContext['model']): string {
  const refused = REFUSED_REQUESTS[code];
  const problem = refused === undefined ? sampleProblem(code) : refuse(refused, model);
  const request =
    refused === undefined
      ? undefined
      : blocks(
          `\`POST ${refused.operation.path}\` with`,
          fenced('json', JSON.stringify(refused.body)),
          'is answered',
        );
  return blocks(
    `## \`${code}\` {#error-${code}}`,
    `Status ${ERRORS[code].status}. ${ERROR_NOTES[code]}`,
    request,
    json(problemBody(problem, SAMPLE_ID)),
  );
}
