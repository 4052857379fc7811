import type { VNode } from 'preact';
import { SERVICE_NAME, SERVICE_TITLE } from '../../core/version.js';
import { imageOf, Layout, renderPage } from '../layout.js';
import type { DrawnPeople } from '../pictures/people-layout.js';
import { PeoplePicture } from '../pictures/people-picture.js';
import type { WorkedQuestion } from './questions.js';

interface HomeContext {
  readonly signedIn: boolean;
  /** Public address of the service. */
  readonly origin: string;
  readonly artifactVersion: string;
}

/** The first page of the service, as HTML text. */
export function homePage(
  questions: readonly WorkedQuestion[],
  people: readonly DrawnPeople[],
  { signedIn, origin, artifactVersion }: HomeContext,
): string {
  return renderPage(
    <Layout
      title="Body measurements of people around the world"
      description={`${SERVICE_NAME} predicts body measurements: percentiles, populations and whole people, by country, age and gender.`}
      canonical="/"
      share={{
        origin,
        title: SERVICE_TITLE,
        image: people.length === 0 ? undefined : imageOf('/', '', { data: { artifactVersion } }),
      }}
      signedIn={signedIn}
    >
      <div class="home">
        <Drawing people={people} />
        <h1>{SERVICE_TITLE}</h1>
        <p class="home-lead">
          {SERVICE_NAME} predicts 148 body measurements for 176 countries and ages 0 to 120. Ask for
          one percentile, for the share of a population that fits your product, or for whole people
          to test it with.
        </p>
        <p class="actions">
          <a class="button primary" href="/account/sign-up">
            Get a key
          </a>
          <a class="button" href="/explore">
            Explore
          </a>
          <a class="button" href="/docs">
            Read the docs
          </a>
        </p>
        <section aria-labelledby="questions">
          <h2 id="questions">Questions and answers</h2>
          <div class="home-questions">
            {questions.map((question) => (
              <Question key={question.href} {...question} />
            ))}
          </div>
        </section>
        <p class="soft small">
          Programs get the catalog at this address as JSON: send{' '}
          <code>Accept: application/json</code>.
        </p>
      </div>
    </Layout>,
  );
}

/** Size of the drawing. Narrow screens show it smaller. */
const DRAWING = { widthPx: 900, heightPx: 330 } as const;

/** The default populations to scale; nothing if the model has no populations. */
function Drawing({ people }: { people: readonly DrawnPeople[] }): VNode | null {
  if (people.length === 0) return null;
  const standing = `${people.map(({ label }) => label).join(' and ')}, standing, to scale`;
  return (
    <a class="home-drawing" href="/explore">
      <PeoplePicture
        {...DRAWING}
        people={people}
        posture="standing"
        overlaid={false}
        withBands={true}
        title={standing}
        format={(mm) => `${mm.toLocaleString('en')} mm`}
      />
    </a>
  );
}

function Question({ question, answer, people, href, title }: WorkedQuestion): VNode {
  return (
    <article class="panel">
      <h3>{question}</h3>
      <p>{answer}</p>
      {people === undefined ? null : (
        <ul>
          {people.map((person) => (
            <li key={person}>{person}</li>
          ))}
        </ul>
      )}
      <p>
        <a href={href}>The call: {title}</a>
      </p>
    </article>
  );
}
