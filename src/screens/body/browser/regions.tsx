import type { VNode } from 'preact';
import { BODY_REGIONS, type RegionId } from '../../../core/body-regions.js';
import { BODY_MEASUREMENTS_MAX } from '../address.js';
import type { BodyParts } from '../data-types.js';

/** Regions that are drawn on figures. */
const DRAWN: readonly RegionId[] = ['head', 'trunk', 'arm', 'hand', 'leg', 'foot'];

/** Buttons of the regions. A button makes the same choice as a press on a figure. */
export function RegionChoice({ view, choose }: Pick<BodyParts, 'view' | 'choose'>): VNode {
  const chosen = BODY_REGIONS.find(({ id }) => id === view.region);
  const names = new Set<string>(chosen?.measurements.map(({ name }) => name));
  const shown = view.measurements.filter((name) => names.has(name)).length;
  const room = BODY_MEASUREMENTS_MAX - view.measurements.length;
  const lacking = chosen?.measurements
    .map(({ name }) => name)
    .filter((name) => !view.measurements.includes(name));
  const added = lacking?.slice(0, room) ?? [];
  return (
    <fieldset class="region-choice">
      <legend class="label">Region of the body</legend>
      <div class="row buttons">
        {BODY_REGIONS.filter(({ id }) => DRAWN.includes(id)).map(({ id, title }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === view.region}
            onClick={() => choose({ region: id === view.region ? undefined : id })}
          >
            {title}
          </button>
        ))}
      </div>
      <p class="hint" role="status">
        {chosen === undefined
          ? 'Choose a region here or on a figure. The table then highlights its measurements.'
          : `${chosen.title}: ${shown} of the ${chosen.measurements.length} measurements of this region are in the table.`}
      </p>
      {chosen === undefined || lacking?.length === 0 ? null : (
        <div class="row buttons">
          {added.length === 0 ? null : (
            <button
              type="button"
              onClick={() => choose({ measurements: [...view.measurements, ...added] })}
            >
              {added.length === lacking?.length
                ? `Add the other ${added.length} to the table`
                : `Add ${added.length} of them; the table has room for ${BODY_MEASUREMENTS_MAX}`}
            </button>
          )}
          <button
            type="button"
            onClick={() =>
              choose({
                measurements: [...names].slice(0, BODY_MEASUREMENTS_MAX),
              })
            }
          >
            {names.size <= BODY_MEASUREMENTS_MAX
              ? 'Show only this region'
              : `Show only this region, its first ${BODY_MEASUREMENTS_MAX}`}
          </button>
        </div>
      )}
    </fieldset>
  );
}
