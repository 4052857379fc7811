import type { VNode } from 'preact';
import type { ShownUnit } from '../../site/lengths.js';
import { DataTable } from '../shared/table.js';
import type { FitData, FitKnown, SizeRange } from './data-types.js';
import { suitsAll } from './proposal.js';
import { knownNames, rangeText } from './texts.js';

/** The known people whom the service can describe. */
export function describedOf({ known }: Pick<FitData, 'known'>): readonly FitKnown[] {
  return known.filter((one): one is FitKnown => one !== null);
}

interface PeopleNeedsProps extends Pick<FitData, 'conflicts'> {
  readonly known: readonly FitKnown[];
  readonly unit: ShownUnit;
}

/** The answer for known people: the compromise if no value suits all of them, and what each needs. */
export function PeopleNeeds({ known, conflicts, unit }: PeopleNeedsProps): VNode {
  return (
    <>
      {conflicts.map((text) => (
        <p key={text} class="notice warning">
          {text}
        </p>
      ))}
      {known[0]?.sizes.length === 0 ? null : (
        <DataTable
          caption="What they need"
          head={['Size', 'For', 'Needs']}
          texts="all"
          rows={neededOf(known, unit)}
        />
      )}
    </>
  );
}

/**
 * What suits all known people of each size, if there are several, and what each of them needs: one row for each, because
 * eight people have no room beside each other.
 */
function neededOf(known: readonly FitKnown[], unit: ShownUnit): readonly (string | VNode)[][] {
  const names = [...(known.length > 1 ? ['all of them'] : []), ...knownNames(known, unit)];
  return (known[0]?.sizes ?? []).flatMap(({ id, label }) => {
    const ranges = known.map(({ sizes }): SizeRange => sizes.find((one) => one.id === id) ?? {});
    const needs = known.length > 1 ? [suitsAll(known, id), ...ranges] : ranges;
    return needs.map((one, row) => [
      <span key="size" class={row > 0 ? 'visually-hidden' : undefined}>
        {label}
      </span>,
      names[row] ?? '',
      rangeText(one, unit),
    ]);
  });
}
