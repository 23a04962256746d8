/** Changes where it goes; asks how, if the shop offers several ways there. */
import { changeDelivery } from '../subscriptions/delivery.js';
import { element } from '../ui/element.js';
import { choiceField, textField } from '../ui/fields.js';
import { openSheet } from '../ui/sheet.js';
import { price } from '../words/format.js';

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
 * @param {(words: string) => Promise<void>} changed
 */
export function openDelivery({ id, deliveryMethod }, changed) {
  const ways = element('div', {});
  const address = deliveryMethod?.address;
  const form = element('div', { class: 'fields' }, ...addressFields(address));
  // Another address may be reached in other ways.
  form.addEventListener('input', () => ways.replaceChildren());
  openSheet({
    title: 'Delivery address',
    content: [form, ways],
    action: 'Save',
    done: changed,
    run: async (data) => {
      const entered = FIELDS.map((name) => [name, `${data.get(name) ?? ''}`.trim()]);
      const shipping = Object.fromEntries(entered.filter(([, value]) => value !== ''));
      const way = data.get('way');
      const options = await changeDelivery(id, shipping, way === null ? undefined : `${way}`);
      if (options.length === 0) return 'Your delivery address has been updated.';
      ways.replaceChildren(wayChoice(options));
      ways.querySelector('input')?.focus();
      return undefined;
    },
  });
}

/** @param {import('../subscriptions/load-one.js').Address | undefined} address */
function addressFields(address) {
  return [
    textField('First name (optional)', {
      name: 'firstName',
      autocomplete: 'given-name',
      value: address?.firstName,
    }),
    textField('Last name', {
      name: 'lastName',
      autocomplete: 'family-name',
      required: true,
      value: address?.lastName,
    }),
    textField('Street address', {
      name: 'address1',
      autocomplete: 'address-line1',
      required: true,
      value: address?.address1,
    }),
    textField('Apartment, suite, etc. (optional)', {
      name: 'address2',
      autocomplete: 'address-line2',
      value: address?.address2,
    }),
    textField('Postal code', {
      name: 'zip',
      autocomplete: 'postal-code',
      required: true,
      value: address?.zip,
    }),
    textField('City', { name: 'city', autocomplete: 'address-level2', required: true, value: address?.city }),
    textField('State or province (two-letter code)', {
      name: 'provinceCode',
      autocomplete: 'address-level1',
      value: address?.provinceCode,
    }),
    textField('Country (two-letter code)', {
      name: 'countryCode',
      autocomplete: 'country',
      required: true,
      pattern: '[A-Z]{2}',
      value: address?.countryCodeV2,
    }),
    textField('Phone (optional)', { name: 'phone', type: 'tel', autocomplete: 'tel', value: address?.phone }),
  ];
}

/** @param {import('../subscriptions/delivery.js').DeliveryOption[]} options */
function wayChoice(options) {
  return choiceField({
    legend: 'Delivery option',
    name: 'way',
    chosen: undefined,
    options: options.map(({ code, title, price: money }) => ({
      value: code,
      label: title,
      detail: Number(money.amount) === 0 ? 'Free' : price(money),
    })),
  });
}
