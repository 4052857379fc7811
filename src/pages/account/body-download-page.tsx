import type { KeyRecord } from '../../accounts/keys.js';
import type { SignedInUser } from '../../accounts/sessions.js';
import { BODY_DOWNLOAD_PATH } from '../screens/paths.js';
import { type BodyFormat, type PersonView, personTitle } from '../screens/person/address.js';
import { accountPage } from './account-page.js';
import { Form } from './forms.js';
import { KEYS_PATH } from './keys-page.js';

/** What the formats of files are for. */
const FORMAT_LABELS: Readonly<Record<BodyFormat, string>> = {
  glb: 'GLB, in metres with bones, for renderers and engines',
  stl: 'STL, in millimetres, for CAD and printers',
  obj: 'OBJ, in millimetres, with the report as remarks',
};

/** What the page of a download shows. */
export interface BodyDownload {
  readonly user: SignedInUser;
  readonly asked: PersonView;
  readonly format: BodyFormat;
  readonly credits: number;
  /** Active keys; the first is proposed. */
  readonly keys: readonly KeyRecord[];
  /** The person and the format, for the form. */
  readonly query: string;
  /** Address of the person. */
  readonly back: string;
  readonly once: string;
  readonly refusal?: string | undefined;
}

/** The page that asks before a download is charged, as HTML text. */
export function bodyDownloadPage(props: BodyDownload): string {
  const { user, asked, format, credits, keys, query, back, once, refusal } = props;
  return accountPage({
    title: 'Download a body',
    path: BODY_DOWNLOAD_PATH,
    user,
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
            action={BODY_DOWNLOAD_PATH}
            csrfToken={user.csrfToken}
            once={once}
            hidden={{ person: query }}
            fault={refusal === undefined ? undefined : { message: refusal }}
            submit={`Download for ${credits} credits`}
          >
            <div class="form-row">
              <label for="key">Key that pays</label>
              <select id="key" name="key">
                {keys.map(({ id, name, mode, displayStart }) => (
                  <option key={id} value={id}>
                    {`${name}, ${mode} (${displayStart}…)`}
                  </option>
                ))}
              </select>
            </div>
            <p class="hint">
              The file costs {credits} credits or free calls, as POST /v1/body does, and appears in
              your ledger. Sending this form again gives the same file and costs nothing.
            </p>
          </Form>
        )}
      </section>
    ),
  });
}
