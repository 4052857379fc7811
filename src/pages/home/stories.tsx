import type { ComponentChildren, VNode } from 'preact';
import { type ErrorCode, Problem } from '../../core/errors.js';
import { numberText } from '../../core/number-text.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { FIT_ADDRESS, readFitView } from '../../screens/fit/address.js';
import { fitDataOf } from '../../screens/fit/data.js';
import { fitDrawing } from '../../screens/fit/drawing.js';
import { withDesign } from '../../screens/fit/proposal.js';
import { StillPicture } from '../../screens/fit/still-picture.js';
import { PERSON_ADDRESS } from '../../screens/person/address.js';
import { REACH_ADDRESS, type ReachView } from '../../screens/reach/address.js';
import { reachDataOf } from '../../screens/reach/data.js';
import { figuresOf, layoutOf, ReachPanels, TargetMarks } from '../../screens/reach/drawing.js';
import { demandsOf } from '../../screens/reach/texts.js';
import { addressOf } from '../../screens/shared/address-fields.js';
import type { FreeAnswers } from '../../screens/shared/free-computations.js';
import { countryInSentence } from '../../screens/shared/names.js';
import { predictionErrorText } from '../../screens/shared/prediction-error.js';
import { DataTable } from '../../screens/shared/table.js';
import { SIZES_ADDRESS } from '../../screens/sizes/address.js';
import { sizesDataOf } from '../../screens/sizes/data.js';
import { rangeNumbers } from '../../screens/sizes/table.js';
import { inSentence } from '../../site/in-sentence.js';
import { inWords, percent } from '../../site/labels.js';
import { shareImageOf } from '../../site/layout.js';
import { SCENE_SIZE } from '../../site/paths.js';

/** The questions that the first page answers besides its own one. */
const SCENE = 'template=car-seat&p=Female~US~18-65&p=Male~US~18-65';
const SIZED = 'product=helmet&p=Both~US~18-65';
const COUNTRIES = ['NL', 'JP'] as const;
const NAMES = COUNTRIES.map(countryInSentence);
const DOORS = COUNTRIES.map((code) => `product=doorway&target=95&p=Both~${code}~18-65`);
const BODY = 'gender=Male&age=40&country=US&known=Stature~P95&pose=sitting';
/** Scale of the moving seat, and what its picture shows. */
const MM_PER_PX = 3.2;
const CAR_BOX = [-700, 1800, -340, 1400] as const;
/** A small car around the driver in mm, y downwards: its side with a window, and a wheel. It is an illustration. */
const CAR = {
  body: 'M-950-1320H390Q470-1320 540-1275L1080-900Q1450-855 1640-740Q1760-660 1770-500V-100Q1770 60 1690 60H1665A375 375 0 1 0 935 60L870 130H-950ZM-950-1280H360Q440-1280 500-1240L1010-880Q700-850-950-800Z',
  wheel:
    'M1600 0A300 300 0 1 0 1000 0A300 300 0 1 0 1600 0ZM1470 0A170 170 0 1 1 1130 0A170 170 0 1 1 1470 0Z',
};
/** What the files of a body are for. */
const FILES = {
  GLB: 'Pictures and animation, with a skeleton and UVs',
  STL: 'CAD and 3-D printing, as a closed solid',
  MJCF: 'Simulation: segments with mass and inertia',
  'In a stance': 'Hands and feet on the targets of your scene',
};
/** Width of a door on a phone. */
const DOOR_PX = 150;

/** Answers of the screens for the first page. */
export type Stories = Awaited<ReturnType<typeof storiesOf>>;

/**
 * Asks for what the stories of the first page tell.
 *
 * @throws Problem of the operations
 */
