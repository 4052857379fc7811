import type { VNode } from 'preact';
import type { Mode } from '../../core/billing-terms.js';

/** Labels of the modes. */
export const MODE_LABELS: Readonly<Record<Mode, string>> = { live: 'Live', test: 'Test' };

interface TabsProps<Name extends string> {
  readonly label: string;
  /** Labels of the choices, in their order. */
  readonly labels: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly hrefOf: (name: Name) => string;
}

/** A choice as links. It takes effect at once, also without scripts. */
export function Tabs<Name extends string>(props: TabsProps<Name>): VNode {
  const { label, labels, chosen, hrefOf } = props;
  return (
    <nav class="row view-links" aria-label={label}>
      {(Object.keys(labels) as Name[]).map((name) => (
        <a key={name} href={hrefOf(name)} aria-current={name === chosen ? 'page' : undefined}>
          {labels[name]}
        </a>
      ))}
    </nav>
  );
}

/** The other one of the two modes. */
export function otherMode(mode: Mode): Mode {
  return mode === 'live' ? 'test' : 'live';
}

interface OtherModeProps {
  /** The mode that the page shows. */
  readonly mode: Mode;
  /** Address of the page in the other mode. */
  readonly href: string;
  /** Funds of the other mode, such as `12 calls in these 30 days`; undefined if it has nothing. */
  readonly has: string | undefined;
  /** Name of the things that `has` counts, such as `entries`. It is used when there are none. */
  readonly nothing: string;
}

/** Says what the other mode has, with a link to the page in that mode. */
export function OtherMode({ mode, href, has, nothing }: OtherModeProps): VNode {
  const other = otherMode(mode);
  return (
    <p class="soft small">
      {`${MODE_LABELS[other]} mode has ${has ?? `no ${nothing}`}. `}
      {has === undefined ? null : <a href={href}>See {other} mode</a>}
    </p>
  );
}
