import type { VNode } from 'preact';
import {
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_HOURS,
  PACKS,
  TEST_CREDITS_PER_DAY,
} from '../../core/billing-terms.js';
import { COUNTRY_CODES } from '../../core/countries.js';
import { AGE_LIMITS } from '../../core/limits.js';
import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { SERVICE_NAME, SERVICE_TITLE } from '../../core/version.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import type { Offer } from '../../payments/payments.js';
import { TEST_CURRENCY } from '../../payments/test-provider.js';
import type { FitData } from '../../screens/fit/data-types.js';
import { DataTable } from '../../screens/shared/table.js';
import { curlText, pythonText } from '../../site/call-text.js';
import { inWords } from '../../site/labels.js';
import { imageOf, Layout, renderPage } from '../../site/layout.js';
import { count, JOBS, money } from '../format.js';
import { ErrorAxis, ErrorStrip, SPAN_MM } from './errors.js';
import { FitAnswer, FitPicture, firstView } from './fit-answer.js';
import { proofOf } from './proof.js';
import { Question } from './question.js';
import { MovingSeat, type Stories, Story, StoryCards } from './stories.js';

interface HomeContext {
  /** What the answers show; undefined without an answer. */
  readonly stories: Stories | undefined;
  /** The packs for sale; empty where nobody sells credits, or before the prices are known. */
  readonly offers: readonly Offer[];
  readonly signedIn: boolean;
  /** Public address of the service. */
  readonly origin: string;
  readonly model: PredictionModel;
}

