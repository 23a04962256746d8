/** The parts that several screens use: errors, a sheet with a form, choices, rows. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isServiceError } from 'subscription-management-client';
import { dayText } from './format.ts';

const OFFLINE = { title: 'No connection.', advice: 'Check the connection of your device, then try again.' };
const UNAVAILABLE = {
  title: 'The service is not responding right now.',
  advice: 'Nothing has been lost, and you are still signed in. Try again in a moment.',
};
const BUSY = { title: 'There are too many requests right now.', advice: 'Try again in a minute.' };
const UNKNOWN = { title: 'Something went wrong.', advice: 'Please try again.' };

/** Returns the text of an error: its cause, and the next step. The service writes the texts of rejected changes, in the customer's language. */
export function textOf(error: unknown): { title: string; advice: string } {
  if (!isServiceError(error)) return UNKNOWN;
  if (isServiceError(error, 'USER_ERRORS')) return { title: error.message, advice: '' };
  if (error.code === 'NETWORK') return OFFLINE;
  if (error.code === 'SIGN_IN_REJECTED' || error.code === 'INVALID_NONCE')
    return { title: 'The sign-in took too long.', advice: 'Please sign in again.' };
  if (error.code === 'OUTCOME_UNKNOWN')
    return { title: 'We do not know yet whether this was done.', advice: 'Look again in a minute.' };
  if (error.code === 'FORBIDDEN' || error.code === 'ABSENT')
    return { title: 'This subscription does not exist any more.', advice: '' };
  return error.status === 429 ? BUSY : error.status >= 500 ? UNAVAILABLE : UNKNOWN;
}

export function Problem({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const { title, advice } = textOf(error);
  return (
    <div className="problem" role="alert">
      <h2>{title}</h2>
      {advice && <p>{advice}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

type SheetProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** The label of the button that submits the form; without it there is none. */
  readonly action?: string | undefined;
  readonly isFinal?: boolean;
  readonly onClose: () => void;
  /** Called with each entry; without the form if an entry is missing or not possible. */
  readonly onChange?: (form: FormData | undefined) => void;
  /** The sheet closes when the promise resolves, and shows its error otherwise. */
  readonly onSubmit?: (form: FormData) => Promise<unknown>;
};

/** A form in a dialog. The browser keeps the focus in it, and returns it afterwards. */
export function Sheet({ title, children, action, isFinal, onClose, onChange, onSubmit }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  async function submitForm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy || !onSubmit) return;
    setError(undefined);
    setBusy(true);
    try {
      await onSubmit(new FormData(event.currentTarget));
      dialog.current?.close();
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  }

  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <form
        onSubmit={submitForm}
        onChange={({ currentTarget: form }) =>
          onChange?.(form.checkValidity() ? new FormData(form) : undefined)
        }
      >
        <header>
          <h2>{title}</h2>
          <button type="button" className="plain" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </header>
        {children}
        {error !== undefined && <Problem error={error} />}
        {action && (
          <button type="submit" className={isFinal ? 'primary final' : 'primary'} aria-disabled={isBusy}>
            {action}
          </button>
        )}
      </form>
    </dialog>
  );
}

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly image?: string | undefined;
};

type ChoicesProps = {
  readonly legend: string;
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly chosen?: string | undefined;
};

export function Choices({ legend, name, choices, chosen }: ChoicesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {choices.map(({ value, label, detail, image }) => (
        <label key={value} className="choice">
          <input type="radio" required {...{ name, value }} defaultChecked={value === chosen} />
          {image && <img src={image} alt="" />}
          <span>
            {label}
            {value === chosen && <small>Current</small>}
            {detail && <small>{detail}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'date' | 'number' | 'tel';
  readonly value?: string | number | null | undefined;
  readonly min?: string | number;
  readonly max?: string | number | undefined;
  readonly required?: boolean;
  readonly autoComplete?: string;
};

export function Field({ label, type = 'text', value, ...input }: FieldProps) {
  return (
    <label className="field">
      {label}
      <input {...{ type, ...input }} defaultValue={value ?? ''} />
    </label>
  );
}

/** A field for a day, and a line that says which days are possible. */
export function DayField({ min, max, value = min }: { min: string; max: string; value?: string }) {
  return (
    <>
      <Field {...{ label: 'New date', name: 'day', type: 'date', required: true, min, max, value }} />
      <p>
        {min === max
          ? `The only possible day: ${dayText(min)}.`
          : `Possible days: ${dayText(min)} to ${dayText(max)}.`}
      </p>
    </>
  );
}

/** A part of a screen, under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A button that opens a sheet. `sheet` gets the function that closes it. */
export function SheetButton(props: {
  readonly label: string;
  /** The accessible name, if the label alone says too little; it contains the label. */
  readonly name?: string;
  readonly className?: string;
  readonly sheet: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={props.className} aria-label={props.name} onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {isOpen && props.sheet(() => setOpen(false))}
    </>
  );
}

/** The end of a list that has more pages. */
export function More({ list }: { list: { hasNextPage: boolean; fetchNextPage: () => unknown } }) {
  if (!list.hasNextPage) return null;
  return (
    <button type="button" onClick={() => list.fetchNextPage()}>
      Show more
    </button>
  );
}
