import type { ComponentChildren, VNode } from 'preact';

interface StackingTableProps {
  /** Headings of the columns. A heading that only explains buttons is hidden and has no label on a phone. */
  readonly columns: readonly (string | { readonly hidden: string })[];
  /** Headings of the columns of numbers. */
  readonly numbers?: readonly string[];
  /** Cells of the rows by their keys. The first cell of a row is its heading. */
  readonly rows: readonly (readonly [key: string, cells: readonly ComponentChildren[]])[];
}

/** A table that a phone shows as a list of named cells. */
export function StackingTable({ columns, numbers = [], rows }: StackingTableProps): VNode {
  const label = (column = 0) => {
    const heading = columns[column];
    return typeof heading === 'string' ? heading : '';
  };
  const kind = (column: number) => (numbers.includes(label(column)) ? 'number' : undefined);
  return (
    <div class="table-scroll">
      <table class="stacking">
        <thead>
          <tr>
            {columns.map((heading, column) => (
              <th key={column} scope="col" class={kind(column)}>
                {typeof heading === 'string' ? (
                  heading
                ) : (
                  <span class="visually-hidden">{heading.hidden}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, [first, ...cells]]) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {cells.map((cell, index) => (
                <td key={label(index + 1)} data-label={label(index + 1)} class={kind(index + 1)}>
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
