import { COUNTRY_CODES } from '../../core/countries.js';
import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { OPERATIONS } from '../../operations/index.js';
import { DOCS_PATH, GUIDES_INDEX_PATH } from '../../site/paths.js';
import { errorsText } from './error-text.js';
import { projectFile, withOwnAddress, withoutTeamParts, withoutTitle } from './files.js';
import { GUIDES, GUIDES_PATH, guideFile, guidesText, guideText } from './guides.js';
import { operationText } from './operation-text.js';
import type { DocsGroup, DocsPage } from './page.js';
import {
  authenticationText,
  billingText,
  countriesText,
  mcpPageText,
  measurementsText,
  operationPage,
  quickStartText,
  referenceText,
} from './texts.js';

/** Prefix of the addresses of pages for operators, who run their own server. */
export const OPERATORS_PATH = '/docs/operators/';

/**
 * Pages that are made from files of the project, by their names. A page of the name `x` has the address `<folder>x` and
 * the text of `docs/x.md`, unless another file is named.
 */
function filePages(
  folder: string,
  pages: Readonly<Record<string, readonly [title: string, summary: string, file?: string]>>,
): DocsPage[] {
  return Object.entries(pages).map(([name, [title, summary, file = `docs/${name}.md`]]) => ({
    ...{ path: folder + name, title, summary, file },
    text: ({ origin }) => {
      const text = withoutTeamParts(withoutTitle(projectFile(file)));
      return folder === OPERATORS_PATH ? text : withOwnAddress(text, origin);
    },
  }));
}

/** All pages, in the order of the navigation. */
export const DOCS: readonly DocsGroup[] = [
  {
    title: 'Guides',
    pages: [
      {
        path: GUIDES_INDEX_PATH,
        title: 'All guides',
        summary: 'Questions of designers, with numbers of the API and a picture that opens.',
        text: guidesText,
        contents: false,
      },
      ...Object.entries(GUIDES).map(
        ([name, [title, summary]]): DocsPage => ({
          ...{ path: GUIDES_PATH + name, title, summary, file: guideFile(name) },
          text: (context) => guideText(name, context),
          contents: false,
        }),
      ),
    ],
  },
  {
    title: 'Start',
    pages: [
      {
        path: DOCS_PATH,
        title: 'Quick start',
        summary: 'A first call to the Vitruvia API and its answer.',
        text: quickStartText,
        contents: false,
      },
      {
        path: '/docs/authentication',
        title: 'Authentication',
        summary: 'Live and test API keys, and the rate limit.',
        text: authenticationText,
      },
      {
        path: '/docs/billing',
        title: 'Billing and limits',
        summary: 'What a call costs, the free tier, idempotency keys and limits.',
        text: billingText,
      },
      {
        path: '/docs/errors',
        title: 'Errors',
        summary: 'Every error code: when it is returned and what to do about it.',
        text: errorsText,
        contents: false,
      },
    ],
  },
  {
    title: 'Using the API',
    pages: filePages('/docs/', {
      populations: [
        'Populations and people',
        'Shares, ranges, size charts and tables of people, with worked examples.',
      ],
      reach: [
        'Reach and sight',
        'Who reaches, sees and has room: the model, its sources, and how far it is true.',
      ],
      body: [
        'The body in three dimensions',
        'Bodies whose tape measures equal those of a person: files, limits and how they are made.',
      ],
      tables: ['Large tables', 'How to fill a large table, what it costs and how long it takes.'],
      spreadsheets: [
        'Spreadsheets',
        'How to complete a CSV file of people, with LibreOffice, Excel and pandas.',
      ],
      clients: [
        'Clients',
        'Packages for TypeScript and Python: tables, batches, streams and repeated calls.',
      ],
    }),
  },
  {
    title: 'Operations',
    links: [{ path: '/openapi.json', title: 'OpenAPI document' }],
    pages: [
      {
        path: '/docs/reference',
        title: 'API reference',
        summary: 'Every route of the API, what it answers and what it costs.',
        text: referenceText,
        contents: false,
      },
      ...OPERATIONS.map(
        (operation): DocsPage => ({
          path: operationPage(operation.path),
          title: operation.title,
          summary: operation.description,
          text: (context) => operationText(operation, context),
          contents: false,
          isSideBySide: true,
        }),
      ),
    ],
  },
  {
    title: 'Language models',
    pages: [
      {
        path: '/docs/mcp',
        title: 'MCP',
        summary: 'The Model Context Protocol endpoint and how to set up clients.',
        text: mcpPageText,
      },
    ],
  },
  {
    title: 'Data',
    pages: [
      {
        path: '/docs/measurements',
        title: 'Measurements',
        summary: `The ${MEASUREMENT_NAMES.length} body measurements and what each name means.`,
        text: measurementsText,
      },
      {
        path: '/docs/countries',
        title: 'Countries',
        summary: `The ${COUNTRY_CODES.length} countries and their codes.`,
        text: countriesText,
      },
      ...filePages('/docs/', {
        'clothing-and-posture': [
          'Clothing and posture',
          'What clothing and posture add to each measurement.',
        ],
        model: ['How predictions are made', 'Surveys, fits and assumptions behind a prediction.'],
        sources: [
          'Basis of each measurement',
          `The surveys and definitions behind each of the ${MEASUREMENT_NAMES.length} measurements.`,
          'docs/measurements.md',
        ],
        accuracy: [
          'Accuracy',
          'How far predictions are from surveys that were not used for the fit.',
        ],
      }),
    ],
  },
  {
    title: 'News',
    pages: filePages('/docs/', {
      changelog: ['Changelog', 'What changed, and when.', 'CHANGELOG.md'],
    }),
  },
  {
    title: 'Operators',
    pages: filePages(OPERATORS_PATH, {
      'command-line': [
        'Command line',
        'Predictions without a server, and the administration of accounts and keys.',
      ],
      configuration: ['Configuration', 'Every environment variable of the service.'],
      operations: ['Operation', 'Many nodes: start, secrets, backup, upgrades and failures.'],
      metrics: ['Metrics', 'Metrics, alerts and what to do, traces, and the bounds of memory.'],
      capacity: ['Capacity', 'How many processes and servers a load needs.'],
      artifacts: ['Artifacts', 'How versions of the data are built, installed and switched.'],
    }),
  },
];

/** Links of the navigation to pages that have no text of their own. */
export const LINKS = DOCS.flatMap(({ links = [] }) => links);

/** All pages. */
export const PAGES: readonly DocsPage[] = DOCS.flatMap(({ pages }) => pages);

/** By file name: addresses of the pages that are made from files of the project. */
export const FILE_PAGES: ReadonlyMap<string, string> = new Map(
  PAGES.flatMap(({ file, path }) => (file === undefined ? [] : [[file, path]])),
);
