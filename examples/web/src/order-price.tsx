/** What the next order will cost after a change that is not saved yet. */
import { useState } from 'react';
import { type ChangePreview, isServiceError } from 'subscription-management-client';
import { priceText } from './format.ts';
import { useCustomerQuery, useHome } from './home.tsx';
import { Problem } from './parts.tsx';

/** Numbers are typed digit by digit, and a subscription has 30 previews in an hour. */
const TYPING_MS = 500;

type OrderPriceProps = {
  /** Names the change. */
  readonly name: string;
  readonly preview: (options: { signal: AbortSignal }) => Promise<{ preview: ChangePreview | null }>;
  /** What to say if only the change can show the date. */
  readonly withoutDate?: string;
};

export function OrderPrice({ name, preview, withoutDate }: OrderPriceProps) {
  const { format } = useHome();
  const [openedAt] = useState(Date.now);
  const { data, error } = useCustomerQuery(`price ${name} ${openedAt}`, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    signal.throwIfAborted();
    return preview({ signal });
  });
  if (isServiceError(error, 'THROTTLED'))
    return <p role="status">You see the price when the change is saved.</p>;
  if (error) return <Problem error={error} />;
  if (!data?.preview) return null;
  const { total, date } = data.preview;
  return (
    <p role="status">
      {total
        ? `The next order will cost ${priceText(total)}.`
        : 'The price of the next order is not certain yet.'}{' '}
      {date ? `It comes on ${format.day(date)}.` : withoutDate}
    </p>
  );
}
