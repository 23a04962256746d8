/** The next orders: skip and its undo, another day, a later day, now. */
import { type ReactNode, useState } from 'react';
import type { SubscriptionDetails, UpcomingOrder } from 'subscription-management-client';
import {
  daysOfMove,
  daysOfPostponement,
  isServiceError,
  visibleOrders,
} from 'subscription-management-client';
import * as hooks from 'subscription-management-react';
import { client } from './client.ts';
import { PausedNote } from './ending.tsx';
import { priceText } from './format.ts';
import { useCustomerQuery, useHome } from './home.tsx';
import { DayField, More, Problem, Section, Sheet } from './parts.tsx';
import { type SheetProps, type SubscriptionProps, showDone } from './subscription.tsx';

export function Orders({ subscription }: SubscriptionProps) {
  const { id, status, nextOrder } = subscription;
  const isActive = status === 'ACTIVE';
  const orders = hooks.useUpcomingOrders(id, { enabled: isActive || status === 'PAUSED' });
  const { data: payment } = hooks.usePayment(id, { enabled: isActive || status === 'PAUSED' });
  const isUnpaid = ({ cycleIndex }: UpcomingOrder) =>
    payment?.status !== 'PAID' && payment?.cycleIndex === cycleIndex;
  // Here and not in the rows, because TanStack Query drops the callbacks of components that have gone, and so that a refused
  // change says why when its order is no longer the next one.
  const [sheet, openSheet] = useState<ReactNode>();
  const [skip, unskip] = [hooks.useSkipOrder(id), hooks.useUnskipOrder(id)];
  const [revert, resume] = [hooks.useRevertPostponement(id), hooks.useResume(id)];
  const [last] = [skip, unskip, revert, resume].sort((one, other) => other.submittedAt - one.submittedAt);
  const error = last?.error ?? orders.error;

  function changeOrder(order: UpcomingOrder, isSkip: boolean) {
    const { cycleIndex, billingAttemptExpectedDate: expectedDate } = order;
    const undo = isSkip ? () => changeOrder(order, false) : undefined;
    (isSkip ? skip : unskip).mutate(
      { cycleIndex, expectedDate },
      {
        onSuccess: (done) => {
          const endsUndo = isUndoable(subscription) && done.subscription && !isUndoable(done.subscription);
          showDone(done, undo, endsUndo ? 'The postponement can no longer be undone.' : '');
        },
      },
    );
  }

  const undoPostponement = () => revert.mutate(undefined, { onSuccess: (done) => showDone(done) });
  const onResume = () => resume.mutate(undefined, { onSuccess: (done) => showDone(done) });
  const rows = isActive
    ? (orders.data ?? []).filter((order) => mayCome(order, orders.dataUpdatedAt))
    : visibleOrders(subscription, orders.data ?? []);
  return (
    <Section title="Next orders">
      {status === 'PAUSED' && <PausedNote {...{ subscription, onResume }} />}
      {!isActive && status !== 'PAUSED' && <p>There are no more orders of this subscription.</p>}
      {orders.isLoading && <p role="status">Loading …</p>}
      {isActive && orders.data?.length === 0 && <p>No orders are planned for the coming year.</p>}
      <ol>
        {rows.map((order, index) => (
          <Order
            key={order.cycleIndex}
            {...{ order, subscription, undoPostponement, openSheet, following: rows[index + 1] }}
            isNext={isActive && order.cycleIndex === nextOrder?.cycleIndex}
            isSendable={maySendNow(order, orders.data ?? [])}
            payment={isUnpaid(order) ? payment : undefined}
            onToggle={() => changeOrder(order, !order.skipped)}
          />
        ))}
      </ol>
      {sheet}
      {error && <Problem error={error} />}
      {(isActive || rows.length > 0) && <More list={orders} />}
      {payment === null && rows.some(({ total }) => total) && (
        <p>Prices are today’s. The store can set others before it charges an order.</p>
      )}
      {isActive && <PostponedNote {...{ subscription, undoPostponement }} />}
    </Section>
  );
}

/** An order whose date has passed since it was read may be overdue. A skipped one can be restored until its day. */
function mayCome(order: UpcomingOrder, readAtMs: number): boolean {
  const { status, skipped, overdue, orderDate, billingAttemptExpectedDate } = order;
  const dueMs = Date.parse(orderDate ?? billingAttemptExpectedDate);
  return status !== 'BILLED' && (Boolean(overdue) || dueMs > (skipped ? Date.now() : readAtMs));
}

