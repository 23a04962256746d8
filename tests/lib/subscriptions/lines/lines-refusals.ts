/** Changes of lines that are refused as a whole, each with the argument at fault and its code. */
import {
  decaf250,
  draftProduct,
  house250,
  monthlyPlan,
  mug,
} from '../../../contract/world/lines-operation.ts';
import { gid } from '../../../contract/world/operation-world.ts';

export type Lines = { readonly add?: unknown; readonly update?: unknown; readonly remove?: unknown };

/** The rejected inputs, created with the id of the contract's only line; `field`, joined by dots, and `code`. */
export const REFUSED: readonly [string, (line: string) => Lines, [string | null, string]][] = [
  ['nothing', () => ({}), [null, 'INVALID']],
  ['empty lists', () => ({ add: [], update: [], remove: [] }), [null, 'INVALID']],
  ['the last line', (line) => ({ remove: [line] }), ['remove', 'EMPTY_CONTRACT']],
  [
    'a quantity of none',
    (line) => ({ update: [{ lineId: line, quantity: 0 }] }),
    ['update.0.quantity', 'QUANTITY_INVALID'],
  ],
  [
    'a negative quantity',
    () => ({ add: [{ productVariantId: decaf250, quantity: -1 }] }),
    ['add.0.quantity', 'QUANTITY_INVALID'],
  ],
  [
    'an unknown line',
    () => ({ update: [{ lineId: gid('SubscriptionLine', 'none'), quantity: 2 }] }),
    ['update.0.lineId', 'LINE_NOT_FOUND'],
  ],
  [
    'a line changed and removed',
    (line) => ({ update: [{ lineId: line, quantity: 2 }], remove: [line] }),
    ['remove.0', 'INVALID'],
  ],
  [
    'a variant added twice',
    () => ({
      add: [
        { productVariantId: decaf250, quantity: 1 },
        { productVariantId: decaf250, quantity: 2 },
      ],
    }),
    ['add.1.productVariantId', 'INVALID'],
  ],
  [
    'a variant that is there already',
    () => ({ add: [{ productVariantId: house250, quantity: 1 }] }),
    ['add.0.productVariantId', 'INVALID'],
  ],
  [
    'an absent variant',
    () => ({ add: [{ productVariantId: gid('ProductVariant', 1), quantity: 1 }] }),
    ['add.0.productVariantId', 'VARIANT_NOT_AVAILABLE'],
  ],
  [
    'a product that is not for sale',
    () => ({ add: [{ productVariantId: draftProduct, quantity: 1 }] }),
    ['add.0.productVariantId', 'VARIANT_NOT_AVAILABLE'],
  ],
  [
    'a variant without subscriptions',
    (line) => ({ update: [{ lineId: line, productVariantId: mug }] }),
    ['update.0.productVariantId', 'VARIANT_NOT_AVAILABLE'],
  ],
  [
    'a plan of another rhythm',
    () => ({ add: [{ productVariantId: decaf250, quantity: 1, sellingPlanId: monthlyPlan }] }),
    ['add.0.sellingPlanId', 'INVALID'],
  ],
  [
    'an absent plan',
    () => ({ add: [{ productVariantId: decaf250, quantity: 1, sellingPlanId: gid('SellingPlan', 1) }] }),
    ['add.0.sellingPlanId', 'INVALID'],
  ],
  [
    'too many variants',
    () => ({
      add: Array.from({ length: 11 }, (_none, index) => ({
        productVariantId: gid('ProductVariant', index + 1),
        quantity: 1,
      })),
    }),
    [null, 'INVALID'],
  ],
  [
    'too many lines',
    () => ({ remove: Array.from({ length: 51 }, (_none, index) => gid('SubscriptionLine', `l${index}`)) }),
    [null, 'INVALID'],
  ],
];
