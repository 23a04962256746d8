/** What must hold on a restored table, asked as apps and servers ask. */
import type { CheckThat } from './check.ts';
import type { Before, Scene, Since } from './life.ts';
import type { Service } from './service.ts';
import { RESTORED_TABLE } from './stand-ins.ts';

type Verifying = { readonly before: Before; readonly since: Since; readonly check: CheckThat };

export async function verify(
  { shop, hands }: Scene,
  service: Service,
  { before, since, check }: Verifying,
): Promise<void> {
  const goesOn = await service.refresh(shop, since.ada);
  check('a sign-in from before goes on, with tokens that are newer than the table', goesOn.code === 'ok');
  const again = await service.refresh(shop, goesOn.value ?? since.ada);
  check('and goes on after that', again.code === 'ok');
  check(
    'who signed out stays out',
    (await service.refresh(shop, before.ben)).code === 'INVALID_REFRESH_TOKEN',
  );
  const ended = await service.refresh(shop, before.carla);
  check('who was signed out by an operator stays out', ended.code === 'INVALID_REFRESH_TOKEN');
  const younger = await service.refresh(shop, since.younger);
  check('a sign-in from after the backup is unknown', younger.code === 'TOKEN_NOT_FOUND');
  const anew = await service.signIn(shop, 'dan@example.com');
  check('and its customer signs in again', (await service.refresh(shop, anew)).code === 'ok');
  check(
    'a revoked key stays revoked',
    (await service.askWithKey(before.revokedKey.key)).code === 'UNAUTHENTICATED',
  );
  check('a key claimed since stays claimed', (await service.askWithKey(since.openedKey)).code === 'ok');
  check('its link tells that it was opened', (await service.openLink(before.unopened, shop)).code === 'gone');
  const listed = await hands.keyIds(shop, RESTORED_TABLE);
  check('a key issued since is listed, to be revoked', listed.includes(since.lostKey));
  const leaving = await service.askWithKey(before.leavingKey);
  check('a key of the purged store is refused', leaving.code === 'UNAUTHENTICATED');
}
