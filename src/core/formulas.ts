/**
 * Places at which a spreadsheet may begin a formula: at the start of a cell, or after a separator of cells other
 * than ours, such as the semicolon in German. The full-width signs count, too
 * (OWASP, "CSV Injection").
 */
const FORMULA = /(?<=^|[;\t\r\n])(?= *[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;

/** The text of a cell with an apostrophe before each formula, which spreadsheets then show as text. */
export function withoutFormulas(text: string): string {
  return text.replace(FORMULA, "'");
}
