/** One contract at the platform: its cycles with their edits, its attempts, and what changes it. */
import { type Cycle, listCycles } from './cycles.ts';
import type { Answer, ContractDescription, ContractEvent, ContractStatus, Line } from './description.ts';
import { sumOrder } from './prices.ts';
import { DAY_MS } from './zone-time.ts';

/** An attempt; `endMs` is infinite when the bank never answers. */
export type Attempt = {
  readonly index: number;
  readonly by: 'OTHERS' | 'SERVICE';
  readonly startMs: number;
  readonly endMs: number;
  readonly outcome: string;
  readonly isChallenge: boolean;
  isOpen: boolean;
};

export type Order = Cycle & {
  readonly expectedMs: number;
  readonly isSkipped: boolean;
  /** The total of an edited order. */
  readonly editedMinor: number | null;
  readonly billed: { readonly atMs: number; readonly by: Attempt['by'] } | null;
};

type Edit = { isSkipped: boolean; movedMs: number | null; totalMinor: number | null };

const ENDED: readonly ContractStatus[] = ['CANCELLED', 'EXPIRED'];
const STATUS_BY_EVENT = {
  ...{ activate: 'ACTIVE', pause: 'PAUSED', fail: 'FAILED', cancel: 'CANCELLED', expire: 'EXPIRED' },
} as const satisfies Readonly<Record<string, ContractStatus>>;

export type PlatformModel = ReturnType<typeof createPlatformModel>;

