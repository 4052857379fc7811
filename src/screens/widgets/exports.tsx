import { type ComponentChildren, Fragment, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { priceText } from '../../core/billing-terms.js';
import { SERVICE_NAME } from '../../core/version.js';
import { type Call, curlText, mcpText, pythonText, typeScriptText } from '../../site/call-text.js';
import { SHARE_FORMS, shareImagePath } from '../../site/paths.js';
import { addressOf, type ScreenAddress } from '../shared/address-fields.js';
import type { ExactCall } from '../shared/data-types.js';
import { type ChosenPopulation, populationLabel } from '../shared/populations.js';
import type { Tidy } from '../shared/table.js';
import { exampleKey, forgetExampleKey, startOf, withKey } from './example-key.js';
import { Segments } from './fields.js';
import { useId } from './parts.js';
import type { ScreenPicture } from './save-file.js';

/** Maximum length of a name. File names have at most 255 bytes, and the version and the extension follow. */
const LENGTH_MAX = 200;

/** Name of an exported file without its extension: the content, the populations and the data version. */
export function fileNameOf(
  what: readonly string[],
  populations: readonly ChosenPopulation[],
  artifactVersion: string,
): string {
  const who = populations.map((one) => populationLabel(one).replace('–', '-'));
  const words = ['vitruvia', ...what, ...who].join(' ').replace(/[^\w.-]+/g, '-');
  return `${words.slice(0, LENGTH_MAX)}-${artifactVersion.replace(/[^\w.-]/g, '')}`;
}

const SAID_MS = 4000;

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  /** What the page says after the text is copied, and if the browser refused to copy it. */
  readonly copied: string;
  readonly refused: string;
}

/** A button that copies a text, and says so. */
function CopyButton({ label, text, copied, refused }: CopyButtonProps): VNode {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid(copied);
    } catch {
      setSaid(`The browser did not allow copying. ${refused}`);
    }
    setTimeout(() => setSaid(''), SAID_MS);
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  );
}

/** Copies the address of the view, and says so. */
export function ShareButton(): VNode {
  return (
    <CopyButton
      label="Share"
      text={() => location.href}
      copied="The address of this view is copied."
      refused="Copy the address from the address bar."
    />
  );
}

interface ExportButtonsProps {
  /** What the screen shows, for the names of files. */
  readonly what: readonly string[];
  /** The people, for the names of files; undefined if `what` says who they are. */
  readonly populations?: readonly ChosenPopulation[];
  readonly data: { readonly artifactVersion: string };
  table(): Tidy;
  readonly pictures: readonly ScreenPicture[];
  /** Path and query that the files name. By default, those of the page. */
  readonly path?: string;
}

/** What writes files. Its code is loaded at the first use. */
const writer = () => import('./save-file.js');

/** Buttons that save the table of a screen as CSV and its pictures as SVG, PNG and DXF, and one that copies the address. */
export function ExportButtons(props: ExportButtonsProps): VNode {
  const { what, populations = [], data, table, pictures, path } = props;
  const { artifactVersion } = data;
  const nameOf = (more: readonly string[] = []) =>
    fileNameOf([...what, ...more], populations, artifactVersion);
  const source = () => {
    const address = path === undefined ? location.href : location.origin + path;
    return `Vitruvia, data ${artifactVersion}. ${address}`;
  };
  const onCsv = async () => (await writer()).saveTable(table(), `${nameOf()}.csv`);
  return (
    <div class="row exports">
      <span class="label">Export</span>
      <button type="button" onClick={onCsv}>
        CSV
      </button>
      {pictures.flatMap(({ label, what: more, svg, texts, hasPeople }) =>
        (['SVG', 'PNG', ...(hasPeople === true ? (['DXF'] as const) : [])] as const).map(
          (format) => (
            <button
              key={`${label} ${format}`}
              type="button"
              onClick={async () =>
                (await writer()).savePicture(
                  {
                    ...{ svg, name: nameOf(more) },
                    texts: (drawn) => ({ source: source(), ...texts(drawn) }),
                  },
                  format,
                )
              }
            >
              {label === undefined ? format : `${label} ${format}`}
            </button>
          ),
        ),
      )}
      <ShareButton />
    </div>
  );
}

/** The forms in which a call can be shown. */
const LANGUAGES = {
  curl: curlText,
  Python: pythonText,
  TypeScript: typeScriptText,
  MCP: mcpOf,
} as const;
type Language = keyof typeof LANGUAGES;

interface CardLinksProps<View> {
  readonly address: ScreenAddress<View>;
  readonly view: View;
}

/** Links to the share image of a view, as a card for slides. */
export function CardLinks<View>({ address, view }: CardLinksProps<View>): VNode {
  return (
    <p class="hint screen-only">
      A card for slides, with the people, the answer, the source and the address:{' '}
      {SHARE_FORMS.map((form, index) => (
        <Fragment key={form}>
          {index === 0 ? '' : ' or '}
          <a
            href={`${shareImagePath(address.path, form)}?${address.query(view)}`}
            download={`vitruvia-card.${form}`}
          >
            {form.toUpperCase()}
          </a>
        </Fragment>
      ))}
    </p>
  );
}

