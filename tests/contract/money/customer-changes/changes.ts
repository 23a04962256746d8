/** Random changes by a customer: every argument present, missing, null or of a wrong type, in any form. */
import fc from 'fast-check';
import type { Acting } from '../../world/operation-world.ts';
import { CODES, FREQUENCIES, gift, VARIANTS } from './gifts.ts';

type Interval = { readonly interval: string; readonly intervalCount: unknown };

/** Mostly what an app sends, now and then what only a mistake or an attacker sends. */
const mostly = <Value, Odd>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Odd>) =>
  fc.oneof({ weight: 24, arbitrary: usual }, { weight: 1, arbitrary: odd });
/** `undefined` leaves the argument out. */
const absent = fc.constantFrom(undefined, null);
const wrongType = fc.constantFrom<unknown>('2', 1.5, true, [], {}, '');

const quantity = mostly(
  fc.integer({ min: 1, max: 6 }),
  fc.oneof(fc.constantFrom(0, -1, 500, 10_000, 10_001, 2 ** 31), wrongType),
);
/** A position, or an id of nothing. */
const position = mostly(fc.nat(3), fc.constantFrom('another contract', 'nothing'));
const variant = mostly(fc.nat(VARIANTS.length - 1), fc.constant('nothing' as const));

const addition = fc.record({
  variant,
  quantity,
  plan: fc.oneof({ weight: 3, arbitrary: absent }, { weight: 1, arbitrary: fc.nat(6) }),
});
const update = fc.record({
  line: position,
  quantity: fc.oneof({ weight: 3, arbitrary: quantity }, { weight: 1, arbitrary: absent }),
  variant: fc.oneof({ weight: 1, arbitrary: absent }, { weight: 1, arbitrary: variant }),
});
const option = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom(null, 'standard', 'express', 'x') },
);

const lines = fc.record({
  name: fc.constant('lines' as const),
  add: fc.oneof(fc.array(addition, { maxLength: 2 }), absent),
  update: fc.oneof(fc.array(update, { maxLength: 2 }), absent),
  remove: fc.oneof(fc.array(position, { maxLength: 2 }), absent),
  option,
});
/** Customers usually request a single edit. */
const none = { add: undefined, update: undefined, remove: undefined };
const oneLine = fc
  .tuple(
    fc.oneof(
      addition.map((one) => ({ ...none, add: [one] })),
      update.map((one) => ({ ...none, update: [one] })),
      update.map((one) => ({ ...none, update: [one] })),
      position.map((one) => ({ ...none, remove: [one] })),
    ),
    option,
  )
  .map(([edit, optionCode]) => ({ name: 'lines' as const, ...edit, option: optionCode }));

const intervalInput = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .constantFrom(...FREQUENCIES)
      .map(([[unit, count]]): Interval => ({ interval: unit, intervalCount: count })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      interval: fc.constantFrom('DAY', 'YEAR', 'HOUR'),
      intervalCount: fc.constantFrom<unknown>(1, 0, 30, '1'),
    }),
  },
);
const interval = fc
  .tuple(
    fc.oneof(
      intervalInput.map((one) => ({ interval: one, plan: undefined })),
      fc.nat(FREQUENCIES.length).map((one) => ({ interval: undefined, plan: one })),
      fc.record({
        interval: fc.oneof(intervalInput, absent),
        plan: fc.oneof(fc.nat(FREQUENCIES.length), absent),
      }),
    ),
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(null, -1, 3, 40, 400) },
    ),
  )
  .map(([to, days]) => ({ name: 'interval' as const, ...to, days }));

const delivery = fc.record({
  name: fc.constant('delivery' as const),
  kind: mostly(
    fc.constantFrom('shipping', 'shipping', 'localDelivery', 'pickup'),
    fc.constantFrom('both', 'none'),
  ),
  address: mostly(fc.constantFrom('home', 'Bangor', 'Toronto'), fc.constantFrom('Paris', 'nowhere')),
  option: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 6, arbitrary: fc.constantFrom('standard', 'express') },
    { weight: 1, arbitrary: fc.constantFrom(null, 'local', 'pickup', 'EXPRESS', 'drone') },
  ),
  phone: mostly(fc.constant('+12075550123'), fc.constantFrom<unknown>(undefined, null, 7)),
});

