/** A request of a priced operation. */
export interface Call {
  /** Name of the operation and of its MCP tool. */
  readonly operation: string;
  /** Path of the POST route. */
  readonly path: string;
  readonly body: object;
}

/** The call as a shell command. */
export function curlText({ path, body }: Call, origin: string): string {
  return [
    `curl -s ${origin}${path} \\`,
    "  -H 'Authorization: Bearer <API_KEY>' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}

/** The call in TypeScript, for Node.js or a browser's worker. */
export function typeScriptText({ path, body }: Call, origin: string): string {
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
    'const answer = await response.json();',
  ].join('\n');
}

/** The call as the JSON-RPC message of an MCP client. */
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
