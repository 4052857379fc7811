/** Maximum number of terms of the series below. The ratio of successive terms falls below 1 long before. */
const MOST_TERMS = 2000;
const SMALLEST_TERM = 1e-16;

/**
 * ln Γ(x) by Stirling's series (Abramowitz and Stegun 1964, 6.1.41), after moving x above 10 by the
 * recurrence Γ(x + 1) = x Γ(x). The error is below 1e-13.
 */
function lnGamma(x: number): number {
  let [at, product] = [x, 1];
  while (at < 10) {
    product *= at;
    at += 1;
  }
  const inverse = 1 / (at * at);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}

/**
 * Distribution function of the gamma distribution by its power series (Abramowitz and Stegun 1964, 6.5.29).
 * It serves shapes up to some hundreds, such as those of BMI.
 *
 * @param scale in the unit of `x`
 */
export function gammaCdf(x: number, shape: number, scale: number): number {
  const at = x / scale;
  if (at <= 0) return 0;
  let term = Math.exp(shape * Math.log(at) - at - lnGamma(shape + 1));
  let sum = term;
  for (let n = 1; n < MOST_TERMS && (term > SMALLEST_TERM * sum || n < at); n++) {
    term *= at / (shape + n);
    sum += term;
  }
  return Math.min(1, sum);
}
