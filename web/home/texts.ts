/** An element with a text. */
export function textOf(tag: string, text: string, name = ''): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  return element;
}

/** Why there is no answer. */
export function failureText(
  text = 'The service did not answer. Check your connection and ask again.',
): HTMLElement {
  return textOf('p', text, 'field-error');
}
