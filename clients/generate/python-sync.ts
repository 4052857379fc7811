/** Patterns for names of the asynchronous client, each with the name in the synchronous client. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:await|async) /g, ''],
  [/\bAsyncGenerator\[(.+), None\]/g, 'Generator[$1, None, None]'],
  [/\b(_?)Async(?=[A-Z])/g, '$1'],
  [/\ba(next|read|close|closing)\b/g, '$1'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\b__a(enter|exit|iter)__/g, '__$1__'],
  [/anyio/g, 'time'],
  [/\basynchronous client, for [^.]+(.*)(?="""$)/gm, 'synchronous client$1 Threads may share it.'],
  [/\basynchronous\b/g, 'synchronous'],
];

/** Turns Python code of the asynchronous client into code of the synchronous client. */
export function synchronous(code: string): string {
  return NAMES.reduce((text, [name, other]) => text.replace(name, other), code);
}
