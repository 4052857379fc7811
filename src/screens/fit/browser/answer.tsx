import type { VNode } from 'preact';
import { TARGET_SHARE_LIMITS } from '../../../core/limits.js';
import { formatAmount } from '../../../site/amounts.js';
import { percent, percentileText } from '../../../site/labels.js';
import { NumberField } from '../../widgets/number-field.js';
import { readNumber } from '../../widgets/number-text.js';
import { Unbroken } from '../../widgets/unbroken.js';
import type { FitView } from '../address.js';
import type { FitData, ShareAnswer } from '../data-types.js';
import { adviceOf, boundsOf } from '../needs.js';
import { OWN_ID } from '../products.js';
import { asProposed, isProposed, withDesign } from '../proposal.js';
import { exclusionsOf, roundedCount, UNCERTAINTY_BASIS, uncertaintyText } from '../texts.js';
import type { FitParts } from './parts.js';
import { Slack } from './size-text.js';

/** Shares to design for, in percent. */
const TARGET = {
  min: TARGET_SHARE_LIMITS.minimum * 100,
  max: TARGET_SHARE_LIMITS.maximum * 100,
} as const;
/** Maximum number of reasons for exclusion in the answer. The table has all reasons. */
const REASONS = 3;

interface AnswerProps extends FitParts {
  /** The view of the address. It lacks the sizes that are proposed. */
  readonly asked: FitView;
  readonly data: FitData;
}

/** The sizes for the wanted share, the share that the present sizes fit, and the excluded people. */
export function Answer(props: AnswerProps): VNode {
  const { asked, data, choose } = props;
  return (
    <section class="panel answer" aria-labelledby="answer-heading">
      <h2 id="answer-heading" class="answer-heading">
        For {percentileText(asked.targetPercent)} % of {whoText(data)} use
      </h2>
      <div class="answer-ask">
        <span aria-hidden="true">For</span>
        <div class="answer-share">
          <NumberField
            label="Share to design for, in %"
            value={asked.targetPercent}
            min={TARGET.min}
            max={TARGET.max}
            shown={percentileText(asked.targetPercent)}
            read={(text) => readNumber(text, { ...TARGET, what: 'The share', words: /%$/ })}
            onCommit={(targetPercent) => choose({ targetPercent })}
          />
          <span aria-hidden="true">%</span>
        </div>
        <span aria-hidden="true">
          of <Unbroken text={whoText(data)} /> use
        </span>
      </div>
      <Proposal {...props} />
      <Headline {...props} isProposed={isProposed(asked)} />
      {data.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </section>
  );
}

function whoText({ populations }: FitData): string {
  return populations.length > 1 ? 'all of them' : (populations[0]?.label ?? 'them');
}

/** The proposed sizes, rounded to the safe side, and the share that they fit. */
function Proposal({ asked, data, choose }: AnswerProps): VNode | null {
  const { proposal } = data;
  if (proposal === undefined || data.product !== asked.product) return null;
  const proposed = withDesign({ ...asked, ...asProposed(asked) }, proposal);
  const advice = adviceOf(proposed, data);
  const share = proposal.share?.answer.share;
  return (
    <>
      <ul class="advice">
        {boundsOf(proposed).map(({ id, label, valueMm, unit }) => {
          const range = advice.find((one) => one.id === id);
          return (
            <li key={id}>
              {label}{' '}
              <span>
                <strong data-size={id} data-mm={valueMm}>
                  {formatAmount(valueMm, unit)}
                </strong>{' '}
                {range === undefined ? null : <Slack size={range} unit={unit} />}
              </span>
            </li>
          );
        })}
      </ul>
      {share !== undefined && share < asked.targetPercent / 100 ? (
        <p class="notice warning">
          No single size of this kind serves {percentileText(asked.targetPercent)} %. These serve{' '}
          {percent(share)}; use sizes that can be adjusted, or several sizes.
        </p>
      ) : null}
      <p class="answer-use">
        {isProposed(asked) ? (
          <span class="soft">
            {asked.product === OWN_ID
              ? 'These are the present limits.'
              : 'The picture shows these sizes.'}
          </span>
        ) : (
          <>
            <button type="button" class="primary" onClick={() => choose(asProposed(asked))}>
              Use these sizes
            </button>
            {share === undefined ? null : (
              <span class="soft">
                They fit <span data-proposed-share={share}>{percent(share)}</span>.
              </span>
            )}
          </>
        )}
      </p>
    </>
  );
}

/** The share of all people that fit, how far it could be off, and who is excluded. */
function Headline(props: AnswerProps & { readonly isProposed: boolean }): VNode | null {
  const { overall, uncertainty } = props.data;
  if (overall === undefined) return null;
  const { share, people } = overall.answer;
  return (
    <>
      <p class="fit-share">
        <strong data-share={share}>{percent(share)}</strong> of {whoText(props.data)} fit{' '}
        {props.isProposed ? 'these sizes' : 'the present sizes'}: {roundedCount(share * people)} of{' '}
        {roundedCount(people)} people.{' '}
        {uncertainty === undefined ? null : (
          <span class="soft" title={UNCERTAINTY_BASIS}>
            {uncertaintyText(share, uncertainty)}
          </span>
        )}
      </p>
      <Reasons {...props} answer={overall.answer} />
    </>
  );
}

function Reasons({ view, unit, answer }: FitParts & { readonly answer: ShareAnswer }): VNode {
  const reasons = [...exclusionsOf(view, answer.limits, unit)]
    .sort((one, other) => other.share - one.share)
    .slice(0, REASONS);
  if (reasons.length === 0) return <p>Almost nobody is excluded.</p>;
  return (
    <p>Excluded: {reasons.map(({ share, text }) => `${percent(share)} ${text}`).join(', ')}.</p>
  );
}
