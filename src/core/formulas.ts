/**
 * Places at which a spreadsheet may begin a formula: at the start of a cell, or after a separator that other programs
 * use, such as the semicolon in German. Full-width signs can begin a formula too (OWASP, "CSV Injection").
 */
const FORMULA = /(?<=^|[;\t\r\n])(?= *[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;

/** Puts an apostrophe before each formula in a cell. Spreadsheets then show the formula as text. */
export function withoutFormulas(text: string): string {
  return text.replace(FORMULA, "'");
}
