/**
 * The runbook's restore, on stand-ins: a store's life before and after the backup, then the steps of docs/deploying.md,
 * then what must hold. Each step is timed, and what it must show is checked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckThat } from './check.ts';
import { type Backup, readItems, writeItems } from './copy-table.ts';
import { createHands } from './hands.ts';
import { liveBefore, liveSince, type Scene, type Since } from './life.ts';
import { openService } from './service.ts';
import { RESTORED_TABLE, type StandIns, startStandIns, TABLE } from './stand-ins.ts';
import { verify } from './verify.ts';

/** Plays one step; what it resolves with besides are its checks. */
export type Step = <Value>(name: string, play: (check: CheckThat) => Promise<Value>) => Promise<Value>;

export async function playDrill(step: Step): Promise<void> {
  const standIns = await step('start stand-ins of AWS and of the platform', startStandIns);
  try {
    await playAt(step, standIns);
  } finally {
    await standIns.close();
  }
}

async function playAt(step: Step, standIns: StandIns): Promise<void> {
  const { platform, targetOf } = standIns;
  const [shop = '', leaving = ''] = platform.stores.map((store) => store.shop);
  const lines: string[] = [];
  const open = (tableName: string) =>
    openService(targetOf(tableName), platform.url, (line) => void lines.push(line));
  const scene: Scene = { standIns, hands: createHands(standIns), shop, leaving, lines };
  const service = open(TABLE);
  const before = await step('before the backup: stores, sign-ins, keys', () => liveBefore(scene, service));
  const { sinceMs, backup } = await step('the moment of the backup', () => takeBackup(standIns));
  const since = await step('after it: sign-outs, claims, revocations, a purge', (check) =>
    liveSince(scene, service, { before, check }),
  );
  // From here on nobody asks the functions of before: runbook, step 1.
  const restored = await step('restore into a new table', async (check) => {
    await standIns.createRestored();
    await writeItems(targetOf(RESTORED_TABLE), backup);
    const forgetful = await open(RESTORED_TABLE).askWithKey(before.revokedKey.key);
    check('it has forgotten what was revoked, so the rest means something', forgetful.code === 'ok');
    return open(RESTORED_TABLE);
  });
  await step('restore-complete', (check) => complete(scene, { sinceMs, since, check }));
  await step('what restore-complete says is to do', (check) => purgeAgain(scene, check));
  await step('what must hold, on the restored table', (check) =>
    verify(scene, restored, { before, since, check }),
  );
}

async function takeBackup({ targetOf }: StandIns): Promise<{ sinceMs: number; backup: Backup }> {
  // What was done before belongs to another millisecond.
  await sleep(5);
  const sinceMs = Date.now();
  const backup = await readItems(targetOf(TABLE));
  await sleep(5);
  return { sinceMs, backup };
}

type Completing = { readonly sinceMs: number; readonly since: Since; readonly check: CheckThat };

async function complete(
  { hands, lines, leaving }: Scene,
  { sinceMs, since, check }: Completing,
): Promise<void> {
  const report = await hands.restoreComplete(new Date(sinceMs).toISOString(), lines.join('\n'));
  const leavingId = hands.shopIdOf(leaving);
  check('two sign-ins are ended again', report.revokedSessions === 2);
  check('the key that was claimed since is claimed again', report.claimedKeys === 1);
  check('the store that was purged is named', report.toPurge.includes(leavingId));
  check(
    'the key whose link is lost is named',
    report.lostLinks.some(({ keyId }) => keyId === since.lostKey),
  );
  check(
    'the command that broke off is named',
    report.open.some(({ command }) => command.startsWith('store update')),
  );
}

async function purgeAgain({ hands, standIns, leaving }: Scene, check: CheckThat): Promise<void> {
  await hands.purge(leaving, RESTORED_TABLE);
  const shopId = hands.shopIdOf(leaving);
  const left = await readItems(standIns.targetOf(RESTORED_TABLE));
  check('nothing of the purged store is left', !JSON.stringify(left).includes(`${shopId}`));
}