export async function storiesOf(free: FreeAnswers, { artifactVersion, manifest }: PredictionModel) {
  const stretch = manifest.population?.reach;
  const reachOf = (view: ReachView) => reachDataOf(view, free, { artifactVersion, stretch });
  const scene = REACH_ADDRESS.read(SCENE);
  const still = { ...scene.seat, travelX: [0, 0], travelZ: [0, 0] } as NonNullable<
    ReachView['seat']
  >;
  const moves = { view: scene, data: await reachOf(scene) };
  const fixed = await reachOf({ ...scene, seat: still });
  const fixedMet = demandsOf(scene, fixed).map(({ met }) => met);
  const [hardest] = fixedMet.toSorted((a, b) => a.share - b.share);
  const sizedView = SIZES_ADDRESS.read(SIZED);
  const sized = { view: sizedView, data: await sizesDataOf(sizedView, free, artifactVersion) };
  const doors = [];
  for (const query of DOORS) {
    const view = readFitView(query);
    const data = await fitDataOf(view, free, artifactVersion);
    const heightMm = data.proposal?.sizesMm.height;
    if (heightMm === undefined) {
      const { code = 'product_not_fitted' } = data.populations[0]?.refusal ?? {};
      throw new Problem(code as ErrorCode, 'A door of the first page has no sizes.');
    }
    doors.push({ view, data, heightMm });
  }
  return {
    moves,
    fixedShare: fixed.answer.share,
    hardest,
    sized,
    doors,
    artifactVersion,
    hasBodies: free.hasBodies(),
  };
}

/** A small driver on a fixed seat, which the script of the page moves to her place, and the share that each seat serves. */
export function MovingSeat({ moves: { view, data }, fixedShare, hardest }: Stories): VNode | null {
  const [side] = layoutOf(view, true).panels;
  const small = figuresOf(view, data).find(({ person }) => person.percentile === 5);
  if (side === undefined || small === undefined) return null;
  const panel = { ...side, title: '', box: CAR_BOX, at: [0, 0] } as const;
  const [left, right, bottom, top] = CAR_BOX;
  const [ahead, height] = small.figure.seat;
  const fixed: readonly [number, number] = [0, view.seat?.heightMm ?? height];
  const figures = [{ ...small, figure: { ...small.figure, seat: fixed } }];
  return (
    <figure>
      <svg
        class="scene figure moving-seat"
        data-ahead={ahead}
        data-up={height - fixed[1]}
        role="img"
        aria-label="A small driver on a fixed seat, too far from the wheel and the pedals."
        viewBox={`0 0 ${right - left} ${top - bottom}`}
      >
        <g class="car" transform={`translate(${-left} ${top})`}>
          {Object.entries(CAR).map(([part, d]) => (
            <path key={part} class={part} d={d} />
          ))}
        </g>
        <ReachPanels
          {...{ view, data, figures, mmPerPx: MM_PER_PX, hasImages: true, hasLimbs: false }}
          layout={{ panels: [panel], width: right - left, height: top - bottom }}
        >
          {() => <TargetMarks {...{ view, data, panel, figures: [small] }} mmPerPx={MM_PER_PX} />}
        </ReachPanels>
      </svg>
      <figcaption>
        <dl>
          <div>
            <dt>A fixed seat serves</dt>
            <dd>{percent(fixedShare)}</dd>
          </div>
          <div>
            <dt>A seat that moves serves</dt>
            <dd data-from={fixedShare} data-to={data.answer.share}>
              {percent(data.answer.share)}
            </dd>
          </div>
        </dl>
        Drivers who reach wheel, lever and pedal, see the road and have room below the roof:{' '}
        {inSentence(data.label)}. {fixedText(hardest)} {predictionErrorText(data.answer)}{' '}
        <a href={addressOf(REACH_ADDRESS, view)}>Move the seat yourself</a>
      </figcaption>
    </figure>
  );
}

/** The demand that keeps most people from a fixed seat. */
function fixedText(hardest: Stories['hardest']): string {
  if (hardest === undefined) return '';
  return `With the seat fixed in the middle of its travel, ${percent(1 - hardest.share)} fail at the ${inSentence(hardest.name)}.`;
}

