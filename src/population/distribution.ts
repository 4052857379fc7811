import { LRUCache } from 'lru-cache';
import { Z_COUNT } from '../lookup/format.js';
import { ConditionedPeople } from './conditioned.js';
import type { KeptPeople } from './limits.js';
import { CurveJoiner, Mixture } from './mixture.js';
import type { PeopleModel, Profiles, WeightedCohorts } from './people-model.js';

/** Maximum number of distributions that are kept: those of the limits of one request. */
const KNOWN_MAX = 20;

/**
 * The distributions of a population. They are mixtures of its cells. With conditions, they are mixtures of points
 * inside the conditions, which are found once for all quantities.
 */
export class Distributions {
  private conditioned: ConditionedPeople | undefined;
  private readonly known = new LRUCache<string, Mixture>({ max: KNOWN_MAX });

  constructor(private readonly people: KeptPeople) {}

  /**
   * The distribution of a quantity. The last few distributions are kept.
   *
   * @throws Error for a quantity without a model in a cohort
   */
  of(quantity: number, profiles: Profiles): Mixture {
    const key = `${quantity}|${profiles.clothing}|${profiles.posture}`;
    const found = this.known.get(key) ?? this.compute(quantity, profiles);
    this.known.set(key, found);
    return found;
  }

  private compute(quantity: number, profiles: Profiles): Mixture {
    const { people } = this;
    if (people.keep.length === 0) return mixtureOf(people.peopleModel, people, quantity, profiles);
    this.conditioned ??= new ConditionedPeople(people);
    return this.conditioned.of(quantity, profiles);
  }
}

/**
 * The mixture of a quantity over cohorts. Cells that are nearly alike are joined (`CurveJoiner`).
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function mixtureOf(
  peopleModel: PeopleModel,
  { cohorts, weights }: WeightedCohorts,
  quantity: number,
  profiles: Profiles,
): Mixture {
  const joiner = new CurveJoiner();
  const cell = new Float64Array(Z_COUNT);
  cohorts.forEach((cohort, c) => {
    if (!peopleModel.fill(quantity, cohort, profiles, cell)) {
      throw new Error(`no model of ${peopleModel.names[quantity]} in a cohort`);
    }
    joiner.add(cell, weights[c]);
  });
  return new Mixture(joiner.curves());
}
