import { percent } from '../../site/labels.js';
import { formatLength, type ShownUnit } from '../../site/lengths.js';
import type { ScreenProblem } from '../shared/data-types.js';
import { populationsLabel } from '../shared/populations.js';
import { isChanged, REACH_ADDRESS, type ReachView } from './address.js';
import type { AnsweredScene, EmptyScene, Met, ReachData } from './data-types.js';
import type { Clearance, Sight, Target } from './scene-types.js';
import { templateById } from './templates.js';

/** What people wear, as the population bar says. */
export const WORN_NOTE = 'In light clothing and flat shoes, unless a population says otherwise.';

/** A demand of a view with its answer. */
export interface ShownDemand {
  readonly title: string;
  /** What it asks, in a few words. */
  readonly words: string;
  readonly met: Met;
}

const TIP_WORDS = { fingertip: 'fingertip', pinch: 'pinch', grip: 'grip', foot: 'foot' } as const;
const LEAN_WORDS = {
  none: '',
  shoulder: ', shoulder stretched',
  trunk: ', leaning up to 30°',
} as const;

export function targetWords({ by, hand, lean }: Target): string {
  const side = hand === 'either' ? '' : `${hand} `;
  return `${side}${by === 'foot' ? TIP_WORDS[by] : `hand, ${TIP_WORDS[by]}`}${LEAN_WORDS[lean]}`;
}

export function sightWords({ over, upMax, downMax }: Sight): string {
  const parts = [
    over === undefined ? '' : 'over the edge',
    upMax === undefined ? '' : `at most ${upMax}° up`,
    downMax === undefined ? '' : `at most ${downMax}° down`,
  ];
  return `seen ${parts.filter((part) => part !== '').join(', ')}`;
}

export function clearanceWords({ by }: Clearance): string {
  return `room for the ${by}`;
}

/** All demands of the answer, in the order of the operation. Those that the view has changed since keep their names. */
export function demandsOf(view: ReachView, { answer }: AnsweredScene): readonly ShownDemand[] {
  const of = <One>(met: readonly Met[], list: readonly One[], words: (one: One) => string) =>
    met.map((one, index): ShownDemand => {
      const asked = list[index];
      return { title: one.name, words: asked === undefined ? '' : words(asked), met: one };
    });
  return [
    ...of(answer.targets, view.targets, targetWords),
    ...of(answer.see, view.see, sightWords),
    ...of(answer.clear, view.clear, clearanceWords),
  ];
}

/** What those who fail a demand lack, such as `; half of the others lack 43 mm or more`. */
export function lackText({ lack }: Met, unit: ShownUnit): string {
  return lack === undefined
    ? ''
    : `; half of the others lack ${formatLength(lack.p50, unit)} or more`;
}

/** What is wrong with a part of a scene; undefined if nothing is. */
export function faultAt(
  faults: NonNullable<ScreenProblem['errors']>,
  pointer: string,
): string | undefined {
  return faults.find((one) => `${one.pointer}/`.startsWith(`${pointer}/`))?.message;
}

/** What to do in a scene that asks nothing yet. */
export const EMPTY_TEXT =
  'Nothing is asked of these people yet. Add a target that they reach, a sight that they see, or a thing that they must not touch.';

/** Room and people in one line. */
export function reachTitle(view: ReachView, { answer }: ReachData | EmptyScene): string {
  if (answer === undefined) return REACH_ADDRESS.title(view);
  const { title } = templateById(view.template);
  const scene = isChanged(view) ? `${title}, changed` : title;
  const who = populationsLabel(view.populations);
  return `${scene}: ${percent(answer.share)} of ${who} reach, see and have room`;
}

/** How far a person is from what they need: `reaches all` or `lacks 43 mm at Lever`. */
export function marginText(
  names: readonly string[],
  marginsMm: readonly number[],
  unit: ShownUnit,
): string {
  const lacks = marginsMm.flatMap((mm, index) =>
    mm < 0 ? [`${formatLength(-mm, unit)} at ${names[index]}`] : [],
  );
  return lacks.length === 0 ? 'meets all' : `lacks ${lacks.join(', ')}`;
}

/** Names of the demands of a view, in the order of the model. */
export function demandNames({ targets, see, clear }: ReachView): readonly string[] {
  return [...targets, ...see, ...clear].map(({ name }) => name);
}
