import type { Command } from 'commander';
import { PRODUCTS } from '../products/index.js';
import { JSON_OPTION, type JsonOption, print, table } from './output.js';

/** Prints the catalogue of products as `GET /v1/products` returns it, or as a table. */
export function productsCommand(command: Command): void {
  command.option(...JSON_OPTION).action((options: JsonOption) => {
    const rows = PRODUCTS.map(({ id, title, sizes = [], chart, scene }) => [
      ...[id, title, sizes.map((size) => size.id).join(' ')],
      [...(chart === undefined ? [] : ['sizes']), ...(scene === undefined ? [] : ['reach'])].join(
        ' ',
      ),
    ]);
    const text = table([['PRODUCT', 'TITLE', 'SIZES OF product-fit', 'ALSO'], ...rows]);
    print(options, { products: PRODUCTS }, text);
  });
}
