import type { VNode } from 'preact';
import type { Seat as SeatOf } from '../../../reach/demands.js';
import { LEANS, PARTS, TIPS } from '../../../reach/sitter.js';
import type { ShownUnit } from '../../../site/lengths.js';
import { shortened } from '../../shared/address-fields.js';
import { visibleText } from '../../shared/populations.js';
import { DraftField, LengthField, NumberField, readNumber, Select } from '../../widgets/fields.js';
import { RemoveButton } from '../../widgets/parts.js';
import { BACK_ANGLE, FAR, MOST, NAME_MAX, PAN_ANGLE, PLACE, type ReachView } from '../address.js';
import { middleOf, withEntry, withoutEntry } from '../moves.js';
import type { Clearance, Point, Sight, Target } from '../scene-types.js';
import { templateById } from '../templates.js';
import { clearanceWords, sightWords, targetWords } from '../texts.js';

interface ControlsProps {
  readonly view: ReachView;
  readonly unit: ShownUnit;
  readonly choose: (change: Partial<ReachView>) => void;
}

const HANDS = ['left', 'right', 'either'] as const;
const same = (names: readonly string[]) => names.map((name) => [name, name] as const);
const AXES = [
  ['x', 'Forward'],
  ['y', 'To the left'],
  ['z', 'Up'],
] as const;
const DEGREES = { min: 0, max: 90 } as const;
/** Sizes of a new thing, in mm. */
const NEW_MM = 100;

/** The places of all demands, and the seat. */
export function Controls(props: ControlsProps): VNode {
  const { view, choose } = props;
  const { targets, see, clear } = view;
  const sits = templateById(view.template).pose === 'sitting';
  const z = (view.seat?.heightMm ?? 700) + 400;
  const at: Point = { x: 500, y: 0, z };
  const add = (what: string, isFull: boolean, change: Partial<ReachView>) => (
    <button type="button" disabled={isFull} onClick={() => choose(change)}>
      {what}
    </button>
  );
  return (
    <div class="panel">
      {view.seat === undefined ? null : <Seat {...props} seat={view.seat} />}
      {targets.map((one, index) => (
        <TargetFields key={`target-${index}`} {...{ ...props, one, index, sits }} />
      ))}
      {see.map((one, index) => (
        <SightFields key={`see-${index}`} {...{ ...props, one, index }} />
      ))}
      {clear.map((one, index) => (
        <ClearanceFields key={`clear-${index}`} {...{ ...props, one, index, sits }} />
      ))}
      <p class="reach-add">
        {add('Add a target', targets.length >= MOST.targets, {
          targets: [
            ...targets,
            { name: `Target ${targets.length + 1}`, at, by: 'grip', hand: 'either', lean: 'none' },
          ],
        })}
        {add('Add a sight', see.length >= MOST.see, {
          see: [
            ...see,
            { name: `Sight ${see.length + 1}`, at: { ...at, x: 900 }, upMax: 20, downMax: 40 },
          ],
        })}
        {add('Add a thing', clear.length >= MOST.clear, {
          clear: [
            ...clear,
            {
              ...{ name: `Thing ${clear.length + 1}`, by: 'head', from: { ...at, z: z + 400 } },
              to: { x: at.x + NEW_MM, y: NEW_MM, z: z + 400 + NEW_MM },
            },
          ],
        })}
      </p>
    </div>
  );
}

interface EntryProps<One> extends ControlsProps {
  readonly one: One;
  readonly index: number;
}

/** Checks a length in mm. */
const within = (mostMm: number) => (mm: number) =>
  Math.abs(mm) > mostMm ? `Enter at most ${mostMm.toLocaleString('en')} mm.` : undefined;

/** The fields of a place. `move` gets the changed part. */
function PlaceFields(props: {
  readonly at: Point;
  readonly unit: ShownUnit;
  /** Largest coordinate, in mm. */
  readonly most: number;
  readonly move: (to: Partial<Point>) => void;
}): VNode {
  const { at, unit, most, move } = props;
  return (
    <div class="reach-fields">
      {AXES.map(([axis, label]) => (
        <LengthField
          key={axis}
          label={label}
          valueMm={at[axis]}
          unit={unit}
          signed
          check={within(most)}
          onCommit={(mm) => mm !== undefined && move({ [axis]: mm })}
        />
      ))}
    </div>
  );
}

