/**
 * The expected deliveries of endpoints, derived only from the stream, the sent events and the responses: it does not
 * know cursors and backlogs. Returns the faults as sentences.
 */
import { type DeliveryWorld, HOUR_MS, type Receipt } from './delivery-world.ts';

const isAccepted = ({ answer }: Receipt) =>
  answer !== undefined && 'status' in answer && answer.status === 200;
const isRefused = ({ answer }: Receipt) =>
  answer !== undefined && !('status' in answer && answer.status === 200);

type Endpoint = {
  readonly id: string;
  readonly shopId: Parameters<DeliveryWorld['streamOf']>[0];
  readonly types: readonly string[] | null;
};

/** Returns the events that the endpoint subscribes to. */
function subscribedEvents({ streamOf }: DeliveryWorld, { shopId, types }: Endpoint) {
  return streamOf(shopId).filter(({ type }) => types === null || types.includes(type));
}

/** Wanted events that the endpoint never accepted. */
export function missing(world: DeliveryWorld, endpoint: Endpoint): number[] {
  const own = world.receipts.filter((one) => one.endpointId === endpoint.id && isAccepted(one));
  const accepted = new Set(own.map(({ number }) => number));
  return subscribedEvents(world, endpoint)
    .map(({ number }) => number)
    .filter((number) => !accepted.has(number));
}

/**
 * Returns events that were sent before all earlier ones of their contract were accepted; crashes and pauses allow none.
 */
export function disorder(world: DeliveryWorld, endpoint: Endpoint): string[] {
  const expected = subscribedEvents(world, endpoint);
  const own = world.receipts.filter((one) => one.endpointId === endpoint.id);
  const acceptedAt = new Map<number, number>();
  for (const one of own)
    if (isAccepted(one))
      acceptedAt.set(one.number, Math.min(acceptedAt.get(one.number) ?? Infinity, one.answeredAtMs));
  return own.flatMap(({ contract, number, atMs }) =>
    expected
      .filter((one) => contract !== undefined && one.contract === contract && one.number < number)
      .filter((one) => (acceptedAt.get(one.number) ?? Infinity) > atMs)
      .map((one) => `${endpoint.id} got ${number} of ${contract} before ${one.number}`),
  );
}

/** Without deaths: nothing twice, one of a contract at a time, 32 at most, never before the endpoint wants it. */
export function impatience({ receipts }: DeliveryWorld, { id }: Endpoint): string[] {
  const own = receipts.filter((one) => one.endpointId === id);
  const accepted = own.filter(isAccepted).map(({ number }) => number);
  const twice = accepted.filter((number, index) => accepted.indexOf(number) !== index);
  const wrong = twice.map((number) => `${id} accepted ${number} twice`);
  for (const one of own) {
    const overlapping = own.filter((other) => other.atMs <= one.atMs && other.answeredAtMs > one.atMs);
    if (overlapping.length > 32) wrong.push(`${overlapping.length} at once`);
    const same = overlapping.filter(({ contract }) => contract !== undefined && contract === one.contract);
    if (same.length > 1)
      wrong.push(`${id} got ${same.map(({ number }) => number)} of ${one.contract} at once`);
    const { answer } = one;
    if (answer === undefined || !('status' in answer) || answer.retryAfter === undefined) continue;
    const untilMs = one.answeredAtMs + Number(answer.retryAfter) * 1000;
    for (const { atMs, number } of own)
      if (atMs > one.answeredAtMs && atMs < untilMs)
        wrong.push(`${id} got ${number} before it wanted anything`);
  }
  return wrong;
}

/** Only an event that was refused six times, while another was accepted, is parked. */
export function rashParking(
  { receipts }: DeliveryWorld,
  { id }: Endpoint,
  parked: readonly number[],
): string[] {
  const own = receipts.filter((one) => one.endpointId === id);
  return parked.flatMap((number) => {
    const refusals = own.filter((one) => one.number === number && isRefused(one));
    const [first, last] = [refusals[0]?.answeredAtMs ?? 0, refusals.at(-1)?.answeredAtMs ?? 0];
    const others = own.filter(
      (one) => isAccepted(one) && one.answeredAtMs > first && one.answeredAtMs <= last,
    );
    if (refusals.length < 6) return [`${id} has parked ${number} after ${refusals.length} refusals`];
    return others.length === 0 ? [`${id} has parked ${number} though nothing else was accepted`] : [];
  });
}

/** An endpoint is disabled by 410, or because it accepted nothing for a day; and then it gets nothing any more. */
export function rashDisabling({ receipts, disabled }: DeliveryWorld, { id }: Endpoint): string[] {
  return disabled
    .filter(({ endpointId }) => endpointId === id)
    .flatMap(({ reason, atMs }) => {
      const before = receipts.filter((one) => one.endpointId === id && one.answeredAtMs <= atMs);
      const after = receipts.filter((one) => one.endpointId === id && one.atMs > atMs);
      if (after.length > 0) return [`${id} got ${after[0]?.number} though it was disabled`];
      if (reason === 'GONE')
        return before.some(
          ({ answer }) => answer !== undefined && 'status' in answer && answer.status === 410,
        )
          ? []
          : [`${id} never said 410`];
      const lastAcceptedAtMs = before.filter(isAccepted).at(-1)?.answeredAtMs ?? 0;
      return atMs - lastAcceptedAtMs >= 24 * HOUR_MS ? [] : [`${id} was disabled too early`];
    });
}

/** Returns the events that the endpoint accepted later than `lateMs` after they happened. */
export function late(world: DeliveryWorld, endpoint: Endpoint, lateMs: number): string[] {
  return subscribedEvents(world, endpoint).flatMap(({ number, atMs }) => {
    const own = world.receipts.filter((one) => one.endpointId === endpoint.id && one.number === number);
    const tookMs = (own.find(isAccepted)?.answeredAtMs ?? Infinity) - atMs;
    return tookMs > lateMs ? [`${endpoint.id} accepted ${number} after ${tookMs} ms`] : [];
  });
}
