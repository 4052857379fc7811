import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { type Operation, toolForm } from '../../src/operations/operation.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { answerJson, validateRequest } from '../../src/operations/validate.js';
import { realArtifacts } from '../support/servers.js';
import { AGENT_BRIEFS } from './agent-briefs.js';
import { BRIEFS } from './briefs.js';
import { PRODUCT_BRIEFS } from './product-briefs.js';

// Design briefs over MCP. The names of measurements come only from the search of the catalog.

const BIN = fileURLToPath(new URL('../../bin/vitruvia.js', import.meta.url));
const SEARCH = 'get_catalog';

let client: Client;
let model: PredictionModel;
beforeAll(async () => {
  const artifacts = await realArtifacts();
  model = new PredictionModel(openArtifact(artifacts));
  client = new Client({ name: 'designer', version: '1' });
  const env = { ARTIFACTS_DIR: artifacts };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env }),
  );
});
afterAll(() => client?.close());

async function call(name: string, input: object): Promise<unknown> {
  const answer = await client.callTool({ name, arguments: { ...input } });
  expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
  return answer.structuredContent;
}

/** For each text, the measurement that the search finds first. */
async function namesOf(words: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const text of words) {
    type Named = readonly { readonly name: string }[];
    const { measurements = [], bodyQuantities = [] } = (await call(SEARCH, { text })) as {
      measurements?: Named;
      bodyQuantities?: Named;
    };
    names.push([...measurements, ...bodyQuantities][0]?.name ?? '');
  }
  return names;
}

describe('design briefs', () => {
  it('are thirty', () => {
    expect(new Set(BRIEFS.map(({ text }) => text)).size).toBe(30);
  });

  it.each(BRIEFS)('are answered as the operation answers: $text', async ({ words, tool, ask }) => {
    const input = ask(await namesOf(words));
    const operation = toolForm(OPERATIONS.find(({ name }) => name === tool) as Operation);
    const right = operation.run(validateRequest(operation, input) as never, model);
    expect(await call(tool, input)).toEqual(JSON.parse(answerJson(operation, right)));
  });
});

describe('briefs from documents of products', () => {
  it('are four, with the address of each fact', () => {
    expect(new Set(PRODUCT_BRIEFS.map(({ text }) => text)).size).toBe(4);
    for (const { fact, source } of PRODUCT_BRIEFS) {
      expect(URL.canParse(source)).toBe(true);
      expect(fact).toMatch(/\d/);
    }
  });

  it.each(PRODUCT_BRIEFS)('are answered by a search and a question: $text', async (brief) => {
    // More searches would mean that an agent has not understood the tools.
    expect(brief.words.length).toBeLessThanOrEqual(2);
    const names = await namesOf(brief.words);
    const found = brief.read((await call(brief.tool, brief.ask(names))) as never);
    const [least, most] = brief.between;
    expect(found, names.join()).toBeGreaterThanOrEqual(least);
    expect(found, names.join()).toBeLessThanOrEqual(most);
  });
});

describe('briefs as rows', () => {
  it('are fifteen', () => {
    expect(new Set(AGENT_BRIEFS.map(({ text }) => text)).size).toBe(15);
  });

  it.each(AGENT_BRIEFS)('$text', async ({ tool, input, path, answer }) => {
    const found = path
      .split('.')
      .reduce<unknown>(
        (at, name) => (at as Record<string, unknown>)[name],
        await call(tool, input),
      );
    if (Array.isArray(answer)) {
      expect(found).toBeGreaterThanOrEqual(answer[0]);
      expect(found).toBeLessThanOrEqual(answer[1]);
    } else
      expect(found).toEqual(
        typeof answer === 'string' ? answer : expect.stringMatching(answer as RegExp),
      );
  });
});

describe('a body', () => {
  const person = { gender: 'Female', age: 30 };
  const bodyOf = (measurements: unknown, more: object) =>
    call('body', { person: { ...person, measurements }, format: 'json', ...more });

  it('takes its measurements as the JSON text that the list of tools asks for', async () => {
    expect(await bodyOf('{"Stature": "1700", "BodyMass": null}', { segments: 'false' })).toEqual(
      await bodyOf({ Stature: 1700 }, { segments: false }),
    );
  });

  it.each([
    [{ measurements: { Stature: 178 } }, 'Did you mean 178 cm? Give 1780 (mm).'],
    [{ measurements: { Stature: 1.78 } }, 'Did you mean 1.78 m? Give 1780 (mm).'],
    [{ known: [{ measurement: 'Stature', value: 178 }] }, 'Did you mean 178 cm?'],
  ])('of %j asks which unit was meant', async (of, question) => {
    const asked = { name: 'body', arguments: { person: { ...person, ...of } } };
    const refusal = await client.callTool(asked);
    expect(refusal.isError).toBe(true);
    expect(JSON.stringify(refusal.content)).toContain(question);
  });
});
