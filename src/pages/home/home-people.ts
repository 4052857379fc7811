import { DEFAULT_POPULATIONS } from '../../core/chosen-populations.js';
import { Problem } from '../../core/errors.js';
import type { DrawnPeople } from '../../figure/people-layout.js';
import { OPERATIONS } from '../../operations/index.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { answerJson, validateRequest } from '../../operations/validate.js';
import { bodyDataOf } from '../explorer/body-data.js';
import { drawnPeople } from '../explorer/body-poses.js';

/**
 * The people of the drawing at the top of the first page: the default populations of the explorer.
 * They are computed in the request, once per version of the model.
 *
 * @returns nobody if the model refuses the populations
 */
export async function homePeople(model: PredictionModel): Promise<readonly DrawnPeople[]> {
  const answer = async (name: string, body: object): Promise<object> => {
    const operation = OPERATIONS.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`operation ${name} is not in OPERATIONS`);
    const input = validateRequest(operation, body);
    return JSON.parse(answerJson(operation, operation.run(input as never, model)));
  };
  const view = { populations: DEFAULT_POPULATIONS, measurements: ['Stature'] };
  try {
    const { populations } = await bodyDataOf(view, answer, model.artifactVersion);
    return drawnPeople(populations);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