/** The doors beside each other to one scale, with the largest person of each. */
function Doors({ doors }: Pick<Stories, 'doors'>): VNode {
  const drawn = doors.flatMap(({ view, data }) => {
    const own = withDesign(view, data.design);
    const drawing = fitDrawing(own, data, 'largest');
    if (drawing === undefined) return [];
    const [left, right, bottom, top] = drawing.box;
    return [{ view: own, data, drawing, width: right - left, height: top - bottom }];
  });
  const height = Math.max(...drawn.map((one) => one.height));
  let end = 0;
  return (
    <svg
      class="scene figure story-doors"
      role="img"
      aria-label="The doors to one scale"
      viewBox={`0 0 ${drawn.reduce((sum, { width }) => sum + width, 0)} ${height}`}
    >
      {drawn.map(({ width, height: own, ...picture }) => {
        const place = { x: end, y: height - own, width, height: own };
        end += width;
        return (
          <StillPicture
            key={place.x}
            {...{ ...picture, place }}
            widthPx={DOOR_PX}
            heightPx={2 * DOOR_PX}
          />
        );
      })}
    </svg>
  );
}

interface StoryProps {
  /** Who needs such answers. */
  readonly who: string;
  readonly href: string;
  readonly finding: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A finding with its picture. */
export function Story({ who, href, finding, children }: StoryProps): VNode {
  return (
    <article>
      <p class="soft small">{who}</p>
      <h3>
        <a href={href}>{finding}</a>
      </h3>
      {children}
    </article>
  );
}

/** The findings of the stories. */
export function StoryCards(stories: Stories): VNode {
  const { doors, artifactVersion, hasBodies } = stories;
  const { chart, dimensions } = stories.sized.data;
  const heights = doors.map(({ heightMm }) => heightMm);
  const [higher = 0, lower = 0] = heights;
  const scene = (path: string, query: string, alt: string) => (
    <img
      {...SCENE_SIZE}
      src={shareImageOf(path, query, artifactVersion, 'scene')}
      alt={alt}
      loading="lazy"
    />
  );
  const texts = heights.map(
    (mm, index) => `${numberText(mm)} mm for 95 % of adults in ${NAMES[index]}`,
  );
  return (
    <>
      <Story
        who="Furniture and interiors"
        href={addressOf(FIT_ADDRESS, readFitView(DOORS[0] ?? ''))}
        finding={`A door for ${NAMES[0]} is ${Math.round((higher - lower) / 10)} cm higher than one for ${NAMES[1]}`}
      >
        <Doors doors={doors} />
        <p>{texts.join(', ')}.</p>
      </Story>
      <Story
        who="Clothing and equipment"
        href={addressOf(SIZES_ADDRESS, stories.sized.view)}
        finding={`${chart.sizes.length} helmet sizes serve ${percent(chart.shareServed)} of American heads`}
      >
        {scene(SIZES_ADDRESS.path, SIZED, 'Heads of three sizes')}
        <DataTable
          label="Ranges of the sizes"
          head={['Size', 'Share', ...dimensions.map((one) => `${inWords(one.measurement)}, mm`)]}
          rows={chart.sizes.map(({ name, ranges, share }) => [
            ...[name, percent(share)],
            ...ranges.map(({ from, to }) => rangeNumbers(from, to, 'mm')),
          ])}
        />
      </Story>
      {hasBodies ? (
        <Story
          who="Simulation and animation"
          href={addressOf(PERSON_ADDRESS, PERSON_ADDRESS.read(BODY))}
          finding="A tall man as a body to turn around, as GLB, STL or MJCF"
        >
          <div class="story-body">
            {scene(PERSON_ADDRESS.path, BODY, 'A tall man, sitting')}
            <dl>
              {Object.entries(FILES).map(([format, use]) => (
                <div key={format}>
                  <dt>{format}</dt>
                  <dd class="soft">{use}</dd>
                </div>
              ))}
            </dl>
          </div>
        </Story>
      ) : null}
    </>
  );
}
