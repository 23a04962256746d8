/** The list: what is subscribed to, in what state, and when it comes next. */
import { FlatList, Pressable } from 'react-native';
import { useSubscriptions } from 'subscription-management-react';
import { Button, dayOf, Loading, Note, nameOf, Problem, styles, Title } from './parts';

type Props = { open: (contractId: string) => void; signOut: () => void };

export function SubscriptionsScreen({ open, signOut }: Props) {
  const list = useSubscriptions();
  if (list.isPending) return <Loading />;
  return (
    <FlatList
      data={list.data ?? []}
      keyExtractor={({ id }) => id}
      refreshing={list.isRefetching}
      onRefresh={list.refetch}
      onEndReached={() => list.hasNextPage && list.fetchNextPage()}
      ListHeaderComponent={
        <>
          <Title text="Your subscriptions" />
          {list.error && <Problem error={list.error} retry={list.refetch} />}
        </>
      }
      ListEmptyComponent={list.error ? null : <Note text="No subscriptions yet" />}
      ListFooterComponent={<Button label="Sign out" onPress={signOut} />}
      renderItem={({ item: { id, lines, nextOrder, status, storeTimeZone } }) => (
        <Pressable accessibilityRole="button" style={styles.card} onPress={() => open(id)}>
          <Note isStrong text={lines.nodes[0]?.title ?? 'Subscription'} />
          <Note text={nextOrder ? `Next order: ${dayOf(nextOrder.date, storeTimeZone)}` : nameOf(status)} />
        </Pressable>
      )}
    />
  );
}
