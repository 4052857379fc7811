import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { SERVICE_NAME } from '../../core/version.js';

interface ReportPanelProps {
  /** Topic and people of the page. */
  readonly title: string;
  /** Path and query of the view. */
  readonly path: string;
  /** The numbers: their version, and the titles of the surveys behind them, if these are known. */
  readonly data: {
    readonly artifactVersion: string;
    readonly surveys?: readonly string[] | undefined;
  };
  /** Sizes and assumptions, each with the class `on-paper`. */
  readonly children: ComponentChildren;
}

const SAID_MS = 4000;
/** Maximum number of surveys on the page. The page gives the number of the others. */
const SURVEYS_MAX = 8;

/**
 * Text that the printed page needs besides its pictures and numbers: sizes, assumptions, sources, version and
 * link. The styles for paper are in `report.css`. On the screen, the panel says how to print and cite the
 * page.
 */
export function ReportPanel(props: ReportPanelProps): VNode {
  const { title, path, data, children } = props;
  const [said, setSaid] = useState('');
  const day = new Date().toISOString().slice(0, 10);
  const cite = `${SERVICE_NAME}, “${title}”, data ${data.artifactVersion}, ${day}. ${location.origin}${path}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(cite);
      setSaid('The citation is copied.');
    } catch {
      setSaid('The browser did not allow copying. Select the text and copy it.');
    }
    setTimeout(() => setSaid(''), SAID_MS);
  };
  return (
    <section class="panel report" aria-labelledby="report-heading">
      <h2 id="report-heading">Report</h2>
      {children}
      <p class="on-paper">{sourcesText(data)}</p>
      <p class="report-cite">{cite}</p>
      <div class="exports">
        <button type="button" onClick={() => print()}>
          Print the report
        </button>
        <button type="button" onClick={copy}>
          Cite this
        </button>
        <span class="hint" role="status">
          {said}
        </span>
      </div>
    </section>
  );
}

/** The surveys behind the numbers, with title and year. */
function sourcesText({ surveys, artifactVersion }: ReportPanelProps['data']): string {
  const version = `Numbers: ${SERVICE_NAME}, data ${artifactVersion}.`;
  if (surveys === undefined || surveys.length === 0) {
    return `${version} The operation evidence names the surveys of each country.`;
  }
  const more = surveys.length - SURVEYS_MAX;
  const rest = more > 0 ? ` and ${more} more, which the operation evidence names` : '';
  return `${version} Surveys: ${surveys.slice(0, SURVEYS_MAX).join('; ')}${rest}.`;
}
