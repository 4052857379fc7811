/** A title inside a sentence, such as `desk` for `Desk`. Abbreviations such as `VR` and words such as `T-shirt` stay. */
export function inSentence(title: string): string {
  return title.replace(/^[A-Z](?![A-Z\d-])/, (first) => first.toLowerCase());
}

/** A text at the beginning of a sentence or of a line. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
