import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Product } from '../../../products/index.js';
import { addressOf } from '../../shared/address-fields.js';
import { Later } from '../../widgets/parts.js';
import { chosenHere, type ViewLink, ViewLinks } from '../../widgets/view.js';
import { FIT_ADDRESS, type FitView, viewChosenFrom } from '../address.js';
import { boxAround } from '../drawing.js';
import { OWN_ID, PRODUCT_GROUPS, productById, SCENES, sizesOf } from '../products.js';

/** The products that are always in the row. */
const IN_ROW: ReadonlySet<string> = new Set([
  ...['desk', 'chair', 'bed', 'doorway', 'counter', 'shelf', 'seat-row', 'helmet', 'glove'],
  ...['school-desk', 'safety-opening', 'handrail', 'bicycle'],
]);

interface GalleryProps {
  readonly view: FitView;
  readonly choose: (change: Partial<FitView>) => void;
}

/**
 * The products. The usual ones and the chosen one are in one row; the button before them opens all products with
 * pictures, in groups. Every product is a link that the user can open in a new tab.
 */
export function Gallery({ view, choose }: GalleryProps): VNode {
  const all = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (all.current !== null && location.hash === '#all') all.current.open = true;
    const close = ({ target }: PointerEvent) => {
      if (all.current?.contains(target as Node) === false) all.current.open = false;
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, []);
  /** Closes the pictures. The focus returns to the button. */
  const close = () => {
    if (all.current?.open !== true) return;
    all.current.open = false;
    all.current.querySelector('summary')?.focus();
  };
  const linkTo = ({ id, title }: { readonly id: string; readonly title: string }): ViewLink => {
    const next = viewChosenFrom(view, id);
    return {
      ...{ title, href: addressOf(FIT_ADDRESS, next), isCurrent: id === view.product },
      onChoose() {
        choose({ ...next, pair: undefined });
        close();
      },
    };
  };
  const row = PRODUCT_GROUPS.flatMap(({ products }) => products).filter(
    ({ id }) => id === view.product || IN_ROW.has(id),
  );
  const links = [...row, { id: OWN_ID, title: 'Own limits' }].map(linkTo);
  return (
    <div class="gallery">
      <details
        ref={all}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      >
        <summary>All products</summary>
        <Later>
          <AllProducts linkTo={linkTo} />
        </Later>
      </details>
      <ViewLinks label="Products" links={links} />
    </div>
  );
}

/** The products with pictures, in groups. */
function AllProducts({ linkTo }: { readonly linkTo: (product: Product) => ViewLink }): VNode {
  return (
    <nav class="gallery-all" aria-label="All products">
      {PRODUCT_GROUPS.map(({ title, products }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul class="row">
            {products.map((product) => {
              const link = linkTo(product);
              return (
                <li key={product.id}>
                  <a
                    href={link.href}
                    aria-current={link.isCurrent ? 'page' : undefined}
                    onClick={chosenHere(link)}
                  >
                    <ProductIcon id={product.id} />
                    {product.title}
                  </a>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** A small picture of a product: the lines of its scene with its first sizes. It needs no computation. */
function ProductIcon({ id }: { readonly id: string }): VNode | null {
  const sizes = productById(id)?.sizes ?? [];
  const mm = (size: string) => sizes.find((one) => one.id === size)?.usual ?? 0;
  const [part] = SCENES[id]?.(mm, sizesOf({})) ?? [];
  const drawn = part?.shapes ?? [];
  const dots = drawn.flatMap(({ points }) => points);
  if (dots.length === 0) return null;
  const [left, right, bottom, top] = boxAround(dots);
  const [width, height] = [right - left, top - bottom];
  const margin = Math.max(width, height) * 0.04;
  const box = [left - margin, -top - margin, width + 2 * margin, height + 2 * margin];
  const d = drawn.map(({ points }) => `M${points.map(([x, y]) => `${x} ${-y}`).join('L')}`);
  return (
    <svg class="product-icon" viewBox={box.map(Math.round).join(' ')} aria-hidden="true">
      <path d={d.join('').replaceAll(/(\.\d)\d+/g, '$1')} />
    </svg>
  );
}
