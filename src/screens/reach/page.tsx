import type { VNode } from 'preact';
import { renderPage } from '../../site/layout.js';
import { shownUnit } from '../../site/lengths.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { addressOf } from '../shared/address-fields.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { PopulationFields, ScreenPage } from '../shared/screen-page.js';
import { atRest, REACH_ADDRESS, type ReachView, viewOfTemplate } from './address.js';
import type { DrawnScene, ReachData } from './data-types.js';
import { figuresOf, layoutOf, ReachPanels, type ShownFigure } from './drawing.js';
import { Demands, Headline, People, SeatPlaces, Sources } from './results.js';
import { TEMPLATES } from './templates.js';
import { reachTitle, WORN_NOTE } from './texts.js';

/** Scale of the picture without JavaScript. */
const MM_PER_PX = 3;

/** The Reach screen as HTML text, with the data of its first view. */
export function reachPage(
  view: ReachView,
  first: FirstData<ReachData>,
  context: PageContext,
): string {
  return renderPage(
    <ScreenPage
      {...{ view, first, context }}
      screen="reach"
      address={REACH_ADDRESS}
      title={REACH_ADDRESS.title(view)}
      heading="Who reaches and sees?"
      sharedAs={'data' in first ? reachTitle(view, first.data) : REACH_ADDRESS.title(view)}
      description="See what share of people reach controls, see over edges and have room at once, in a car, at a desk or at a counter."
      place="reach"
      note={WORN_NOTE}
      numbers={(data) => {
        const parts = { view, data, unit: shownUnit(view.unit) };
        return (
          <>
            <Headline {...parts} />
            <Demands {...parts} />
            <SeatPlaces {...parts} />
          </>
        );
      }}
      withoutScript={<WithoutScript view={view} first={first} />}
    />,
  );
}

/** The picture, the templates and a form, for browsers without JavaScript. */
function WithoutScript(props: { view: ReachView; first: FirstData<ReachData> }): VNode {
  const { view, first } = props;
  const drawn = 'problem' in first ? (first.problem.drawn as DrawnScene | undefined) : undefined;
  return (
    <>
      <p>Moving things in the picture needs JavaScript. The numbers do not.</p>
      {'data' in first ? <Answer view={view} data={first.data} /> : null}
      {drawn === undefined ? null : (
        <Scene
          {...{ view, data: drawn, title: REACH_ADDRESS.title(view) }}
          figures={figuresOf(atRest(view), drawn)}
        />
      )}
      <ul>
        {TEMPLATES.map(({ id, title }) => (
          <li key={id}>
            <a
              href={addressOf(REACH_ADDRESS, viewOfTemplate(view, id))}
              aria-current={id === view.template ? 'page' : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
      <form method="get" action={SCREEN_PATHS.reach} class="panel">
        <input type="hidden" name="template" value={view.template} />
        <PopulationFields populations={view.populations} />
        <button type="submit" class="primary">
          Show
        </button>
      </form>
      <Sources view={view} />
    </>
  );
}

interface SceneProps {
  readonly view: ReachView;
  readonly data: DrawnScene;
  readonly figures: readonly ShownFigure[];
  /** The picture in words. */
  readonly title: string;
}

function Scene({ view, data, figures, title }: SceneProps): VNode {
  const layout = layoutOf(view, true);
  return (
    <svg
      class="reach-picture figure"
      role="img"
      aria-label={title}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
    >
      <ReachPanels
        {...{ view, data, layout, figures }}
        mmPerPx={MM_PER_PX}
        hasImages
        hasLimbs={false}
      />
    </svg>
  );
}

function Answer({ view, data }: { view: ReachView; data: ReachData }): VNode {
  const figures = figuresOf(view, data);
  return (
    <>
      <Scene {...{ view, data, figures }} title={reachTitle(view, data)} />
      <People {...{ view, data, figures }} unit={shownUnit(view.unit)} />
    </>
  );
}
