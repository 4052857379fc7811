import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { priceText } from '../../core/billing-terms.js';
import { type Call, curlText, mcpText, pythonText, typeScriptText } from '../../site/call-text.js';
import type { ExactCall } from '../shared/data-types.js';
import { exampleKey, forgetExampleKey, startOf, withKey } from './example-key.js';
import { Segments } from './segments.js';
import { useId } from './use-id.js';

/** The forms in which a call can be shown. */
const LANGUAGES = {
  curl: curlText,
  Python: pythonText,
  TypeScript: typeScriptText,
  MCP: mcpOf,
} as const;
type Language = keyof typeof LANGUAGES;
const COPIED_MS = 2000;

interface CallsProps {
  readonly call: ExactCall;
  /** Fields above the call, such as a choice of calls. */
  readonly children?: ComponentChildren;
}

/** The API call that returns the exact numbers of the page. It is ready to copy. */
export function Calls({ call, children }: CallsProps): VNode {
  const [language, setLanguage] = useState<Language>('curl');
  const [copied, setCopied] = useState(false);
  const [key, setKey] = useState(exampleKey);
  const { credits } = call;
  const code = withKey(LANGUAGES[language](call, location.origin), key);
  const forget = () => {
    forgetExampleKey();
    setKey(undefined);
  };
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <section class="panel calls" aria-labelledby="calls-heading">
      <h2 id="calls-heading">The same numbers from the API</h2>
      <p class="soft">
        This call returns the exact numbers above. It costs {priceText(credits)}.{' '}
        <a href="/docs">How to call the API</a>
      </p>
      {children}
      <div class="code-bar">
        <Segments
          legend="Language"
          hideLegend
          options={(Object.keys(LANGUAGES) as Language[]).map((name) => [name, name] as const)}
          chosen={language}
          onChoose={setLanguage}
        />
        <button type="button" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre class="call">
        <code>{code}</code>
      </pre>
      {key === undefined ? null : (
        <p class="own-key">
          Your test key <code>{`${startOf(key)}…`}</code> is in this call.{' '}
          <button type="button" onClick={forget}>
            Forget it
          </button>
        </p>
      )}
    </section>
  );
}

interface CallChoiceProps {
  /** Label of the choice of a call. */
  readonly label: string;
  readonly calls: readonly (readonly [label: string, call: ExactCall])[];
}

/** A choice of API calls. One call is shown at a time; nothing is shown without calls. */
export function CallChoice({ label, calls }: CallChoiceProps): VNode | null {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const [, call] = calls[chosen] ?? calls[0] ?? [];
  if (call === undefined) return null;
  if (calls.length === 1) return <Calls call={call} />;
  return (
    <Calls call={call}>
      <div class="form-row">
        <label for={id}>{label}</label>
        <select id={id} onChange={(event) => setChosen(event.currentTarget.selectedIndex)}>
          {calls.map(([name]) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
    </Calls>
  );
}

function mcpOf(call: Call, origin: string): string {
  return `// ${origin}/mcp, with the header Authorization: Bearer <API_KEY>\n${mcpText(call)}`;
}
