import {
  exampleKey,
  forgetExampleKey,
  keepExampleKey,
  startOf,
} from '../../src/screens/widgets/example-key.js';

/** Connects the button below a new test key. It puts the key into the examples of this browser. */
export function connectKeyChoice(): void {
  const choice = document.querySelector<HTMLElement>('[data-key-choice]');
  const button = choice?.querySelector('button');
  const said = choice?.querySelector<HTMLElement>('[role="status"]');
  const key = document.getElementById('api-key')?.textContent ?? '';
  if (choice == null || button == null || said == null) return;
  const use = button.textContent ?? '';
  choice.hidden = false;
  button.addEventListener('click', () => {
    if (exampleKey() === key) {
      forgetExampleKey();
      button.textContent = use;
      said.textContent = 'This browser has forgotten the key.';
    } else if (keepExampleKey(key)) {
      button.textContent = 'Forget it';
      said.textContent = 'The examples in this browser show your key now.';
    } else {
      said.textContent = 'This browser stores nothing for this site, so the key cannot be kept.';
    }
  });
}

/**
 * Says in the list of keys which key the examples show. A key that is not in the list was revoked or belongs
 * to another account. It is removed from this browser.
 */
export function showKeptKey(): void {
  const note = document.querySelector<HTMLElement>('[data-kept-key]');
  const key = exampleKey();
  if (note === null || key === undefined) return;
  if (!note.dataset.keptKey?.split(' ').includes(startOf(key))) {
    forgetExampleKey();
    return;
  }
  const start = note.querySelector('code');
  if (start !== null) start.textContent = `${startOf(key)}…`;
  note.hidden = false;
  note.querySelector('button')?.addEventListener('click', () => {
    forgetExampleKey();
    note.textContent = 'This browser has forgotten the key.';
  });
}
