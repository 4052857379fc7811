import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';
import { CSRF_FIELD } from '../user-session.js';

/** Why a form was refused. The page shows it together with the form. */
export interface FormFault {
  /** The field that is wrong; undefined when the refusal belongs to the whole form. */
  readonly field?: string | undefined;
  readonly message: string;
}

/** The hidden field with the CSRF token, which every form carries. */
export function HiddenToken({ csrfToken }: { readonly csrfToken: string }): VNode {
  return <input type="hidden" name={CSRF_FIELD} value={csrfToken} />;
}

/** Name of the hidden field with the one-time token of a form. */
export const ONCE_FIELD = 'once';

/** The hidden field with a token from `newOnce`. With it, a form creates only one thing. */
export function OnceToken({ once }: { readonly once: string }): VNode {
  return <input type="hidden" name={ONCE_FIELD} value={once} />;
}

/** Properties of a form. */
export interface FormProps {
  readonly action: string;
  readonly csrfToken: string;
  /** One-time token from `newOnce`, for a form that creates something. */
  readonly once?: string;
  /** Other hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fault?: FormFault | undefined;
  readonly submit: string;
  readonly danger?: boolean;
  /** Whether the answer is a file. The page then stays in the browser. */
  readonly isDownload?: boolean;
  readonly children: ComponentChildren;
}

/** A form that works without scripts. A fault that concerns the whole form is shown at the top. */
export function Form(props: FormProps): VNode {
  const { action, csrfToken, once, hidden = {}, fault, submit, danger = false, isDownload } = props;
  return (
    <form
      method="post"
      action={action}
      class="account-form"
      data-download={isDownload ? '' : undefined}
    >
      <HiddenToken csrfToken={csrfToken} />
      {once === undefined ? null : <OnceToken once={once} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fault !== undefined && fault.field === undefined ? (
        <p class="notice danger" role="alert" tabIndex={-1} autofocus>
          {fault.message}
        </p>
      ) : null}
      {props.children}
      <button type="submit" class={danger ? 'danger' : 'primary'}>
        {submit}
      </button>
    </form>
  );
}

/** Properties of a form field. */
export interface TextFieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly hint?: string;
  /** Unique on the page; `name` by default. */
  readonly id?: string;
  readonly autoComplete: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly fault?: FormFault | undefined;
}

/** A field with its label, hint and fault. A field with a fault gets the focus. */
export function TextField(props: TextFieldProps): VNode {
  const { name, label, type = 'text', value, hint, id = name, fault, ...limits } = props;
  // Preact's types do not accept a union of input types.
  const kind = { type, ...limits } as InputHTMLAttributes<HTMLInputElement>;
  const wrong = fault?.field === name ? fault.message : undefined;
  const described = [hint && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="form-row">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        value={value}
        required
        {...kind}
        autofocus={wrong !== undefined}
        aria-invalid={wrong === undefined ? undefined : 'true'}
        aria-describedby={described === '' ? undefined : described}
      />
      {hint === undefined ? null : (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {wrong === undefined ? null : (
        <div class="field-error" id={`${id}-error`} role="alert">
          {wrong}
        </div>
      )}
    </div>
  );
}
