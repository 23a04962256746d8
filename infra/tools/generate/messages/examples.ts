/** An example of each parameter, by its name and type. */
import { message } from '../../../../lib/messages/message.ts';
import type { ParameterType } from './compile-text.ts';

const NOON_MS = Date.UTC(2026, 10, 1, 17);
const DAY_MS = 86_400_000;

const weekly = message('rhythm', { interval: 'WEEK', count: 2 });
const monthly = message('rhythm', { interval: 'MONTH', count: 1 });
const offered = message('offeredInterval', { plan: 'Refill', rhythm: weekly });
const product = message('lineProduct', { quantity: '2', product: 'Decaf, 250 g' });

const TEXTS: Readonly<Record<string, unknown>> = {
  action: 'own_action',
  after: '3',
  anchors: [
    message('anchorOnWeekday', { policy: 'BILLING', day: '1' }),
    message('anchorOnMonthday', { policy: 'DELIVERY', day: 15 }),
  ],
  before: '2',
  changes: [message('lineRemoved', { product: 'Mug' }), message('linesAdded', { products: product })],
  code: 'SPRING10',
  currency: 'CAD',
  delivered: monthly,
  detail: message('readAndTryAgain'),
  intervals: [offered, message('offeredInterval', { plan: 'Monthly', rhythm: monthly })],
  key: 'Help desk',
  name: 'Refill',
  offered: message('intervalsOffered', { intervals: offered }),
  order: message('orderOfDay', { day: NOON_MS }),
  paid: message('rhythm', { interval: 'MONTH', count: 6 }),
  plan: 'Refill',
  plans: [message('quotedName', { name: 'Refill' }), message('quotedName', { name: 'Saver' })],
  product: 'Decaf, 250 g',
  products: [product, message('lineProduct', { quantity: '1', product: 'Mug' })],
  quantity: '2',
  rhythm: weekly,
  title: 'Express',
  ways: [
    message('deliveryWay', { title: 'Standard', price: { amount: '4.9', currencyCode: 'EUR' } }),
    message('deliveryWay', { title: 'Express', price: { amount: '1250.0', currencyCode: 'JPY' } }),
  ],
  who: message('whoYou'),
  why: message('declinedLater'),
};

/** What a `select` chooses by. */
const CHOICES: Readonly<Record<string, string>> = {
  code: 'TOO_EXPENSIVE',
  day: '1',
  interval: 'WEEK',
  part: 'ZIP',
  policy: 'BILLING',
};

/** The example. Throws an error for a text or a choice that has none: give it one here. */
export function exampleOf(name: string, type: ParameterType): unknown {
  switch (type) {
    case 'number':
      return name === 'least' ? 1 : 1_200;
    case 'Instant':
      return name === 'last' ? NOON_MS + 7 * DAY_MS : NOON_MS;
    case 'Money':
      return { amount: '1234.5', currencyCode: 'EUR' };
    default: {
      const example = (type === 'Text' ? TEXTS : CHOICES)[name];
      if (example === undefined) throw new Error(`examples.ts has none of {${name}}`);
      return example;
    }
  }
}