/** The first page of the service, as HTML text. Without data, the question has no answer yet. */
export function homePage(
  data: FitData | undefined,
  { signedIn, origin, model, stories, offers }: HomeContext,
): string {
  const { artifactVersion } = model;
  const version = { data: { artifactVersion } };
  const view = firstView();
  const proof = proofOf(model);
  return renderPage(
    <Layout
      title="Body measurements of people around the world"
      description={`${SERVICE_NAME} predicts body measurements: percentiles, populations and whole people, by country, age and gender.`}
      canonical="/"
      entry="web/home/main.ts"
      paintsFirst
      share={{
        origin,
        title: SERVICE_TITLE,
        image: data === undefined ? undefined : imageOf('/', '', version),
      }}
      signedIn={signedIn}
    >
      <div class="home">
        <section class="home-top">
          <div>
            <h1>{SERVICE_TITLE}</h1>
            <p class="home-lead">
              For designers of seats, workplaces, cockpits, clothing, protective equipment and
              public space: who fits, who reaches, who sees, and which sizes it takes, in
              millimetres.
            </p>
            <p>
              <a class="button primary" href="#question">
                Ask your question
              </a>
            </p>
            <p class="soft">
              {MEASUREMENT_NAMES.length} measurements, {COUNTRY_CODES.length} countries, ages{' '}
              {AGE_LIMITS.minimum} to {AGE_LIMITS.maximum}. Free to try, without an account.
            </p>
          </div>
          {stories === undefined ? null : <MovingSeat {...stories} />}
        </section>
        <section class="home-ask" aria-labelledby="ask">
          <div>
            <h2 id="ask">Ask your question</h2>
            <Question>{data === undefined ? null : <FitAnswer view={view} data={data} />}</Question>
          </div>
          <div id="question-picture" class="home-picture">
            {data === undefined ? null : <FitPicture view={view} data={data} />}
          </div>
        </section>
        {stories === undefined ? null : (
          <section aria-labelledby="stories">
            <h2 id="stories">What designers find out</h2>
            <div class="cards home-tasks">
              <StoryCards {...stories} />
              {data?.proposal === undefined ? null : (
                <Story
                  who="Software and language models"
                  href="/docs"
                  finding="One call returns the sizes of the desk above"
                >
                  <pre class="story-call">{curlText(data.proposal.call, origin)}</pre>
                  <p>
                    The same in Python; TypeScript and <a href="/docs/mcp">MCP</a> are beside it:
                  </p>
                  <pre class="story-call">{pythonText(data.proposal.call, origin)}</pre>
                </Story>
              )}
            </div>
          </section>
        )}
        <section aria-labelledby="trust">
          <h2 id="trust">Why you can trust a number</h2>
          <p>
            We leave out each survey, predict it, and publish how far off the prediction was, the
            bad ones too. Here are national surveys of adults. Each dot is the mean of one gender in
            one of them; most measured soldiers, who differ from their country. Where most dots are
            on one side, the prediction is biased, and the bar allows for it.
          </p>
          <DataTable
            class="errors-table"
            caption={`Predicted − measured, from −${SPAN_MM} to ${SPAN_MM} mm; bar: the stated 90 % interval`}
            head={['Measurement', <ErrorAxis key="axis" />, 'Mean error, mm']}
            texts={['']}
            rows={proof.errors.map((one) => [
              inWords(one.name),
              <ErrorStrip key="strip" {...one} />,
              one.meanAbsMm.toFixed(1),
            ])}
          />
          <p>
            The numbers rest on {proof.surveys} surveys with {proof.people} people, among them whole
            bodies: {proof.wholeBodies.join(', ')}. Terms and postures are those of ISO 7250-1.{' '}
            <a href="/docs/accuracy">How accurate it is</a>,{' '}
            <a href="/docs/sources">basis of each measurement</a>
          </p>
        </section>
        <section aria-labelledby="prices">
          <h2 id="prices">What it costs</h2>
          <div class="cards home-prices">
            <div>
              <h3>Free</h3>
              <ul>
                <li>All screens, their pictures and prints, without an account</li>
                <li>All guides and documents</li>
                <li>
                  With a key, {FREE_CALLS_PER_WINDOW} predictions by the API in {FREE_WINDOW_HOURS}{' '}
                  hours; a larger answer takes as many of them as it costs credits
                </li>
                <li>For your first program, {count(TEST_CREDITS_PER_DAY)} test credits</li>
              </ul>
              <a class="button primary" href={signedIn ? '/account/keys' : '/account/sign-up'}>
                Get a key
              </a>
            </div>
            <div class="home-jobs">
              <h3>
                {takesNoMoney(offers) ? 'Free on this server' : 'Pay for answers, not for time'}
              </h3>
              <Jobs offers={offers} />
              <p>
                {packsText(offers)} A refusal costs nothing. <a href="/docs/billing">All prices</a>
              </p>
            </div>
          </div>
          <p>
            Licence: you may use, change and pass on files of bodies for any purpose. The API is
            proprietary; the operator of {origin} answers questions about licences. On your own
            server, one Node.js process runs the whole service:{' '}
            <a href="/docs/operators/capacity">hardware for your load</a>.
          </p>
        </section>
      </div>
    </Layout>,
  );
}

type OffersProps = Pick<HomeContext, 'offers'>;

/** What typical jobs cost, with the money for it at the price of the largest pack where a bank knows the currency. */
function Jobs({ offers }: OffersProps): VNode {
  const largest = offers.filter(isReal).at(-1);
  const minor = largest === undefined ? 0 : largest.price.amountMinor / largest.credits;
  return (
    <table>
      <tbody>
        {JOBS.map(([job, credits]) => (
          <tr key={job}>
            <th scope="row">{job}</th>
            <td class="number">{count(credits)} credits</td>
            {largest === undefined ? null : (
              <td class="number">
                {money({ ...largest.price, amountMinor: Math.round(credits * minor) })}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isReal({ price }: Offer): boolean {
  return price.currency !== TEST_CURRENCY;
}

/** Whether the server sells credits for test money. */
function takesNoMoney(offers: readonly Offer[]): boolean {
  return offers.length > 0 && !offers.some(isReal);
}

/** The packs and their prices. A server with test payments takes no money; one without any names the packs alone. */
function packsText(offers: readonly Offer[]): string {
  const packs = `Credits come in packs of ${PACKS.map(count).join(', ')}.`;
  if (offers.length === 0) return packs;
  if (takesNoMoney(offers))
    return `${packs} This server takes no money, so its credits cost nothing.`;
  const prices = offers.map(({ credits, price }) => `${count(credits)} for ${money(price)}`);
  return `Credits come in packs: ${prices.join(', ')}.`;
}
