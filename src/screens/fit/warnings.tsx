import type { VNode } from 'preact';
import { productById } from './products.js';

/** What must be read before the sizes of a product. */
export function Warnings({ product }: { readonly product: string }): VNode {
  const { warnings = [] } = productById(product) ?? {};
  return (
    <>
      {warnings.map((text) => (
        <p key={text} class="notice warning">
          {text}
        </p>
      ))}
    </>
  );
}
