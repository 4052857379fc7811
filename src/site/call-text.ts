/** A request of a priced operation. */
export interface Call {
  /** Name of the operation and of its MCP tool. */
  readonly operation: string;
  /** Path of the POST route. */
  readonly path: string;
  readonly body: object;
  /** File name for the answer, if the operation answers with a file. */
  readonly file?: string | undefined;
}

/** Longer lines of Python are broken. */
const PYTHON_LINE = 76;

/** The call as a shell command. A document shows the body in lines of its own. */
export function curlText(
  { path, body, file }: Call,
  origin: string,
  bodyText = JSON.stringify(body),
): string {
  const saved = file === undefined ? '' : ` -o ${file}`;
  return [
    `curl -s${saved} ${origin}${path} \\`,
    "  -H 'Authorization: Bearer <API_KEY>' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d '${bodyText}'`,
  ].join('\n');
}

/** The call in TypeScript, for Node.js or a web worker. */
export function typeScriptText({ path, body, file }: Call, origin: string): string {
  return [
    `const response = await fetch('${origin}${path}', {`,
    "  method: 'POST',",
    '  headers: {',
    "    Authorization: 'Bearer <API_KEY>',",
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${indented(body, 2)}),`,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    file === undefined
      ? 'const answer = await response.json();'
      : 'const answer = new Uint8Array(await response.arrayBuffer());',
  ].join('\n');
}

/** The call in Python, with the Python client of the service. */
export function pythonText({ operation, body, file }: Call, origin: string): string {
  const client = [
    'from vitruvia import Vitruvia',
    '',
    `vitruvia = Vitruvia("${origin}", "<API_KEY>")`,
  ];
  if (operation === 'batch' && 'requests' in body) {
    // The Python client splits entries into batches and gives their answers one by one.
    return [
      ...client,
      `entries = ${pythonLiteral(body.requests, 0)}`,
      'for result in vitruvia.batch(entries):',
      '    print(result.answer if result.ok else result.error.detail)',
    ].join('\n');
  }
  const fields = Object.entries(body).map(
    ([name, value]) => `    ${name}=${pythonLiteral(value, 4)},`,
  );
  if (file !== undefined) {
    const call = [`answer = vitruvia.${operation}_file(`, ...fields, ')'];
    return [...client, ...call, `answer.save("${file}")`].join('\n');
  }
  return [...client, `answer = vitruvia.${operation}(`, ...fields, ')'].join('\n');
}

/** A JSON value in Python syntax. A short value is on one line. */
function pythonLiteral(value: unknown, by: number): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => pythonLiteral(item, by + 4))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, by + 4)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length + by <= PYTHON_LINE && !line.includes('\n')) return line;
  const inner = ' '.repeat(by + 4);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${' '.repeat(by)}${close}`;
}

/** The call as a JSON-RPC message of an MCP client. */
export function mcpText({ operation, body }: Call): string {
  return indented(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: operation, arguments: body },
    },
    0,
  );
}

function indented(value: unknown, by: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`);
}
