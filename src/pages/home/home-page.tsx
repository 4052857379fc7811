import type { VNode } from 'preact';
import { SERVICE_NAME, SERVICE_TITLE } from '../../core/version.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { DIMENSION_ADDRESS, readDimensionView } from '../../screens/dimension/address.js';
import { FIT_ADDRESS, viewOfProduct } from '../../screens/fit/address.js';
import { addressOf } from '../../screens/shared/address-fields.js';
import { imageOf, Layout, renderPage } from '../../site/layout.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import type { DrawnPeople } from '../../site/pictures/people-layout.js';
import { PeoplePicture, pictureLayout } from '../../site/pictures/people-picture.js';
import { Question } from './question.js';
import { CurvesPicture, DoorwayPicture, HeadsPicture } from './task-pictures.js';

interface HomeContext {
  readonly signedIn: boolean;
  /** Public address of the service. */
  readonly origin: string;
  readonly model: PredictionModel;
}

/** The first page of the service, as HTML text. */
export function homePage(
  people: readonly DrawnPeople[],
  { signedIn, origin, model }: HomeContext,
): string {
  const { artifactVersion } = model;
  // The task pictures reuse the figures of the large picture. That needs a layout in which the people stand
  // apart.
  const isApart = people.length > 0 && pictureLayout(pictureOf(people)).arrangement === 'beside';
  const figures = isApart ? people : [];
  return renderPage(
    <Layout
      title="Body measurements of people around the world"
      description={`${SERVICE_NAME} predicts body measurements: percentiles, populations and whole people, by country, age and gender.`}
      canonical="/"
      entry="web/home/main.ts"
      share={{
        origin,
        title: SERVICE_TITLE,
        image: people.length === 0 ? undefined : imageOf('/', '', { data: { artifactVersion } }),
      }}
      signedIn={signedIn}
    >
      <div class="home">
        <section class="home-top">
          <div>
            <h1>{SERVICE_TITLE}</h1>
            <p class="home-lead">
              {SERVICE_NAME} predicts 148 body measurements for 176 countries and ages 0 to 120: one
              percentile, the share of a population that fits your product, or whole people to test
              it with.
            </p>
            <p class="actions">
              <a class="button" href="/explore">
                Explore
              </a>
              <a class="button" href="/account/sign-up">
                Get a key
              </a>
              <a class="button" href="/docs">
                Read the docs
              </a>
            </p>
          </div>
          <section class="panel" aria-label="Ask a question">
            <Question />
          </section>
        </section>
        <People people={people} />
        <section aria-labelledby="tasks">
          <h2 id="tasks">What people do here</h2>
          <div class="home-tasks">
            <Task
              href={addressOf(FIT_ADDRESS, viewOfProduct('doorway'))}
              title="Find the sizes of a product"
              picture={<DoorwayPicture people={figures} />}
            >
              Say for whom it is and what share of them it must fit. You get the sizes, the share,
              and who is left out.
            </Task>
            <Task
              href={SCREEN_PATHS.sizes}
              title="Plan a range of sizes"
              picture={<HeadsPicture people={figures} />}
            >
              See how many sizes of a helmet, a glove or a shirt serve how many people, and where
              each size begins and ends.
            </Task>
            <Task
              href={addressOf(DIMENSION_ADDRESS, readDimensionView('gender=Male&country=NL,JP,GT'))}
              title="Compare countries"
              picture={<CurvesPicture model={model} />}
            >
              Read any percentile of any dimension, side by side, with the surveys behind it and how
              well it is known.
            </Task>
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
const DRAWING = { widthPx: 1160, heightPx: 400 } as const;

function pictureOf(people: readonly DrawnPeople[]) {
  return {
    ...({ ...DRAWING, people, posture: 'standing', overlaid: false, withBands: true } as const),
    format: (mm: number) => `${mm.toLocaleString('en')} mm`,
  };
}

/** The default populations, drawn to scale; nothing if the model has no populations. */
function People({ people }: { readonly people: readonly DrawnPeople[] }): VNode | null {
  if (people.length === 0) return null;
  const standing = `${people.map(({ label }) => label).join(' and ')}, standing, to scale`;
  return (
    <a class="home-drawing" href="/explore">
      <PeoplePicture {...pictureOf(people)} title={standing} figures="named" />
      {people.map((one) => (
        <PhonePicture key={one.series} one={one} />
      ))}
    </a>
  );
}

/** Size of the drawing of one population on a phone. */
const PHONE_DRAWING = { widthPx: 430, heightPx: 330 } as const;

/** One population with the figures of the large picture, for phones. The large picture is too small there. */
function PhonePicture({ one }: { readonly one: DrawnPeople }): VNode {
  const picture = { ...pictureOf([one]), ...PHONE_DRAWING };
  const isApart = pictureLayout(picture).arrangement === 'beside';
  return (
    <span class="home-part" aria-hidden="true">
      <PeoplePicture {...picture} title={one.label} figures={isApart ? 'used' : undefined} />
    </span>
  );
}

interface TaskProps {
  readonly href: string;
  readonly title: string;
  readonly picture: VNode;
  readonly children: string;
}

function Task({ href, title, picture, children }: TaskProps): VNode {
  return (
    <article class="panel">
      {picture}
      <h3>
        <a href={href}>{title}</a>
      </h3>
      <p>{children}</p>
    </article>
  );
}
