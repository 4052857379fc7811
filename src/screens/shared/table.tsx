import type { ComponentChildren, VNode } from 'preact';

/** A table for other programs. Each row has one number and everything that describes this number. */
export interface Tidy {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The names of columns, and what they have of a row. Nothing is an empty cell. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | undefined>>;

/** A table of these columns. */
export function tidyTable<Row>(columns: Columns<Row>, rows: readonly Row[]): Tidy {
  const cells = Object.values(columns);
  return {
    head: Object.keys(columns),
    rows: rows.map((row) => cells.map((cell) => cell(row) ?? '')),
  };
}

type Cells = readonly ComponentChildren[];

interface DataTableProps {
  readonly caption?: ComponentChildren;
  /** Name of the part of the page that scrolls. By default, the caption. */
  readonly label?: string;
  readonly class?: string;
  /** Whether the printed table has two columns. */
  readonly long?: boolean;
  /** Whether a phone shows the rows as lists of named cells. */
  readonly stacks?: boolean;
  readonly head: Cells;
  /** The columns whose cells are texts, besides the head of each row. */
  readonly texts?: readonly string[] | 'all';
  /** Index of the column that is the head of each row. */
  readonly headAt?: number;
  /** The cells of each row. */
  readonly rows: readonly Cells[];
  /** Attributes of a row, by its index. */
  readonly rowAttributes?: (row: number) => object;
  readonly foot?: Cells;
}

/** A table of numbers. A wide one scrolls. */
export function DataTable(props: DataTableProps): VNode {
  const { caption, label = String(caption), head, texts = [], headAt = 0, rows } = props;
  const { long = false, stacks = false, rowAttributes, foot } = props;
  const nameOf = (index: number) => (typeof head[index] === 'string' ? head[index] : '');
  const classOf = (index: number) =>
    index === headAt || texts === 'all' || texts.includes(nameOf(index)) ? undefined : 'number';
  const rowOf = (cells: Cells, row?: number) => (
    <tr key={row} {...(row === undefined ? {} : rowAttributes?.(row))}>
      {cells.map((cell, index) =>
        index === headAt ? (
          <th key={index} scope="row">
            {cell}
          </th>
        ) : (
          <td key={index} class={classOf(index)} data-label={stacks ? nameOf(index) : undefined}>
            {cell}
          </td>
        ),
      )}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section class={`table-scroll${long ? ' long' : ''}`} tabIndex={0} aria-label={label}>
      <table class={stacks ? 'stacking' : props.class}>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {head.map((name, index) => (
              <th key={index} scope="col" class={classOf(index)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(rowOf)}</tbody>
        {foot === undefined ? null : <tfoot>{rowOf(foot)}</tfoot>}
      </table>
    </section>
  );
}
