/**
 * Places at which a spreadsheet may begin a formula: at the start of a cell, or after a separator that other programs
 * use, such as the semicolon in German. Full-width signs can begin a formula too (OWASP, "CSV Injection").
 */
const FORMULA = /(?<=^|[;\t\r\n])(?= *[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;

/** A plain number, with a decimal point or comma, or a dash for a missing value. No program runs these. */
const HARMLESS = /^(?:[+-]?\d[\d.,]*(?:e[+-]?\d+)?|-+)$/i;

/**
 * Puts an apostrophe before each formula in a cell. Spreadsheets then show the formula as text. Plain numbers, a lone
 * dash and texts that have their apostrophe stay as they are.
 */
export function withoutFormulas(text: string): string {
  return HARMLESS.test(text) ? text : text.replace(FORMULA, "'");
}
