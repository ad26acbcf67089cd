/** Labelled form fields with hints and errors that screen readers announce. */
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

interface About {
  readonly label: string;
  /** The label is for screen readers only. */
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | null;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** Any control with a label: `<Field label="Name">{(wiring) => <input {...wiring} />}</Field>`. */
export function Field({
  label,
  hideLabel,
  hint,
  error,
  children,
}: About & { readonly children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={classes('field', error && 'wrong')}>
      <label htmlFor={id} className={hideLabel ? 'hidden' : undefined}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, hideLabel, hint, error, ...props }: About & ComponentProps<'input'>) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => <input type="text" autoComplete="off" {...props} {...wiring} />}
    </Field>
  );
}

export function TextArea({ label, hideLabel, hint, error, ...props }: About & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => <textarea {...props} {...wiring} />}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The select of the browser: the quickest by keyboard and on phones. */
export function Select({
  label,
  hideLabel,
  hint,
  error,
  choices,
  ...props
}: About & ComponentProps<'select'> & { readonly choices: readonly Choice[] }) {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(wiring) => (
        <select {...props} {...wiring}>
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & { readonly label: ReactNode }) {
  return (
    <label className="checkbox">
      <input type="checkbox" {...props} />
      <span>{label}</span>
    </label>
  );
}
