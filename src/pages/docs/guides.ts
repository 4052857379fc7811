import { setTimeout as sleep } from 'node:timers/promises';
import { FREE_CALLS_PER_WINDOW, FREE_WINDOW_HOURS } from '../../core/billing-terms.js';
import { Problem } from '../../core/errors.js';
import { OPERATIONS } from '../../operations/index.js';
import type { Operation } from '../../operations/operation.js';
import { curlText } from '../../site/call-text.js';
import { percent, percentileText } from '../../site/labels.js';
import { shareImageOf } from '../../site/layout.js';
import { formatLength } from '../../site/lengths.js';
import { GUIDES_INDEX_PATH, SCREEN_LABELS, SCREEN_PATHS, type ScreenId } from '../../site/paths.js';
import { projectFile, withoutTitle } from './files.js';
import type { PageContext } from './page.js';
import { operationPage } from './texts.js';
import { blocks, fenced, prettyJson, table } from './write.js';

// A guide is a Markdown file of `docs/guides` with two kinds of live blocks. Where the file is read without the service,
// an `answer` shows the call, and a `screen` the address. The service puts the numbers of its model in their place.

/** The block `answer` of a guide: a call and what the page shows of its answer. */
export interface GuideAnswer {
  /** Name of the operation. */
  readonly operation: string;
  readonly input: object;
  /**
   * The table that the page shows, with its header. A cell such as `/ranges/0/min mm` points into the answer
   * (RFC 6901). Its format is `mm`, `%` for a share from 0 to 1, or `P` for a percentile. Other cells are text. A row that
   * begins with `each /sizes` stands for a row of each element of the list; its texts are separated by ` | `.
   */
  readonly show: readonly (readonly string[])[];
  /** The answer in one line, with cells in braces, such as `{/share %} fit`. */
  readonly headline: string;
}

/** The block `screen` of a guide: a view that the page shows as a picture and as a link. */
export interface GuideScreen {
  readonly screen: ScreenId;
  /** Query of the view. */
  readonly query: string;
  /** Description of the picture for readers who do not see it. */
  readonly picture: string;
}

/** The text of a guide with its live blocks. Each guide has one of a kind. */
interface GuideParts {
  readonly markdown: string;
  readonly answer: GuideAnswer;
  readonly screen: GuideScreen;
}

/** Groups of guides. */
const WORK = 'Seats and workplaces';
const TRAVEL = 'Vehicles and public space';
const WORN = 'Clothing and protection';
const HOW = 'How to';

/** Names of the guides in the order of the navigation, with titles, summaries and groups. */
export const GUIDES: Readonly<
  Record<string, readonly [title: string, summary: string, group?: string]>
> = {
  'chair-for-children': [
    'School desk and chair',
    'Heights of the seat and of the top for children of three ages.',
    WORK,
  ],
  desk: ['Desk', 'Heights of the top, and free space for knees.', WORK],
  lever: ['Lever', 'How far people on a seat grip, and which share of them.', TRAVEL],
  doorway: ['Doorway', 'Door height and door width for nearly everybody.', TRAVEL],
  gloves: ['Gloves', 'Glove sizes for most hands of a population.', WORN],
  helmet: ['Helmet', 'Helmet sizes for heads of several populations.', WORN],
  'uniform-order': ['Uniform order', 'How many pieces of each size to order.', WORN],
  'safety-opening': [
    'Safety opening of a machine',
    'Breadths of fingers, hands and heads, and reach of arms, by age.',
    WORN,
  ],
  percentiles: [
    'Which percentile for what',
    'Which people decide clearance, reach, adjustment and safety.',
    HOW,
  ],
  'two-limits': ['Several limits', 'The share of people within several limits together.', HOW],
  'clothing-and-age': [
    'Clothing and age',
    'How much clothing, shoes and age change a measurement.',
    HOW,
  ],
};

/** Prefix of the addresses of the guides. */
export const GUIDES_PATH = `${GUIDES_INDEX_PATH}/`;

/** The list waits so long for answers, ms. */
const LIST_WAIT_MS = 1000;

/** The list of all guides in groups: the picture and the finding of each, or its summary if the answer is not there yet. */
export async function guidesText(context: PageContext): Promise<string> {
  const entries: string[] = [];
  const endMs = Date.now() + LIST_WAIT_MS;
  // One after the other, because few computations of a page may wait at once.
  for (const [name, [title, summary, group]] of Object.entries(GUIDES)) {
    const { answer, screen } = partsOf(name);
    const late = sleep(endMs - Date.now(), undefined, { ref: false });
    const found =
      Date.now() < endMs ? await Promise.race([answerOf(answer, context), late]) : undefined;
    if (found === undefined) context.lacks?.();
    const finding = (found && headlineOf(answer, found)) ?? `${title}: ${summary}`;
    // A small picture has no words.
    const card = `- [![](${sceneOf(screen, context)}#plain) **${finding}**](${GUIDES_PATH}${name})`;
    entries.push(...(entries.includes(`\n## ${group}\n`) ? [] : [`\n## ${group}\n`]), card);
  }
  return blocks(
    'Each guide answers one question of a designer, with numbers of the API.',
    entries.join('\n'),
  );
}

/** The file of a guide. */
export function guideFile(name: string): string {
  return `docs/guides/${name}.md`;
}

const BLOCK = /^```(answer|screen)\n(.*?)\n```$/gms;

