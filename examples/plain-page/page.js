/**
 * A web page that signs customers in and lists their subscriptions. The file beside it is the client, as
 * `npm run package` builds it. index.html names the service, the store and the address of the page, exactly as the
 * operator has entered it.
 */
import {
  createCustomerClient,
  createPageStorage,
  createRedirectBrowser,
  isServiceError,
} from './subscription-management-client.js';

const { serviceUrl, shop, redirectUri } = document.documentElement.dataset;
const client = createCustomerClient({
  ...{ serviceUrl, shop, redirectUri },
  storage: createPageStorage(),
  openBrowser: createRedirectBrowser(),
  language: () => document.documentElement.lang,
});

const [message, list, signIn, signOut] = ['message', 'subscriptions', 'sign-in', 'sign-out'].map((id) =>
  document.getElementById(id),
);

async function show({ status, endedByService }) {
  signIn.hidden = status !== 'signedOut';
  signOut.hidden = status !== 'signedIn';
  if (endedByService) message.textContent = 'You were signed out.';
  const items = [];
  if (status === 'signedIn') {
    for await (const { status: state, nextBillingDate } of client.subscriptions.all()) {
      const item = document.createElement('li');
      item.textContent = `${state}, next order ${nextBillingDate?.slice(0, 10) ?? 'none'}`;
      items.push(item);
    }
  }
  list.replaceChildren(...items);
}

/** Runs work of the client. Shows a failure, unless the customer closed the sign-in or opened an old address. */
async function run(work) {
  message.textContent = '';
  await work().catch((error) => {
    if (isServiceError(error, 'CANCELLED', 'SIGNED_OUT', 'FOREIGN_REDIRECT')) return;
    message.textContent = 'That did not work. Please try again.';
  });
}

client.onSession((session) => void run(() => show(session)));
signIn.addEventListener('click', () => run(client.signIn));
signOut.addEventListener('click', () => run(client.signOut));

// The browser has returned from the sign-in. Remove the code from the address before anything else can send it on.
const address = location.href;
if (location.search !== '') {
  history.replaceState(null, '', location.pathname);
  void run(() => client.completeSignIn(address));
}
