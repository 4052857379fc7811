import type { VNode } from 'preact';
import { imageOf, Layout, renderPage } from '../../site/layout.js';
import { SCREEN_PATHS, SCREEN_QUESTIONS, type ScreenId } from '../../site/paths.js';
import { addressOf } from './address-fields.js';
import {
  AGES_TEXT,
  type ChosenPopulation,
  labelAt,
  populationText,
  screenLink,
} from './populations.js';
import type { FirstData, PageContent, Screen, ScreenPage } from './screen.js';

/** What the page of a screen depends on. */
interface PageRequest<View, Data> {
  readonly view: View;
  /** Sentences about the parts of the address that the page cannot show. */
  readonly notices: readonly string[];
  /** The data that the script of the screen starts with. */
  readonly first: FirstData<Data>;
  readonly signedIn: boolean;
  /** Public address of the service. */
  readonly origin: string;
}

/** The page of a screen as HTML text. The script of the screen fills it. */
export function screenHtml<View, Data>(
  { id, address }: Pick<Screen<View, Data>, 'id' | 'address'>,
  page: ScreenPage<View, Data>,
  { view, notices, first, signedIn, origin }: PageRequest<View, Data>,
): string {
  const own = page.content(view, first, origin);
  const {
    title = address.title(view),
    heading = SCREEN_QUESTIONS[id],
    sharedAs = title,
    description,
    place,
    note,
    age,
  } = own;
  const { populations } = view as ViewOfPeople;
  const image = imageOf(
    SCREEN_PATHS[id],
    address.query(view),
    first as FirstData<{ readonly artifactVersion: string }>,
  );
  return renderPage(
    <Layout
      title={title}
      signedIn={signedIn}
      entry={`src/screens/${id}/browser/${own.entry ?? 'main'}.tsx`}
      canonical={addressOf(address, view)}
      share={{ origin, title: sharedAs, image }}
      description={description}
      screen={{ id, hrefOf: (one) => screenLink(one, populations) }}
    >
      {heading === '' ? null : <h1>{heading}</h1>}
      <PopulationPlace {...{ populations, note, age }} />
      <div id={place} class={`${place} one-page`}>
        {'problem' in first ? (
          <p class="notice danger">{first.problem.detail}</p>
        ) : (
          <div class="first-numbers">{own.numbers(first.data)}</div>
        )}
      </div>
      <EmbeddedJson value={first} />
      <noscript>
        {notices.map((notice) => (
          <p key={notice} class="notice warning">
            {notice}
          </p>
        ))}
        <WithoutScript id={id} first={first} plain={own.plain} />
      </noscript>
    </Layout>,
  );
}

/** Every view has populations. */
type ViewOfPeople = { readonly populations: readonly ChosenPopulation[] };

interface WithoutScriptProps<Data> {
  readonly id: ScreenId;
  readonly first: FirstData<Data>;
  readonly plain: PageContent<Data>['plain'];
}

/** What browsers without JavaScript show below the numbers: a sentence, a picture and a form. */
function WithoutScript<Data>({ id, first, plain }: WithoutScriptProps<Data>): VNode {
  return (
    <>
      <p>{plain.text}</p>
      {'problem' in first ? plain.refused?.(first.problem) : plain.picture?.(first.data)}
      <form method="get" action={SCREEN_PATHS[id]} class="panel">
        {plain.form}
        <button type="submit" class="primary">
          Show
        </button>
      </form>
      {plain.more}
    </>
  );
}

interface PopulationPlaceProps {
  readonly populations: readonly ChosenPopulation[];
  /** As in the population bar. */
  readonly note: string | undefined;
  readonly age: number | undefined;
}

/**
 * The place of the population bar. Without JavaScript, it only names the populations. It is as high as the bar, so that
 * nothing moves when the script fills it.
 */
function PopulationPlace({ populations, note, age }: PopulationPlaceProps): VNode {
  return (
    <div id="population-bar" class="row population-bar">
      <section class="populations" aria-label="Populations">
        <ul class="row chips population-list">
          {populations.map((population, index) => (
            <li key={index} class="chip population-chip">
              <span class={`swatch series-${index + 1}`} aria-hidden="true" />
              <span class="population-name">{labelAt(population, age)}</span>
            </li>
          ))}
          <li class="population-later" />
        </ul>
      </section>
      {note === undefined ? null : <p class="hint">{note}</p>}
    </div>
  );
}

/** Data for the script of a page. `<` is escaped, because it could end the element early. */
function EmbeddedJson({ value }: { readonly value: unknown }): VNode {
  const html = { __html: JSON.stringify(value).replaceAll('<', '\\u003c') };
  return <script id="initial-data" type="application/json" dangerouslySetInnerHTML={html} />;
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

interface FieldProps {
  readonly name: string;
  /** By default, the name. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string | number | undefined;
  /** Ends of a whole number. Without them, the field takes any text. */
  readonly limits?: { readonly minimum: number; readonly maximum: number };
  /** What is wrong with the value. */
  readonly fault?: string | undefined;
  /** The step of a number. By default, numbers are whole. */
  readonly step?: 1 | 'any';
}

/** A field of a form. */
export function Field({
  name,
  id = name,
  label,
  value,
  limits,
  fault,
  step = 1,
}: FieldProps): VNode {
  const { minimum: min, maximum: max } = limits ?? {};
  const wrong = fault !== undefined && { 'aria-invalid': true, 'aria-describedby': `${id}-fault` };
  return (
    <div class="form-row">
      <label for={id}>{label}</label>
      {limits === undefined ? (
        <input {...{ id, name, value }} {...wrong} />
      ) : (
        <input type="number" {...{ id, name, min, max, value }} {...wrong} step={step} />
      )}
      {fault === undefined ? null : (
        <p id={`${id}-fault`} class="field-error">
          {fault}
        </p>
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
