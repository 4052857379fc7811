import type { VNode } from 'preact';
import { fileCostText } from '../shared/file-cost.js';
import { BODY_PERCENTILES, type BodyData } from './data-types.js';

/** Links to the bodies of the drawn people as files, and what one costs; nothing without bodies. */
export function PersonFiles({ data }: { readonly data: BodyData }): VNode | null {
  const { fileCredits, posture, populations } = data;
  const all = populations.flatMap(({ persons = [] }) =>
    persons.flatMap(({ who, files }, index) =>
      files === undefined ? [] : [{ who, files, percentile: BODY_PERCENTILES[index] }],
    ),
  );
  if (fileCredits === undefined || all.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="files-heading">
      <h2 id="files-heading">Bodies of these people</h2>
      <p>
        {posture === 'sitting' ? 'Sitting' : 'Standing erect'}, without clothing. GLB is the body,
        DXF its outlines from the side, the front and above in mm. A file costs{' '}
        {fileCostText(fileCredits)}, as in the API.
      </p>
      <ul class="body-files">
        {all.map(({ who, files, percentile }, index) => (
          <li key={index}>
            P{percentile} of stature and body mass, {who}: <a href={files.glb}>GLB</a> or{' '}
            <a href={files.dxf}>DXF</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
