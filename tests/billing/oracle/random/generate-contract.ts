/** Draws a contract at random, with what happens to it. */
import { type Cycle, listCycles } from '../cycles.ts';
import { codesOfClass, type DeclineClass } from '../decline-classes.ts';
import type {
  Anchor,
  Answer,
  Card,
  ContractDescription,
  ContractEvent,
  Line,
  Policy,
} from '../description.ts';
import { DAY_MS, HOUR_MS } from '../zone-time.ts';
import type { Draw } from './draw.ts';

export type ContractOptions = {
  readonly id: number;
  readonly currencyCode: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly isQuiet: boolean;
  /** The beginnings of the store's runs, if something happens in their minutes. */
  readonly runTimes: readonly number[];
};

const REFUSALS = ['THROTTLED', 'PROCESSING_FAILED', 'CONTRACT_UNDER_REVIEW', 'INVALID'] as const;
const CLASSES: readonly DeclineClass[] = [
  'later',
  'later',
  'customer',
  'customer',
  'stock',
  'merchant',
  'never',
  'paid',
];

export function generateContract(draw: Draw, options: ContractOptions): ContractDescription {
  const { id, currencyCode, fromMs, isQuiet } = options;
  const policy = generatePolicy(draw);
  const createdMs = fromMs - draw.int(0, 100 * 24 * 60) * 60_000 - draw.int(0, 59) * 1000;
  const past = listCycles(policy, createdMs, fromMs).filter(({ endMs }) => endMs <= fromMs).length;
  const hasCheckoutOrder = draw.chance(0.7);
  return {
    ...{ id, currencyCode, createdMs, policy, hasCheckoutOrder },
    billedCount: draw.chance(0.9) ? past : draw.int(0, past),
    maxCycles: !isQuiet && draw.chance(0.15) ? past + draw.int(0, 4) : null,
    status:
      isQuiet || draw.chance(0.9)
        ? 'ACTIVE'
        : draw.pick(['CANCELLED', 'EXPIRED', 'FAILED', 'PAUSED'] as const),
    lines: draw.list(draw.int(1, 3), () => generateLine(draw)),
    deliveryPriceMinor: draw.pick([0, 490, 1]),
    refusesPrice: !isQuiet && draw.chance(0.05),
    card: isQuiet
      ? { answers: [{ outcome: 'PAYS', seconds: draw.int(0, 300) }] }
      : generateCard(draw, options),
    refusals: isQuiet || draw.chance(0.88) ? [] : [generateRefusal(draw, options)],
    events: isQuiet ? [] : generateEvents(draw, { ...options, policy, createdMs }, past),
  };
}

function generatePolicy(draw: Draw): Policy {
  const interval = draw.pick(['DAY', 'WEEK', 'WEEK', 'MONTH', 'MONTH', 'MONTH', 'YEAR'] as const);
  const anchors = interval === 'DAY' || draw.chance(0.6) ? [] : generateAnchors(draw, interval);
  return {
    ...{ interval, anchors, hasEmptyCycle: anchors.length > 1 && draw.chance(0.5) },
    intervalCount: interval === 'DAY' ? draw.int(1, 20) : draw.int(1, 3),
  };
}

const ANCHOR_TYPES = { MONTH: 'MONTHDAY', WEEK: 'WEEKDAY', YEAR: 'YEARDAY' } as const;

function generateAnchors(draw: Draw, interval: keyof typeof ANCHOR_TYPES): readonly Anchor[] {
  const type = ANCHOR_TYPES[interval];
  const days = draw.list(draw.int(1, 3), () => draw.int(1, type === 'WEEKDAY' ? 7 : 31));
  return [...new Set(days)].map((day) => ({ type, day, month: type === 'YEARDAY' ? draw.int(1, 12) : null }));
}

function generateLine(draw: Draw): Line {
  const base = draw.int(1, 5000);
  const afterCycles = draw.pick([[], [], [0], [0, 1], [0, 2, 3], [2]] as const);
  const steps = afterCycles.map((afterCycle) => ({
    afterCycle,
    priceMinor: Math.ceil(base * draw.pick([0.5, 0.8, 1])),
  }));
  const currentPriceMinor = draw.chance(0.9) ? (steps[0]?.priceMinor ?? base) : draw.int(0, 9000);
  return { quantity: draw.int(1, 3), currentPriceMinor, steps };
}

function generateCard(draw: Draw, { fromMs, untilMs }: ContractOptions): Card {
  const answers = draw.list(draw.int(1, 5), () => generateAnswer(draw));
  const last: Answer = { outcome: 'PAYS', seconds: draw.int(0, 300) };
  const expiresAtMs = fromMs + draw.int(0, (untilMs - fromMs) / DAY_MS) * DAY_MS;
  return {
    answers: draw.chance(0.8) ? [...answers, last] : answers,
    ...(draw.chance(0.05) && { expiresAtMs }),
  };
}