const text = fc.constantFrom(
  (one: string) => one,
  (one: string) => one.toLowerCase(),
  (one: string) => ` ${one.toUpperCase()}`,
);
const code = fc.record({
  name: fc.constant('code' as const),
  code: mostly(
    fc.tuple(fc.constantFrom(...CODES), text).map(([one, write]) => write(one)),
    fc.constantFrom<unknown>('NONE', '', 7, null),
  ),
});
const remove = fc.record({ name: fc.constant('discount' as const), discount: position });
const status = fc.record({
  name: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const),
  days: fc.constantFrom(undefined, null, 5, 40),
});
const cancel = fc.record({ name: fc.constant('cancel' as const) });
const order = fc.record({
  name: fc.constantFrom('skip' as const, 'move' as const),
  offset: fc.nat(3),
  days: fc.integer({ min: -6, max: 6 }),
  isSkipped: fc.constantFrom(undefined, null, true, false),
});

/** All kinds of requests, or mostly those of one kind: some violations take many of them. */
const REQUESTS = {
  lines: fc.oneof(oneLine, oneLine, lines),
  interval,
  delivery,
  code,
  remove,
  status,
  order,
  cancel,
};
type Weights = Readonly<Record<keyof typeof REQUESTS, number>>;
const ALL: Weights = {
  lines: 30,
  interval: 15,
  delivery: 15,
  code: 12,
  remove: 7,
  status: 4,
  order: 4,
  cancel: 1,
};
const NONE: Weights = {
  lines: 0,
  interval: 0,
  delivery: 0,
  code: 0,
  remove: 0,
  status: 0,
  order: 0,
  cancel: 0,
};
const THEMES: readonly Weights[] = [
  ALL,
  ALL,
  { ...NONE, lines: 3, code: 1, remove: 1 },
  { ...NONE, lines: 1, interval: 4, remove: 1 },
  { ...NONE, lines: 3, delivery: 4 },
  { ...NONE, code: 3, remove: 2 },
];

const requestOf = (weights: Weights) =>
  fc.oneof(
    ...(Object.keys(REQUESTS) as (keyof Weights)[]).map((name) => ({
      weight: weights[name],
      arbitrary: REQUESTS[name] as fc.Arbitrary<AnyRequest>,
    })),
  );
type AnyRequest =
  { [Name in keyof typeof REQUESTS]: (typeof REQUESTS)[Name] }[keyof typeof REQUESTS] extends fc.Arbitrary<
    infer Drawn
  >
    ? Drawn
    : never;

/** The form of a request: everything that a client can choose other than the arguments. */
const form = fc.record({
  isInline: fc.boolean(),
  isReversed: fc.boolean(),
  operation: fc.constantFrom('', 'Change', 'draft', 'lines'),
  alias: fc.constantFrom('', '', 'draft', 'commit', 'contract'),
  selection: fc.nat(5),
  key: mostly(fc.constant(null), fc.constantFrom('one', 'two')),
});

export type Form = typeof form extends fc.Arbitrary<infer Drawn> ? Drawn : never;
export type Request = AnyRequest;

const changeOf = (weights: Weights) =>
  fc.record({
    kind: fc.constant('change' as const),
    as: fc.constantFrom<Acting>('customer', 'customer', 'customer', 'store for a customer'),
    /** The subscription, and whether its own customer sends the request. */
    subscription: fc.nat(1),
    isForeign: mostly(fc.constant(false), fc.constant(true)),
    request: requestOf(weights),
    form,
    fault: fc.oneof(
      { weight: 12, arbitrary: fc.constant('none' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('stale' as const, 'lost after' as const, 'lost before' as const),
      },
    ),
    /** Whether it happens when the draft is opened, or when it is committed. */
    isAtOpening: fc.boolean(),
    /** With `stale`: a gift of the merchant at that moment. */
    gift: fc.option(gift),
  });

export type Change = ReturnType<typeof changeOf> extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const together = (change: fc.Arbitrary<Change>) =>
  fc.record({ kind: fc.constant('together' as const), both: fc.tuple(change, change), ticks: fc.nat(20) });
const giving = fc.record({ kind: fc.constant('gift' as const), subscription: fc.nat(1), gift });
const waiting = fc.record({ kind: fc.constant('wait' as const), days: fc.constantFrom(1, 8, 35, 95) });

const stepOf = (weights: Weights) => {
  const change = changeOf(weights);
  return fc.oneof(
    { weight: 12, arbitrary: change },
    { weight: 2, arbitrary: together(change) },
    /** The merchant's own key is free to do all of it. */
    { weight: 1, arbitrary: change.map((one) => ({ ...one, as: 'store' as const })) },
    { weight: 1, arbitrary: giving },
    { weight: weights === ALL ? 2 : 4, arbitrary: waiting },
  );
};

export type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Up to eight changes, with payments between them. */
export const steps = fc.oneof(
  ...THEMES.map((weights) => fc.array(stepOf(weights), { minLength: 1, maxLength: 8, size: 'max' })),
);
