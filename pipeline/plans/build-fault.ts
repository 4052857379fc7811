/** Thrown when parts of the model do not fit together. The message names each part and the file to edit. */
export class BuildFault extends Error {
  override readonly name = 'BuildFault';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/**
 * Refuses measurements without a plan and plans without a measurement.
 *
 * @throws BuildFault that names the file of the plans
 */
export function checkPlans(
  names: readonly string[],
  plans: Readonly<Record<string, unknown>>,
): void {
  const file = 'pipeline/plans/dimension-plan.ts';
  const faults = names
    .filter((name) => plans[name] === undefined)
    .map((name) => `The measurement ${name} has no plan. Add one to DIMENSION_PLAN in ${file}.`);
  for (const name of Object.keys(plans)) {
    if (names.includes(name)) continue;
    faults.push(
      `The plan ${name} in ${file} has no measurement. Add it to src/core/measurements.ts, or remove the plan.`,
    );
  }
  if (faults.length > 0) throw new BuildFault(faults);
}

/** The part of a rule that says which profiles it applies to. */
interface ProfileRule {
  readonly profiles: readonly string[];
}

/**
 * Refuses profiles that no rule names, because they would change nothing. Also refuses rules of unknown
 * profiles.
 *
 * @param kind name of the list of rules, `CLOTHING_RULES` or `POSTURE_RULES`
 * @param ids profiles in artifact order; the first one is the reference, which has no rules
 * @throws BuildFault that names the file of the rules
 */
export function checkProfiles(
  kind: 'CLOTHING_RULES' | 'POSTURE_RULES',
  ids: readonly string[],
  rules: readonly ProfileRule[],
): void {
  const file = 'pipeline/plans/profile-rules.ts';
  const ruled = new Set(rules.flatMap(({ profiles }) => profiles));
  const faults = ids
    .slice(1)
    .filter((id) => !ruled.has(id))
    .map((id) => `The profile ${id} has no rule. Add at least one to ${kind} in ${file}.`);
  for (const id of ruled) {
    if (ids.includes(id)) continue;
    faults.push(
      `${kind} in ${file} names the profile ${id}. Add it to src/core/profiles.ts, or correct the rule.`,
    );
  }
  if (faults.length > 0) throw new BuildFault(faults);
}