/** The live blocks of a guide's Markdown, in their order. */
export function liveBlocks(markdown: string) {
  const found = [...markdown.matchAll(BLOCK)];
  const of = (kind: string) =>
    found.filter(([, language]) => language === kind).map(([, , json = '']) => JSON.parse(json));
  return { answers: of('answer') as GuideAnswer[], screens: of('screen') as GuideScreen[] };
}

function partsOf(name: string): GuideParts {
  const markdown = withoutTitle(projectFile(guideFile(name)));
  const {
    answers: [answer],
    screens: [screen],
  } = liveBlocks(markdown);
  if (answer === undefined || screen === undefined) throw new Error(`${name} lacks a live block`);
  return { markdown, answer, screen };
}

/** The text of a guide with the numbers of the model, its picture, the link to its screen, and the call at the end. */
export async function guideText(name: string, context: PageContext): Promise<string> {
  const { markdown, answer, screen } = partsOf(name);
  const { input } = answer;
  const found = await answerOf(answer, context);
  const headline = headlineOf(answer, found);
  const shown = {
    answer: found instanceof Problem ? found.message : answerTable(answer, found),
    screen: blocks(
      `![${screen.picture}](${sceneOf(screen, context)})`,
      `[Open this view on the ${SCREEN_LABELS[screen.screen]} screen](${SCREEN_PATHS[screen.screen]}?${screen.query}) and change it.`,
    ),
  };
  const operation = operationNamed(answer.operation);
  const credits = operation.cost(input as never);
  return blocks(
    // The page has its title above.
    headline &&
      `## ${headline.replace(/^.*?: ./, (start) => start.slice(-1).toUpperCase())} {#answer}`,
    markdown.replaceAll(BLOCK, (_, kind: keyof typeof shown) => shown[kind]),
    '## The call',
    `[${operation.title}](${operationPage(operation.path)}) returns the numbers of this page for ${credits} ${credits === 1 ? 'credit' : 'credits'}:`,
    fenced(
      'sh',
      curlText(
        { operation: operation.name, path: operation.path, body: input },
        context.origin,
        context.isShort ? undefined : prettyJson(input),
      ),
    ),
    context.isShort ? undefined : nextSteps(name, screen),
  );
}

/** Links for the reader of a guide. Guides with the same screen come first. */
function nextSteps(name: string, { screen }: GuideScreen): string {
  const others = Object.entries(GUIDES).filter(([other]) => other !== name);
  const near = others.filter(([other]) => partsOf(other).screen.screen === screen);
  return [
    '## Next steps {#next}\n',
    `- [Get a key](/account/sign-up): calls worth ${FREE_CALLS_PER_WINDOW} credits in ${FREE_WINDOW_HOURS} hours are free.`,
    ...[...new Set([...near, ...others])]
      .slice(0, 2)
      .map(([other, [title, summary]]) => `- [${title}](${GUIDES_PATH}${other}): ${summary}`),
  ].join('\n');
}

function operationNamed(name: string): Operation {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`a guide asks for the operation ${name}`);
  return operation;
}

/** The answer of a guide, or the reason why this model has none. */
function answerOf({ operation, input }: GuideAnswer, { answer }: PageContext) {
  return answer(operationNamed(operation), input).catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
}

/** The headline with the numbers of the answer; undefined where a number was refused. */
function headlineOf({ headline }: GuideAnswer, answer: object): string | undefined {
  if (answer instanceof Problem) return undefined;
  const text = headline.replaceAll(/\{(.*?)\}/g, (_, cell: string) =>
    shownCell(cell, answer).replace(' ', '\u00a0'),
  );
  return text.includes(REFUSED) ? undefined : text;
}

/** What stands in place of the number of a request of a batch that this model refuses. */
const REFUSED = '–';

/** A row for each element of a list, such as `each /sizes`. The other cells of the row point into the element. */
const EACH = /^each (\/\S*)$/;

/** The rows that a guide shows of an answer, with a row for each element of a list. */
export function shownRows(rows: GuideAnswer['show'], answer: unknown): GuideAnswer['show'] {
  return rows.flatMap((row) => {
    const [, list] = EACH.exec(row[0] ?? '') ?? [];
    if (list === undefined) return [row];
    const elements = valueAt(list, answer);
    return (Array.isArray(elements) ? elements : []).map((_, index) =>
      row.slice(1).map((cell) => {
        return cell.startsWith('/')
          ? `${list}/${index}${cell}`
          : (cell.split(' | ')[index] ?? cell);
      }),
    );
  });
}

function answerTable({ show: [header = [], ...asked] }: GuideAnswer, answer: object): string {
  const rows = shownRows(asked, answer);
  const cells = rows.map((row) => row.map((cell) => shownCell(cell, answer)));
  return table(header, cells, (column) => rows.some((row) => /^\/\S+ /.test(row[column] ?? '')));
}

/** The value to which a pointer leads (RFC 6901); undefined if there is none. */
function valueAt(pointer: string, answer: unknown): unknown {
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], answer);
}

/** A cell of a shown table: text, or a number of the answer with its unit. */
export function shownCell(cell: string, answer: unknown): string {
  if (!cell.startsWith('/')) return cell;
  const [pointer = '', format = ''] = cell.split(' ');
  const value = valueAt(pointer, answer);
  if (typeof value !== 'number') return typeof value === 'string' ? value : REFUSED;
  if (format === '%') return percent(value);
  return format === 'P' ? `P${percentileText(value)}` : formatLength(value, 'mm');
}

/** Address of the picture of a guide. */
function sceneOf({ screen, query }: GuideScreen, { model }: PageContext) {
  return shareImageOf(SCREEN_PATHS[screen], query, model.artifactVersion, 'scene');
}
