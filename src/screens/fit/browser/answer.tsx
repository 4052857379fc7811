import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { TARGET_SHARE_LIMITS } from '../../../core/limits.js';
import { percent, percentileText } from '../../../site/labels.js';
import { formatLength } from '../../../site/lengths.js';
import { populationsLabel } from '../../shared/populations.js';
import {
  PREDICTION_ERROR_BASIS,
  predictionErrorText,
  SHOWN_FROM,
} from '../../shared/prediction-error.js';
import { DataTable } from '../../shared/table.js';
import { DraftField, NumberField, readNumber } from '../../widgets/fields.js';
import { Unbroken, Waiting } from '../../widgets/parts.js';
import type { FitData, FitParts, FitShare } from '../data-types.js';
import { KNOWN_MAX, peopleText, readPeople } from '../known-people.js';
import { describedOf, PeopleNeeds } from '../people-needs.js';
import { OWN_ID, productById } from '../products.js';
import { asProposed, isProposed } from '../proposal.js';
import { knownName, knownNames, missedText, roundedCount } from '../texts.js';
import { Warnings } from '../warnings.js';
import { BARS_TEXT, Limits, Sizes } from './sizes.js';

/** Shares to design for, in percent. */
const TARGET = {
  min: TARGET_SHARE_LIMITS.minimum * 100,
  max: TARGET_SHARE_LIMITS.maximum * 100,
} as const;
/** Maximum number of reasons for exclusion in the answer. The table has all reasons. */
const REASONS = 3;

/** The sizes for the wanted share with their fields, the share that the present sizes fit, and the excluded people. */
export function Answer(parts: FitParts): VNode {
  const { asked, data, stale, isOld, choose } = parts;
  const share = `${percentileText(asked.targetPercent)} %`;
  const missed = isOld || data === undefined ? undefined : missedText(asked, data);
  // Beside named people, the populations have their names, too.
  const who = asked.known.length === 0 ? 'these people' : populationsLabel(asked.populations);
  const text = missed ?? `For ${share} of ${who} ${isOld ? 'computing …' : 'use'}`;
  const [start, end] = text.split(share);
  const { conflicts = [], notes = [] } = data ?? {};
  // How many sizes are enough says more than how far apart the ends of one size are.
  const isNamed = data !== undefined && describedOf(data).length > 0;
  const remedies = notes.length > 0 || isNamed ? notes : conflicts;
  return (
    <section class="panel answer" aria-labelledby="answer-heading">
      <h2 id="answer-heading" class="answer-heading">
        {text}
      </h2>
      <div class="row answer-ask">
        <span aria-hidden="true">{start}</span>
        <div class="answer-share">
          <NumberField
            label="Share to design for, in %"
            value={asked.targetPercent}
            min={TARGET.min}
            max={TARGET.max}
            shown={percentileText(asked.targetPercent)}
            read={(typed) => readNumber(typed, { ...TARGET, what: 'The share', words: /%$/ })}
            onCommit={(targetPercent) => choose({ targetPercent })}
          />
          <span aria-hidden="true">%</span>
        </div>
        <span aria-hidden="true">
          <Unbroken text={end ?? ''} />
        </span>
      </div>
      <Warnings product={asked.product} />
      {asked.product === OWN_ID ? <Limits {...parts} /> : <Sizes {...parts} />}
      <p class="hint screen-only">
        {BARS_TEXT}{' '}
        {productById(asked.product)?.chart &&
          'One product fits all of them here. The Sizes screen finds several sizes.'}
      </p>
      {data === undefined ? null : (
        <Waiting busy={stale} class={isOld ? 'old' : ''}>
          {remedies.map((text) => (
            <p key={text} class="notice warning">
              {text}
            </p>
          ))}
          <Use {...parts} data={data} />
          <Headline {...parts} data={data} />
        </Waiting>
      )}
    </section>
  );
}

type AnswerProps = FitParts & { readonly data: FitData };

/** What the proposed sizes fit, and a button that sets them. */
function Use({ asked, data, choose }: AnswerProps): VNode | null {
  const { proposal } = data;
  if (proposal === undefined || data.product !== asked.product || isProposed(asked)) return null;
  const { share } = proposal;
  return (
    <p class="row answer-use">
      <button type="button" class="primary" onClick={() => choose(asProposed(asked))}>
        Use these sizes
      </button>
      {share === undefined ? null : (
        <span class="soft">
          They fit <span data-proposed-share={share}>{percent(share)}</span>.
        </span>
      )}
    </p>
  );
}

/** The share of all people that fit, how far it could be off, and who is excluded. */
function Headline(parts: AnswerProps): VNode | null {
  const { overall } = parts.data;
  if (overall === undefined) return null;
  const { share, people, excluded } = overall;
  return (
    <>
      <p class="fit-share">
        <strong data-share={share}>{percent(share)}</strong> of these people{' '}
        {productById(parts.data.product)?.safety ? 'meet the rules with' : 'fit'}{' '}
        {isProposed(parts.asked) ? 'these sizes' : 'the present sizes'}:{' '}
        {roundedCount(share * people)} of {roundedCount(people)} people.{' '}
        <span class="soft" title={PREDICTION_ERROR_BASIS}>
          {predictionErrorText(overall)}
        </span>
      </p>
      <p>{excludedText(excluded)}</p>
    </>
  );
}

function excludedText(excluded: FitShare['excluded']): string {
  const reasons = excluded.filter(({ share }) => share >= SHOWN_FROM);
  if (reasons.length === 0) return 'Almost nobody is excluded.';
  const texts = reasons.slice(0, REASONS).map(({ share, text }) => `${percent(share)} ${text}`);
  return `Excluded${reasons.length > REASONS ? ', among others' : ''}: ${texts.join(', ')}.`;
}

/** Up to eight known people: the sizes that suit all of them, and heights of their workplaces. */
export function ThesePeople({ view, unit, data, choose }: FitParts): VNode {
  const [isFaulty, setFaulty] = useState(false);
  // While the text has a fault, there are no results of an earlier text.
  const all = isFaulty || view.known.length === 0 ? [] : (data?.known ?? []);
  const known = describedOf({ known: all });
  const names = knownNames(known, unit);
  const nobody = view.known.filter((_, index) => all[index] === null);
  return (
    <section class="these-people" aria-label="These people">
      <DraftField
        class="length-field"
        inputMode="text"
        label={`${view.known.length === 0 ? 'Or for' : 'For'} these people, up to ${KNOWN_MAX}, heights without shoes`}
        shown={peopleText(view.known, unit)}
        onFault={setFaulty}
        onDone={(text) => {
          const read = readPeople(text, unit);
          if ('fault' in read) return read.fault;
          choose({ known: read.people });
        }}
      />
      <p class="hint">Such as: Ann 1.58 m woman 45; Ben 1.93 m 90 kg</p>
      {nobody.map((one) => (
        <p key={one.statureMm} class="field-error">
          Nobody of the populations is like {knownName(one, unit)}.
        </p>
      ))}
      {known.length === 0 ? null : (
        <>
          <PeopleNeeds {...{ known, unit }} conflicts={data?.conflicts ?? []} />
          <details class="how-to-read">
            <summary>Their workplaces</summary>
            <DataTable
              caption="Heights of a workplace"
              head={['Height', ...names]}
              rows={(known[0]?.workplace ?? []).map(({ label }, row) => [
                label,
                ...known.map((one) => {
                  return formatLength(one.workplace[row]?.valueMm ?? Number.NaN, unit);
                }),
              ])}
            />
          </details>
        </>
      )}
    </section>
  );
}
