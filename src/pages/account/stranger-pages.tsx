import type { ComponentChildren, VNode } from 'preact';
import { EMAIL_CHARS_MAX } from '../../accounts/email-address.js';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../../accounts/passwords.js';
import type { Mailer } from '../../email/mailer.js';
import { Layout, renderPage } from '../layout.js';
import { Form, type FormFault, TextField } from './forms.js';

/** What every form for somebody not signed in shows. */
export interface FormState {
  readonly csrfToken: string;
  readonly fault?: FormFault | undefined;
}

/** What has just been done, told on the sign-in page. */
const DONE: Readonly<Record<string, string>> = {
  deleted: 'Your account is deleted.',
  out: 'You are signed out.',
};

const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters; four random words make a good one.`;

/** The page to sign up, as HTML text. */
export function signUpPage(state: FormState & { name?: string; email?: string }): string {
  const { csrfToken, fault, name = '', email = '' } = state;
  return strangerPage('Sign up', [
    <p key="what" class="soft">
      An account holds your API keys and credits. Ten free calls a day come with it.
    </p>,
    <Form key="form" action="/account/sign-up" csrfToken={csrfToken} fault={fault} submit="Sign up">
      <TextField
        name="name"
        label="Name"
        hint="Yours or your organisation's."
        value={name}
        autoComplete="name"
        maxLength={100}
        fault={fault}
      />
      <EmailField email={email} fault={fault} />
      <NewPasswordField name="password" label="Password" fault={fault} />
    </Form>,
    <p key="else">
      You have an account? <a href="/account/sign-in">Sign in</a>
    </p>,
  ]);
}

/** The page to sign in, as HTML text. */
export function signInPage(
  state: FormState & { email?: string; next?: string | undefined; done?: string },
): string {
  const { csrfToken, fault, email = '', next, done = '' } = state;
  const notice = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  return strangerPage('Sign in', [
    notice === undefined ? null : (
      <p key="done" class="notice good" role="status">
        {notice}
      </p>
    ),
    <Form
      key="form"
      action="/account/sign-in"
      csrfToken={csrfToken}
      hidden={next === undefined ? {} : { next }}
      fault={fault}
      submit="Sign in"
    >
      <EmailField email={email} fault={fault} />
      <PasswordField fault={fault} />
    </Form>,
    <p key="forgot">
      <a href="/account/forgot">Forgot your password?</a>
    </p>,
    <p key="else">
      No account yet? <a href="/account/sign-up">Sign up</a>
    </p>,
  ]);
}

/** The page to confirm a sign-up with its password, as HTML text. */
export function verifyPage(state: FormState & { token: string }): string {
  const { csrfToken, fault, token } = state;
  return strangerPage('Confirm your e-mail', [
    <p key="what">Enter the password you chose. Then your account is ready.</p>,
    <Form
      key="form"
      action="/account/verify"
      csrfToken={csrfToken}
      hidden={{ token }}
      fault={fault}
      submit="Confirm and sign in"
    >
      <PasswordField fault={fault} />
    </Form>,
  ]);
}

/** The page to ask for a new password, as HTML text. */
export function forgotPage(state: FormState & { email?: string }): string {
  const { csrfToken, fault, email = '' } = state;
  return strangerPage('Forgot your password?', [
    <p key="what">Enter your e-mail address. We send you a link to choose a new password.</p>,
    <Form
      key="form"
      action="/account/forgot"
      csrfToken={csrfToken}
      fault={fault}
      submit="Send the link"
    >
      <EmailField email={email} fault={fault} />
    </Form>,
    <p key="else">
      <a href="/account/sign-in">Back to sign in</a>
    </p>,
  ]);
}

/** The page to choose a new password, as HTML text. */
export function resetPage(state: FormState & { token: string }): string {
  const { csrfToken, fault, token } = state;
  return strangerPage('Choose a new password', [
    <Form
      key="form"
      action="/account/reset"
      csrfToken={csrfToken}
      hidden={{ token }}
      fault={fault}
      submit="Change the password"
    >
      <NewPasswordField name="new_password" label="New password" fault={fault} />
    </Form>,
  ]);
}

/** What is said after a sign-up or a forgotten password, whether the address has an account or not. */
export function checkMailPage(destination: Mailer['destination']): string {
  return strangerPage('Check your e-mail', [
    <p key="what">
      A message is on its way to the address you gave. Open the link in it to go on. It may take a
      minute; look among unwanted mail too.
    </p>,
    destination === 'readers' ? null : (
      <p key="log" class="notice warning">
        {destination === 'log'
          ? 'This service sends no e-mail: the link is in its log.'
          : 'This service cannot send e-mail at present: whoever runs it has to set SMTP_URL.'}
      </p>
    ),
    <p key="else">
      <a href="/account/sign-in">Back to sign in</a>
    </p>,
  ]);
}

function strangerPage(title: string, children: ComponentChildren): string {
  return renderPage(
    <Layout title={title} section="account">
      <div class="account-narrow panel">
        <h1>{title}</h1>
        {children}
      </div>
    </Layout>,
  );
}

type FieldState = Pick<FormState, 'fault'>;

function EmailField({ email, fault }: FieldState & { email: string }): VNode {
  return (
    <TextField
      name="email"
      label="E-mail"
      type="email"
      value={email}
      autoComplete="username"
      maxLength={EMAIL_CHARS_MAX}
      fault={fault}
    />
  );
}

function PasswordField({ fault }: FieldState): VNode {
  return (
    <TextField
      name="password"
      label="Password"
      type="password"
      autoComplete="current-password"
      fault={fault}
    />
  );
}

/** A field for a password to be. */
export function NewPasswordField(
  props: FieldState & { readonly name: string; readonly label: string; readonly id?: string },
): VNode {
  return (
    <TextField
      {...props}
      type="password"
      hint={PASSWORD_HINT}
      autoComplete="new-password"
      minLength={PASSWORD_CHARS_MIN}
      maxLength={PASSWORD_CHARS_MAX}
    />
  );
}
