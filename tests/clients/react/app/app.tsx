/**
 * An app on clients/react for tests in a browser. The page's address names the contract: it is displayed whoever is signed
 * in, so that the hooks alone have to hide it. `window.app` is for the tests; `window.views` has everything displayed.
 */
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister';
import { QueryClient } from '@tanstack/react-query';
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client';
import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import * as hooks from '../../../../clients/react/src/react.ts';
import { createCustomerClient, createWebStorage } from '../../../../clients/typescript/src/client.ts';
import { createNetwork } from './network.ts';
import { runSequence } from './sequence.ts';

const { serviceUrl = '', shop = '' } = document.documentElement.dataset;
const contractId = `gid://platform/SubscriptionContract/${location.hash.slice(1)}`;
const network = createNetwork();
/** Long, because a busy machine answers slowly: what is tested here is not how fast a tap fails. */
const DEADLINE_MS = 60_000;

const client = createCustomerClient({
  ...{
    serviceUrl,
    shop,
    deadlineMs: DEADLINE_MS,
    changeDeadlineMs: DEADLINE_MS,
    storage: createWebStorage(),
  },
  openBrowser: async () => null,
  environment: {
    fetch: network.fetch,
    // Waits before retries take no time; the time limit of an attempt is longer.
    setTimer: (work, ms) => {
      const timer = setTimeout(work, ms < 5_000 ? ms / 20 : ms);
      return () => clearTimeout(timer);
    },
  },
});
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: 3, retryDelay: 1 } } });
const persister = createSyncStoragePersister({ storage: localStorage, throttleTime: 50 });

function useChanges() {
  return {
    skip: hooks.useSkipOrder(contractId),
    unskip: hooks.useUnskipOrder(contractId),
    reschedule: hooks.useRescheduleOrder(contractId),
    pause: hooks.usePause(contractId),
    resume: hooks.useResume(contractId),
    updateLines: hooks.useUpdateLines(contractId),
    updateDelivery: hooks.useUpdateDelivery(contractId),
    updatePaymentMethod: hooks.useUpdatePaymentMethod(contractId),
  };
}

function useView() {
  const { status } = hooks.useSession();
  const list = hooks.useSubscriptions();
  const { data: detail, error, isFetching } = hooks.useSubscription(contractId);
  const orders = hooks.useUpcomingOrders(contractId);
  const events = hooks.useEvents(contractId);
  return {
    status,
    list: list.data,
    detail,
    orders: orders.data,
    events: events.data,
    error: error?.code,
    isFetching,
  };
}

export type View = ReturnType<typeof useView>;
export type Changes = ReturnType<typeof useChanges>;

declare global {
  interface Window {
    app: {
      readonly client: typeof client;
      readonly queryClient: QueryClient;
      readonly network: typeof network;
      readonly signOut: () => Promise<void>;
      readonly runSequence: typeof runSequence;
      readonly view: View;
      readonly changes: Changes;
      readonly account: ReturnType<typeof useAccount>;
    };
    views: View[];
    onView?: (view: View) => void;
  }
}
window.views = [];

/** Most tests do not need these queries. */
const READS_ACCOUNT = { enabled: location.search === '?account' };

const useAccount = () => ({
  addAddress: hooks.useAddAddress(),
  startPaymentMethodUpdate: hooks.useStartPaymentMethodUpdate(),
  addresses: hooks.useAddresses(READS_ACCOUNT),
  paymentMethods: hooks.usePaymentMethods(READS_ACCOUNT),
  lastPayment: hooks.useLastPayment(contractId, READS_ACCOUNT),
});

function Screen() {
  const view = useView();
  const changes = useChanges();
  const account = useAccount();
  const { signOut } = hooks.useSession();
  useLayoutEffect(() => {
    window.app = { client, queryClient, network, signOut, runSequence, view, changes, account };
    window.views.push(view);
    window.onView?.(view);
  });
  return (
    <>
      <p role="status">{view.status}</p>
      <h1>{view.detail?.lines.nodes[0]?.title}</h1>
      <p role="alert">{view.error}</p>
      <ul>
        {view.orders?.map(({ cycleIndex, skipped }) => (
          <li key={cycleIndex}>{`${cycleIndex} ${skipped ? 'skipped' : 'planned'}`}</li>
        ))}
      </ul>
    </>
  );
}

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <PersistQueryClientProvider client={queryClient} persistOptions={{ persister }}>
      <hooks.SubscriptionsProvider client={client}>
        <Screen />
      </hooks.SubscriptionsProvider>
    </PersistQueryClientProvider>,
  );
