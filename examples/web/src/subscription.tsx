/** One subscription: what comes when, what is in it, its terms, and what has happened. */
import { plainText, type SubscriptionDetails } from 'subscription-management-client';
import { useSubscription } from 'subscription-management-react';
import { Contents } from './contents.tsx';
import { Ending } from './ending.tsx';
import { showToast } from './notices.tsx';
import { Orders } from './orders.tsx';
import { Problem } from './parts.tsx';
import { Payment } from './payment.tsx';
import { Status } from './subscriptions.tsx';
import { Terms } from './terms.tsx';
import { Timeline } from './timeline.tsx';

export function SubscriptionScreen({ contractId }: { contractId: string }) {
  const { data: subscription, error, refetch } = useSubscription(contractId);
  if (!subscription)
    return (
      <>
        <Back />
        <h1 tabIndex={-1}>Subscription</h1>
        {error ? <Problem error={error} retry={refetch} /> : <p role="status">Loading …</p>}
      </>
    );
  const hasEnded = !['ACTIVE', 'PAUSED'].includes(subscription.status);
  return (
    <>
      <Back />
      <h1 tabIndex={-1}>{subscription.lines.nodes[0]?.title ?? 'Subscription'}</h1>
      <p>
        <Status status={subscription.status} />
      </p>
      {error && <Problem error={error} retry={refetch} />}
      {!hasEnded && <Payment subscription={subscription} />}
      <Orders subscription={subscription} />
      <Contents subscription={subscription} isFixed={hasEnded} />
      {!hasEnded && <Terms subscription={subscription} />}
      {!hasEnded && <Ending subscription={subscription} />}
      <Timeline contractId={contractId} />
    </>
  );
}

const Back = () => (
  <p>
    <a href="#/subscriptions">‹ All subscriptions</a>
  </p>
);

export type SubscriptionProps = { readonly subscription: SubscriptionDetails };
export type SheetProps = SubscriptionProps & { readonly close: () => void };

/** Shows what a change has done in the service's words: the entry that it wrote in the timeline. */
export function showDone(
  { event }: { readonly event: { readonly message: string } | null },
  undo?: () => void,
  more?: string,
): void {
  showToast(event ? plainText(event.message) : 'Nothing has changed.', undo, more);
}
