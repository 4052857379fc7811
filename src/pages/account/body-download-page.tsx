import type { KeyRecord } from '../../accounts/keys.js';
import type { SignedInUser } from '../../accounts/sessions.js';
import { type BodyFormat, type PersonView, personTitle } from '../../screens/person/address.js';
import { fileCostText } from '../../screens/person/file-cost.js';
import { BODY_DOWNLOAD_PATH } from '../../site/paths.js';
import { CREDITS_PATH } from '../billing/credits-pages.js';
import { accountPage } from './account-page.js';
import { Form } from './forms.js';
import { KEYS_PATH } from './keys-page.js';

/** Names of the file formats, with their uses. */
const FORMAT_LABELS: Readonly<Record<BodyFormat, string>> = {
  glb: 'GLB, in metres with bones, for renderers and engines',
  stl: 'STL, in millimetres, for CAD and printers',
  obj: 'OBJ, in millimetres, with the report as remarks',
};

/** Content of the page of a download. */
export interface BodyDownload {
  readonly user: SignedInUser;
  readonly asked: PersonView;
  readonly format: BodyFormat;
  readonly credits: number;
  /** Active keys. */
  readonly keys: readonly KeyRecord[];
  /** Id of the key that the form proposes. */
  readonly chosen: string | undefined;
  /** True if no key can pay, or if the chosen key could not pay. */
  readonly lacksCredits: boolean;
  /** Address of this page, with the person and the format. */
  readonly action: string;
  /** Address of the person. */
  readonly back: string;
  readonly once: string;
  readonly refusal?: string | undefined;
}

/** The page that asks for confirmation before a download is charged, as HTML text. */
export function bodyDownloadPage(props: BodyDownload): string {
  const { user, asked, format, credits, keys, chosen, lacksCredits, action, back, once, refusal } =
    props;
  return accountPage({
    title: 'Download a body',
    path: BODY_DOWNLOAD_PATH,
    user,
    entry: 'web/account/main.ts',
    children: (
      <section class="panel">
        <p>
          {personTitle(asked)}, {asked.pose}. {FORMAT_LABELS[format]}.{' '}
          <a href={back}>Back to the person</a>
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
              The file costs {fileCostText(credits)}, as POST /v1/body does. It appears in your
              ledger. Sending this form again gives the same file and costs nothing.
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
