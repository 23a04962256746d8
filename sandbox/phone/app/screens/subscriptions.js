/** The list: what is subscribed to, in what state, what it costs and when it comes next. */

import { t } from '../messages/translate.js';
import { shopName } from '../service/configuration.js';
import { signedIn } from '../session/sessions.js';
import { cachedList, loadNextPage } from '../subscriptions/load-list.js';
import { announce } from '../ui/announce.js';
import { subscriptionCard } from '../ui/card.js';
import { button, element, setBusy } from '../ui/element.js';
import { emptyNotice, errorNotice } from '../ui/notice.js';
import { skeleton } from '../ui/skeleton.js';

/** @param {import('../ui/router.js').Visit} visit @returns {import('../ui/router.js').View} */
export function subscriptionsScreen({ signal, from }) {
  const greeting = element('p', { class: 'eyebrow' }, shopName(signedIn()?.shop ?? ''));
  const cards = element('ul', { class: 'cards' });
  const rest = element('div', { class: 'rest' });
  const place = { greeting, cards, rest, signal };
  const list = cachedList();
  if (list === undefined) {
    void loadMore(place);
  } else {
    showEntries(place, list);
    returnTo(cards, from);
  }
  return {
    title: t('yourSubscriptions'),
    tab: 'subscriptions',
    content: element(
      'div',
      { class: 'screen' },
      element('div', { class: 'heading' }, greeting, element('h1', {}, t('yourSubscriptions'))),
      cards,
      rest,
    ),
  };
}

/**
 * @typedef {{ greeting: HTMLElement, cards: HTMLElement, rest: HTMLElement, signal: AbortSignal }} Place
 * @param {Place} place
 */
async function loadMore(place) {
  const cardCount = place.cards.childElementCount;
  if (cardCount === 0) place.rest.replaceChildren(skeleton(3));
  try {
    const list = await loadNextPage();
    if (place.signal.aborted) return;
    showEntries(place, list);
    if (cardCount === 0) return;
    announce(t('shownCount', { count: list.entries.length }));
    /** @type {HTMLElement | null} */ (place.cards.children[cardCount]?.querySelector('a'))?.focus();
  } catch (error) {
    if (!place.signal.aborted)
      place.rest.replaceChildren(errorNotice(error, { retry: () => loadMore(place) }));
  }
}

/** Adds what is not shown yet. @param {Place} place @param {import('../subscriptions/load-list.js').List} list */
function showEntries(place, { entries, after, firstName }) {
  if (firstName) place.greeting.textContent = t('hello', { name: firstName });
  place.cards.append(...entries.slice(place.cards.childElementCount).map(subscriptionCard));
  place.rest.replaceChildren();
  if (entries.length === 0)
    place.rest.append(
      emptyNotice({
        icon: 'box',
        title: t('noSubscriptions'),
        text: t('noSubscriptionsText'),
      }),
    );
  if (after !== undefined)
    place.rest.append(
      button(t('showMore'), {
        class: 'secondary wide',
        onClick: (more) => {
          setBusy(more, true);
          void loadMore(place);
        },
      }),
    );
}

/** Back from one subscription, its card is where the customer left it. @param {HTMLElement} cards @param {string} from */
function returnTo(cards, from) {
  const link = [...cards.querySelectorAll('a')].find(({ hash }) => hash === from);
  if (link === undefined) return;
  requestAnimationFrame(() => {
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: 'center' });
  });
}
