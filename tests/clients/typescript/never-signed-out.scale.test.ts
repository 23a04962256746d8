/** Phones and browsers with two tabs under the worst fault profile: none of 10,000 refreshes ends a session. */
import { expect, test } from '@jest/globals';
import { fullSize } from '../../full-size.ts';
import { callbackOf, createClientWorld, NETWORK_FAULTS, type Tab } from './world/client-world.ts';
import { randomOf } from './world/random.ts';

const REFRESHES = fullSize(10_000);
/** A sign-in ends after a year in any case, so no device has more. */
const OF_ONE_DEVICE = 500;
const HOUR_MS = 3_600_000;

test('whatever is lost, whoever is killed: no sign-out', async () => {
  let refreshes = 0;
  for (let seed = 1; refreshes < REFRESHES; seed++) {
    refreshes += await simulateDevice(seed, Math.min(OF_ONE_DEVICE, REFRESHES - refreshes));
  }
  expect(refreshes).toBeGreaterThanOrEqual(REFRESHES);
});

/** The number of refreshes. */
async function simulateDevice(seed: number, minimum: number): Promise<number> {
  const random = randomOf(seed);
  const { time, createPhone } = await createClientWorld(random);
  const phone = createPhone({ hasLocks: random() < 0.5, skewMs: random() < 0.2 ? HOUR_MS : 0 });
  const seen = new Set<string>();
  const open = () => {
    const tab = phone.open(async (url) => callbackOf(url));
    tab.client.onSession(({ status }) => void seen.add(status));
    return tab;
  };
  const first = open();
  await time.settle(first.client.signIn());
  seen.clear();
  const tabs = [first, open()];
  phone.faults.network = () =>
    random() < 0.4 ? NETWORK_FAULTS[Math.floor(random() * NETWORK_FAULTS.length)] : undefined;
  const codes = new Set<string>();
  const ask = ({ client }: Tab) =>
    void client.request('{ ok }').catch(({ code }) => void codes.add(String(code)));
  while (phone.refreshes.all < minimum) {
    await time.advance(HOUR_MS * (0.5 + random()));
    for (const [place, tab] of tabs.entries()) {
      if (random() < 0.7) ask(tab);
      // In the middle of a refresh, or of a wait for the next try.
      await time.advance(random() < 0.5 ? 60 * random() : 0);
      if (random() < 0.1) {
        tab.kill();
        tabs[place] = open();
      }
    }
  }
  phone.faults.network = () => undefined;
  await time.advance(2 * 60_000);
  expect(await time.settle((tabs[0] ?? first).client.request('{ ok }'))).toMatchObject({
    data: { ok: true },
  });
  expect([...codes].filter((code) => !['NETWORK', 'UNKNOWN', 'STORAGE'].includes(code))).toEqual([]);
  expect([...seen]).toEqual(['signedIn']);
  return phone.refreshes.all;
}
