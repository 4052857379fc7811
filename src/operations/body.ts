import type { Static } from 'typebox';
import { fingerprint } from '../core/fingerprint.js';
import { BODY_REQUEST_BYTES_MAX } from '../core/limits.js';
import {
  bodyFileFields,
  bodyFormatField,
  bodyPersonFaults,
  bodyPersonField,
} from './body-request.js';
import { stanceFaults } from './body-stance.js';
import { bodyFileOf, bodyOptionsOf, buildBody, reportFields, reportOf } from './built-body.js';
import { closedObject, oneOf, paidAnswer } from './fields.js';
import { defineOperation, fixedPrice } from './operation.js';

/** Price of a body. */
export const BODY_COST = 20;
/** Time to fit a person, and time to write a file, in ms of one core. */
export const [FIT_MS, FILE_MS] = [160, 50];

const fields = { person: bodyPersonField, ...bodyFileFields };

const request = closedObject({ ...fields, format: bodyFormatField });

const batchRequest = closedObject({
  ...fields,
  format: oneOf<'json'>(['json'], {
    description: 'json: the report. A batch has no files; the REST route has.',
  }),
});

const response = paidAnswer({ ...reportFields });

/** POST /v1/body: one person as a body in three dimensions. */
export const body = defineOperation({
  name: 'body',
  path: '/v1/body',
  title: 'Body',
  description:
    'A closed mesh of a person whose tape measures equal the person’s measurements, as far as one shape can: GLB, STL, OBJ, DXF, a MuJoCo model, or its report in JSON. A mannequin fitted to numbers, not a scan of anybody.',
  toolDescription: `Make a 3D mannequin (1 to 100 years) for CAD and simulation, not a scan. Give \`known\` as in complete_person ([]: the median) or \`measurements\` of sample_people. Links to the file, free for 24 hours.`,
  ...fixedPrice(BODY_COST),
  command: { name: 'body', summary: 'a person as a body in three dimensions' },
  computed: true,
  cached: true,
  bodyBytesMax: BODY_REQUEST_BYTES_MAX,
  request,
  batchRequest,
  response,
  example: {
    person: {
      gender: 'Female',
      age: 34,
      country: 'JP',
      known: [{ measurement: 'Stature', percentile: 5 }],
    },
    pose: 'sitting',
    format: 'glb',
    detail: 'full',
    unit: 'mm',
    massUnit: 'kg',
  },
  refusals: {
    body_out_of_reach: {
      person: {
        gender: 'Female',
        age: 34,
        measurements: { HipCircumferenceMax: 900, StandingHipBreadth: 600 },
      },
      format: 'json',
    },
    target_out_of_space: {
      person: { gender: 'Female', age: 34, known: [] },
      stance: {
        base: 'standing',
        hands: { right: { at: { x: 1200, y: -200, z: 1300 }, by: 'grip' } },
      },
    },
    value_implausible: {
      person: { gender: 'Female', age: 34, known: [{ measurement: 'Stature', value: 168 }] },
    },
  },
  check: (input) => [
    ...bodyPersonFaults(input.person, '/person'),
    ...stanceFaults(input, [['/person', input.person.measurements]]),
  ],
  work: {
    ms: ({ format }) => FIT_MS + (format === 'json' ? 0 : FILE_MS),
    less: 'one body',
  },
  run(input, model): Static<typeof response> {
    const options = bodyOptionsOf(input);
    return reportOf(buildBody(input.person, options, model, '/person'), options, model);
  },
  file: {
    types: {
      glb: 'model/gltf-binary',
      stl: 'model/stl',
      obj: 'model/obj',
      dxf: 'image/vnd.dxf',
      mjcf: 'application/xml',
    },
    alsoJson: true,
    formatOf: ({ format = 'glb' }) => (format === 'json' ? undefined : format),
    async make(input, model) {
      const options = bodyOptionsOf(input);
      const built = buildBody(input.person, options, model, '/person');
      const { bytes, report, worstMm } = await bodyFileOf(built, options, model);
      const asked = { operation: 'body', artifact: model.artifactVersion, ...options };
      const hash = fingerprint({ ...asked, person: input.person });
      const headers = { 'vitruvia-body-worst': String(worstMm), etag: `"${hash}"` };
      return { bytes, answer: report, headers };
    },
  },
});
