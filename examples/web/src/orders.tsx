/** The next orders: skip and its undo, another day, a later day, now. */
import type { UpcomingOrder } from 'subscription-management-client';
import * as hooks from 'subscription-management-react';
import { PausedNote } from './ending.tsx';
import { DAY_MS, price } from './format.ts';
import { useHome } from './home.tsx';
import { Field, More, Problem, Section, Sheet, SheetButton } from './parts.tsx';
import { type SheetProps, type SubscriptionProps, showDone } from './subscription.tsx';

export function Orders({ subscription }: SubscriptionProps) {
  const { id, status, nextOrder } = subscription;
  const orders = hooks.useUpcomingOrders(id, { enabled: status === 'ACTIVE' });
  // Here and not in the rows, because TanStack Query drops the callbacks of components that have gone.
  const [skip, unskip, revert, resume] = [
    hooks.useSkipOrder(id),
    hooks.useUnskipOrder(id),
    hooks.useRevertPostponement(id),
    hooks.useResume(id),
  ];
  const error = skip.error ?? unskip.error ?? revert.error ?? resume.error ?? orders.error;

  const argumentsOf = ({ cycleIndex, billingAttemptExpectedDate: expectedDate }: UpcomingOrder) => ({
    cycleIndex,
    expectedDate,
  });
  function restore(order: UpcomingOrder) {
    skip.reset();
    unskip.mutate(argumentsOf(order), { onSuccess: (done) => showDone(done) });
  }
  function toggle(order: UpcomingOrder) {
    if (order.skipped) return restore(order);
    unskip.reset();
    skip.mutate(argumentsOf(order), { onSuccess: (done) => showDone(done, () => restore(order)) });
  }

  const undoPostponement = () => revert.mutate(undefined, { onSuccess: (done) => showDone(done) });
  const onResume = () => resume.mutate(undefined, { onSuccess: (done) => showDone(done) });

  if (status !== 'ACTIVE')
    return (
      <Section title="Next orders">
        {status === 'PAUSED' ? (
          <PausedNote {...{ subscription, onResume }} />
        ) : (
          <p>There are no more orders of this subscription.</p>
        )}
        {error && <Problem error={error} />}
      </Section>
    );
  return (
    <Section title="Next orders">
      {orders.isPending && <p role="status">Loading …</p>}
      {orders.data?.length === 0 && <p>No orders are planned for the coming year.</p>}
      <ol>
        {orders.data
          ?.filter((order) => order.status !== 'BILLED')
          .map((order) => (
            <Order
              key={order.cycleIndex}
              {...{ order, subscription, undoPostponement }}
              isNext={order.cycleIndex === nextOrder?.cycleIndex}
              onToggle={() => toggle(order)}
            />
          ))}
      </ol>
      {error && <Problem error={error} />}
      <More list={orders} />
      <PostponedNote {...{ subscription, undoPostponement }} />
    </Section>
  );
}

type Undo = { readonly undoPostponement: () => void };

type OrderProps = SubscriptionProps &
  Undo & {
    readonly order: UpcomingOrder;
    readonly isNext: boolean;
    readonly onToggle: () => void;
  };

