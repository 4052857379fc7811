import type { ComponentChildren, VNode } from 'preact';
import { GENDERS } from '../../core/genders.js';
import { AGE_LIMITS } from '../../core/limits.js';
import { MEASUREMENTS } from '../../core/measurements.js';
import { CLOTHING_IDS } from '../../core/profiles.js';
import { MASSES, unitsOf } from '../../site/amounts.js';
import { CLOTHING_LABELS, inWords } from '../../site/labels.js';
import { SCREEN_PATHS, type ScreenId } from '../../site/paths.js';
import { ONE_AGE_LABEL } from './ages.js';
import type { FirstData } from './screen.js';

// What the screens show to browsers without JavaScript: a sentence, the numbers and a form.

interface WithoutScriptProps<Data> {
  readonly screen: ScreenId;
  readonly first: FirstData<Data>;
  /** Says what needs JavaScript. */
  readonly text: string;
  readonly numbers: (data: Data) => ComponentChildren;
  /** The fields of the form. */
  readonly children: ComponentChildren;
}

/** The numbers of a screen, or why there are none, and a form. */
export function WithoutScript<Data>(props: WithoutScriptProps<Data>): VNode {
  const { screen, first, text, numbers, children } = props;
  return (
    <>
      <p>{text}</p>
      {'problem' in first ? (
        <p class="notice danger">{first.problem.detail}</p>
      ) : (
        numbers(first.data)
      )}
      <form method="get" action={SCREEN_PATHS[screen]} class="panel">
        {children}
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | number | undefined;
  /** Ends of a whole number. Without them, the field takes any text. */
  readonly limits?: { readonly minimum: number; readonly maximum: number };
  /** The step of a number. By default, numbers are whole. */
  readonly step?: 1 | 'any';
}

/** A field of a form. */
export function Field({ name, label, value, limits, step = 1 }: FieldProps): VNode {
  const { minimum: min, maximum: max } = limits ?? {};
  return (
    <div class="form-row">
      <label for={name}>{label}</label>
      {limits === undefined ? (
        <input id={name} {...{ name, value }} />
      ) : (
        <input id={name} type="number" {...{ name, min, max, value }} step={step} />
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | undefined;
  /** The options; those without a label are their own label. */
  readonly options: readonly (readonly [id: string, label?: string | undefined])[];
}

/** A choice of one value in a form. */
export function Choice({ name, label, chosen, options }: ChoiceProps): VNode {
  return (
    <div class="form-row">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {options.map(([id, text = id]) => (
          <option key={id} value={id} selected={id === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface DimensionFieldsProps {
  readonly view: Readonly<Record<'measurement' | 'gender' | 'clothing' | 'unit', string>> & {
    readonly age: number;
  };
  /** Fields of one screen only. */
  readonly children: ComponentChildren;
}

/** The fields of a dimension of people of one gender and age. */
export function DimensionFields({ view, children }: DimensionFieldsProps): VNode {
  const { measurement, gender, age, clothing, unit } = view;
  const names = [...MEASUREMENTS.map(({ name }) => name), ...Object.keys(MASSES)];
  return (
    <>
      <Choice
        name="measurement"
        label="Measurement"
        chosen={measurement}
        options={names.map((name) => [name, inWords(name)])}
      />
      <Choice name="gender" label="Gender" chosen={gender} options={GENDERS.map((id) => [id])} />
      <Field name="age" label={ONE_AGE_LABEL} limits={AGE_LIMITS} step="any" value={age} />
      {children}
      <Choice
        name="clothing"
        label="Clothing"
        chosen={clothing}
        options={CLOTHING_IDS.map((id) => [id, CLOTHING_LABELS[id]])}
      />
      <Choice
        name="unit"
        label="Unit"
        chosen={unit}
        options={unitsOf(measurement).map((id) => [id])}
      />
    </>
  );
}
