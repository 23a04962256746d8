/** The history, newest first, in the service's words. */
import { plainText, type TimelineEntry } from 'subscription-management-client';
import { useEvents } from 'subscription-management-react';
import { useHome } from './home.tsx';
import { More, Problem, Section } from './parts.tsx';

/** A store's job may note the date of the next order with each charge, which moves no order. */
const isVisible = ({ action, ...event }: TimelineEntry) =>
  action !== 'subscription_next_billing_date_updated' ||
  ('changes' in event && event.changes.some(({ field }) => field !== 'nextBillingDate'));

export function Timeline({ contractId }: { contractId: string }) {
  const { format } = useHome();
  const events = useEvents(contractId);
  return (
    <Section title="History">
      {events.isPending && <p role="status">Loading …</p>}
      {events.error && <Problem error={events.error} retry={events.refetch} />}
      {events.data?.length === 0 && <p>Nothing has been changed yet.</p>}
      <ol className="timeline">
        {events.data?.filter(isVisible).map((event) => (
          <li key={event.id}>
            {plainText(event.message)}
            {'outcome' in event && event.outcome === 'UNKNOWN' && ' (not confirmed)'}
            <small>
              <time dateTime={event.createdAt}>{format.moment(event.createdAt)}</time>
            </small>
          </li>
        ))}
      </ol>
      <More list={events} />
    </Section>
  );
}
