import type { VNode } from 'preact';

/** Id of the element with the data of a page's first view. */
const INITIAL_DATA_ID = 'initial-data';

/** Data for the script of a page. Only `<` could end the element early, so it is escaped. */
export function EmbeddedJson({ value }: { readonly value: unknown }): VNode {
  const html = { __html: JSON.stringify(value).replaceAll('<', '\\u003c') };
  return <script id={INITIAL_DATA_ID} type="application/json" dangerouslySetInnerHTML={html} />;
}
