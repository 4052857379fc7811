import { bodyLines } from '../drawing/body-lines.js';
import type { DrawnPerson } from '../drawing/drawing.js';
import { PersonDrawer } from '../drawing/person-drawer.js';
import { bodyOptionsOf, buildBody, reportOf } from '../operations/built-body.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import type { BodySurface, BodyToShow, PeopleToDraw, ShownBody } from './tasks.js';

const drawers = new WeakMap<PredictionModel, PersonDrawer>();

/**
 * Draws people as bodies of the model's artifact.
 *
 * @throws Problem `model_not_found` where the artifact has no bodies
 */
export function drawPeople(
  { people, views }: PeopleToDraw,
  model: PredictionModel,
): readonly DrawnPerson[] {
  const drawer = drawerOf(model);
  return people.map((person) => drawer.draw(person, views));
}

/** What draws bodies of a model; made once. */
export function drawerOf(model: PredictionModel): PersonDrawer {
  const drawer = drawers.get(model) ?? new PersonDrawer(model.bodies());
  drawers.set(model, drawer);
  return drawer;
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
  const view = pose === 'sitting' ? 'sittingSide' : 'standingThreeQuarter';
  const valuesMm = Object.fromEntries(built.asked.dimensions);
  const [drawing] = drawerOf(model).drawings(built.fitted, [view], valuesMm);
  return {
    positions: Buffer.from(steps.buffer).toString('base64'),
    report: reportOf(built, options, model),
    lines: lines.map((line) => ({
      ...line,
      lines: line.lines.map((points) => points.map(rounded)),
      label: rounded(line.label),
    })),
    ...(seatMm === undefined ? {} : { seatMm: Math.round(seatMm) }),
    drawing: drawing as ShownBody['drawing'],
  };
}

/** The triangles of light bodies, whose vertices are in the order of `ShownBody.positions`. */
export function bodySurface(model: PredictionModel): BodySurface {
  const { header, lightTriangles } = model.bodies().views;
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
