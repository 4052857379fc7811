import type { VNode } from 'preact';
import { productById } from '../products.js';
import { AVERAGE_SIZES, SCENES } from '../scenes.js';

/** A small picture of a product: the lines of its scene with its first sizes. It needs no computation. */
export function ProductIcon({ id }: { readonly id: string }): VNode | null {
  const sizes = productById(id)?.sizes ?? [];
  const mm = (size: string) => sizes.find((one) => one.id === size)?.defaultMm ?? 0;
  const lines = SCENES[id]?.(mm, AVERAGE_SIZES).lines.filter(({ dashed }) => !dashed) ?? [];
  const drawn = lines.length > 0 ? lines : (SCENES[id]?.(mm, AVERAGE_SIZES).lines ?? []);
  const dots = drawn.flatMap(({ points }) => points);
  if (dots.length === 0) return null;
  const [xs, ys] = [dots.map(([x]) => x), dots.map(([, y]) => -y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const margin = Math.max(width, height) * 0.04;
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin];
  const d = drawn.map(({ points }) => `M${points.map(([x, y]) => `${x} ${-y}`).join('L')}`);
  return (
    <svg class="product-icon" viewBox={box.map(Math.round).join(' ')} aria-hidden="true">
      <path d={d.join('').replaceAll(/(\.\d)\d+/g, '$1')} />
    </svg>
  );
}
