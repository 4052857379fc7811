import type { VNode } from 'preact';
import { type ErrorCode, Problem } from '../../core/errors.js';
import { numberText } from '../../core/number-text.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { FIT_ADDRESS, readFitView } from '../../screens/fit/address.js';
import { fitDataOf } from '../../screens/fit/data.js';
import { REACH_ADDRESS, type ReachView } from '../../screens/reach/address.js';
import { reachDataOf } from '../../screens/reach/data.js';
import { figuresOf, layoutOf, ReachPanels } from '../../screens/reach/drawing.js';
import { addressOf } from '../../screens/shared/address-fields.js';
import type { FreeAnswers } from '../../screens/shared/free-computations.js';
import { SIZES_ADDRESS } from '../../screens/sizes/address.js';
import { sizesDataOf } from '../../screens/sizes/data.js';
import { percent } from '../../site/labels.js';
import { FitPicture } from './fit-answer.js';

/** The questions that the first page answers besides its own one. */
const SCENE = 'template=car-seat&p=Female~US~18-65&p=Male~US~18-65';
const SIZED = 'product=helmet&p=Both~US~18-65';
const DOORS = ['NL', 'JP'].map((code) => `product=doorway&target=95&p=Both~${code}~18-65`);
const NAMES = ['the Netherlands', 'Japan'] as const;

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
  const fixedShare = (await reachOf({ ...scene, seat: still })).answer.share;
  const sizes = await sizesDataOf(SIZES_ADDRESS.read(SIZED), free, artifactVersion);
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
  return { moves, fixedShare, sizes, doors };
}

/** A small driver on a fixed seat, which the script of the page moves to her place, and the share that each seat serves. */
function MovingSeat({ moves: { view, data }, fixedShare }: Stories): VNode | null {
  const [side] = layoutOf(view, true).panels;
  const small = figuresOf(view, data).find(({ person }) => person.percentile === 5);
  if (side === undefined || small === undefined) return null;
  const [left, right, bottom, top] = side.box;
  const [ahead, height] = small.figure.seat;
  const fixed: readonly [number, number] = [0, view.seat?.heightMm ?? height];
  return (
    <article>
      <h3>
        <a href={addressOf(REACH_ADDRESS, view)}>
          A seat that moves serves {percent(data.answer.share)} of the drivers, a fixed one{' '}
          {percent(fixedShare)}
        </a>
      </h3>
      <svg
        class="scene figure moving-seat"
        data-ahead={ahead}
        data-up={height - fixed[1]}
        role="img"
        aria-label="A small driver on a fixed seat, too far from the wheel and the pedals."
        viewBox={`0 0 ${right - left} ${top - bottom}`}
      >
        <ReachPanels
          {...{ view, data, mmPerPx: 4, hasImages: true, hasLimbs: false }}
          figures={[{ ...small, figure: { ...small.figure, seat: fixed } }]}
          layout={{
            panels: [{ ...side, title: '', at: [0, 0] }],
            width: right - left,
            height: top - bottom,
          }}
        />
      </svg>
      <p>They reach the wheel and the pedals and see the road: {data.label}.</p>
    </article>
  );
}

/** Findings with their pictures. */
export function StoryCards(stories: Stories): VNode {
  const { sizes, doors } = stories;
  const heights = doors.map(({ heightMm }) => heightMm);
  const [higher = 0, lower = 0] = heights;
  const most = Math.max(...sizes.chart.sizes.map(({ share }) => share));
  return (
    <>
      <MovingSeat {...stories} />
      <article>
        <h3>
          <a href={addressOf(FIT_ADDRESS, readFitView(DOORS[0] ?? ''))}>
            A door for {NAMES[0]} is {Math.round((higher - lower) / 10)} cm higher than one for{' '}
            {NAMES[1]}
          </a>
        </h3>
        <div class="story-doors">
          {doors.map(({ view, data }) => (
            <FitPicture key={data.populations[0]?.label} view={view} data={data} isSmall />
          ))}
        </div>
        <p>
          {heights
            .map((mm, index) => `${numberText(mm)} mm for 95 % of adults in ${NAMES[index]}`)
            .join(', ')}
          .
        </p>
      </article>
      <article>
        <h3>
          <a href={addressOf(SIZES_ADDRESS, SIZES_ADDRESS.read(SIZED))}>
            {sizes.chart.sizes.length} helmet sizes serve {percent(sizes.chart.shareServed)} of
            American heads
          </a>
        </h3>
        <ol class="story-sizes">
          {sizes.chart.sizes.map(({ share }, index) => (
            <li key={index}>
              <progress value={share} max={most} aria-hidden="true" /> {percent(share)}
            </li>
          ))}
        </ol>
        <p>The share of people that each size serves: make more of the long bars.</p>
      </article>
    </>
  );
}
