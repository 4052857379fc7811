import type { ComponentChildren, VNode } from 'preact';
import { imageOf, Layout } from '../../site/layout.js';
import { SCREEN_PATHS, type ScreenId } from '../../site/paths.js';
import { addressOf, type ScreenAddress } from './address-fields.js';
import { type ChosenPopulation, populationText } from './populations.js';
import type { FirstData, PageContext } from './screen.js';
import { EmbeddedJson, PopulationPlace, ScreensNav } from './screen-parts.js';

interface ScreenPageProps<View> {
  readonly screen: ScreenId;
  readonly address: ScreenAddress<View>;
  readonly view: View;
  /** The data that the script of the screen starts with. */
  readonly first: FirstData<{ readonly artifactVersion: string }>;
  readonly context: PageContext;
  readonly title: string;
  readonly heading: string;
  /** Text that other sites show when someone shares the page. */
  readonly sharedAs: string;
  readonly description: string;
  /** Id and class of the element that the script fills. */
  readonly place: string;
  /** Content of the element before the script fills it. */
  readonly children?: ComponentChildren;
  /** The numbers and a form, for browsers without JavaScript. */
  readonly withoutScript: VNode;
}

/** The page of a screen that its script fills. */
export function ScreenPage<View extends { readonly populations: readonly ChosenPopulation[] }>(
  props: ScreenPageProps<View>,
): VNode {
  const { screen, address, view, first, context, place, children, withoutScript } = props;
  const { title, heading, sharedAs, description } = props;
  const { signedIn, origin } = context;
  const image = imageOf(SCREEN_PATHS[screen], address.query(view), first);
  return (
    <Layout
      title={title}
      section="explore"
      signedIn={signedIn}
      entry={`src/screens/${screen}/browser/main.tsx`}
      canonical={addressOf(address, view)}
      share={{ origin, title: sharedAs, image }}
      description={description}
      screens={<ScreensNav current={screen} populations={view.populations} />}
    >
      <h1>{heading}</h1>
      <PopulationPlace populations={view.populations} />
      <div id={place} class={`${place} one-page`}>
        {children}
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
    </>
  );
}
