import { type ErrorCode, Problem, type ProblemExtras } from '../../core/errors.js';
import type { BodyPersonInput } from '../../operations/body-request.js';
import {
  type BodyAnswer,
  bodyOptionsOf,
  buildBody,
  reportOf,
} from '../../operations/built-body.js';
import { OPERATIONS } from '../../operations/index.js';
import type { Operation } from '../../operations/operation.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { answerJson } from '../../operations/validate.js';
import { type BodyLine, bodyLines } from '../../render/body-lines.js';
import { loadPictures, makePicture } from '../../site/pictures/make-picture.js';

// What the pages compute besides the operations. A thread of the pool loads this file and calls its functions.

export { makePicture };

/** Loads what a function needs besides this file. */
export async function load(operation: string, model: PredictionModel): Promise<void> {
  if (operation === makePicture.name) await loadPictures(model);
}

/** Validated requests of one view. One thread answers all of them, so they wait only once. */
export interface SeveralRequests {
  readonly requests: readonly { readonly operation: string; readonly input: object }[];
}

/** Answers several requests. A refused request does not stop the others. */
export function answerSeveral({ requests }: SeveralRequests, model: PredictionModel) {
  return requests.map(({ operation: name, input }): OneOfSeveral => {
    const operation = OPERATIONS.find((one) => one.name === name) as Operation;
    try {
      return { answer: JSON.parse(answerJson(operation, operation.run(input as never, model))) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, sentence, extras } = error;
      return { problem: { code, sentence, extras } };
    }
  });
}

/** What became of one of several requests. */
export type OneOfSeveral =
  | { readonly answer: object }
  | {
      readonly problem: {
        readonly code: ErrorCode;
        readonly sentence: Problem['sentence'];
        readonly extras: ProblemExtras;
      };
    };

/** A person whose light body a page shows. */
export interface BodyToShow {
  readonly person: BodyPersonInput;
  readonly pose: 'standing' | 'sitting';
}

/** A light body for a page: its surface, and what the tape says. */
export interface ShownBody {
  /** x, y, z of each vertex in tenths of mm, as 16-bit numbers, little-endian, in base64. */
  readonly positions: string;
  /** The report of the operation `body` for the light body, in mm and kg. */
  readonly report: BodyAnswer;
  /** Where the dimensions are on the body, whole mm. */
  readonly lines: readonly BodyLine[];
  /** Height of the seat of a sitting body, mm. */
  readonly seatMm?: number;
}

/** Processor time of `showBody`, ms: fit, mesh and tape. */
export const SHOW_BODY_MS = 280;

/** The triangles that all light bodies of an artifact share. */
export interface BodySurface {
  /** Three vertices of each triangle, by material, as 16-bit numbers, little-endian, in base64. */
  readonly triangles: string;
  readonly materials: readonly { readonly name: string; readonly triangles: number }[];
}

/** Steps of the coordinates of a page's body in a mm. */
const STEPS_PER_MM = 10;
const POINTER = '/person';

/**
 * Makes the light body of a person for a page.
 *
 * @throws Problem as the operation `body` throws it
 */
export function showBody({ person, pose }: BodyToShow, model: PredictionModel): ShownBody {
  const options = bodyOptionsOf({ pose, detail: 'light' });
  const built = buildBody(person, options, model, POINTER);
  const builder = model.bodies();
  const { positions } = builder.mesh(built.fitted, pose, 'light');
  const steps = Int16Array.from(positions, (mm) => Math.round(mm * STEPS_PER_MM));
  const { lines, seatMm } = bodyLines(builder, built.fitted, pose);
  return {
    positions: Buffer.from(steps.buffer).toString('base64'),
    report: reportOf(built, options, model),
    lines: lines.map((line) => ({
      ...line,
      lines: line.lines.map((points) => points.map(rounded)),
      label: rounded(line.label),
    })),
    ...(seatMm === undefined ? {} : { seatMm: Math.round(seatMm) }),
  };
}

/** The triangles of light bodies, whose vertices are in the order of `ShownBody.positions`. */
export function bodySurface(_: object, model: PredictionModel): BodySurface {
  const { views } = model.bodies();
  const { header, lightTriangles } = views;
  const used = [...new Set(lightTriangles)].sort((a, b) => a - b);
  const places = new Map(used.map((vertex, place) => [vertex, place]));
  const triangles = lightTriangles.map((vertex) => places.get(vertex) as number);
  return {
    triangles: Buffer.from(triangles.buffer).toString('base64'),
    materials: header.lightMaterials,
  };
}

function rounded([x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [Math.round(x) + 0, Math.round(y) + 0, Math.round(z) + 0];
}