function generateAnswer(draw: Draw): Answer {
  if (draw.chance(0.55)) return { outcome: 'PAYS', seconds: draw.int(0, 300) };
  if (draw.chance(0.05)) return { outcome: 'PENDING', seconds: 0 };
  const code = draw.chance(0.05) ? 'A_NEW_CODE' : draw.pick(codesOfClass(draw.pick(CLASSES)));
  if (draw.chance(0.85)) return { outcome: code, seconds: draw.int(0, 300) };
  const outcome = draw.pick(['PAYS', 'PENDING', 'CONFIRMATION_REJECTED', 'EXPIRED_BUYER_ACTION']);
  return { outcome, seconds: draw.int(60, 200 * 3600), isChallenge: true };
}

function generateRefusal(draw: Draw, { fromMs, untilMs }: ContractOptions) {
  const startMs = fromMs + draw.int(0, (untilMs - fromMs) / HOUR_MS) * HOUR_MS;
  return { fromMs: startMs, untilMs: startMs + draw.int(1, 20 * 24) * HOUR_MS, code: draw.pick(REFUSALS) };
}

type EventOptions = ContractOptions & Pick<ContractDescription, 'createdMs' | 'policy'>;

function generateEvents(draw: Draw, options: EventOptions, past: number): readonly ContractEvent[] {
  const atRuns = options.runTimes.length > 0 && draw.chance(0.7) ? generateEventsAtRuns(draw, options) : [];
  if (draw.chance(0.4)) return atRuns;
  const { fromMs, untilMs } = options;
  const times = draw.list(draw.int(1, 6), () => draw.int(fromMs / 60_000, untilMs / 60_000) * 60_000);
  const events = times
    .sort((one, other) => one - other)
    .map((atMs) => generateEvent(draw, options, { atMs, past }));
  return [...atRuns, ...events].sort((one, other) => one.atMs - other.atMs);
}

/** Draws events in the minutes of the run that charges an order: before it, between its reading and its attempt, and after. */
function generateEventsAtRuns(draw: Draw, options: EventOptions): readonly ContractEvent[] {
  const { policy, createdMs, fromMs, untilMs, runTimes } = options;
  const due = listCycles(policy, createdMs, untilMs).filter(({ endMs }) => endMs > fromMs);
  const events = due.flatMap(({ index, endMs }): ContractEvent[] => {
    const runMs = runTimes.find((atMs) => atMs > endMs - 14 * HOUR_MS);
    if (runMs === undefined || draw.chance(0.4)) return [];
    return draw.list(draw.int(1, 2), () => {
      const atMs = runMs + draw.int(-90, 240) * 1000;
      const kind = draw.pick([
        'charge',
        'charge',
        'charge',
        'charge',
        'card',
        'skip',
        'pause',
        'retry',
        'activate',
      ] as const);
      if (kind === 'card') return { kind, atMs, card: generateCard(draw, options) };
      if (kind === 'skip') return { kind, atMs, index };
      if (kind !== 'charge') return { kind, atMs };
      return { kind, atMs, index: draw.pick([index, index, index, index + 1, null]) };
    });
  });
  return [...events, ...(draw.chance(0.1) ? generateManyTries(draw, due) : [])].sort(
    (one, other) => one.atMs - other.atMs,
  );
}

/** Another server tries an order again and again whose card is declined each time. */
function generateManyTries(draw: Draw, due: readonly Cycle[]): readonly ContractEvent[] {
  const [first] = due;
  if (first === undefined) return [];
  const { index, endMs } = first;
  const fromMs = endMs - 20 * HOUR_MS;
  const outcome = draw.pick(['INSUFFICIENT_FUNDS', 'DO_NOT_HONOR', 'INSUFFICIENT_INVENTORY']);
  const card: Card = { answers: [{ outcome, seconds: 1 }] };
  const times = draw.list(draw.int(8, 12), (at) => fromMs + at * HOUR_MS);
  return [
    { kind: 'card', atMs: fromMs - 60_000, card },
    ...times.map((atMs) => ({ kind: 'charge', atMs, index }) as const),
  ];
}

type EventTime = { readonly atMs: number; readonly past: number };

function generateEvent(draw: Draw, options: ContractOptions, { atMs, past }: EventTime): ContractEvent {
  const index = Math.max(1, past + draw.int(0, 5));
  const kind = draw.pick([
    ...(['skip', 'unskip', 'move', 'pause', 'activate', 'card', 'address', 'retry', 'price'] as const),
    ...(['edit', 'charge', 'charge', 'cancel', 'fail', 'expire', 'activate', 'retry', 'card'] as const),
  ]);
  if (kind === 'skip' || kind === 'unskip') return { kind, atMs, index };
  if (kind === 'move') return { kind, atMs, index, toMs: atMs + draw.int(-48, 30 * 24) * HOUR_MS };
  if (kind === 'card') return { kind, atMs, card: generateCard(draw, options) };
  if (kind === 'price') return { kind, atMs, priceMinor: draw.int(0, 9000) };
  if (kind === 'edit') return { kind, atMs, index, totalMinor: draw.int(0, 9000) };
  if (kind === 'charge') return { kind, atMs, index: draw.chance(0.5) ? index : null };
  return { kind, atMs };
}
