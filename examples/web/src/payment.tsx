/** The payment method: another one of the customer's, or a new card; and what to do about an order that is not paid. */
import { useMutation } from '@tanstack/react-query';
import { lastPayment } from 'subscription-management-client';
import { useLastPayment, usePaymentMethods, useUpdatePaymentMethod } from 'subscription-management-react';
import { client } from './client.ts';
import { expiryText, paymentText } from './format.ts';
import { showToast } from './notices.tsx';
import { Choices, Problem, Sheet } from './parts.tsx';
import { type SheetProps, type SubscriptionProps, showDone } from './subscription.tsx';

export function PaymentSheet({ subscription, close }: SheetProps) {
  const { id, customerPaymentMethod: current } = subscription;
  const update = useUpdatePaymentMethod(id);
  const methods = usePaymentMethods();
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

const OUT_OF_STOCK: readonly unknown[] = ['INSUFFICIENT_INVENTORY', 'INVENTORY_ALLOCATIONS_NOT_FOUND'];

/** Shows that the last order is not paid. After a decline the store tries again by itself; what helps depends on the reason. */
export function LastPayment({ subscription }: SubscriptionProps) {
  const { id, customerPaymentMethod: method } = subscription;
  const { data: payment, isPending } = useLastPayment(id);
  if (payment?.outcome === 'ACTION_REQUIRED') return <ConfirmPayment contractId={id} />;
  if (isPending || subscription.lastPaymentStatus !== 'FAILED') return null;
  const isStock = OUT_OF_STOCK.includes(payment?.errorCode);
  return (
    <div className="problem">
      <h2>{isStock ? 'A product is out of stock' : 'Your last payment did not go through'}</h2>
      <p>
        {isStock ? 'Nothing was charged.' : `It was to be paid with ${paymentText(method)}: renew the card.`}{' '}
        You can also choose another {isStock ? 'product' : 'payment method'} below. Then the store retries.
      </p>
      {method && !isStock && <RenewCard paymentMethodId={method.id} />}
    </div>
  );
}

/** The bank asks the customer (3-D Secure). Its address is read at the tap: it is secret, and no cache has it. */
function ConfirmPayment({ contractId }: { contractId: string }) {
  const confirm = useMutation({
    mutationFn: async () => {
      const { nextActionUrl } = await lastPayment(client, { contractId });
      if (nextActionUrl) window.location.assign(nextActionUrl);
    },
  });
  return (
    <div className="problem">
      <h2>Your bank asks you to confirm the payment</h2>
      <button type="button" onClick={() => confirm.mutate()}>
        Confirm the payment
      </button>
      {confirm.error && <Problem error={confirm.error} />}
    </div>
  );
}