/** The service sends no order now after one that is not paid yet, nor in the cycle of one that is paid. */
function maySendNow(next: UpcomingOrder, orders: readonly UpcomingOrder[]): boolean {
  const started = orders.filter(({ cycleStartAt }) => Date.parse(cycleStartAt) <= Date.now());
  const isFree = ({ cycleIndex, skipped, status, overdue }: UpcomingOrder) =>
    skipped || cycleIndex === next.cycleIndex || (status !== 'BILLED' && !overdue);
  return started.length > 0 && started.every(isFree);
}

const isUndoable = ({ postponement }: Pick<SubscriptionDetails, 'postponement'>) =>
  Boolean(postponement?.revertableUntil);

const NEXT_RUN_TEXT = 'The store charges it with its next run, perhaps tomorrow.';

type Undo = { undoPostponement: () => void };
type RowActions = { onToggle: () => void; openSheet: (sheet: ReactNode) => void };
type OrderOfRow = {
  order: UpcomingOrder;
  following: UpcomingOrder | undefined;
  isNext: boolean;
  isSendable: boolean;
  /** Of an order that was tried and is not paid. */
  payment: ReturnType<typeof hooks.usePayment>['data'];
};
type OrderProps = SubscriptionProps & Undo & RowActions & OrderOfRow;

function Order(props: OrderProps) {
  const { order, following, isNext, isSendable, payment, onToggle, openSheet } = props;
  const sheetProps = { ...props, close: () => openSheet(null) };
  const { format, store } = useHome();
  const { skipped, lines, total, overdue } = order;
  const move = daysOfMove(order, store.storeTimeZone);
  const postponement = daysOfPostponement(order, following, store.storeTimeZone);
  const isOnFixedDays = props.subscription.billingPolicy.anchors.length > 0;
  const isPostponable =
    isNext && !isOnFixedDays && postponement.min <= (postponement.max ?? postponement.min);
  const hasNoOrder = order.orderDate === null;
  const date = order.orderDate ?? order.billingAttemptExpectedDate;
  const day = format.day(date);
  // An order whose date has passed is not paid yet: it can only be moved, within its cycle.
  const isPast = Date.parse(date) <= Date.now();
  // An order that was sent is due five minutes later.
  const maySend = isSendable && store.sendNow === 'MOVE' && Date.parse(date) > Date.now() + 2 * 300_000;
  const isToday = format.dateField(date) === format.dateField(Date.now());
  const openState = payment ? 'Not paid' : isNext ? 'Next order' : '';
  const state = skipped ? 'Skipped' : isPast ? 'Not paid: too late to skip it' : openState;
  const button = (label: string, onClick: () => void) => (
    <button type="button" aria-label={`${label} ${day}`} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <li className={isNext ? 'next' : undefined}>
      <div>
        <time dateTime={date}>{day}</time>
        <small>{hasNoOrder ? 'No order on this day' : state}</small>
        {isNext && isOnFixedDays && (
          <small>Orders come on fixed days. Skip an order if you want it later.</small>
        )}
        {isToday && !isPast && !skipped && !payment && <small>{NEXT_RUN_TEXT}</small>}
        {payment?.nextTryAt && !skipped && (
          <small>It is tried again on {format.day(payment.nextTryAt)}.</small>
        )}
        {overdue?.nextRunAt && <small>The store charges it on {format.day(overdue.nextRunAt)}.</small>}
        {!skipped && (
          <small>
            {lines.nodes.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')}
            {order.status !== 'BILLED' && ` · ${total ? priceText(total) : 'price not certain yet'}`}
          </small>
        )}
      </div>
      <div className="actions">
        {!isPast && !hasNoOrder && button(skipped ? 'Undo skip' : 'Skip', onToggle)}
        {!skipped && move.min <= move.max && button('Move', () => openSheet(<MoveSheet {...sheetProps} />))}
        {isPostponable && !isPast && button('Postpone', () => openSheet(<PostponeSheet {...sheetProps} />))}
        {isNext && maySend && button('Send now', () => openSheet(<SendNowSheet {...sheetProps} />))}
      </div>
    </li>
  );
}

type OrderSheetProps = SheetProps & { readonly order: UpcomingOrder };

/** Moves one order within its billing cycle; the others stay as they are. */
function MoveSheet({ order, subscription, close }: OrderSheetProps) {
  const { format, store } = useHome();
  const reschedule = hooks.useRescheduleOrder(subscription.id);
  const { cycleIndex, billingAttemptExpectedDate, orderDate } = order;
  const days = daysOfMove(order, store.storeTimeZone);
  const day = format.dateField(orderDate ?? billingAttemptExpectedDate);
  const isBeforeDays = day < days.min;
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
      <DayField {...days} value={isBeforeDays ? days.min : day} />
    </Sheet>
  );
}

