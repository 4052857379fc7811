import { connectCopyButtons } from './copy-buttons.js';
import { exampleKey } from './example-key.js';
import { connectKeyChoice, showKeptKey } from './key-choice.js';

// On the sign-in page, to which a sign-out leads, this forgets the key of the examples.
exampleKey();
connectCopyButtons();
connectKeyChoice();
showKeptKey();
