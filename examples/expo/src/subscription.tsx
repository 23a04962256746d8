/** One subscription: its next orders, and the skip of an order with its undo. */
import { useEffect, useState } from 'react';
import { BackHandler, FlatList, View } from 'react-native';
import { plainText, type UpcomingOrder } from 'subscription-management-client';
import {
  useSkipOrder,
  useSubscription,
  useUnskipOrder,
  useUpcomingOrders,
} from 'subscription-management-react';
import { Button, Done, dayOf, Loading, Note, nameOf, Problem, priceOf, styles, Title } from './parts';

export function SubscriptionScreen({ contractId, close }: { contractId: string; close: () => void }) {
  const subscription = useSubscription(contractId);
  const isActive = subscription.data?.status === 'ACTIVE';
  const orders = useUpcomingOrders(contractId, { enabled: isActive });
  const [skip, unskip] = [useSkipOrder(contractId), useUnskipOrder(contractId)];
  const [done, setDone] = useState<{ text: string; undo?: () => void }>();
  useBackButton(close);

  function change(order: UpcomingOrder, isSkip: boolean) {
    skip.reset();
    unskip.reset();
    setDone(undefined);
    const { cycleIndex, billingAttemptExpectedDate: expectedDate } = order;
    const undo = isSkip && { undo: () => change(order, false) };
    (isSkip ? skip : unskip).mutate(
      { cycleIndex, expectedDate },
      // The event has the service's own words, in the customer's language.
      { onSuccess: ({ event }) => event && setDone({ text: plainText(event.message), ...undo }) },
    );
  }

  if (subscription.isPending || orders.isLoading) return <Loading />;
  const { lines, status = '', storeTimeZone } = subscription.data ?? {};
  const error = skip.error ?? unskip.error ?? subscription.error ?? orders.error;
  return (
    <>
      <FlatList
        data={isActive ? orders.data?.filter((order) => order.status !== 'BILLED' && order.orderDate) : []}
        keyExtractor={({ cycleIndex }) => String(cycleIndex)}
        onEndReached={() => orders.hasNextPage && orders.fetchNextPage()}
        ListHeaderComponent={
          <>
            <Button label="‹ All subscriptions" onPress={close} />
            <Title text={lines?.nodes[0]?.title ?? 'Subscription'} />
            <Note text={nameOf(status)} />
            {error && <Problem error={error} retry={() => void subscription.refetch()} />}
          </>
        }
        renderItem={({ item: order }) => (
          <View style={styles.card}>
            <Note isStrong text={dayOf(order.orderDate ?? order.billingAttemptExpectedDate, storeTimeZone)} />
            <Note text={order.skipped ? 'Skipped' : priceOf(order.total)} />
            <Button
              label={order.skipped ? 'Restore' : 'Skip'}
              onPress={() => change(order, !order.skipped)}
            />
          </View>
        )}
      />
      {done && <Done {...done} />}
    </>
  );
}

/** Android's button leads to the list. */
function useBackButton(close: () => void) {
  useEffect(() => {
    const listener = BackHandler.addEventListener('hardwareBackPress', () => {
      close();
      return true;
    });
    return () => listener.remove();
  }, [close]);
}
