import type { ComponentChildren, VNode } from 'preact';

interface PlainTableProps {
  readonly caption: string;
  readonly head: readonly string[];
  /** The columns after the first whose cells are texts. */
  readonly texts?: readonly string[];
  /** The cells of each row. The first is the head of the row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table of numbers. */
export function PlainTable({ caption, head, texts = [], rows }: PlainTableProps): VNode {
  const classOf = (index: number) =>
    index === 0 || texts.includes(head[index] ?? '') ? undefined : 'number';
  return (
    <div class="table-scroll">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name, index) => (
              <th key={name} scope="col" class={classOf(index)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{first}</th>
              {cells.map((cell, index) => (
                <td key={head[index + 1]} class={classOf(index + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
