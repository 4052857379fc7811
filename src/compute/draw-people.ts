import type { DrawnPerson, ViewName } from '../drawing/drawing.js';
import { PersonDrawer, type PersonToDraw } from '../drawing/person-drawer.js';
import type { PredictionModel } from '../operations/prediction-model.js';

/** Name of the task that draws people; no operation has it. */
export const DRAW_PEOPLE = 'draw people';

/** People to draw, and the views of each. */
export interface PeopleToDraw {
  readonly people: readonly PersonToDraw[];
  readonly views: readonly ViewName[];
}

/** Processor time of a task, ms: about that of the fits and of the drawings. */
export function drawingWorkMs({ people, views }: PeopleToDraw): number {
  return people.length * (200 + 40 * views.length);
}

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
  const drawer = drawers.get(model) ?? new PersonDrawer(model.bodies());
  drawers.set(model, drawer);
  return people.map((person) => drawer.draw(person, views));
}
