import type { DrawnPerson } from '../drawing/drawing.js';
import { PersonDrawer } from '../drawing/person-drawer.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import type { PeopleToDraw } from './tasks.js';

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
