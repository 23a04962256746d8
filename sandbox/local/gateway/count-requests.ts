/**
 * Counts requests in a moving window, by the second. The firewall that it emulates detects requests some seconds late.
 */

/**
 * Counts one request of `key` in `second`. Returns the number of requests in the window that ends with the second
 * `detected`, the last one that the firewall has detected.
 */
export type CountRequest = (
  key: string,
  at: { readonly second: number; readonly detected: number },
) => number;

type AddressCounts = {
  /** The requests of each second with requests, oldest first. */
  readonly seconds: { readonly second: number; requests: number }[];
  /** How many entries of `seconds`, from the oldest, the firewall has detected. */
  detectedCount: number;
  /** The requests of the detected seconds that are in the window. */
  sum: number;
};

export function createRequestCounts(windowSeconds: number): CountRequest {
  const countsByAddress = new Map<string, AddressCounts>();
  return (key, { second, detected }) => {
    const addressCounts = countsByAddress.get(key) ?? { seconds: [], detectedCount: 0, sum: 0 };
    countsByAddress.set(key, addressCounts);
    const last = addressCounts.seconds.at(-1);
    if (last?.second === second) last.requests += 1;
    else addressCounts.seconds.push({ second, requests: 1 });
    advanceWindow(addressCounts, detected, windowSeconds);
    return addressCounts.sum;
  };
}

function advanceWindow(counts: AddressCounts, detected: number, windowSeconds: number): void {
  const { seconds } = counts;
  for (
    let nextSecond = seconds[counts.detectedCount];
    nextSecond && nextSecond.second <= detected;
    nextSecond = seconds[counts.detectedCount]
  ) {
    counts.sum += nextSecond.requests;
    counts.detectedCount += 1;
  }
  for (let [oldest] = seconds; oldest && oldest.second <= detected - windowSeconds; [oldest] = seconds) {
    counts.sum -= oldest.requests;
    counts.detectedCount -= 1;
    seconds.shift();
  }
}
