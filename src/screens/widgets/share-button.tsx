import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

const SAID_MS = 4000;

/** Copies the address of the view, and says so. */
export function ShareButton(): VNode {
  const [said, setSaid] = useState('');
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setSaid('The address of this view is copied.');
    } catch {
      setSaid('The browser did not allow copying. Copy the address from the address bar.');
    }
    setTimeout(() => setSaid(''), SAID_MS);
  };
  return (
    <>
      <button type="button" onClick={share}>
        Share
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  );
}
