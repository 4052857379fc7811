import type { VNode } from 'preact';
import { formatAmount } from '../../site/amounts.js';
import { percent } from '../../site/labels.js';
import { shownUnit } from '../../site/lengths.js';
import type { ShareContent } from '../../site/share-card.js';
import { addressOf } from '../shared/address-fields.js';
import { populationsLabel } from '../shared/populations.js';
import { boundedShare } from '../shared/prediction-error.js';
import type { ScreenPage } from '../shared/screen.js';
import { Choice, Field, PopulationFields } from '../shared/screen-page.js';
import { DataTable } from '../shared/table.js';
import { FIT_ADDRESS, type FitView, knownText, viewChosenFrom } from './address.js';
import { fitDataOf } from './data.js';
import type { FitData, FitPopulation } from './data-types.js';
import { fitDrawing } from './drawing.js';
import { describedOf, PeopleNeeds } from './people-needs.js';
import { PRODUCT_GROUPS, productById } from './products.js';
import { asProposed, boundsOf, drawnView, withDesign } from './proposal.js';
import { StillPicture } from './still-picture.js';
import {
  clothingNote,
  codeTexts,
  exclusionsOf,
  genderChoices,
  missedText,
  roundedCount,
  shareText,
} from './texts.js';
import { Warnings } from './warnings.js';

/** The Fit screen shows the share of people that a product fits. */
export const PAGE: ScreenPage<FitView, FitData> = {
  dataOf: (view, { free, model }, left) => fitDataOf(view, free, model().artifactVersion, left),
  content(view, first) {
    const product = productById(view.product);
    const thing = product?.title ?? 'Own limits';
    const genders = genderChoices(view);
    const proposed = 'data' in first ? first.data.design?.sizesMm : undefined;
    return {
      sharedAs: `${thing}: will it fit ${populationsLabel(view.populations)}?`,
      description:
        'See what share of people a desk, a chair, a bed or any other product fits, and what to change.',
      place: 'fit',
      note: clothingNote(view),
      numbers: (data) => (
        <>
          <Warnings product={view.product} />
          {describedOf(data).length === 0 ? null : (
            <PeopleNeeds
              known={describedOf(data)}
              conflicts={data.conflicts}
              unit={shownUnit(view.unit)}
            />
          )}
          <p class="first-answer">{shareText(data)}</p>
          <Proposal view={view} data={data} />
          <Shares view={view} populations={data.populations} />
          {[
            ...(describedOf(data).length === 0 ? data.conflicts : []),
            ...data.notes,
            ...(product?.notes ?? []),
          ].map((note) => (
            <p key={note}>{note}</p>
          ))}
        </>
      ),
      plain: {
        text: 'The free choice of limits needs JavaScript. The picture and the numbers do not.',
        picture: (data) => <Drawn view={view} data={data} />,
        form: (
          <>
            <input type="hidden" name="product" value={view.product} />
            <input type="hidden" name="unit" value={view.unit} />
            <input type="hidden" name="mass" value={view.massUnit} />
            {view.known.map((person, index) => (
              <input key={index} type="hidden" name="who" value={knownText(person)} />
            ))}
            {product?.sizes.map(({ id, label }) => (
              <Field
                key={id}
                name={id}
                label={`${label} in mm`}
                value={view.sizesMm[id] ?? proposed?.[id]}
              />
            ))}
            <PopulationFields populations={view.populations} />
            {genders.length === 0 ? null : (
              <Choice
                name="drawn"
                label="Drawn"
                chosen={view.drawnGender ?? ''}
                options={[['', 'Either'], ...genders]}
              />
            )}
          </>
        ),
        more: <Products view={view} />,
      },
    };
  },
  shared: sharedFit,
};

/** The picture for browsers without JavaScript; nothing for own limits. */
function Drawn({ view: asked, data }: { view: FitView; data: FitData }): VNode | null {
  const view = drawnView(asked, data);
  const drawing = fitDrawing(view, data, 'both');
  if (drawing === undefined) return null;
  return (
    <figure class="fit-scene">
      <StillPicture {...{ view, drawing, widthPx: 560, heightPx: 420 }} />
      <figcaption class="hint">{drawing.caption}</figcaption>
    </figure>
  );
}

/** Links to all products. */
function Products({ view }: { readonly view: FitView }): VNode {
  return (
    <>
      {PRODUCT_GROUPS.map((group) => (
        <section key={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.products.map(({ id, title }) => (
              <li key={id}>
                <a
                  href={addressOf(FIT_ADDRESS, viewChosenFrom(view, id))}
                  aria-current={id === view.product ? 'page' : undefined}
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** The sizes for the wanted share, and the share that they fit. */
function Proposal({ view, data }: { view: FitView; data: FitData }): VNode | null {
  const { proposal } = data;
  if (proposal === undefined) return null;
  const { share } = proposal;
  const fitted = share === undefined ? '' : `; they fit ${percent(share)}`;
  const bounds = boundsOf(withDesign({ ...view, ...asProposed(view) }, proposal));
  return (
    <>
      <p>
        {missedText(view, data) ??
          `For ${view.targetPercent} % of the people, use these sizes${fitted}`}
        :
      </p>
      <ul>
        {bounds.map(({ id, label, value, unit }) => (
          <li key={id}>
            {[
              `${label}: ${formatAmount(value, unit)}`,
              ...codeTexts(view.product, id, bounds),
            ].join('; ')}
          </li>
        ))}
      </ul>
    </>
  );
}

function Shares(props: { view: FitView; populations: readonly FitPopulation[] }): VNode {
  const { view, populations } = props;
  const unit = shownUnit(view.unit);
  return (
    <DataTable
      caption="Share of people who fit (range: if medians are off), and who is excluded by each limit"
      head={['Population', 'Fits', 'Excluded']}
      texts={['Excluded']}
      rows={populations.map(({ label, share, refusal }) => [
        label,
        share === undefined ? '' : boundedShare(share.answer),
        refusal?.detail ??
          exclusionsOf(view, share?.answer.limits ?? [], unit)
            .map(({ share: excluded, text }) => `${percent(excluded)} ${text}`)
            .join('; '),
      ])}
    />
  );
}

/** The share image of the Fit screen: the share that fits, the sizes, and the people at the product. */
function sharedFit(asked: FitView, data: FitData): ShareContent {
  const view = drawnView(asked, data);
  const { overall, populations, artifactVersion } = data;
  const shares = populations.flatMap(({ label, share }) =>
    share === undefined ? [] : [`${percent(share.answer.share)} ${label}`],
  );
  const drawing = fitDrawing(view, data, 'both');
  return {
    title: `${productById(view.product)?.title ?? 'Own limits'}: ${populationsLabel(view.populations)}`,
    artifactVersion,
    people: drawing?.parts.flatMap(({ picture }) => picture ?? []) ?? [],
    ...(drawing === undefined
      ? {}
      : {
          scene: {
            box: drawing.box,
            draw: (place, textScale) => (
              <StillPicture
                {...{ view, drawing, place }}
                widthPx={place.width / textScale}
                heightPx={place.height / textScale}
              />
            ),
          },
        }),
    headline: overall === undefined ? undefined : percent(overall.share),
    facts: [
      ...(overall === undefined ? [] : [`of ${roundedCount(overall.people)} people fit`]),
      ...shares,
      ...boundsOf(view).map(({ label, value, unit }) => `${label} ${formatAmount(value, unit)}`),
    ],
  };
}
