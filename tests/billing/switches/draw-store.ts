/** Draws a store with an order every few days, so that many are due while its switches are used. */
import { listCycles } from '../oracle/cycles.ts';
import type {
  Answer,
  Card,
  ContractDescription,
  ContractEvent,
  Description,
  Policy,
} from '../oracle/description.ts';
import type { Draw } from '../oracle/random/draw.ts';
import { DAY_MS, HOUR_MS } from '../oracle/zone-time.ts';

const DAYS = 12;
const CONTRACTS = 4;
const STARTS = ['2027-01-04', '2027-03-08', '2027-03-24', '2027-10-27'];
export const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'];
const DECLINES = [
  'INSUFFICIENT_FUNDS',
  'EXPIRED_PAYMENT_METHOD',
  'INSUFFICIENT_INVENTORY',
  'FRAUD_SUSPECTED',
];

/** Returns a store with billing off. */
export function drawStore(draw: Draw): Description {
  const fromMs = Date.parse(`${draw.pick(STARTS)}T00:00:00Z`) + draw.int(0, 23) * HOUR_MS;
  const untilMs = fromMs + DAYS * DAY_MS;
  const contracts = draw.list(CONTRACTS, (at) => drawContract(draw, { id: at + 1, fromMs, untilMs }));
  const store = { timeZone: draw.pick(ZONES), currencyCode: 'USD', changes: [] };
  return { fromMs, untilMs, contracts, store };
}

type Options = { readonly id: number; readonly fromMs: number; readonly untilMs: number };

function drawContract(draw: Draw, { id, fromMs, untilMs }: Options): ContractDescription {
  const policy: Policy = { interval: 'DAY', intervalCount: draw.int(1, 4), anchors: [] };
  const createdMs = fromMs - draw.int(2, 30 * 24 * 60) * 60_000;
  const billedCount = listCycles(policy, createdMs, fromMs).filter(({ endMs }) => endMs <= fromMs).length;
  const steps = draw.chance(0.3) ? [billedCount, billedCount + 3] : [];
  const lines = [
    {
      ...{ quantity: 1, currentPriceMinor: 1000 },
      steps: steps.map((afterCycle, at) => ({ afterCycle, priceMinor: 1000 + 100 * at })),
    },
  ];
  return {
    ...{ id, createdMs, policy, billedCount, lines, maxCycles: null, status: 'ACTIVE', currencyCode: 'USD' },
    ...{ hasCheckoutOrder: true, deliveryPriceMinor: 0, card: drawCard(draw) },
    events: drawEvents(draw, { fromMs, untilMs, billedCount }),
  };
}

function drawCard(draw: Draw): Card {
  const last: Answer = { outcome: 'PAYS', seconds: draw.int(0, 300) };
  return { answers: [...draw.list(draw.int(0, 8), () => drawAnswer(draw)), last] };
}

function drawAnswer(draw: Draw): Answer {
  const seconds = draw.int(0, draw.pick([2, 60, 300]));
  if (draw.chance(0.8)) return { outcome: 'PAYS', seconds };
  if (draw.chance(0.7)) return { outcome: draw.pick(DECLINES), seconds };
  return { outcome: 'PAYS', seconds: draw.int(60, 20 * 3600), isChallenge: true };
}

type Span = { readonly fromMs: number; readonly untilMs: number; readonly billedCount: number };

function drawEvents(draw: Draw, { fromMs, untilMs, billedCount }: Span): readonly ContractEvent[] {
  const times = draw.list(draw.int(0, 3), () => draw.int(fromMs / 60_000, untilMs / 60_000) * 60_000);
  return times.sort().flatMap((atMs): readonly ContractEvent[] => {
    const kind = draw.pick(['skip', 'unskip', 'move', 'pause', 'card', 'address', 'retry'] as const);
    const index = billedCount + draw.int(1, 5);
    if (kind === 'skip' || kind === 'unskip') return [{ kind, atMs, index }];
    if (kind === 'move') return [{ kind, atMs, index, toMs: atMs + draw.int(-24, 72) * HOUR_MS }];
    if (kind === 'card') return [{ kind, atMs, card: drawCard(draw) }];
    if (kind !== 'pause') return [{ kind, atMs }];
    return [
      { kind, atMs },
      { kind: 'activate', atMs: atMs + draw.int(1, 50) * HOUR_MS },
    ];
  });
}
