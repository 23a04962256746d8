/** One subscription: what is in it, what it costs, its next orders, its history; and all that can be changed. */

import { everyInterval } from '../messages/format.js';
import { t } from '../messages/translate.js';
import { loadOne } from '../subscriptions/load-one.js';
import { stateChip, titleOf } from '../ui/card.js';
import { element, setBusy } from '../ui/element.js';
import { icon } from '../ui/icon.js';
import { errorNotice } from '../ui/notice.js';
import { picture } from '../ui/picture.js';
import { skeleton } from '../ui/skeleton.js';
import { createChanges } from './subscription/changes.js';
import { contentsSection } from './subscription/contents.js';
import { historySection } from './subscription/history.js';
import { nextOrdersSection } from './subscription/next-orders.js';
import { termsSection } from './subscription/terms.js';

const MAX_PICTURES = 3;
const HISTORY_PAGE = 5;
const ENDED = new Set(['CANCELLED', 'EXPIRED', 'FAILED']);

/**
 * @typedef {import('../subscriptions/load-one.js').FullContract} FullContract
 * @typedef {import('../subscriptions/load-one.js').Subscription} Subscription
 */

/** @param {import('../ui/router.js').Visit} visit @returns {import('../ui/router.js').View} */
export function subscriptionScreen({ match, signal }) {
  const id = `gid://platform/SubscriptionContract/${match}`;
  const heading = element('h1', {}, t('subscription'));
  const body = element('div', { class: 'sections' });
  let history = HISTORY_PAGE;

  const changes = createChanges({ read, signal, heading, body });

  async function load() {
    body.replaceChildren(skeleton(3));
    await read();
  }

  /** Shows what the service says now; what was there stays until it has answered. */
  async function read() {
    try {
      const subscription = await loadOne(id, history);
      if (!signal.aborted) show(subscription);
    } catch (error) {
      if (!signal.aborted) body.replaceChildren(errorNotice(error, { retry: load }));
    }
  }

  /** @param {Subscription} subscription */
  function show({ contract, orders }) {
    const open = ENDED.has(contract.status) ? undefined : changes;
    heading.textContent = titleOf(contract.lines.nodes);
    document.title = `${heading.textContent} · Pantry`;
    body.replaceChildren(
      summary(contract),
      nextOrdersSection({ contract, orders }, changes),
      contentsSection(contract, open),
      ...(open === undefined ? [] : [termsSection(contract, open)]),
      historySection(contract.events, showMore),
    );
  }

  /** @param {HTMLButtonElement} control */
  async function showMore(control) {
    setBusy(control, true);
    history += 4 * HISTORY_PAGE;
    await read();
  }

  void load();
  return {
    title: t('subscription'),
    tab: 'subscriptions',
    content: element(
      'div',
      { class: 'screen' },
      element(
        'div',
        { class: 'heading' },
        element('a', { class: 'back', href: '#/subscriptions' }, icon('back'), t('subscriptions')),
        heading,
      ),
      body,
    ),
  };
}

/** @param {FullContract} contract */
function summary(contract) {
  return element(
    'div',
    { class: 'summary' },
    element(
      'div',
      { class: 'pictures' },
      ...contract.lines.nodes.slice(0, MAX_PICTURES).map(({ variantImage }) => picture(variantImage)),
    ),
    element(
      'p',
      {},
      stateChip(contract),
      element(
        'span',
        { class: 'summary-interval' },
        icon('truck'),
        t('delivered', { every: everyInterval(contract.deliveryPolicy) }),
      ),
    ),
  );
}