/** Moves the next order to a later day; the orders after it follow by the interval. */
function PostponeSheet({ order, subscription, close, undoPostponement }: OrderSheetProps & Undo) {
  const { format } = useHome();
  const postpone = hooks.usePostponeOrder(subscription.id);
  const { billingAttemptExpectedDate: expectedDate } = order;
  const preview = { contractId: subscription.id, expectedDate, to: format.dateField(expectedDate) };
  const [openedAt] = useState(Date.now);
  const [chosenDay, chooseDay] = useState<string>();
  // The order's own day is refused: with the possible days, or with the reason why there are none.
  const refusal = useCustomerQuery(`days ${subscription.id} ${openedAt}`, () =>
    client.subscriptions.previewPostponement(preview).catch((error) => error),
  ).data;
  const { earliest, latest } = (isServiceError(refusal, 'previewPostponement') && refusal.details) || {};
  const days = earliest && latest && { min: format.dateField(earliest), max: format.dateField(latest) };
  async function submitDate(form: FormData) {
    const done = await postpone.mutateAsync({ expectedDate, to: String(form.get('day')) });
    showDone(done, done.event?.action === 'orders_postponed' ? undoPostponement : undefined);
  }
  const action = days ? 'Postpone' : undefined;
  return (
    <Sheet
      {...{ title: 'Postpone the next order', action, onClose: close, onSubmit: submitDate }}
      onChange={(form) => chooseDay(form ? String(form.get('day')) : '')}
    >
      <p>Later orders follow by the interval. An order that was moved to an earlier day moves alone.</p>
      {!refusal && <p role="status">Loading …</p>}
      {refusal && !days && <Problem error={refusal} />}
      {days && <DayField {...days} />}
      {days && chosenDay !== '' && (
        <DaysAfterwards {...preview} to={chosenDay ?? days.min} openedAt={openedAt} />
      )}
    </Sheet>
  );
}

type Postponement = Parameters<typeof client.subscriptions.previewPostponement>[0];

/** The next orders as they would be after the postponement. */
function DaysAfterwards({ openedAt, ...postponement }: Postponement & { openedAt: number }) {
  const { format } = useHome();
  const { contractId, to } = postponement;
  const { data } = useCustomerQuery(`postponed ${contractId} ${to} ${openedAt}`, () =>
    client.subscriptions.previewPostponement(postponement),
  );
  const days = data?.upcomingOrders.flatMap(({ skipped, date }) => (skipped ? [] : format.day(date)));
  return days ? <p role="status">Orders then: {days.join('; ')}.</p> : null;
}

function PostponedNote({ subscription: { postponement }, undoPostponement }: SubscriptionProps & Undo) {
  const { format } = useHome();
  if (!postponement?.revertableUntil) return null;
  return (
    <div>
      <p>
        The orders were postponed. You can undo this until {format.moment(postponement.revertableUntil)}. A
        skipped or moved order, or a new interval, ends this earlier.
      </p>
      <button type="button" onClick={undoPostponement}>
        Undo postponement
      </button>
    </div>
  );
}

/** In stores that allow it, makes the next order due now. */
function SendNowSheet({ order, subscription, close }: OrderSheetProps) {
  const sendNow = hooks.useSendNow(subscription.id);
  const { billingAttemptExpectedDate: expectedDate } = order;
  return (
    <Sheet
      title="Send the next order now?"
      action="Send now"
      onClose={close}
      onSubmit={async () => showDone(await sendNow.mutateAsync({ expectedDate }))}
    >
      <p>{NEXT_RUN_TEXT} Later orders stay as they are.</p>
    </Sheet>
  );
}
