import { FREE_CALLS_PER_WINDOW, FREE_WINDOW_HOURS, PACKS } from '../../core/billing-terms.js';
import { SERVICE_NAME, SERVICE_TITLE } from '../../core/version.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import type { FitData } from '../../screens/fit/data-types.js';
import { imageOf, Layout, renderPage, shareImageOf } from '../../site/layout.js';
import { FitAnswer, FitPicture, firstView } from './fit-answer.js';
import { proofOf } from './proof.js';
import { Question } from './question.js';

interface HomeContext {
  readonly signedIn: boolean;
  /** Public address of the service. */
  readonly origin: string;
  readonly model: PredictionModel;
}

/** Tasks with the picture of the screen that does them. */
const TASKS = [
  {
    title: 'Find the sizes of a product',
    path: '/explore/fit',
    query: 'product=doorway&p=Both~NL~18-65',
    text: 'Say for whom it is and what share of them it must fit. You get the sizes, the share, and who is left out.',
  },
  {
    title: 'Plan a range of sizes',
    path: '/explore/sizes',
    query: 'product=helmet&p=Both~US~18-65',
    text: 'See how many sizes of a helmet, a glove or a shirt serve how many people, and divide an order among them.',
  },
  {
    title: 'Compare people',
    path: '/explore',
    query: 'p=Male~NL~18-65&p=Male~JP~18-65',
    text: 'Whole people at P5, P50 and P95 side by side, with every dimension, the surveys behind it and how well it is known.',
  },
] as const;

/** The first page of the service, as HTML text. Without data, the question has no answer yet. */
export function homePage(
  data: FitData | undefined,
  { signedIn, origin, model }: HomeContext,
): string {
  const { artifactVersion } = model;
  const version = { data: { artifactVersion } };
  const view = firstView();
  return renderPage(
    <Layout
      title="Body measurements of people around the world"
      description={`${SERVICE_NAME} predicts body measurements: percentiles, populations and whole people, by country, age and gender.`}
      canonical="/"
      entry="web/home/main.ts"
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
              148 body measurements for 176 countries and ages 0 to 120: one percentile, the share
              of a population that fits your product, or whole people to test it with.
            </p>
            <section class="panel" aria-label="Ask a question">
              <Question>
                {data === undefined ? null : <FitAnswer view={view} data={data} />}
              </Question>
            </section>
          </div>
          <div id="question-picture" class="home-picture">
            {data === undefined ? null : <FitPicture view={view} data={data} />}
          </div>
        </section>
        <section aria-label="What the numbers rest on">
          <ul class="home-proof">
            {proofOf(model).map(({ figure, text, href }) => (
              <li key={text}>
                <a href={href}>
                  <strong>{figure}</strong> {text}
                </a>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="tasks">
          <h2 id="tasks">What people do here</h2>
          <div class="home-tasks">
            {TASKS.map(({ title, path, query, text }) => (
              <article key={title}>
                <img
                  src={shareImageOf(path, query, artifactVersion)}
                  width="1200"
                  height="630"
                  loading="lazy"
                  alt=""
                />
                <h3>
                  <a href={`${path}?${query}`}>{title}</a>
                </h3>
                <p>{text}</p>
              </article>
            ))}
          </div>
        </section>
        <section aria-labelledby="prices" class="home-prices">
          <h2 id="prices">Prices</h2>
          <ul>
            <li>
              The pages are free. So are {FREE_CALLS_PER_WINDOW} calls of the API in{' '}
              {FREE_WINDOW_HOURS} hours.
            </li>
            <li>
              A prediction costs 1 credit, a question about a population 5 to 20. Credits come in
              packs of {PACKS.join(', ').replace(/, (\d+)$/, ' or $1')}. Only answers are charged,
              each once. <a href="/docs/billing">Billing and limits</a>
            </li>
            <li>
              Or run it yourself: one process of Node with the built-in database needs no other
              server. <a href="/docs/operators/capacity">What a load needs</a>
            </li>
          </ul>
        </section>
      </div>
    </Layout>,
  );
}
