/** The numbers of the marked vertices, rising. */
export function marked(inside: Uint8Array): Uint16Array {
  let count = 0;
  for (let vertex = 0; vertex < inside.length; vertex++) count += inside[vertex] === 1 ? 1 : 0;
  const numbers = new Uint16Array(count);
  for (let vertex = 0, at = 0; vertex < inside.length; vertex++) {
    if (inside[vertex] === 1) numbers[at++] = vertex;
  }
  return numbers;
}
