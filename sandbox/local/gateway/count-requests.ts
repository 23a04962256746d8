/**
 * Counts requests in a moving window, by the second. The firewall that it emulates detects requests some seconds late.
 */

/**
 * Counts one request of the address in `second`. Returns the number of requests in the window that ends with
 * `detectedSecond`, the last second that the firewall has detected.
 */
export type CountRequest = (
  address: string,
  at: { readonly second: number; readonly detectedSecond: number },
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
  return (address, { second, detectedSecond }) => {
    const addressCounts = countsByAddress.get(address) ?? { seconds: [], detectedCount: 0, sum: 0 };
    countsByAddress.set(address, addressCounts);
    const lastSecond = addressCounts.seconds.at(-1);
    if (lastSecond?.second === second) lastSecond.requests += 1;
    else addressCounts.seconds.push({ second, requests: 1 });
    advanceWindow(addressCounts, detectedSecond, windowSeconds);
    return addressCounts.sum;
  };
}

function advanceWindow(counts: AddressCounts, detectedSecond: number, windowSeconds: number): void {
  const { seconds } = counts;
  for (
    let nextSecond = seconds[counts.detectedCount];
    nextSecond && nextSecond.second <= detectedSecond;
    nextSecond = seconds[counts.detectedCount]
  ) {
    counts.sum += nextSecond.requests;
    counts.detectedCount += 1;
  }
  for (
    let [oldest] = seconds;
    oldest && oldest.second <= detectedSecond - windowSeconds;
    [oldest] = seconds
  ) {
    counts.sum -= oldest.requests;
    counts.detectedCount -= 1;
    seconds.shift();
  }
}
