import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { numberText } from '../../../core/number-text.js';
import type { Seat as SeatOf } from '../../../reach/demands.js';
import { LEANS, PARTS, TIPS } from '../../../reach/sitter.js';
import type { ShownUnit } from '../../../site/lengths.js';
import { shortened } from '../../shared/address-fields.js';
import type { PartsOf, ScreenProblem } from '../../shared/data-types.js';
import { visibleText } from '../../shared/populations.js';
import { DraftField, LengthField, NumberField, readNumber, Select } from '../../widgets/fields.js';
import { RemoveButton } from '../../widgets/parts.js';
import { BACK_ANGLE, FAR, MOST, NAME_MAX, PAN_ANGLE, PLACE, type ReachView } from '../address.js';
import { boxAt, middleOf, proposals, seatMoves, withEntry, withoutEntry } from '../moves.js';
import type { Clearance, Point, Sight, Target } from '../scene-types.js';
import { templateById } from '../templates.js';
import { clearanceWords, faultAt, sightWords, targetWords } from '../texts.js';

interface ControlsProps extends Omit<PartsOf<ReachView, unknown>, 'data'> {
  /** What the service finds wrong with the scene. */
  readonly faults: NonNullable<ScreenProblem['errors']>;
  /** The entry that was added last, such as `/see/1`. */
  readonly added?: string | undefined;
}

const HANDS = ['left', 'right', 'either'] as const;
const same = (names: readonly string[]) => names.map((name) => [name, name] as const);
const AXES = [
  ['x', 'Forward'],
  ['y', 'To the left'],
  ['z', 'Up'],
] as const;
const EDGE = [
  ['x', 'Edge forward'],
  ['z', 'Edge up'],
] as const;
const SIZES = AXES.map(([axis, label]) => [axis, `Size: ${label.toLowerCase()}`] as const);
const DEGREES = { min: 0, max: 90 } as const;

/** The places of all demands, and the seat. */
export function Controls(asked: ControlsProps): VNode {
  const { view, choose } = asked;
  const [added, setAdded] = useState<string>();
  const props = { ...asked, added };
  const { targets, see, clear } = view;
  const sits = templateById(view.template).pose === 'sitting';
  const next = proposals(view);
  const add = (what: string, list: keyof typeof next) => (
    <button
      type="button"
      disabled={view[list].length >= MOST[list]}
      onClick={() => {
        setAdded(`/${list}/${view[list].length}`);
        choose({ [list]: next[list] });
      }}
    >
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
      <p class="row reach-add">
        {add('Add a target', 'targets')}
        {add('Add a sight', 'see')}
        {add('Add a thing', 'clear')}
      </p>
    </div>
  );
}

/** Checks a length in mm. */
const within = (mostMm: number) => (mm: number) =>
  Math.abs(mm) > mostMm ? `Enter at most ${numberText(mostMm)} mm.` : undefined;

interface LengthsProps<Name extends string> {
  readonly of: Readonly<Record<Name, number>>;
  readonly labels: readonly (readonly [name: Name, label: string])[];
  readonly unit: ShownUnit;
  /** Largest length, in mm. */
  readonly most: number;
  /** Whether lengths may be negative. By default, they may. */
  readonly signed?: boolean;
  readonly onCommit: (name: Name, mm: number) => void;
}

/** Fields of several lengths. */
function Lengths<Name extends string>(props: LengthsProps<Name>): VNode {
  const { of, labels, unit, most, signed = true, onCommit } = props;
  return (
    <>
      {labels.map(([name, label]) => (
        <LengthField
          key={label}
          {...{ label, unit, signed, valueMm: of[name], check: within(most) }}
          onCommit={(mm) => mm !== undefined && onCommit(name, mm)}
        />
      ))}
    </>
  );
}

interface DemandProps<List extends 'targets' | 'see' | 'clear'> extends ControlsProps {
  readonly list: List;
  readonly index: number;
  readonly one: ReachView[List][number];
  /** What it asks, in a few words. */
  readonly words: string;
  /** The middle of the thing, and its largest coordinate in mm. */
  readonly at: Point;
  readonly most: number;
  /** The change if the thing is moved to a place. */
  readonly movedTo: (at: Point) => Partial<ReachView[List][number]>;
  readonly children: ComponentChildren;
}

/** A demand: its name, its place and its own fields. */
function Demand<List extends 'targets' | 'see' | 'clear'>(props: DemandProps<List>): VNode {
  const { view, unit, choose, list, index, one, words, at, most, movedTo, children } = props;
  const { name } = one;
  const change = (part: object) => choose(withEntry(view, list, index, part));
  const onName = (text: string) => {
    change({ name: shortened(visibleText(text), NAME_MAX).trim() || name });
    return undefined;
  };
  return (
    <Entry {...props} title={name} words={words} pointer={`/${list}/${index}`}>
      <DraftField label="Name" class="reach-name" inputMode="text" shown={name} onDone={onName} />
      <div class="reach-fields">
        <Lengths
          {...{ of: at, labels: AXES, unit, most }}
          onCommit={(axis, mm) => change(movedTo({ ...at, [axis]: mm }))}
        />
      </div>
      {children}
      <RemoveButton of={name} onRemove={() => choose(withoutEntry(view, list, index))} />
    </Entry>
  );
}

interface EntryProps<One> extends ControlsProps {
  readonly one: One;
  readonly index: number;
}