function Order({ order, subscription, isNext, onToggle, undoPostponement }: OrderProps) {
  const { format } = useHome();
  const { skipped, lines, total } = order;
  const date = order.orderDate ?? order.billingAttemptExpectedDate;
  const day = format.day(date);
  const action = skipped ? 'Undo skip' : 'Skip';
  if (order.orderDate === null)
    return (
      <li>
        <div>
          <time dateTime={date}>{day}</time>
          <small>Postponed</small>
        </div>
      </li>
    );
  return (
    <li className={isNext ? 'next' : undefined}>
      <div>
        <time dateTime={date}>{day}</time>
        <small>{skipped ? 'Skipped' : isNext ? 'Next order' : ''}</small>
        {!skipped && (
          <small>
            {lines.nodes.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')}
            {total && ` · ${price(total)}`}
          </small>
        )}
      </div>
      <div className="actions">
        <button type="button" aria-label={`${action} ${day}`} onClick={onToggle}>
          {action}
        </button>
        {!skipped && (
          <SheetButton
            label="Move"
            name={`Move ${day}`}
            sheet={(close) => <MoveSheet {...{ order, subscription, close }} />}
          />
        )}
        {isNext && (
          <>
            <SheetButton
              label="Postpone"
              name={`Postpone ${day}`}
              sheet={(close) => <PostponeSheet {...{ order, subscription, close, undoPostponement }} />}
            />
            <SendNow {...{ order, subscription }} />
          </>
        )}
      </div>
    </li>
  );
}

type OrderSheetProps = SheetProps & { readonly order: UpcomingOrder };

/** Moves one order within its billing cycle; the others stay as they are. */
function MoveSheet({ order, subscription, close }: OrderSheetProps) {
  const { format } = useHome();
  const reschedule = hooks.useRescheduleOrder(subscription.id);
  const { cycleIndex, cycleStartAt, cycleEndAt, billingAttemptExpectedDate } = order;
  const earliest = Math.max(Date.parse(cycleStartAt), Date.now()) + DAY_MS;
  return (
    <Sheet
      title="Move this order"
      action="Move order"
      onClose={close}
      onSubmit={async (form) =>
        showDone(await reschedule.mutateAsync({ cycleIndex, billingDate: String(form.get('day')) }))
      }
    >
      <p>Only this order moves. The orders after it stay as they are.</p>
      <Field
        label="New date"
        name="day"
        type="date"
        required
        min={format.dateField(earliest)}
        max={format.dateField(cycleEndAt)}
        value={format.dateField(billingAttemptExpectedDate)}
      />
    </Sheet>
  );
}

/** Moves the next order to a later day; the orders after it follow by the interval. */
function PostponeSheet({ order, subscription, close, undoPostponement }: OrderSheetProps & Undo) {
  const { format } = useHome();
  const postpone = hooks.usePostponeOrder(subscription.id);
  const { billingAttemptExpectedDate: expectedDate } = order;
  const nextDay = format.dateField(Date.parse(expectedDate) + DAY_MS);
  const submit = async (form: FormData) =>
    showDone(await postpone.mutateAsync({ expectedDate, to: String(form.get('day')) }), undoPostponement);
  return (
    <Sheet title="Postpone the next order" action="Postpone" onClose={close} onSubmit={submit}>
      <p>The orders after it follow by the interval.</p>
      <Field label="New date" name="day" type="date" required min={nextDay} value={nextDay} />
    </Sheet>
  );
}

function PostponedNote({ subscription: { postponement }, undoPostponement }: SubscriptionProps & Undo) {
  const { format } = useHome();
  if (!postponement?.revertableUntil) return null;
  return (
    <div>
      <p>The orders were postponed. You can undo this until {format.day(postponement.revertableUntil)}.</p>
      <button type="button" onClick={undoPostponement}>
        Undo postponement
      </button>
    </div>
  );
}

/** In stores that allow it, makes the next order due now. */
function SendNow({ order, subscription }: Omit<OrderSheetProps, 'close'>) {
  const { store } = useHome();
  const sendNow = hooks.useSendNow(subscription.id);
  const { billingAttemptExpectedDate: expectedDate } = order;
  if (store.sendNow !== 'MOVE') return null;
  return (
    <SheetButton
      label="Send now"
      sheet={(close) => (
        <Sheet
          title="Send the next order now?"
          action="Send now"
          onClose={close}
          onSubmit={async () => showDone(await sendNow.mutateAsync({ expectedDate }))}
        >
          <p>
            The store charges it with its next run, today or tomorrow. The orders after it stay as they are.
          </p>
        </Sheet>
      )}
    />
  );
}
