import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UserError } from '../../accounts/errors.js';
import {
  listSavedPopulations,
  removeSavedPopulation,
  savePopulation,
} from '../../accounts/saved-populations.js';
import { populationText, readPopulation } from '../../screens/shared/populations.js';
import { fieldOf, userOf } from '../user-session.js';
import type { AccountParts } from './requests.js';

const PATH = '/account/populations';

/**
 * Registers the populations that a user has saved, as JSON for the population bar. The answer contains the
 * token that a change must send. Other sites cannot read the answer.
 */
export function savedPopulationsRoutes(app: FastifyInstance, { users }: AccountParts): void {
  const { db, clock } = users;
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const { userId, csrfToken } = userOf(request);
    const populations = await listSavedPopulations(db, userId);
    return reply.type('application/json; charset=utf-8').send({ populations, csrf: csrfToken });
  };
  app.get(PATH, send);
  app.post(PATH, async (request, reply) => {
    const name = fieldOf(request, 'name');
    const text = fieldOf(request, 'population');
    try {
      await savePopulation(
        db,
        userOf(request).userId,
        { name, population: canonical(text) },
        clock(),
      );
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return reply.code(422).send({ detail: error.message });
    }
    return send(request, reply);
  });
  app.post(`${PATH}/remove`, async (request, reply) => {
    await removeSavedPopulation(db, userOf(request).userId, fieldOf(request, 'name'));
    return send(request, reply);
  });
}

/** Maximum length of a population, in characters. A population with all countries is shorter. */
const POPULATION_MAX_CHARS = 2000;

/** @throws UserError if the text is not a population in the form of an address */
function canonical(text: string): string {
  const population = readPopulation(text);
  if (population !== undefined) {
    // The name is kept beside the population.
    const written = populationText({ ...population, name: undefined });
    if (written.length <= POPULATION_MAX_CHARS) return written;
  }
  throw new UserError('invalid_field', 'The population has no countries or no ages.');
}
