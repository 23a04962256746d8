/** The first screen: which shop, and the way in. */
import { isServiceError, ServiceError } from '../../../../clients/typescript/src/client.ts';
import { textFor } from '../messages/errors.js';
import { t } from '../messages/translate.js';
import { configuration } from '../service/configuration.js';
import { clientOf, takeEnded } from '../session/sessions.js';
import { announce } from '../ui/announce.js';
import { button, element, setBusy } from '../ui/element.js';
import { icon } from '../ui/icon.js';

/** @returns {import('../ui/router.js').View} */
export function welcomeScreen() {
  const problem = element('div', { class: 'inline-problem', role: 'alert' });
  const shops = shopChoice();
  const enter = button(t('signIn'), {
    class: 'primary wide',
    onClick: () => void signIn(chosenShop(shops)),
  });

  /** @param {string} shop */
  async function signIn(shop) {
    problem.replaceChildren();
    setBusy(enter, true);
    try {
      const session = await clientOf(shop)?.signIn();
      if (session?.status === 'signedIn') return announce(t('youAreSignedIn'));
    } catch (error) {
      if (!isServiceError(error, 'CANCELLED')) showProblem(problem, error);
    }
    setBusy(enter, false);
    enter.focus();
  }

  if (takeEnded()) showProblem(problem, new ServiceError('SIGNED_OUT'));
  return {
    title: t('welcome'),
    content: element(
      'div',
      { class: 'welcome' },
      element('div', { class: 'brand' }, icon('repeat'), 'Pantry'),
      element('h1', {}, t('slogan')),
      element('p', { class: 'lead' }, t('lead')),
      shops,
      problem,
      enter,
      element('p', { class: 'hint' }, t('signInHint')),
    ),
  };
}

/** @param {HTMLElement} place @param {unknown} error */
function showProblem(place, error) {
  const { title, advice } = textFor(error);
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
  return element('fieldset', { class: 'shops' }, element('legend', {}, t('yourShop')), ...choices);
}

/** @param {HTMLElement} shops */
function chosenShop(shops) {
  return /** @type {HTMLInputElement} */ (shops.querySelector('input:checked')).value;
}
