import { ERRORS, type ErrorCode, problemBody } from '../../core/errors.js';
import { ERROR_NOTES } from '../../operations/catalog.js';
import { REFUSED_REQUESTS, refuse, sampleProblem } from '../../operations/refusals.js';
import { sectionOf } from './files.js';
import type { PageContext } from './page.js';
import { blocks, fenced, json, table } from './write.js';

/** Request id in the examples. */
const SAMPLE_ID = 'req_0mb1x2y3z00010123456789abcdef';

/** All error codes. */
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** The page of the errors. It explains all errors together, then each code with an example. */
export function errorsText({ model }: PageContext): string {
  const [intro = ''] = sectionOf('docs/api.md', 'Errors').split('\n\n| ');
  return blocks(
    intro,
    table(
      ['status', 'code', 'summary'],
      ERROR_CODES.map((code) => [
        String(ERRORS[code].status),
        `[\`${code}\`](#error-${code})`,
        ERRORS[code].title,
      ]),
    ),
    'If several errors apply, the first of this list is returned: an unknown path (404), another method (405), an encoded body (415), 401, 429, 400, no answer from the model (404 or 422), and payment (402). If unknown names are the only faults of a request, the error has their own code; otherwise it is `validation_error`.',
    ...ERROR_CODES.map((code) => errorSection(code, model)),
  );
}

function errorSection(code: ErrorCode, model: PageContext['model']): string {
  const refused = REFUSED_REQUESTS[code];
  // A model that was built without some sources refuses the example with another code.
  const found = refused === undefined ? undefined : refuse(refused, model);
  const problem = found?.code === code ? found : sampleProblem(code);
  const request =
    refused === undefined || problem !== found
      ? undefined
      : blocks(
          `For example, \`POST ${refused.operation.path}\` with this body`,
          fenced('json', JSON.stringify(refused.body)),
          'returns this error:',
        );
  return blocks(
    `## \`${code}\` {#error-${code}}`,
    `Status ${ERRORS[code].status}. ${ERROR_NOTES[code]}`,
    request,
    json(problemBody(problem, SAMPLE_ID)),
  );
}
