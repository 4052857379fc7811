import type { VNode } from 'preact';

/** Ages, such as 18–65. Browsers break lines after the dash. */
const RANGE = /(?<!\d)(\d+–\d+)/;

/** A text. Its ranges of ages do not wrap. */
export function Unbroken({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(RANGE).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="unbroken">
            {part}
          </span>
        ),
      )}
    </>
  );
}
