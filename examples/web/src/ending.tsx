/** A break and the end: pause, resume, cancel with a reason. */
import type { CancelVariables } from 'subscription-management-client';
import { useCancel, usePause } from 'subscription-management-react';
import { DAY_MS } from './format.ts';
import { useHome } from './home.tsx';
import { Choices, Field, Sheet, SheetButton } from './parts.tsx';
import { type SheetProps, type SubscriptionProps, showDone } from './subscription.tsx';

type ReasonCode = NonNullable<CancelVariables['reason']>['code'];

const REASONS: readonly { readonly value: ReasonCode; readonly label: string }[] = [
  { value: 'TOO_EXPENSIVE', label: 'It is too expensive' },
  { value: 'TOO_MUCH_PRODUCT', label: 'I have too much of it' },
  { value: 'NOT_NEEDED', label: 'I do not need it any more' },
  { value: 'QUALITY', label: 'I am not happy with the product' },
  { value: 'DELIVERY', label: 'The delivery did not work' },
  { value: 'MOVED', label: 'I am moving' },
  { value: 'SWITCHED', label: 'I buy it somewhere else' },
  { value: 'TEMPORARY', label: 'I need a break' },
  { value: 'OTHER', label: 'Something else' },
];

export function PausedNote({ subscription, onResume }: SubscriptionProps & { onResume: () => void }) {
  const { currentPause, nextOrder } = subscription;
  const { format } = useHome();
  return (
    <>
      <p>
        The subscription is paused.{' '}
        {currentPause?.resumesAt
          ? `It resumes on ${format.day(currentPause.resumesAt)}. `
          : 'No order comes until you resume it.'}
        {nextOrder && `The first order comes on ${format.day(nextOrder.date)}.`}
      </p>
      <button type="button" onClick={onResume}>
        Resume now
      </button>
    </>
  );
}

export function Ending({ subscription }: SubscriptionProps) {
  const { status } = subscription;
  return (
    <div className="actions">
      {status === 'ACTIVE' && (
        <SheetButton label="Pause" sheet={(close) => <PauseSheet {...{ subscription, close }} />} />
      )}
      <SheetButton
        label="Cancel subscription"
        className="plain bad"
        sheet={(close) => <CancelSheet {...{ subscription, close }} />}
      />
    </div>
  );
}

function PauseSheet({ subscription: { id }, close }: SheetProps) {
  const { format } = useHome();
  const pause = usePause(id);
  const tomorrow = format.dateField(Date.now() + DAY_MS);
  async function submit(form: FormData) {
    const [until, reason] = ['until', 'reason'].map((name) => String(form.get(name)) || null);
    showDone(await pause.mutateAsync({ until, reason }));
  }
  return (
    <Sheet title="Pause this subscription" action="Pause" onClose={close} onSubmit={submit}>
      <p>No orders come while it is paused. You can resume it at any time.</p>
      <Field label="Resume on (optional)" name="until" type="date" min={tomorrow} />
      <Field label="Reason (optional)" name="reason" />
    </Sheet>
  );
}

function CancelSheet({ subscription: { id }, close }: SheetProps) {
  const cancel = useCancel(id);
  async function submit(form: FormData) {
    const code = REASONS.find(({ value }) => value === form.get('code'))?.value ?? 'OTHER';
    const comment = String(form.get('comment')) || null;
    showDone(await cancel.mutateAsync({ reason: { code, comment } }));
  }
  return (
    <Sheet title="Cancel subscription" action="Cancel subscription" isFinal onClose={close} onSubmit={submit}>
      <p>
        If you only need a break, close this and choose Pause. A cancelled subscription cannot be restarted.
      </p>
      <Choices legend="Why do you cancel?" name="code" choices={REASONS} />
      <Field label="Tell the store more (optional)" name="comment" />
    </Sheet>
  );
}
