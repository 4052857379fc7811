import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';
import { CSRF_FIELD } from '../user-session.js';

/** Why a form was refused. The page shows it together with the form. */
export interface FormFault {
  /** The field that is wrong; undefined when the refusal belongs to the whole form. */
  readonly field?: string | undefined;
  readonly message: string;
}

/** Name of the hidden field with the one-time token of a form. */
export const ONCE_FIELD = 'once';

/** Hidden fields of a form. Those without a value are left out. */
export type HiddenFields = Readonly<Record<string, string | undefined>>;

/** Properties of a form. */
export interface FormProps {
  readonly action: string;
  readonly csrfToken: string;
  /** One-time token from `newOnce`, for a form that creates only one thing. */
  readonly once?: string | undefined;
  /** Other hidden fields. */
  readonly hidden?: HiddenFields;
  readonly fault?: FormFault | undefined;
  /** Text of the button, if there is only one. */
  readonly submit?: ComponentChildren;
  readonly look?: 'primary' | 'danger' | 'plain';
  /** By default, the class of a form with fields below each other. */
  readonly class?: string | undefined;
  /** Whether the answer is a file. The page then stays in the browser. */
  readonly isDownload?: boolean;
  readonly children?: ComponentChildren;
}

/** A form that works without scripts. A fault that concerns the whole form is shown at the top. */
export function Form(props: FormProps): VNode {
  const { action, csrfToken, once, fault, submit, look = 'primary', isDownload } = props;
  const hidden = { [CSRF_FIELD]: csrfToken, [ONCE_FIELD]: once, ...props.hidden };
  return (
    <form
      method="post"
      action={action}
      class={props.class ?? (props.children === undefined ? undefined : 'account-form')}
      data-download={isDownload ? '' : undefined}
    >
      {Object.entries(hidden).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {fault !== undefined && fault.field === undefined ? (
        <p class="notice danger" role="alert" tabIndex={-1} autofocus>
          {fault.message}
        </p>
      ) : null}
      {props.children}
      {submit === undefined ? null : (
        <button type="submit" class={look === 'plain' ? undefined : look}>
          {submit}
        </button>
      )}
    </form>
  );
}

interface DoneProps {
  /** What each change did. */
  readonly texts: Readonly<Record<string, string>>;
  /** The change, from the address of the page. */
  readonly done: string | undefined;
}

/** Confirms a change at the top of a page. */
export function Done({ texts, done = '' }: DoneProps): VNode | null {
  if (!Object.hasOwn(texts, done)) return null;
  return (
    <p class="notice good" role="status">
      {texts[done]}
    </p>
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
