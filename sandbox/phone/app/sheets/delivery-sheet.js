/** Changes where it goes; asks how, if the shop offers several ways there. */

import { t } from '../messages/translate.js';
import { changeDelivery } from '../subscriptions/delivery.js';
import { deliveryChoice } from '../ui/delivery-choice.js';
import { element } from '../ui/element.js';
import { textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';

const FIELDS = [
  'firstName',
  'lastName',
  'address1',
  'address2',
  'city',
  'zip',
  'provinceCode',
  'countryCode',
  'phone',
];

/**
 * @param {import('../subscriptions/load-one.js').FullContract} contract
 * @param {(text: string) => Promise<void>} changed
 */
export function openDelivery({ id, deliveryMethod }, changed) {
  const ways = deliveryChoice();
  const address = deliveryMethod?.address;
  const form = element('div', { class: 'fields' }, ...addressFields(address));
  // Another address may be reached in other ways.
  form.addEventListener('input', () => ways.clear());
  openSheet({
    title: t('deliveryAddress'),
    content: [form, ways.place],
    action: t('save'),
    done: changed,
    run: async (data) => {
      const entered = FIELDS.map((name) => [name, `${data.get(name) ?? ''}`.trim()]);
      const shipping = Object.fromEntries(entered.filter(([, value]) => value !== ''));
      const options = await changeDelivery(id, shipping, ways.chosen(data));
      return ways.show(options) ? undefined : t('addressUpdated');
    },
  });
}

/** @param {import('../subscriptions/load-one.js').Address | undefined} address */
function addressFields(address) {
  return [
    textField(t('firstName'), {
      name: 'firstName',
      autocomplete: 'given-name',
      value: address?.firstName,
    }),
    textField(t('lastName'), {
      name: 'lastName',
      autocomplete: 'family-name',
      required: true,
      value: address?.lastName,
    }),
    textField(t('streetAddress'), {
      name: 'address1',
      autocomplete: 'address-line1',
      required: true,
      value: address?.address1,
    }),
    textField(t('apartment'), {
      name: 'address2',
      autocomplete: 'address-line2',
      value: address?.address2,
    }),
    textField(t('postalCode'), {
      name: 'zip',
      autocomplete: 'postal-code',
      required: true,
      value: address?.zip,
    }),
    textField(t('city'), {
      name: 'city',
      autocomplete: 'address-level2',
      required: true,
      value: address?.city,
    }),
    textField(t('province'), {
      name: 'provinceCode',
      autocomplete: 'address-level1',
      value: address?.provinceCode,
    }),
    textField(t('country'), {
      name: 'countryCode',
      autocomplete: 'country',
      required: true,
      pattern: '[A-Z]{2}',
      value: address?.countryCodeV2,
    }),
    textField(t('phone'), { name: 'phone', type: 'tel', autocomplete: 'tel', value: address?.phone }),
  ];
}
