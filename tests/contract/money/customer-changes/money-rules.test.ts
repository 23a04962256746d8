/** Each rule reports the violation that it is for, and nothing where the merchant loses nothing. */
import { expect, test } from '@jest/globals';
import type { ContractMoney, LaterPayment, LineMoney } from './contract-money.ts';
import { moneyRules } from './money-rules.ts';

const line = (changes: Partial<LineMoney> = {}): LineMoney => ({
  ...{ id: 'A', variantId: 1, quantity: 2, fullPrice: 2000, price: 1000, finalPrice: 1000 },
  hasOwnDiscount: false,
  priceByHand: null,
  ...changes,
});
const later = (changes: Partial<LaterPayment> = {}): LaterPayment => ({
  ...{ paymentsBefore: 1, codes: [], lines: [line()], hasManualDiscount: true },
  ...changes,
});
const contract = (changes: Partial<ContractMoney> = {}): ContractMoney => ({
  ...{
    lines: [line()],
    laterPayments: [later()],
    hasManualDiscount: true,
    hasFreeShipping: false,
    freeDeliveries: 0,
    unlimitedAmounts: 10,
    amountRounding: 1,
    gifts: 10,
    unlimitedGifts: 10,
  },
  deliveriesPerPayment: 1,
  delivery: delivery(),
  ...changes,
});
const delivery = (changes: Partial<ContractMoney['delivery']> = {}): ContractMoney['delivery'] => ({
  ...{ price: 490, optionCode: 'standard', method: 'to A', place: 'A', frequency: 'weekly' },
  optionPrices: new Map([
    ['standard', 490],
    ['express', 990],
    ['pickup', 0],
  ]),
  ...changes,
});

const free = line({ price: 0, finalPrice: 0 });
const byCode = line({ price: 0 });
const gift = line({ id: 'G', fullPrice: 0, price: 0, finalPrice: 0 });
const express = delivery({ price: 990, optionCode: 'express', method: 'express to A' });

type Pair = readonly [before: ContractMoney, after: ContractMoney];
const violations: readonly (readonly [rule: string, description: string, ...Pair])[] = [
  ['freeLines', 'a line that becomes free', contract(), contract({ lines: [free, line({ id: 'B' })] })],
  [
    'freeLines',
    'more of a gift',
    contract({ lines: [gift] }),
    contract({ lines: [{ ...gift, quantity: 3 }] }),
  ],
  [
    'freeLines',
    'another gift',
    contract({ lines: [gift] }),
    contract({ lines: [{ ...gift, variantId: 2 }] }),
  ],
  ['freeLines', 'a code on top of a discount by hand', contract(), contract({ lines: [byCode] })],
  ['freeContract', 'gifts alone', contract({ lines: [line(), gift] }), contract({ lines: [gift] })],
  [
    'freeLater',
    'a line that becomes free once a trial ends',
    contract(),
    contract({ laterPayments: [later({ lines: [free, line({ id: 'B' })] })] }),
  ],
  [
    'freeLater',
    'a line that becomes free while the customer keeps a code',
    contract({ laterPayments: [later(), later({ codes: ['X'] })] }),
    contract({ laterPayments: [later(), later({ codes: ['X'], lines: [free, line({ id: 'B' })] })] }),
  ],
  [
    'freeLater',
    'a new code that leaves no price later',
    contract(),
    contract({ laterPayments: [later(), later({ codes: ['X'], lines: [free, line({ id: 'B' })] })] }),
  ],
  [
    'freeInTheEnd',
    'gifts alone once discounts end',
    contract({ lines: [line(), gift], hasManualDiscount: false }),
    contract({ lines: [gift], hasManualDiscount: false }),
  ],
  ['unlimitedAmounts', 'amounts that come more often', contract(), contract({ unlimitedAmounts: 20 })],
  ['unlimitedGifts', 'gifts that come more often', contract(), contract({ unlimitedGifts: 20 })],
  [
    'ownDiscounts',
    'more of a line with its own discount',
    contract({ lines: [line({ hasOwnDiscount: true })] }),
    contract({ lines: [line({ quantity: 3 })] }),
  ],
  [
    'storesDelivery',
    'an option at another price',
    contract(),
    contract({ delivery: { ...express, price: 490 } }),
  ],
  [
    'storesDelivery',
    'an option that is gone',
    contract(),
    contract({ delivery: delivery({ optionPrices: new Map() }) }),
  ],
  [
    'sameDelivery',
    'another price of the same delivery',
    contract(),
    contract({ delivery: delivery({ price: 0 }) }),
  ],
  [
    'prepaidDelivery',
    'another option of a prepaid delivery',
    contract({ deliveriesPerPayment: 3 }),
    contract({ deliveriesPerPayment: 3, delivery: express }),
  ],
  [
    'prepaidGoods',
    'goods that the prepaid delivery costs something else for',
    contract({ deliveriesPerPayment: 3 }),
    contract({ deliveriesPerPayment: 3, delivery: delivery({ optionPrices: new Map([['standard', 0]]) }) }),
  ],
  [
    'cheapestWhileFree',
    'an option that was the cheapest for other goods',
    contract({
      hasFreeShipping: true,
      delivery: { ...express, optionPrices: new Map([['express', 990]]) },
    }),
    contract({ hasFreeShipping: true, delivery: express }),
  ],
  [
    'cheapestWhileFree',
    'an option that is not the cheapest at another place',
    contract({ hasFreeShipping: true, delivery: express }),
    contract({ hasFreeShipping: true, delivery: { ...express, place: 'B' } }),
  ],
  [
    'freeShipping',
    'a dearer option that the merchant pays',
    contract({ hasFreeShipping: true }),
    contract({ hasFreeShipping: true, delivery: express }),
  ],
  [
    'freeDeliveries',
    'more free deliveries to come',
    contract({ freeDeliveries: 3 }),
    contract({ freeDeliveries: 9 }),
  ],
  [
    'pricesByHand',
    'a price by hand that is undone',
    contract({ lines: [line({ priceByHand: 500 })] }),
    contract({ lines: [line()] }),
  ],
];

test.each(violations)('%s reports %s', (rule, _description, before, after) => {
  expect(moneyRules[rule]?.(before, after)).toHaveLength(1);
});

const harmless: readonly (readonly [description: string, ...Pair])[] = [
  ['the same contract', contract(), contract()],
  [
    'less of a gift',
    contract({ lines: [gift, line()] }),
    contract({ lines: [{ ...gift, quantity: 1 }, line()] }),
  ],
  [
    'a code alone that takes everything off',
    contract({ hasManualDiscount: false }),
    contract({ lines: [byCode], hasManualDiscount: false }),
  ],
  [
    'a line that stays free by a code',
    contract({ laterPayments: [later(), later({ codes: ['X'], lines: [free] })] }),
    contract({ laterPayments: [later(), later({ codes: ['X'], lines: [free] })] }),
  ],
  ['another option at its price', contract(), contract({ delivery: express })],
  [
    'an option that the store chose, and others are cheaper than, at its place',
    contract({ hasFreeShipping: true, delivery: express }),
    contract({ hasFreeShipping: true, delivery: express, lines: [line({ quantity: 3 })] }),
  ],
  [
    'a new price of the store for more goods',
    contract(),
    contract({ delivery: delivery({ price: 0, optionPrices: new Map([['standard', 0]]) }) }),
  ],
];

test.each(harmless)('every rule allows %s', (_description, before, after) => {
  expect(Object.values(moneyRules).flatMap((rule) => rule(before, after))).toEqual([]);
});
