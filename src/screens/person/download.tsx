import type { ComponentChildren, VNode } from 'preact';
import { addressOf } from '../shared/address-fields.js';
import { fileCostText } from '../shared/file-cost.js';
import { BODY_FORMATS, DOWNLOAD_ADDRESS, type PersonView } from './address.js';

interface DownloadProps {
  readonly view: PersonView;
  readonly credits: number;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** Links to the account page that downloads the full body. */
export function Download({ view, credits, children }: DownloadProps): VNode {
  const person: PersonView = { ...view, unit: 'mm', marked: [] };
  return (
    <section class="panel person-download" aria-labelledby="download-heading">
      <h2 id="download-heading">Download</h2>
      <p>
        The full body, about 13,400 vertices, for CAD and renderers; as DXF, its outlines from the
        side, the front and above. A file costs {fileCostText(credits)}, as in the API.
      </p>
      <p class="row exports">
        {BODY_FORMATS.map((format) => (
          <a
            key={format}
            class="button"
            href={addressOf(DOWNLOAD_ADDRESS, { view: person, format })}
          >
            {format.toUpperCase()}
          </a>
        ))}
        {children}
      </p>
      <p class="hint">
        The body is a mannequin fitted to numbers, nude, not a scan of anybody. Mesh: MakeHuman, CC0
        1.0. The page shows a light body of about 4,100 vertices. <a href="/docs/body">More</a>
      </p>
    </section>
  );
}
