import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';
import type { PersonError } from '../../accounts/person-error.js';
import { CSRF_FIELD } from '../visitors.js';

/** What was wrong with a form, for the page that shows it again. */
export interface FormFault {
  /** The field it belongs to; left out, to the form. */
  readonly field?: string | undefined;
  readonly message: string;
}

/** A refusal as a form shows it. */
export function faultOf(error: PersonError): FormFault {
  return { field: error.field, message: error.message };
}

/** The answer's status for a refusal. */
export function statusOf({ reason }: PersonError): number {
  if (reason === 'throttled') return 429;
  return reason === 'busy' ? 503 : 422;
}

/** The hidden field every form of ours carries. */
export function HiddenToken({ csrfToken }: { readonly csrfToken: string }): VNode {
  return <input type="hidden" name={CSRF_FIELD} value={csrfToken} />;
}

/** What a form is made of. */
export interface FormProps {
  readonly action: string;
  readonly csrfToken: string;
  /** Other hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fault?: FormFault | undefined;
  readonly submit: string;
  readonly danger?: boolean;
  readonly children: ComponentChildren;
}

/** A form that works without scripts. A fault of no single field is said on top. */
export function Form(props: FormProps): VNode {
  const { action, csrfToken, hidden = {}, fault, submit, danger = false, children } = props;
  return (
    <form method="post" action={action} class="account-form">
      <HiddenToken csrfToken={csrfToken} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fault !== undefined && fault.field === undefined ? (
        <p class="notice danger" role="alert" tabIndex={-1} autofocus>
          {fault.message}
        </p>
      ) : null}
      {children}
      <button type="submit" class={danger ? 'danger' : 'primary'}>
        {submit}
      </button>
    </form>
  );
}

/** A field of a form. */
export interface TextFieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly hint?: string;
  /** Unique on the page; the name when left out. */
  readonly id?: string;
  readonly autoComplete: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly fault?: FormFault | undefined;
}

/** A labelled field with its hint, and what is wrong with it beside it; a wrong field has the focus. */
export function TextField(props: TextFieldProps): VNode {
  const { name, label, type = 'text', value, hint, id = name, fault, ...limits } = props;
  // Preact's types want each kind of input written out.
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
