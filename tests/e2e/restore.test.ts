/**
 * The runbook's restore: the table of a running stack goes back ten minutes; everything else, the platform and Secrets Manager
 * among it, does not. Then restore-complete makes the table fit to be used.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseShopId } from '../../lib/domain/shop-id.ts';
import { purgeStore } from '../../lib/stores/lifecycle/purge-store.ts';
import { createCommandTrace } from '../../operator/open-trace.ts';
import { composeOperator } from '../../operator/operator.ts';
import { closeTarget, openTarget } from '../../operator/target.ts';
import { send, signIn, type Tokens } from '../contract/world/service-client.ts';
import { copyTable, readItems } from '../operator/copy-table.ts';
import { createHands, type Hands } from '../operator/operator-hands.ts';
import { startTestStack, type TestStack } from '../stack.ts';

type Issued = { readonly keyId: string; readonly link: string };
type Fixture = Awaited<ReturnType<typeof live>>;
let stack: TestStack;
let hands: Hands;
let fixture: Fixture;
beforeAll(async () => {
  stack = await startTestStack();
  hands = createHands(stack);
  fixture = await live();
}, 120_000);
afterAll(() => stack.stop());

const issue = (shop: string): Promise<Issued> =>
  hands.command(['key', 'issue', shop, '--label', 'Sync', '--use', 'test']);

/** Runs the changes before and after the backup, then the restore and restore-complete. */
async function live() {
  const { shop } = stack;
  const [, leaving] = stack.stores;
  if (leaving === undefined) throw new Error('no second store');
  const [ada, ben, carla] = await signInAll('ada@example.com', 'ben@example.com', 'carla@example.com');
  const revoked = await issue(shop);
  const revokedKey = await hands.claim(revoked.link, shop);
  const unopened = await issue(shop);
  await stack.control.clock({ advance: 55 * 60 });

  const restore = await copyTable(stack);
  const since = await stack.control.now();
  await stack.control.clock({ advance: 6 * 60 });
  // The platform's own tokens were an hour old: these refreshes spend the refresh token that the copy holds.
  const adaNext = await refreshTwice(shop, ada);
  await send(stack, '/headless-auth/revoke', { method: 'DELETE', body: { shop, ...session(ben) } });
  await hands.command(['session', 'revoke', shop, `${carla.customerId}`, '--all', '--yes']);
  const younger = await signIn(stack, 'dan@example.com');
  const openedKey = await hands.claim(unopened.link, shop);
  await hands.command(['key', 'revoke', shop, revoked.keyId, '--yes']);
  const lost = await issue(shop);
  await hands.command(['store', 'uninstall', leaving.shop, '--yes']);
  await purge(leaving.shopId);
  await breakOff(shop);
  const refusedBefore = [(await hands.refresh(shop, ben)).status, (await hands.ask(revokedKey)).status];

  await restore();
  const rejectedStatuses = [(await hands.ask(revokedKey)).status, (await hands.ask(leaving.adminKey)).status];
  const line = ['restore-complete', '--table', stack.tableName, '--since', since, '--events', '-', '--yes'];
  const report = await hands.command(line, fetchedLog());
  const people = { ben, carla, younger, adaNext };
  return {
    shop,
    leaving,
    ...people,
    revokedKey,
    openedKey,
    unopened,
    lost,
    refusedBefore,
    rejectedStatuses,
    report,
  };
}

test('the restored table has forgotten what was refused before the restore', () => {
  expect([fixture.refusedBefore, fixture.rejectedStatuses]).toEqual([
    [401, 401],
    [200, 503],
  ]);
});

test('restore-complete names what it repeated and what is left to do', () => {
  const { report, lost, leaving } = fixture;
  expect(report).toMatchObject({
    ...{ revokedSessions: 2, claimedKeys: 1, toPurge: [leaving.shopId] },
    lostLinks: [expect.objectContaining({ keyId: lost.keyId })],
    open: [expect.objectContaining({ command: expect.stringMatching(/^store update/) })],
  });
});

