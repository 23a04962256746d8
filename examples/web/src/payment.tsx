/** The payment method: another one of the customer's, or a new card; and what to do about an order that is not paid. */
import { useMutation } from '@tanstack/react-query';
import { lastPayment, paymentState, plainText } from 'subscription-management-client';
import * as hooks from 'subscription-management-react';
import { client } from './client.ts';
import { expiryText, paymentText } from './format.ts';
import { showToast } from './notices.tsx';
import { Choices, Problem, Sheet, SheetButton } from './parts.tsx';
import { type SheetProps, type SubscriptionProps, showDone } from './subscription.tsx';

export function PaymentSheet({ subscription, close }: SheetProps) {
  const { id, customerPaymentMethod: current } = subscription;
  const update = hooks.useUpdatePaymentMethod(id);
  const methods = hooks.usePaymentMethods();
  const choices = methods.data?.map((method) => ({
    ...{ value: method.id, label: paymentText(method), detail: expiryText(method) },
  }));
  return (
    <Sheet
      title="Payment method"
      action="Save"
      onClose={close}
      onSubmit={async (form) =>
        showDone(await update.mutateAsync({ paymentMethodId: String(form.get('method')) }))
      }
    >
      {methods.isPending && <p role="status">Loading …</p>}
      {methods.error && <Problem error={methods.error} retry={methods.refetch} />}
      {choices && <Choices legend="Pay with" name="method" choices={choices} chosen={current?.id} />}
      {current && <RenewCard paymentMethodId={current.id} onSent={close} />}
    </Sheet>
  );
}

/** Sends the store's e-mail with the link to replace a card. */
function RenewCard({ paymentMethodId, onSent }: { paymentMethodId: string; onSent?: () => void }) {
  const send = useMutation({
    mutationFn: () => client.account.sendPaymentMethodEmail({ paymentMethodId }),
    onSuccess: () => {
      showToast('The email is on its way.');
      onSent?.();
    },
  });
  return (
    <>
      <button type="button" className="plain" onClick={() => send.mutate()}>
        Email me a link to update this card
      </button>
      {send.error && <Problem error={send.error} />}
    </>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  PROCESSING: 'Your payment is in progress',
  CONFIRMATION_NEEDED: 'Your bank asks you to confirm the payment',
};
const POLL_MS = 15_000;

/** Shows why the last order is not paid, and what helps. Where the service bills, it tries a new method at once. */
export function Payment({ subscription }: SubscriptionProps) {
  const { id: contractId, lastPaymentStatus, customerPaymentMethod: method } = subscription;
  const isDeclined = lastPaymentStatus === 'FAILED';
  const { data: payment } = hooks.usePayment(contractId, { refetchInterval: isDeclined && POLL_MS });
  const last = hooks.useLastPayment(contractId, { enabled: payment === null }).data;
  const retry = hooks.useRetryPayment(contractId);
  // The bank asks the customer (3-D Secure). Its address is read at the tap: it is secret, and no cache has it.
  const confirm = useMutation({
    mutationFn: async () => {
      const url = payment
        ? (await paymentState(client, { contractId })).payment?.confirmationUrl
        : (await lastPayment(client, { contractId })).nextActionUrl;
      if (url) window.location.assign(url);
    },
  });
  const error = retry.error ?? confirm.error;
  const {
    canConfirm = last?.outcome === 'ACTION_REQUIRED',
    status = canConfirm ? 'CONFIRMATION_NEEDED' : last && isDeclined ? 'UNPAID' : 'PAID',
    message = canConfirm ? null : 'The history below says why. The store tries again in its own time.',
    canUpdateMethod = !canConfirm,
    canRetry = false,
  } = payment ?? {};
  if (status === 'PAID') return null;
  return (
    <div className="problem">
      <h2>{TITLES[status] ?? 'Your last payment did not go through'}</h2>
      {message && <p role="status">{plainText(message)}</p>}
      {canConfirm && (
        <button type="button" onClick={() => confirm.mutate()}>
          Confirm the payment
        </button>
      )}
      {canRetry && (
        <button type="button" onClick={() => retry.mutate()}>
          Try again
        </button>
      )}
      {canUpdateMethod && (
        <SheetButton
          label="Choose another payment method"
          sheet={(close) => <PaymentSheet {...{ subscription, close }} />}
        />
      )}
      {canUpdateMethod && method && <RenewCard paymentMethodId={method.id} />}
      {error && <Problem error={error} />}
    </div>
  );
}
