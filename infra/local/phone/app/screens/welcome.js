/** The first screen: which shop, and the way in. Also where a sign-in goes on that a reload interrupted. */
import { configuration } from '../service/configuration.js';
import { hasCode, ServiceError } from '../service/service-error.js';
import { readPendingExchange, takeEnded } from '../session/session-store.js';
import { finishExchange, signIn } from '../session/sign-in.js';
import { openBrowserSession } from '../sheets/browser-session.js';
import { announce } from '../ui/announce.js';
import { button, element, setBusy } from '../ui/element.js';
import { icon } from '../ui/icon.js';
import { wordsFor } from '../words/errors.js';

/** @returns {import('../ui/router.js').View} */
export function welcomeScreen() {
  const problem = element('div', { class: 'inline-problem', role: 'alert' });
  const shops = shopChoice();
  const enter = button('Sign in', {
    class: 'primary wide',
    onClick: () => attempt(() => signIn(chosenShop(shops), openBrowserSession)),
  });

  /** @param {() => Promise<void>} step */
  async function attempt(step) {
    problem.replaceChildren();
    setBusy(enter, true);
    try {
      await step();
      announce('You are signed in.');
    } catch (error) {
      setBusy(enter, false);
      enter.focus();
      if (!hasCode(error, 'CANCELLED')) showProblem(problem, error);
    }
  }

  if (takeEnded()) showProblem(problem, new ServiceError({ code: 'SIGNED_OUT' }));
  if (readPendingExchange() !== undefined) void attempt(finishExchange);
  return {
    title: 'Welcome',
    content: element(
      'div',
      { class: 'welcome' },
      element('div', { class: 'brand' }, icon('repeat'), 'Pantry'),
      element('h1', {}, 'Everything you love, right on time.'),
      element(
        'p',
        { class: 'lead' },
        'See what is coming next, and skip an order whenever your shelves are still full.',
      ),
      shops,
      problem,
      enter,
      element('p', { class: 'hint' }, 'No password needed. The shop emails you a code.'),
    ),
  };
}

/** @param {HTMLElement} place @param {unknown} error */
function showProblem(place, error) {
  const { title, advice } = wordsFor(error);
  place.replaceChildren(icon('alert'), element('p', {}, element('strong', {}, title), ' ', advice));
}

function shopChoice() {
  const choices = configuration.shops.map(({ shop, name }, number) =>
    element(
      'label',
      { class: 'shop' },
      element('input', { type: 'radio', name: 'shop', value: shop, checked: number === 0 }),
      element('span', { class: 'shop-mark', 'aria-hidden': 'true' }, name.charAt(0)),
      element('span', { class: 'shop-name' }, name, element('small', {}, shop)),
    ),
  );
  return element('fieldset', { class: 'shops' }, element('legend', {}, 'Your shop'), ...choices);
}

/** @param {HTMLElement} shops */
function chosenShop(shops) {
  return /** @type {HTMLInputElement} */ (shops.querySelector('input:checked')).value;
}