test('a sign-in from before goes on, with tokens that are newer than the table', async () => {
  await refreshTwice(fixture.shop, fixture.adaNext);
  expect(stack.rawLog()).toContain('refresh_ahead');
});

test('a sign-in that its customer or an operator ended stays ended', async () => {
  expect((await hands.refresh(fixture.shop, fixture.ben)).status).toBe(401);
  expect((await hands.refresh(fixture.shop, fixture.carla)).status).toBe(401);
});

test('a sign-in from after the backup is unknown, and its customer signs in again', async () => {
  expect((await hands.refresh(fixture.shop, fixture.younger)).status).toBe(404);
  const newSession = await signIn(stack, 'dan@example.com');
  expect((await hands.refresh(fixture.shop, newSession)).status).toBe(200);
});

test('a revoked key stays revoked, and a claimed key claimed', async () => {
  const revoked = { status: 401, text: expect.stringContaining('revoked') };
  expect(await hands.ask(fixture.revokedKey)).toMatchObject(revoked);
  expect(await hands.ask(fixture.openedKey)).toMatchObject({ status: 200 });
  expect((await hands.tryLink(fixture.unopened.link, fixture.shop, 'B'.repeat(22))).status).toBe(410);
});

test('a key that was issued since is listed, to be revoked', async () => {
  const keys: { id: string }[] = await hands.command(['key', 'list', fixture.shop]);
  expect(keys.map(({ id }) => id)).toContain(fixture.lost.keyId);
});

test('a purged store is refused, and a second purge leaves nothing of it', async () => {
  const { leaving, shop } = fixture;
  expect((await hands.ask(leaving.adminKey)).status).toBe(401);
  expect(await purge(leaving.shopId)).toMatchObject({ items: expect.any(Object), secrets: 0 });
  const stores: { domain: string }[] = await hands.command(['store', 'list']);
  expect(stores.map(({ domain }) => domain)).toEqual([shop]);
  expect(JSON.stringify(await readItems(stack))).not.toContain(`${leaving.shopId}`);
});

const session = ({ customerId, refreshToken }: Tokens) => ({ customerId, refreshToken });

async function signInAll(...emails: [string, string, string]): Promise<[Tokens, Tokens, Tokens]> {
  const tokens: Tokens[] = [];
  for (const email of emails) tokens.push(await signIn(stack, email));
  return tokens as [Tokens, Tokens, Tokens];
}

async function refreshTwice(shop: string, tokens: Tokens): Promise<Tokens> {
  const first = await hands.refresh(shop, tokens);
  const second = await hands.refresh(shop, { ...tokens, ...first.tokens });
  expect([first.status, second.status]).toEqual([200, 200]);
  return { ...tokens, ...second.tokens };
}

/** Begins a command that never ends. */
async function breakOff(shop: string): Promise<void> {
  const target = await openTarget({ env: 'local', state: stack.stateFile });
  await createCommandTrace(target, { verb: 'store update', args: [shop], options: {} }).writeStart();
  closeTarget(target);
}

/** As `store purge`, but that the clock of the stack does the waiting. */
async function purge(shop: number) {
  const target = await openTarget({ env: 'local', state: stack.stateFile });
  const trace = createCommandTrace(target, { verb: 'store purge', args: [`${shop}`], options: {} });
  const operator = composeOperator(target, { isDryRun: false, progress: () => undefined, trace });
  const shopId = parseShopId(shop);
  if (shopId === undefined) throw new Error('no shop id');
  const domain = (await operator.stores.find(shopId))?.domain;
  const wait = (ms: number) => stack.control.clock({ advance: Math.ceil(ms / 1000) });
  const purged = await purgeStore({ ...operator, wait }, { shopId, domain });
  await trace.end({ outcome: 'succeeded' });
  closeTarget(target);
  return purged;
}

/** As `aws logs filter-log-events` prints it. */
function fetchedLog(): string {
  const events = stack
    .rawLog()
    .split('\n')
    .filter((line) => /"message":"(session\.revoked|key\.claimed)"/.test(line))
    .map((message) => ({ message }));
  return `${JSON.stringify({ events, searchedLogStreams: [] }, undefined, 4)}\n`;
}
