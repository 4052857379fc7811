import { OPERATIONS } from '../../operations/index.js';
import { errorsText } from './error-text.js';
import { projectFile, withoutTitle } from './files.js';
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

/** Address of the first page. */
export const DOCS_PATH = '/docs';

function filePage(page: Omit<DocsPage, 'text'>, file: string): DocsPage {
  return { ...page, text: () => withoutTitle(projectFile(file)) };
}

/** Files of the project that are pages, by their names in its texts. */
export const FILE_PAGES: Readonly<Record<string, string>> = {
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
        summary: 'A first call of the Vitruvia API and its answer.',
        text: quickStartText,
        contents: false,
      },
      {
        path: '/docs/authentication',
        title: 'Authentication',
        summary: 'API keys, live and test, and the rate limit.',
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
        summary: 'Every error code, when it is answered and what to do about it.',
        text: errorsText,
        contents: false,
      },
    ],
  },
  {
    title: 'Operations',
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
        summary: 'The Model Context Protocol endpoint and how clients are set up.',
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
        summary: 'The 148 body measurements and what each name means.',
        text: measurementsText,
      },
      {
        path: '/docs/countries',
        title: 'Countries',
        summary: 'The 176 countries and their codes.',
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
          title: 'How a number comes about',
          summary: 'Surveys, fits and assumptions behind a prediction.',
        },
        'docs/model.md',
      ),
      filePage(
        {
          path: '/docs/sources',
          title: 'Basis of each measurement',
          summary: 'The surveys and readings that each of the 148 measurements rests on.',
        },
        'docs/measurements.md',
      ),
      filePage(
        {
          path: '/docs/accuracy',
          title: 'Accuracy',
          summary: 'How far predictions are from surveys they had not seen.',
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
];

/** Every page of its own address. */
export const PAGES: readonly DocsPage[] = DOCS.flatMap(({ pages }) => pages);