function TargetFields(props: EntryProps<Target> & { readonly sits: boolean }): VNode {
  const { view, unit, choose, one, index, sits } = props;
  const { at } = one;
  const change = (part: Partial<Target>) => choose(withEntry(view, 'targets', index, part));
  const tips = TIPS.filter((tip) => sits || tip !== 'foot');
  return (
    <Entry title={one.name} words={targetWords(one)}>
      <NameField name={one.name} onName={(name) => change({ name })} />
      <PlaceFields
        {...{ at, unit, most: PLACE.max }}
        move={(to) => change({ at: { ...at, ...to } })}
      />
      <div class="reach-fields">
        <Select
          label="By"
          value={one.by}
          options={same(tips)}
          onChange={(by) =>
            change({ by: by as Target['by'], ...(by === 'foot' ? { lean: 'none' } : {}) })
          }
        />
        <Select
          label="Side"
          value={one.hand}
          options={same(HANDS)}
          onChange={(hand) => change({ hand: hand as Target['hand'] })}
        />
        {one.by === 'foot' ? null : (
          <Select
            label="Lean"
            value={one.lean}
            options={same(LEANS)}
            onChange={(lean) => change({ lean: lean as Target['lean'] })}
          />
        )}
      </div>
      <RemoveButton of={one.name} onRemove={() => choose(withoutEntry(view, 'targets', index))} />
    </Entry>
  );
}

function SightFields(props: EntryProps<Sight>): VNode {
  const { view, unit, choose, one, index } = props;
  const { at, over, upMax, downMax } = one;
  const change = (part: Partial<Sight>) => choose(withEntry(view, 'see', index, part));
  const limits = [
    ['upMax', 'At most so far up', upMax],
    ['downMax', 'At most so far down', downMax],
  ] as const;
  // A sight without any limit asks nothing.
  const isLast = [over, upMax, downMax].filter((one) => one !== undefined).length === 1;
  const toggle = (label: string, isOn: boolean, part: Partial<Sight>) => (
    <label key={label}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isOn && isLast}
        onChange={() => change(part)}
      />{' '}
      {label}
    </label>
  );
  return (
    <Entry title={one.name} words={sightWords(one)}>
      <NameField name={one.name} onName={(name) => change({ name })} />
      <PlaceFields
        {...{ at, unit, most: FAR.max }}
        move={(to) => change({ at: { ...at, ...to } })}
      />
      <p class="reach-add">
        {toggle('Over an edge', over !== undefined, {
          over: over === undefined ? { x: Math.round(at.x / 2), z: Math.round(at.z) } : undefined,
        })}
        {limits.map(([name, label, value]) =>
          toggle(label, value !== undefined, { [name]: value === undefined ? 30 : undefined }),
        )}
      </p>
      <div class="reach-fields">
        {over === undefined
          ? null
          : (['x', 'z'] as const).map((axis) => (
              <LengthField
                key={axis}
                label={axis === 'x' ? 'Edge forward' : 'Edge up'}
                valueMm={over[axis]}
                unit={unit}
                signed
                check={within(FAR.max)}
                onCommit={(mm) => mm !== undefined && change({ over: { ...over, [axis]: mm } })}
              />
            ))}
        {limits.map(([name, label, value]) =>
          value === undefined ? null : (
            <Degrees
              key={name}
              label={`${label}, degrees`}
              value={value}
              limits={DEGREES}
              onCommit={(degrees) => change({ [name]: degrees })}
            />
          ),
        )}
      </div>
      <RemoveButton of={one.name} onRemove={() => choose(withoutEntry(view, 'see', index))} />
    </Entry>
  );
}

/** The name of a demand. */
function NameField(props: {
  readonly name: string;
  readonly onName: (name: string) => void;
}): VNode {
  const { name, onName } = props;
  const onDone = (text: string) => {
    onName(shortened(visibleText(text), NAME_MAX).trim() || name);
    return undefined;
  };
  return (
    <DraftField label="Name" class="reach-name" inputMode="text" shown={name} onDone={onDone} />
  );
}

