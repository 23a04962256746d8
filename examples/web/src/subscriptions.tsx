/** The list: what is subscribed to, in what state, what it costs, and when it comes next. */
import type { SubscriptionSummary } from 'subscription-management-client';
import { useSubscriptions } from 'subscription-management-react';
import { frequencyText, priceText } from './format.ts';
import { useHome } from './home.tsx';
import { More, Problem } from './parts.tsx';

export function SubscriptionsScreen() {
  const list = useSubscriptions();
  const { customer } = useHome();
  return (
    <>
      {customer.firstName && <p className="quiet">Hello, {customer.firstName}</p>}
      <h1 tabIndex={-1}>Your subscriptions</h1>
      {list.isPending && <p role="status">Loading …</p>}
      {list.error && <Problem error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && <h2>No subscriptions yet</h2>}
      <ul>
        {list.data?.map((subscription) => (
          <li key={subscription.id}>
            <Card subscription={subscription} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

function Card({ subscription }: { subscription: SubscriptionSummary }) {
  const { format } = useHome();
  const { id, lines, nextOrder, lastPaymentStatus } = subscription;
  const [line] = lines.nodes;
  const otherCount = lines.nodes.length - 1;
  return (
    <a className="card" href={`#/subscriptions/${encodeURIComponent(id)}`}>
      {line?.variantImage && <img src={line.variantImage.url} alt="" />}
      <span>
        <strong>
          {line?.title ?? 'Subscription'}
          {otherCount > 0 && ` and ${otherCount} more`}
        </strong>
        <span>
          {nextOrder?.total && `${priceText(nextOrder.total)} `}
          {frequencyText(subscription)}
        </span>
        <Status {...subscription} />
        {nextOrder && <span>Next order: {format.day(nextOrder.date)}</span>}
        {lastPaymentStatus === 'FAILED' && <strong className="bad">Payment failed</strong>}
      </span>
    </a>
  );
}

const STATUS: Readonly<Record<string, string>> = {
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Ended',
  FAILED: 'Ended after failed payments',
};

export function Status({ status }: Pick<SubscriptionSummary, 'status'>) {
  return <span className={`status ${status === 'ACTIVE' ? 'good' : ''}`}>{STATUS[status] ?? status}</span>;
}