interface CallChoiceProps {
  /** Label of the choice of a call. */
  readonly label?: string | undefined;
  readonly calls: readonly (readonly [label: string, call: ExactCall])[];
}

/** API calls that return the exact numbers of the page, one at a time and ready to copy; nothing without calls. */
export function CallChoice({ label = 'Numbers', calls }: CallChoiceProps): VNode | null {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const [language, setLanguage] = useState<Language>('curl');
  const [key, setKey] = useState(exampleKey);
  const [, call] = calls[chosen] ?? calls[0] ?? [];
  if (call === undefined) return null;
  const code = withKey(LANGUAGES[language](call, location.origin), key);
  const forget = () => {
    forgetExampleKey();
    setKey(undefined);
  };
  return (
    <section class="panel calls" aria-labelledby="calls-heading">
      <h2 id="calls-heading">The same numbers from the API</h2>
      <p class="soft">
        This call returns the exact numbers above. It costs {priceText(call.credits)}.{' '}
        <a href="/docs">How to call the API</a>
      </p>
      {calls.length === 1 ? null : (
        <div class="form-row">
          <label for={id}>{label}</label>
          <select id={id} onChange={(event) => setChosen(event.currentTarget.selectedIndex)}>
            {calls.map(([name]) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      )}
      <div class="row code-bar">
        <Segments
          legend="Language"
          hideLegend
          options={(Object.keys(LANGUAGES) as Language[]).map((name) => [name, name] as const)}
          chosen={language}
          onChoose={setLanguage}
        />
        <div>
          <CopyButton
            label="Copy"
            text={() => code}
            copied="Copied"
            refused="Select the text and copy it."
          />
        </div>
      </div>
      <pre class="call">
        <code>{code}</code>
      </pre>
      {key === undefined ? null : (
        <p class="own-key">
          Your test key <code>{`${startOf(key)}…`}</code> is in this call.{' '}
          <button type="button" onClick={forget}>
            Forget it
          </button>
        </p>
      )}
    </section>
  );
}

function mcpOf(call: Call, origin: string): string {
  return `// ${origin}/mcp, with the header Authorization: Bearer <API_KEY>\n${mcpText(call)}`;
}

interface ReportPanelProps<View> {
  readonly address: ScreenAddress<View>;
  readonly view: View;
  /** Topic and people of the page. By default, the title of the address. */
  readonly title?: string;
  /** The version of the artifact, and the titles of the surveys on which the numbers rest, if they are known. */
  readonly data: {
    readonly artifactVersion: string;
    readonly surveys?: readonly string[] | undefined;
  };
  /** Sizes and assumptions, each with the class `on-paper`. */
  readonly children: ComponentChildren;
}

/** Maximum number of surveys on the page. The page gives the number of the others. */
const SURVEYS_MAX = 8;

/**
 * Text that the printed page needs besides its pictures and numbers: sizes, assumptions, sources, version and
 * link. The styles for paper are in `screen.css`. On the screen, the panel says how to print and cite the
 * page.
 */
export function ReportPanel<View>(props: ReportPanelProps<View>): VNode {
  const { address, view, title = address.title(view), data, children } = props;
  const day = new Date().toISOString().slice(0, 10);
  const cite = `${SERVICE_NAME}, “${title}”, data ${data.artifactVersion}, ${day}. ${location.origin}${addressOf(address, view)}`;
  return (
    <section class="panel report" aria-labelledby="report-heading">
      <h2 id="report-heading">Report</h2>
      {children}
      <p class="on-paper">{sourcesText(data)}</p>
      <p class="report-cite soft small long-text">{cite}</p>
      <div class="row exports">
        <button type="button" onClick={() => print()}>
          Print the report
        </button>
        <CopyButton
          label="Cite this"
          text={() => cite}
          copied="The citation is copied."
          refused="Select the text and copy it."
        />
      </div>
    </section>
  );
}

/** The surveys behind the numbers, with title and year. */
function sourcesText({ surveys, artifactVersion }: ReportPanelProps<unknown>['data']): string {
  const version = `Numbers: ${SERVICE_NAME}, data ${artifactVersion}.`;
  if (surveys === undefined || surveys.length === 0) {
    return `${version} The operation evidence names the surveys of each country.`;
  }
  const more = surveys.length - SURVEYS_MAX;
  const rest = more > 0 ? ` and ${more} more, which the operation evidence names` : '';
  return `${version} Surveys: ${surveys.slice(0, SURVEYS_MAX).join('; ')}${rest}.`;
}

interface TakenProps<View>
  extends Omit<ExportButtonsProps, 'data'>,
    Omit<ReportPanelProps<View>, 'children'>,
    CallChoiceProps {
  /** What the report says, each part with the class `on-paper`. */
  readonly onPaper: ComponentChildren;
  /** Files of other kinds. */
  readonly files?: ComponentChildren;
}

/** The tabs with what a reader takes away from a screen: files, a report, and the calls of the API. */
export function exportTabs<View>({ label, calls, onPaper, files, ...more }: TakenProps<View>) {
  return [
    [
      'Export',
      <>
        <ExportButtons {...more} />
        {files}
        <ReportPanel {...more}>{onPaper}</ReportPanel>
      </>,
    ],
    ['API', <CallChoice key="calls" {...{ label, calls }} />],
  ] as const;
}
