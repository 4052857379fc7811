import type { VNode } from 'preact';
import { formatAmount } from '../../site/amounts.js';
import { percent } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { shownUnit } from '../../site/lengths.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { addressOf } from '../shared/address-fields.js';
import { populationLabel } from '../shared/populations.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { PopulationFields, ScreenPage } from '../shared/screen-page.js';
import { FIT_ADDRESS, type FitView, viewChosenFrom } from './address.js';
import type { FitData, FitPopulation } from './data-types.js';
import { boundsOf } from './needs.js';
import { PRODUCT_GROUPS, productById } from './products.js';
import { asProposed, withDesign } from './proposal.js';
import { exclusionsOf } from './texts.js';

/** The Fit screen as HTML text, with the data of its first view. */
export function fitPage(view: FitView, first: FirstData<FitData>, context: PageContext): string {
  const thing = productById(view.product)?.title ?? 'Own limits';
  return renderPage(
    <ScreenPage
      {...{ view, first, context }}
      screen="fit"
      address={FIT_ADDRESS}
      title={FIT_ADDRESS.title(view)}
      heading="Will it fit?"
      sharedAs={`${thing}: will it fit ${view.populations.map(populationLabel).join('; ')}?`}
      description="See what share of people a desk, a chair, a bed or any other product fits, and what to change."
      place="fit"
      withoutScript={<WithoutScript view={view} first={first} />}
    />,
  );
}

/** A form and a table of shares, for browsers without JavaScript. */
function WithoutScript(props: { view: FitView; first: FirstData<FitData> }): VNode {
  const { view, first } = props;
  const product = productById(view.product);
  const shown = withDesign(view, 'data' in first ? first.data.proposal : undefined);
  return (
    <>
      <p>The picture and the free choice of limits need JavaScript. The numbers do not.</p>
      {'problem' in first ? (
        <p class="notice danger">{first.problem.detail}</p>
      ) : (
        <>
          <Shares view={view} populations={first.data.populations} />
          <Proposal view={view} data={first.data} />
          {first.data.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </>
      )}
      {product?.note === undefined ? null : <p>{product.note}</p>}
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
      <form method="get" action={SCREEN_PATHS.fit} class="panel">
        <input type="hidden" name="product" value={view.product} />
        {product?.sizes.map(({ id, label }) => (
          <div key={id} class="form-row">
            <label for={`size-${id}`}>{label} in mm</label>
            <input id={`size-${id}`} name={id} inputMode="decimal" value={shown.sizesMm[id]} />
          </div>
        ))}
        <PopulationFields populations={view.populations} />
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </>
  );
}

/** The sizes for the wanted share, and the share that they fit. */
function Proposal({ view, data }: { view: FitView; data: FitData }): VNode | null {
  const { proposal } = data;
  if (proposal === undefined) return null;
  const bounds = boundsOf(withDesign({ ...view, ...asProposed(view) }, proposal));
  return (
    <>
      <p>
        For {view.targetPercent} % of all of them use these sizes
        {proposal.share === undefined ? '' : `, which fit ${percent(proposal.share.answer.share)}`}:
      </p>
      <ul>
        {bounds.map(({ id, label, value, unit }) => (
          <li key={id}>
            {label}: {formatAmount(value, unit)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Shares(props: { view: FitView; populations: readonly FitPopulation[] }): VNode {
  const { view, populations } = props;
  return (
    <div class="table-scroll">
      <table>
        <caption>Share of people who fit, and who is excluded by each limit</caption>
        <thead>
          <tr>
            <th scope="col">Population</th>
            <th scope="col">Fits</th>
            <th scope="col">Excluded</th>
          </tr>
        </thead>
        <tbody>
          {populations.map(({ label, share, refusal }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">{share === undefined ? '' : percent(share.answer.share)}</td>
              <td>
                {refusal?.detail ??
                  exclusionsOf(view, share?.answer.limits ?? [], shownUnit(view.unit))
                    .map(({ share: excluded, text }) => `${percent(excluded)} ${text}`)
                    .join('; ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
