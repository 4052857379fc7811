import { addCopyButtons } from './copy-buttons.js';
import { showOwnKey } from './own-key.js';

showOwnKey();
addCopyButtons();
