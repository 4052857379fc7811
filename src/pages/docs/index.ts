import { COUNTRY_CODES } from '../../core/countries.js';
import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { OPERATIONS } from '../../operations/index.js';
import { errorsText } from './error-text.js';
import { projectFile, withOwnAddress, withoutTeamParts, withoutTitle } from './files.js';
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
} from './texts.js';

/** Prefix of the addresses of pages for operators, who run their own server. */
export const OPERATORS_PATH = '/docs/operators/';

/** Address of the first page. */
export const DOCS_PATH = '/docs';

function filePage(page: Omit<DocsPage, 'text'>, file: string): DocsPage {
  return {
    ...page,
    text: ({ origin }) => {
      const text = withoutTeamParts(withoutTitle(projectFile(file)));
      return page.path.startsWith(OPERATORS_PATH) ? text : withOwnAddress(text, origin);
    },
  };
}

/** By file name: addresses of the pages that are made from files of the project. */
export const FILE_PAGES: Readonly<Record<string, string>> = {
  'docs/populations.md': '/docs/populations',
  'docs/tables.md': '/docs/tables',
  'docs/spreadsheets.md': '/docs/spreadsheets',
  'docs/clients.md': '/docs/clients',
  'docs/command-line.md': '/docs/operators/command-line',
  'docs/configuration.md': '/docs/operators/configuration',
  'docs/operations.md': '/docs/operators/operations',
  'docs/metrics.md': '/docs/operators/metrics',
  'docs/capacity.md': '/docs/operators/capacity',
  'docs/artifacts.md': '/docs/operators/artifacts',
  'docs/model.md': '/docs/model',
  'docs/accuracy.md': '/docs/accuracy',
  'docs/clothing-and-posture.md': '/docs/clothing-and-posture',
  'docs/measurements.md': '/docs/sources',
  'CHANGELOG.md': '/docs/changelog',
};

/** All pages, in the order of the navigation. */
export const DOCS: readonly DocsGroup[] = [
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
    title: 'Guides',
    pages: [
      filePage(
        {
          path: '/docs/populations',
          title: 'Populations and people',
          summary: 'Shares, ranges, size charts and tables of people, with worked examples.',
        },
        'docs/populations.md',
      ),
      filePage(
        {
          path: '/docs/tables',
          title: 'Large tables',
          summary: 'How to fill a large table, what it costs and how long it takes.',
        },
        'docs/tables.md',
      ),
      filePage(
        {
          path: '/docs/spreadsheets',
          title: 'Spreadsheets',
          summary: 'How to complete a CSV file of people, with LibreOffice, Excel and pandas.',
        },
        'docs/spreadsheets.md',
      ),
      filePage(
        {
          path: '/docs/clients',
          title: 'Clients',
          summary:
            'Packages for TypeScript and Python: tables, batches, streams and repeated calls.',
        },
        'docs/clients.md',
      ),
    ],
  },
  {
    title: 'Operations',
    links: [
      { path: '/docs/reference', title: 'API reference' },
      { path: '/openapi.json', title: 'OpenAPI document' },
    ],
    pages: OPERATIONS.map((operation) => ({
      path: operationPage(operation.path),
      title: operation.title,
      summary: operation.description,
      text: (context) => operationText(operation, context),
    })),
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
      filePage(
        {
          path: '/docs/clothing-and-posture',
          title: 'Clothing and posture',
          summary: 'What clothing and posture add to each measurement.',
        },
        'docs/clothing-and-posture.md',
      ),
      filePage(
        {
          path: '/docs/model',
          title: 'How predictions are made',
          summary: 'Surveys, fits and assumptions behind a prediction.',
        },
        'docs/model.md',
      ),
      filePage(
        {
          path: '/docs/sources',
          title: 'Basis of each measurement',
          summary: `The surveys and definitions behind each of the ${MEASUREMENT_NAMES.length} measurements.`,
        },
        'docs/measurements.md',
      ),
      filePage(
        {
          path: '/docs/accuracy',
          title: 'Accuracy',
          summary: 'How far predictions are from surveys that were not used for the fit.',
        },
        'docs/accuracy.md',
      ),
    ],
  },
  {
    title: 'News',
    pages: [
      filePage(
        { path: '/docs/changelog', title: 'Changelog', summary: 'What changed, and when.' },
        'CHANGELOG.md',
      ),
    ],
  },
  {
    title: 'Operators',
    pages: [
      filePage(
        {
          path: '/docs/operators/command-line',
          title: 'Command line',
          summary: 'Predictions without a server, and the administration of accounts and keys.',
        },
        'docs/command-line.md',
      ),
      filePage(
        {
          path: '/docs/operators/configuration',
          title: 'Configuration',
          summary: 'Every environment variable of the service.',
        },
        'docs/configuration.md',
      ),
      filePage(
        {
          path: '/docs/operators/operations',
          title: 'Operation',
          summary: 'Many nodes: start, secrets, backup, upgrades and failures.',
        },
        'docs/operations.md',
      ),
      filePage(
        {
          path: '/docs/operators/metrics',
          title: 'Metrics',
          summary: 'Metrics, alerts and what to do, traces, and the bounds of memory.',
        },
        'docs/metrics.md',
      ),
      filePage(
        {
          path: '/docs/operators/capacity',
          title: 'Capacity',
          summary: 'How many processes and servers a load needs.',
        },
        'docs/capacity.md',
      ),
      filePage(
        {
          path: '/docs/operators/artifacts',
          title: 'Artifacts',
          summary: 'How versions of the data are built, installed and switched.',
        },
        'docs/artifacts.md',
      ),
    ],
  },
];

/** Links of the navigation to pages that have no text of their own. */
export const LINKS = DOCS.flatMap(({ links = [] }) => links);

/** All pages. */
export const PAGES: readonly DocsPage[] = DOCS.flatMap(({ pages }) => pages);