/** @param untilMs the last instant that is observed */
export function createPlatformModel(
  contract: ContractDescription,
  { untilMs, earlyWithoutIndex }: { readonly untilMs: number; readonly earlyWithoutIndex: boolean },
) {
  const cycles = listCycles(contract.policy, contract.createdMs, untilMs + 2 * DAY_MS);
  const edits = new Map<number, Edit>();
  const billed = new Map<number, NonNullable<Order['billed']>>(
    cycles
      .slice(0, contract.billedCount)
      .map(({ index, endMs }) => [index, { atMs: endMs, by: 'OTHERS' as const }]),
  );
  const attempts: Attempt[] = [];
  const statuses: { readonly atMs: number; readonly status: ContractStatus }[] = [
    { atMs: Number.NEGATIVE_INFINITY, status: contract.status },
  ];
  let { card, lines } = contract;
  let answerCount = 0;

  const status = () => statuses.at(-1)?.status ?? contract.status;
  const hasEnded = () => ENDED.includes(status());

  function setStatus(next: ContractStatus, atMs: number): void {
    if (!hasEnded()) statuses.push({ atMs, status: next });
  }

  function order(index: number): Order | undefined {
    const cycle = cycles[index - 1];
    if (cycle === undefined) return undefined;
    const { isSkipped = false, movedMs = null, totalMinor: editedMinor = null } = edits.get(index) ?? {};
    const paid = billed.get(index) ?? null;
    return { ...cycle, expectedMs: movedMs ?? cycle.endMs, isSkipped, editedMinor, billed: paid };
  }

  const openAttempt = (index: number) => attempts.find((each) => each.index === index && each.isOpen);

  /** Changes an order, which the platform refuses for a contract that has ended and for an order that is billed or charged. */
  function editOrder(index: number, change: Partial<Edit>): boolean {
    if (order(index) === undefined || hasEnded() || billed.has(index) || openAttempt(index)) return false;
    const before = edits.get(index) ?? { isSkipped: false, movedMs: null, totalMinor: null };
    edits.set(index, { ...before, ...change });
    return true;
  }

  function moveOrder(index: number, toMs: number): void {
    const target = order(index);
    if (target === undefined || target.isSkipped || toMs < target.startMs || toMs > target.endMs) return;
    editOrder(index, { movedMs: toMs === target.endMs ? null : toMs });
  }

  function takeAnswer(): Answer {
    const answer = card.answers[Math.min(answerCount, card.answers.length - 1)];
    answerCount += 1;
    return answer ?? { outcome: 'PAYS', seconds: 0 };
  }

  /** Returns the attempt, or undefined when the platform refuses it. */
  function attemptCharge(index: number, by: Attempt['by'], atMs: number): Attempt | undefined {
    const target = order(index);
    if (target === undefined || target.isSkipped || target.billed || openAttempt(index)) return undefined;
    if (hasEnded() || status() === 'PAUSED') return undefined;
    const { outcome, seconds, isChallenge = false } = takeAnswer();
    const isExpired = outcome === 'PAYS' && (card.expiresAtMs ?? Number.POSITIVE_INFINITY) <= atMs;
    const attempt: Attempt = {
      ...{ index, by, startMs: atMs, isChallenge, isOpen: true },
      outcome: isExpired ? 'EXPIRED_PAYMENT_METHOD' : outcome,
      endMs: outcome === 'PENDING' ? Number.POSITIVE_INFINITY : atMs + seconds * 1000,
    };
    attempts.push(attempt);
    return attempt;
  }

  /** Another server charges: an index, or the current cycle, which is that of the next order once an order is due. */
  function attemptOfOthers(index: number | null, atMs: number): Attempt | undefined {
    const target = index ?? cycles.find(({ endMs }) => endMs >= atMs)?.index;
    const found = order(target ?? 0);
    if (found === undefined) return undefined;
    const isEarly = found.expectedMs - atMs > DAY_MS;
    if (isEarly && !(index === null && earlyWithoutIndex)) return undefined;
    return attemptCharge(found.index, 'OTHERS', atMs);
  }

  /** Ends an attempt. Its order is billed when the bank pays. */
  function endAttempt(attempt: Attempt): void {
    attempt.isOpen = false;
    if (attempt.outcome !== 'PAYS') return;
    billed.set(attempt.index, { atMs: attempt.endMs, by: attempt.by });
  }

  function change(event: ContractEvent): void {
    if (event.kind === 'move') moveOrder(event.index, event.toMs);
    else if (event.kind === 'edit') editOrder(event.index, { totalMinor: event.totalMinor });
    else if (event.kind === 'skip' || event.kind === 'unskip')
      editOrder(event.index, { isSkipped: event.kind === 'skip' });
    else if (event.kind === 'price') {
      const { priceMinor: currentPriceMinor } = event;
      lines = lines.map((line, at) => (at === 0 ? { ...line, currentPriceMinor } : line));
    } else if (event.kind === 'card') {
      card = event.card;
      answerCount = 0;
    } else if (event.kind === 'fail' && status() !== 'ACTIVE') return;
    else if (event.kind !== 'address' && event.kind !== 'charge' && event.kind !== 'retry')
      setStatus(STATUS_BY_EVENT[event.kind], event.atMs);
  }

  return {
    ...{ attempts, status, hasEnded, setStatus, order, openAttempt },
    ...{ attemptCharge, attemptOfOthers, endAttempt, change },
    skip: (index: number) => editOrder(index, { isSkipped: true }),
    statusAt: (ms: number) => statuses.findLast(({ atMs }) => atMs <= ms)?.status ?? contract.status,
    /** Billed cycles, and the checkout's order. */
    ordersMade: () => billed.size + (contract.hasCheckoutOrder ? 1 : 0),
    lines: () => lines,
    setLines(next: readonly Line[]) {
      lines = next;
    },
    /** The contract cannot be changed while its present or a later order is edited by itself. */
    hasUpcomingEdit(atMs: number): boolean {
      const current = cycles.find(({ endMs }) => endMs >= atMs)?.index ?? Number.POSITIVE_INFINITY;
      return [...edits].some(
        ([index, { totalMinor }]) => index >= current && totalMinor !== null && !billed.has(index),
      );
    },
    total: () => sumOrder(lines, contract.deliveryPriceMinor),
    /** Lists the orders that are due in a range, by index. */
    ordersBetween: (fromMs: number, toMs: number) =>
      cycles
        // A moved order stays inside its cycle.
        .filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs)
        .flatMap(({ index }) => order(index) ?? [])
        .filter(({ expectedMs }) => expectedMs >= fromMs && expectedMs <= toMs),
    /** Returns the code with which the platform refuses an attempt at that time. */
    refusalAt: (ms: number) =>
      contract.refusals?.find(({ fromMs, untilMs: endMs }) => fromMs <= ms && ms < endMs)?.code ?? null,
  };
}
