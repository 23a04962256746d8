/** The account screen says who is signed in and where, and has the way out. */

import { t } from '../messages/translate.js';
import { shopName } from '../service/configuration.js';
import { execute } from '../session/graphql.js';
import { clientOf, signedIn } from '../session/sessions.js';
import { WHO } from '../subscriptions/documents.js';
import { button, element, setBusy } from '../ui/element.js';
import { icon } from '../ui/icon.js';
import { errorNotice } from '../ui/notice.js';
import { skeleton } from '../ui/skeleton.js';
import { signInsSection } from './sign-ins.js';

/** @param {import('../ui/router.js').Visit} visit @returns {import('../ui/router.js').View} */
export function accountScreen({ signal }) {
  const sections = element('div', { class: 'sections' });

  /** Shows what there is now; what is shown stays until then. */
  async function reload() {
    try {
      const { customer } = await execute(WHO, {
        customer: `gid://platform/Customer/${signedIn()?.customerId}`,
      });
      if (!signal.aborted)
        sections.replaceChildren(person(customer), signInsSection(customer.sessions, reload));
    } catch (error) {
      if (!signal.aborted) sections.replaceChildren(errorNotice(error, { retry: load }));
    }
  }
  async function load() {
    sections.replaceChildren(skeleton(1));
    await reload();
  }
  void load();
  return {
    title: t('account'),
    tab: 'account',
    content: element(
      'div',
      { class: 'screen' },
      element(
        'div',
        { class: 'heading' },
        element('p', { class: 'eyebrow' }, t('signedIn')),
        element('h1', {}, t('account')),
      ),
      sections,
      element('p', { class: 'quiet' }, t('signOutHint', { shop: shopName(signedIn()?.shop ?? '') })),
      button(t('signOut'), { class: 'secondary wide', onClick: leave }),
    ),
  };
}

/** @param {HTMLButtonElement} control */
async function leave(control) {
  setBusy(control, true);
  await clientOf()?.signOut();
}

/** @param {{ displayName: string, defaultEmailAddress: { emailAddress: string } | null }} customer */
function person({ displayName, defaultEmailAddress }) {
  return element(
    'div',
    { class: 'card person' },
    element('span', { class: 'picture' }, icon('person')),
    element(
      'span',
      { class: 'card-text' },
      element('strong', {}, displayName),
      element('span', { class: 'quiet' }, defaultEmailAddress?.emailAddress),
    ),
  );
}
