/** Random events of a few hours at a store and in the service. */
import fc from 'fast-check';
import type { Acting } from '../../../contract/world/operation-world.ts';
import type { ChangeName } from './model-kinds.ts';

/** Ada's contracts that are alive. */
export const CONTRACTS = [9_101_001, 9_101_002] as const;
type ContractId = (typeof CONTRACTS)[number];

/** A process crashes before or after its nth write. */
export type Death = { readonly at: number; readonly when: 'before' | 'after' } | undefined;

const CHANGES = [
  ...([
    'pause',
    'pause for a while',
    'resume',
    'skip',
    'unskip',
    'move earlier',
    'move back',
    'quantity',
  ] as const),
  ...(['note', 'attributes', 'price', 'delivery price', 'address', 'card', 'next date'] as const),
  ...(['discount', 'no discount', 'add line', 'remove line'] as const),
  ...(['interval', 'interval', 'resume on a date', 'draft', 'draft'] as const),
  ...(['charge', 'charge', 'charge', 'bank', 'bank', 'new card', 'revoke card', 'contract'] as const),
] as const satisfies readonly ChangeName[];
type Change = {
  readonly contract: ContractId;
  readonly name: (typeof CHANGES)[number];
  /** An order from the next one on, a quantity, a note. */
  readonly choice: number;
};
/** `own`: through the service; `elsewhere`: the merchant at the platform, or another app. */
export type OwnChange = Change & {
  readonly kind: 'own';
  readonly as: Acting;
  readonly dies: Death;
  /** Another app changes the contract before its nth request to the platform. */
  readonly externalChange?: (Pick<Change, 'name' | 'choice'> & { readonly at: number }) | undefined;
  /** The response to its nth request to the platform is lost: the platform has done it, or has never received it. */
  readonly lost?: LostResponse | undefined;
  /** A concurrent step of the service: another request, or scheduled work. */
  readonly concurrent?: ConcurrentStep | undefined;
};
export type LostResponse = { readonly at: number; readonly when: 'before' | 'after' };
export type ConcurrentStep = (Change & { readonly kind: 'own'; readonly as: Acting }) | Pick<Run, 'kind'>;
export type Run = {
  readonly kind: 'store-events' | 'scheduled-work' | 'webhook-deliveries';
  readonly dies: Death;
};
/** The store switches one of its endpoints off or on. */
type Switch = { readonly kind: 'switch'; readonly isOn: boolean };
/** An endpoint rotates its secret; with `hours` it requests a replay of that period instead. */
export type ReplayRequest = {
  readonly kind: 'wish';
  readonly name: 'refusing' | 'slow' | 'switched';
  readonly hours?: number | undefined;
};
type Happening = OwnChange | (Change & { readonly kind: 'elsewhere' }) | Run | Switch | ReplayRequest;
export type Step = Happening & {
  /** The time without events before it. */
  readonly seconds: number;
  /** The seed of the faults of its webhooks, and of the endpoints' behaviour. */
  readonly seed: number;
};

const dies: fc.Arbitrary<Death> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    // Most runs have few writes; a long one may also crash late.
    arbitrary: fc.record({
      at: fc.oneof(fc.nat(9), fc.nat(40)),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
);
const change = {
  contract: fc.constantFrom(...CONTRACTS),
  name: fc.constantFrom(...CHANGES),
  choice: fc.nat(2),
};
const run = (kind: Run['kind']) => fc.record({ kind: fc.constant(kind), dies });
const as = fc.constantFrom<Acting>('customer', 'store', 'store for a customer');
/** Whether the concurrent step requests the same change, or another value of it. */
const isLike = fc.constantFrom(true, true, false);
const concurrent: fc.Arbitrary<(of: Change) => ConcurrentStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({ ...change, kind: fc.constant('own' as const), as, isLike })
      .map(({ isLike: isSame, ...other }) => (of: Change) => ({
        ...other,
        ...(isSame && { contract: of.contract, name: of.name }),
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...(['store-events', 'scheduled-work', 'webhook-deliveries'] as const))
      .map((kind) => () => ({ kind })),
  },
);
const lostResponse: fc.Arbitrary<LostResponse> = fc.record({
  at: fc.nat(4),
  when: fc.constantFrom('before' as const, 'after' as const),
});
const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

type ExternalChange = NonNullable<OwnChange['externalChange']>;
function nextTo(
  { name }: Change,
  { isLike: isSame, ...other }: ExternalChange & { readonly isLike: boolean },
) {
  return isSame ? { ...other, name } : other;
}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        ...{ ...change, kind: fc.constant('own' as const), as, dies },
        externalChange: sometimes(
          fc.record({ name: change.name, choice: change.choice, at: fc.nat(4), isLike: fc.boolean() }),
        ),
        concurrent: sometimes(concurrent),
        lost: sometimes(sometimes(lostResponse)),
      })
      .map(({ externalChange, concurrent: other, lost, ...own }) => ({
        ...own,
        externalChange: externalChange && nextTo(own, externalChange),
        concurrent: other?.(own),
        ...(lost && { lost }),
      })),
  },
  { weight: 4, arbitrary: fc.record({ ...change, kind: fc.constant('elsewhere' as const) }) },
  { weight: 2, arbitrary: run('store-events') },
  { weight: 1, arbitrary: run('scheduled-work') },
  { weight: 1, arbitrary: run('webhook-deliveries') },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), isOn: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wish' as const),
      name: fc.constantFrom('refusing' as const, 'slow' as const, 'switched' as const),
      hours: fc.constantFrom(undefined, undefined, 0.2, 3, 60),
    }),
  },
);

const SECONDS = [1, 4, 20, 61, 130, 400];

/** Generates this many requested changes. */
export function days(changes: number): fc.Arbitrary<Step[]> {
  const step = fc.tuple(happening, fc.nat(5), fc.nat(1_000_000)).map(([one, wait, seed]): Step => {
    return { ...one, seconds: SECONDS[wait] ?? 1, seed };
  });
  const length = Math.ceil(changes * 1.5);
  return fc.array(step, { minLength: length, maxLength: length, size: 'max' });
}

/** The fewest of these steps with which something is still wrong, and what. */
export async function shortened(
  steps: readonly Step[],
  wrongOf: (steps: readonly Step[]) => Promise<readonly string[]>,
): Promise<{ readonly steps: readonly Step[]; readonly wrong: readonly string[] }> {
  let shortest = { steps, wrong: await wrongOf(steps) };
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    let isShorter = false;
    for (let from = 0; from < shortest.steps.length; ) {
      const fewer = shortest.steps.filter((_, index) => index < from || index >= from + size);
      const wrong = await wrongOf(fewer);
      if (wrong.length > 0) {
        shortest = { steps: fewer, wrong };
        isShorter = true;
      } else from += size;
    }
    if (!isShorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return shortest;
}

/** Returns a short description of a step. */
type PrintedStep = Step & Partial<Pick<OwnChange, 'dies' | 'externalChange' | 'concurrent' | 'lost'>>;
export function textOf({
  seconds,
  seed,
  dies,
  externalChange,
  concurrent: also,
  lost,
  ...step
}: PrintedStep): string {
  const death = dies === undefined ? '' : `, dies ${dies.when} write ${dies.at}`;
  const loss = lost ? `, request ${lost.at} is lost ${lost.when} it is done` : '';
  const other = externalChange && `, meanwhile ${Object.values(externalChange).join(' ')}`;
  const same = also && `, at once with ${Object.values(also).join(' ')}`;
  return `${seconds} s: ${Object.values(step).join(' ')}${death}${loss}${other ?? ''}${same ?? ''} (luck ${seed})`;
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