function TargetFields(props: EntryProps<Target> & { readonly sits: boolean }): VNode {
  const { view, choose, one, index, sits } = props;
  const change = (part: Partial<Target>) => choose(withEntry(view, 'targets', index, part));
  const tips = TIPS.filter((tip) => sits || tip !== 'foot');
  return (
    <Demand
      {...{ ...props, list: 'targets', words: targetWords(one), at: one.at, most: PLACE.max }}
      movedTo={(at) => ({ at })}
    >
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
    </Demand>
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
    <Check key={label} {...{ label, isOn }} isKept={isOn && isLast} onChange={() => change(part)} />
  );
  return (
    <Demand
      {...{ ...props, list: 'see', words: sightWords(one), at, most: FAR.max }}
      movedTo={(to) => ({ at: to })}
    >
      <p class="row reach-add">
        {toggle('Over an edge', over !== undefined, {
          over: over === undefined ? { x: Math.round(at.x / 2), z: Math.round(at.z) } : undefined,
        })}
        {limits.map(([name, label, value]) =>
          toggle(label, value !== undefined, { [name]: value === undefined ? 30 : undefined }),
        )}
      </p>
      <div class="reach-fields">
        {over === undefined ? null : (
          <Lengths
            {...{ of: over, labels: EDGE, unit, most: FAR.max }}
            onCommit={(axis, mm) => change({ over: { ...over, [axis]: mm } })}
          />
        )}
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
    </Demand>
  );
}

function ClearanceFields(props: EntryProps<Clearance> & { readonly sits: boolean }): VNode {
  const { view, unit, choose, one, index, sits } = props;
  const { from, to } = one;
  const at = middleOf(one);
  const sizeOf = (axis: 'x' | 'y' | 'z') => Math.abs(to[axis] - from[axis]);
  const size = { x: sizeOf('x'), y: sizeOf('y'), z: sizeOf('z') };
  const parts = PARTS.filter((part) => sits || part === 'head' || part === 'shoulder');
  const change = (part: Partial<Clearance>) => choose(withEntry(view, 'clear', index, part));
  return (
    <Demand
      {...{ ...props, list: 'clear', words: clearanceWords(one), at, most: FAR.max / 2 }}
      movedTo={(there) => boxAt(one, there)}
    >
      <div class="reach-fields">
        <Lengths
          {...{ of: size, labels: SIZES, unit, most: FAR.max / 2, signed: false }}
          onCommit={(axis, mm) =>
            change({
              from: { ...from, [axis]: at[axis] - mm / 2 },
              to: { ...to, [axis]: at[axis] + mm / 2 },
            })
          }
        />
        <Select
          label="Part"
          value={one.by}
          options={same(parts)}
          onChange={(part) => change({ by: part as Clearance['by'] })}
        />
      </div>
    </Demand>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  /** Whether it cannot be changed. */
  readonly isKept?: boolean;
  readonly onChange: () => void;
}

function Check({ label, isOn, isKept = false, onChange }: CheckProps): VNode {
  return (
    <label>
      <input type="checkbox" checked={isOn} disabled={isKept} onChange={onChange} /> {label}
    </label>
  );
}

type Travel = Pick<SeatOf, 'travelX' | 'travelZ'>;
const FIXED: Travel = { travelX: [0, 0], travelZ: [0, 0] };
/** The travel of a seat that was fixed, if the template has none. */
const SLIDES: Travel = { ...FIXED, travelX: [-100, 100] };
const HEIGHT = [['heightMm', 'Seat height']] as const;
const TRAVEL = [
  ['back', 'Travel back to'],
  ['forward', 'Travel forward to'],
  ['down', 'Travel down to'],
  ['up', 'Travel up to'],
] as const;

function Seat(props: ControlsProps & { readonly seat: SeatOf }): VNode {
  const { view, unit, choose, seat } = props;
  const change = (part: Partial<SeatOf>) => choose({ seat: { ...seat, ...part } });
  const usual = templateById(view.template).seat;
  const moves = seatMoves(seat);
  const setFree = usual !== undefined && seatMoves(usual) ? usual : SLIDES;
  const [back, forward] = seat.travelX;
  const [down, up] = seat.travelZ;
  const travel = { back, forward, down, up };
  const inOrder = (one: number, other: number) =>
    [Math.min(one, other), Math.max(one, other)] as const;
  return (
    <Entry
      {...props}
      title="Seat"
      words={moves ? 'its height and travel' : 'its height; it is fixed'}
      pointer="/seat"
    >
      <p class="row reach-add">
        <Check
          label="Fixed, without travel"
          isOn={!moves}
          onChange={() => {
            const { travelX, travelZ } = moves ? FIXED : setFree;
            change({ travelX, travelZ });
          }}
        />
      </p>
      <div class="reach-fields">
        <Lengths
          {...{ of: seat, labels: HEIGHT, unit, most: PLACE.max, signed: false }}
          onCommit={(_, heightMm) => change({ heightMm })}
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
        {moves ? (
          <Lengths
            {...{ of: travel, labels: TRAVEL, unit, most: PLACE.max }}
            onCommit={(end, mm) => {
              const next = { ...travel, [end]: mm };
              change({
                travelX: inOrder(next.back, next.forward),
                travelZ: inOrder(next.down, next.up),
              });
            }}
          />
        ) : null}
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

interface FoldedProps extends Pick<ControlsProps, 'faults' | 'added'> {
  readonly title: string;
  readonly words: string;
  /** The part of the scene that the service may find wrong. */
  readonly pointer: string;
  readonly children: ComponentChildren;
}

function Entry({ title, words, pointer, faults, added, children }: FoldedProps): VNode {
  const fault = faultAt(faults, pointer);
  const entry = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (added === pointer && entry.current !== null) entry.current.open = true;
  }, [added, pointer]);
  return (
    <details ref={entry} class="reach-entry">
      <summary>
        {title}: <span class="soft">{words}</span>
        {/* Seen also while the fields are hidden. */}
        {fault === undefined ? null : <span class="field-error">{fault}</span>}
      </summary>
      {children}
    </details>
  );
}
