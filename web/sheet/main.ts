import { controlSheet } from '../populations/bottom-sheet.js';

const sheet = document.querySelector<HTMLDetailsElement>('.bottom-sheet');
if (sheet !== null) controlSheet(sheet);