function ClearanceFields(props: EntryProps<Clearance> & { readonly sits: boolean }): VNode {
  const { view, unit, choose, one, index, sits } = props;
  const { from, to, by } = one;
  const at = middleOf(one);
  const parts = PARTS.filter((part) => sits || part === 'head' || part === 'shoulder');
  const resize = (axis: keyof Point, mm: number) => {
    const half = mm / 2;
    const change: Partial<Clearance> = {
      from: { ...from, [axis]: at[axis] - half },
      to: { ...to, [axis]: at[axis] + half },
    };
    choose(withEntry(view, 'clear', index, change));
  };
  return (
    <Entry title={one.name} words={clearanceWords(one)}>
      <NameField
        name={one.name}
        onName={(name) => choose(withEntry(view, 'clear', index, { name }))}
      />
      <PlaceFields
        {...{ at, unit, most: FAR.max / 2 }}
        move={(there) => {
          const goal = { ...at, ...there };
          const moved = ({ x, y, z }: Point) => ({
            ...{ x: x + goal.x - at.x, y: y + goal.y - at.y, z: z + goal.z - at.z },
          });
          choose(withEntry(view, 'clear', index, { from: moved(from), to: moved(to) }));
        }}
      />
      <div class="reach-fields">
        {AXES.map(([axis, label]) => (
          <LengthField
            key={axis}
            label={`Size: ${label.toLowerCase()}`}
            valueMm={Math.abs(to[axis] - from[axis])}
            unit={unit}
            check={within(FAR.max / 2)}
            onCommit={(mm) => mm !== undefined && resize(axis, mm)}
          />
        ))}
        <Select
          label="Part"
          value={by}
          options={same(parts)}
          onChange={(part) =>
            choose(withEntry(view, 'clear', index, { by: part as Clearance['by'] }))
          }
        />
      </div>
      <RemoveButton of={one.name} onRemove={() => choose(withoutEntry(view, 'clear', index))} />
    </Entry>
  );
}

function Seat({ unit, choose, seat }: ControlsProps & { readonly seat: SeatOf }): VNode {
  const change = (part: Partial<SeatOf>) => choose({ seat: { ...seat, ...part } });
  const end = (name: 'travelX' | 'travelZ', which: 0 | 1, mm: number) => {
    const ends: [number, number] = [...seat[name]];
    ends[which] = mm;
    change({ [name]: [Math.min(...ends), Math.max(...ends)] });
  };
  const ends = [
    ['travelX', 0, 'Travel back to'],
    ['travelX', 1, 'Travel forward to'],
    ['travelZ', 0, 'Travel down to'],
    ['travelZ', 1, 'Travel up to'],
  ] as const;
  return (
    <Entry title="Seat" words="its height and travel">
      <div class="reach-fields">
        <LengthField
          label="Seat height"
          valueMm={seat.heightMm}
          unit={unit}
          check={within(PLACE.max)}
          onCommit={(mm) => mm !== undefined && change({ heightMm: mm })}
        />
        <Degrees
          label="Back from vertical, degrees"
          value={seat.backAngle}
          limits={BACK_ANGLE}
          onCommit={(backAngle) => change({ backAngle })}
        />
        <Degrees
          label="Surface from horizontal, degrees"
          value={seat.panAngle}
          limits={PAN_ANGLE}
          onCommit={(panAngle) => change({ panAngle })}
        />
        {ends.map(([name, which, label]) => (
          <LengthField
            key={label}
            label={label}
            valueMm={seat[name][which]}
            unit={unit}
            signed
            check={within(PLACE.max)}
            onCommit={(mm) => mm !== undefined && end(name, which, mm)}
          />
        ))}
      </div>
    </Entry>
  );
}

function Degrees(props: {
  readonly label: string;
  readonly value: number;
  readonly limits: { readonly min: number; readonly max: number };
  readonly onCommit: (value: number) => void;
}): VNode {
  const { label, value, limits, onCommit } = props;
  const { min, max } = limits;
  return (
    <NumberField
      {...{ label, value, min, max, onCommit }}
      shown={String(value)}
      read={(text) => readNumber(text, { what: 'The angle', min, max, words: /°$/ })}
    />
  );
}

function Entry(props: {
  readonly title: string;
  readonly words: string;
  readonly children: VNode | readonly (VNode | null)[];
}): VNode {
  const { title, words, children } = props;
  return (
    <details class="reach-entry">
      <summary>
        {title}: <span class="soft">{words}</span>
      </summary>
      {children}
    </details>
  );
}
