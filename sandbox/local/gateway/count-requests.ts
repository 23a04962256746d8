/** Counts requests in a window that moves, by the second, and looks at the count of an earlier moment. */

/** Counts one request of `key` in `second`; gives how many there were in the window that ended with `noticed`. */
export type CountRequest = (key: string, at: { readonly second: number; readonly noticed: number }) => number;

type AddressCounts = {
  /** Requests of each second that has some, the oldest first. */
  readonly seconds: { readonly second: number; requests: number }[];
  /** How many of `seconds` are noticed. */
  noticed: number;
  /** Requests of the noticed seconds that are in the window. */
  sum: number;
};

export function createRequestCounts(windowSeconds: number): CountRequest {
  const all = new Map<string, AddressCounts>();
  return (key, { second, noticed }) => {
    const counts = all.get(key) ?? { seconds: [], noticed: 0, sum: 0 };
    all.set(key, counts);
    const last = counts.seconds.at(-1);
    if (last?.second === second) last.requests += 1;
    else counts.seconds.push({ second, requests: 1 });
    moveWindow(counts, noticed, windowSeconds);
    return counts.sum;
  };
}

function moveWindow(counts: AddressCounts, noticed: number, windowSeconds: number): void {
  const { seconds } = counts;
  for (let next = seconds[counts.noticed]; next && next.second <= noticed; next = seconds[counts.noticed]) {
    counts.sum += next.requests;
    counts.noticed += 1;
  }
  for (let [oldest] = seconds; oldest && oldest.second <= noticed - windowSeconds; [oldest] = seconds) {
    counts.sum -= oldest.requests;
    counts.noticed -= 1;
    seconds.shift();
  }
}
