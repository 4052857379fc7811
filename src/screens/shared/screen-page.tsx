import type { ComponentChildren, VNode } from 'preact';
import { GENDERS } from '../../core/genders.js';
import { AGE_LIMITS } from '../../core/limits.js';
import { MEASUREMENTS } from '../../core/measurements.js';
import { CLOTHING_IDS } from '../../core/profiles.js';
import { MASSES, unitsOf } from '../../site/amounts.js';
import { CLOTHING_LABELS, inWords } from '../../site/labels.js';
import { imageOf, Layout } from '../../site/layout.js';
import { SCREEN_PATHS, type ScreenId } from '../../site/paths.js';
import { addressOf, type ScreenAddress } from './address-fields.js';
import { AGES_TEXT, type ChosenPopulation, ONE_AGE_LABEL, populationText } from './populations.js';
import type { FirstData, PageContext } from './screen.js';
import { EmbeddedJson, PopulationPlace, ScreensNav } from './screen-parts.js';

interface ScreenPageProps<View, Data> {
  readonly screen: ScreenId;
  readonly address: ScreenAddress<View>;
  readonly view: View;
  /** The data that the script of the screen starts with. */
  readonly first: FirstData<Data>;
  readonly context: PageContext;
  readonly title: string;
  /** The first heading; absent if the content has it. */
  readonly heading?: string;
  /** Name of the script, if the screen has several. */
  readonly entry?: string;
  /** Text that other sites show when someone shares the page. */
  readonly sharedAs: string;
  readonly description: string;
  /** Id and class of the element that the script fills. */
  readonly place: string;
  /** Says what the screen shows of the populations, as its population bar does. */
  readonly note?: string | undefined;
  /** What the page shows until its script has come, and without it. The answer comes first. */
  readonly numbers: (data: Data) => ComponentChildren;
  /** Links and a form, for browsers without JavaScript. */
  readonly withoutScript: VNode;
}

/** The page of a screen that its script fills. */
export function ScreenPage<
  View extends { readonly populations: readonly ChosenPopulation[] },
  Data extends { readonly artifactVersion: string },
>(props: ScreenPageProps<View, Data>): VNode {
  const { screen, address, view, first, context, place, note, numbers, withoutScript } = props;
  const { title, heading, sharedAs, description, entry = 'main' } = props;
  const { signedIn, origin } = context;
  const image = imageOf(SCREEN_PATHS[screen], address.query(view), first);
  return (
    <Layout
      title={title}
      section="explore"
      signedIn={signedIn}
      entry={`src/screens/${screen}/browser/${entry}.tsx`}
      canonical={addressOf(address, view)}
      share={{ origin, title: sharedAs, image }}
      description={description}
      screens={<ScreensNav current={screen} populations={view.populations} />}
    >
      {heading === undefined ? null : <h1>{heading}</h1>}
      <PopulationPlace populations={view.populations} note={note} />
      <div id={place} class={`${place} one-page`}>
        {'problem' in first ? (
          <p class="notice danger">{first.problem.detail}</p>
        ) : (
          <div class="first-numbers">{numbers(first.data)}</div>
        )}
      </div>
      <EmbeddedJson value={first} />
      <noscript>{withoutScript}</noscript>
    </Layout>
  );
}

/** One form field for each population. Its value is the text in an address. */
export function PopulationFields(props: {
  readonly populations: readonly ChosenPopulation[];
}): VNode {
  return (
    <>
      {props.populations.map(populationText).map((text, index) => (
        <div key={text} class="form-row">
          <label for={`p-${index}`}>
            Population {index + 1}, such as Female~DE,JP~18-65 or Both~World~6-10~winter
          </label>
          <input id={`p-${index}`} name="p" value={text} />
        </div>
      ))}
      <p class="hint">{AGES_TEXT}</p>
    </>
  );
}

interface WithoutScriptProps {
  readonly screen: ScreenId;
  /** Says what needs JavaScript. */
  readonly text: string;
  /** The fields of the form. */
  readonly children: ComponentChildren;
}

/** What a screen shows to browsers without JavaScript below its numbers: a sentence and a form. */
export function WithoutScript({ screen, text, children }: WithoutScriptProps): VNode {
  return (
    <>
      <p>{text}</p>
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
