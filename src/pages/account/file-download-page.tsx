import type { KeyRecord } from '../../accounts/keys.js';
import type { SignedInUser } from '../../accounts/sessions.js';
import { fileCostText } from '../../screens/shared/file-cost.js';
import { CREDITS_PATH } from '../billing/credits-pages.js';
import { accountPage } from './account-page.js';
import { Form } from './forms.js';
import { KEYS_PATH } from './keys-page.js';

/** Content of the page of a download. */
export interface FileDownload {
  readonly user: SignedInUser;
  readonly title: string;
  readonly operation: { readonly path: string };
  /** Content and format of the file, each in words. */
  readonly content: readonly [what: string, format: string];
  readonly credits: number;
  /** Active keys. */
  readonly keys: readonly KeyRecord[];
  /** Id of the key that the form proposes. */
  readonly chosen: string | undefined;
  /** True if no key can pay, or if the chosen key could not pay. */
  readonly lacksCredits: boolean;
  /** Path of this page, and its address with the content and the format. */
  readonly path: string;
  readonly action: string;
  /** Address of the screen. */
  readonly back: string;
  readonly once: string;
  readonly refusal?: string | undefined;
}

/** The page that asks for confirmation before a download is charged, as HTML text. */
export function fileDownloadPage(props: FileDownload): string {
  const { user, title, operation, content, credits, keys, chosen, lacksCredits } = props;
  const { path, action, back, once, refusal } = props;
  const [what, format] = content;
  return accountPage({
    ...{ title, path, user },
    entry: 'web/account/main.ts',
    children: (
      <section class="panel">
        <p>
          {what}. {format}. <a href={back}>Back to the screen</a>
        </p>
        {keys.length === 0 ? (
          <p class="notice warning">
            {'The download is charged to a key of your account, and you have none. '}
            <a href={KEYS_PATH}>Create a key</a>
          </p>
        ) : (
          <Form
            action={action}
            csrfToken={user.csrfToken}
            once={once}
            isDownload
            fault={refusal === undefined ? undefined : { message: refusal }}
            submit={`Download for ${credits} credits`}
          >
            {lacksCredits ? (
              <p class="notice warning">
                {refusal === undefined
                  ? `Your account has too few credits for a file: it costs ${credits}. `
                  : ''}
                <a href={CREDITS_PATH} data-come-back="Back to the download">
                  Get credits
                </a>
                {', then come back here. Test credits are free.'}
              </p>
            ) : null}
            <div class="form-row">
              <label for="key">Key that pays</label>
              <select id="key" name="key">
                {keys.map(({ id, name, mode, displayStart }) => (
                  <option key={id} value={id} selected={id === chosen}>
                    {`${name}, ${mode} (${displayStart}…)`}
                  </option>
                ))}
              </select>
            </div>
            <p class="hint">
              The file costs {fileCostText(credits)}, as POST {operation.path} does. It appears in
              your ledger. Sending this form again gives the same file and costs nothing.
            </p>
            <p class="hint" role="status" data-sent hidden>
              The file is on its way: your browser saves it. If you do not see it, send the form
              again; it is charged once.
            </p>
          </Form>
        )}
      </section>
    ),
  });
}
