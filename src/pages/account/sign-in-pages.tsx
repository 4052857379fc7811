import type { ComponentChildren, VNode } from 'preact';
import { EMAIL_CHARS_MAX } from '../../accounts/email-address.js';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../../accounts/passwords.js';
import { FREE_CALLS_PER_WINDOW, TEST_CREDITS_PER_DAY } from '../../core/billing-terms.js';
import type { Mailer } from '../../email/mailer.js';
import { Layout, renderPage } from '../../site/layout.js';
import { SIGN_IN_PATH } from '../user-session.js';
import { Done, Form, type FormFault, type FormProps, TextField } from './forms.js';
import { SIGN_UP_PATH, withNext } from './next-page.js';

/** Content of every form of these pages. */
export interface FormState {
  readonly csrfToken: string;
  readonly fault?: FormFault | undefined;
  /** The page to open when the form is done. */
  readonly next?: string | undefined;
}

/** Changes that the sign-in page confirms at the top. */
const DONE: Readonly<Record<string, string>> = {
  deleted: 'Your account was deleted.',
  out: 'You are signed out.',
};

const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters. Four random words make a good password.`;

/** The page to sign up, as HTML text. */
export function signUpPage(
  state: FormState & { once: string; name?: string; email?: string },
): string {
  const { once, fault, name = '', email = '', next } = state;
  return narrowPage(
    'Get a key',
    <>
      <p class="soft">
        Sign up to get a test key at once, with {TEST_CREDITS_PER_DAY.toLocaleString('en')} test
        credits and {FREE_CALLS_PER_WINDOW} free test calls per day. Confirm your e-mail address
        later, to get live keys and to buy credits.
      </p>
      <OwnForm action="/account/sign-up" {...{ state, once }} submit="Sign up">
        <TextField
          name="name"
          label="Name"
          hint="Your own name or the name of your organisation."
          value={name}
          autoComplete="name"
          maxLength={100}
          fault={fault}
        />
        <EmailField email={email} fault={fault} />
        <NewPasswordField name="password" label="Password" fault={fault} />
      </OwnForm>
      <p>
        Already have an account? <a href={withNext(SIGN_IN_PATH, next)}>Sign in</a>
      </p>
    </>,
    false,
    'sign-up',
  );
}

/** The page to sign in, as HTML text. */
export function signInPage(state: FormState & { email?: string; done?: string }): string {
  const { fault, email = '', next, done } = state;
  return narrowPage(
    'Sign in',
    <>
      <Done texts={DONE} done={done} />
      <OwnForm action="/account/sign-in" state={state} submit="Sign in">
        <EmailField email={email} fault={fault} />
        <OwnPassword fault={fault} />
      </OwnForm>
      <p>
        <a href={withNext('/account/forgot', next)}>Forgot your password?</a>
      </p>
      <p>
        No account yet? <a href={withNext(SIGN_UP_PATH, next)}>Sign up</a>
      </p>
    </>,
  );
}

/**
 * The page that confirms the e-mail address of a sign-up, as HTML text. It asks for the password, unless the
 * browser is signed in to the account of the link.
 */
export function verifyPage(
  state: FormState & { token: string; isOwn: boolean; signedIn: boolean },
): string {
  const { fault, token, isOwn, signedIn } = state;
  return narrowPage(
    'Confirm your e-mail',
    <>
      <p>
        {isOwn
          ? 'Confirm that this address is yours. Then you can create live keys and buy credits.'
          : 'Enter the password you chose when you signed up. Then your address is confirmed.'}
      </p>
      <OwnForm
        action="/account/verify"
        {...{ state, token }}
        submit={isOwn ? 'Confirm the address' : 'Confirm and sign in'}
      >
        {isOwn ? null : <OwnPassword fault={fault} />}
      </OwnForm>
    </>,
    signedIn,
  );
}

/** The page to ask for a new password, as HTML text. */
export function forgotPage(state: FormState & { email?: string }): string {
  const { fault, email = '', next } = state;
  return narrowPage(
    'Forgot your password?',
    <>
      <p>Enter your e-mail address. We will send you a link to choose a new password.</p>
      <OwnForm action="/account/forgot" state={state} submit="Send the link">
        <EmailField email={email} fault={fault} />
      </OwnForm>
      <p>
        <a href={withNext(SIGN_IN_PATH, next)}>Back to sign in</a>
      </p>
    </>,
  );
}

/** The page to choose a new password, as HTML text. */
export function resetPage(state: FormState & { token: string }): string {
  const { fault, token } = state;
  return narrowPage(
    'Choose a new password',
    <OwnForm action="/account/reset" {...{ state, token }} submit="Change the password">
      <NewPasswordField name="new_password" label="New password" fault={fault} />
    </OwnForm>,
  );
}

/** The page after a user asks for a link. It does not reveal whether the address has an account. */
export function checkEmailPage(destination: Mailer['destination'], signedIn: boolean): string {
  return narrowPage(
    'Check your e-mail',
    <>
      <p>
        We sent a message to your address. Open the link in it to continue. The message can take a
        minute to arrive; please check your spam folder too.
      </p>
      {destination === 'recipients' ? null : (
        <p class="notice warning">
          {destination === 'log'
            ? 'This server does not send e-mail. It writes the link to its log.'
            : 'This server cannot send e-mail. Its operator must set SMTP_URL.'}
        </p>
      )}
      <p>
        {signedIn ? (
          <a href="/account">Your account</a>
        ) : (
          <a href="/account/sign-in">Back to sign in</a>
        )}
      </p>
    </>,
    signedIn,
  );
}

/** A page with little on it, such as a form, as HTML text. */
export function narrowPage(
  title: string,
  children: ComponentChildren,
  signedIn = false,
  section: 'sign-up' | 'account' = 'account',
): string {
  return renderPage(
    <Layout title={title} section={section} entry="web/account/main.ts" signedIn={signedIn}>
      <div class="account-narrow panel">
        <h1>{title}</h1>
        {children}
      </div>
    </Layout>,
  );
}

interface OwnFormProps extends Pick<FormProps, 'action' | 'once' | 'submit' | 'children'> {
  readonly state: FormState;
  /** Token of the link that the user has opened. */
  readonly token?: string;
}

/** A form of a visitor who is not signed in. */
function OwnForm({ state: { csrfToken, fault, next }, token, ...form }: OwnFormProps): VNode {
  return <Form {...form} {...{ csrfToken, fault, hidden: { token, next } }} />;
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

/** A field for the password of the user. */
export function OwnPassword(
  props: FieldState & { readonly id?: string; readonly label?: string },
): VNode {
  return (
    <TextField
      name="password"
      label="Password"
      {...props}
      type="password"
      autoComplete="current-password"
    />
  );
}

/** A field for a new password. */
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
