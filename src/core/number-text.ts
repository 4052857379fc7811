/**
 * A number for readers in English, such as `1,750.5` or `−3`. It does without `Intl`: a browser needs as long to load that
 * as to draw a screen.
 *
 * @param mostDigits most digits after the point
 * @param leastDigits zeros at the end fill the number up to so many digits
 */
export function numberText(value: number, mostDigits = 3, leastDigits = 0): string {
  const [whole = '', decimals = ''] = Math.abs(value).toFixed(mostDigits).split('.');
  const kept = decimals.slice(0, leastDigits) + decimals.slice(leastDigits).replace(/0+$/, '');
  const text = whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (kept === '' ? '' : `.${kept}`);
  // A number that is rounded to zero has no sign.
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}
