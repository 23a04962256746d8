/** A store's life in the drill: what there is before the backup, and what becomes of it after. */
import type { TokenPair } from '../../../lib/sign-in/sessions/token-pair.ts';
import type { CheckThat } from './check.ts';
import type { Hands } from './hands.ts';
import type { Service } from './service.ts';
import type { StandIns } from './stand-ins.ts';

export type Scene = {
  readonly standIns: StandIns;
  readonly hands: Hands;
  /** The store that stays, and the one that goes. */
  readonly shop: string;
  readonly leaving: string;
  /** What the functions log. */
  readonly lines: string[];
};
export type Before = Readonly<Record<'ada' | 'ben' | 'carla', TokenPair>> & {
  readonly revokedKey: { readonly id: string; readonly key: string };
  readonly leavingKey: string;
  readonly unopened: string;
};
export type Since = {
  readonly ada: TokenPair;
  readonly younger: TokenPair;
  readonly openedKey: string;
  readonly lostKey: string;
};

export async function liveBefore({ hands, shop, leaving }: Scene, service: Service): Promise<Before> {
  await hands.install(shop);
  await hands.install(leaving);
  const open = async (domain: string) => {
    const { keyId, link } = await hands.issueKey(domain);
    return { id: keyId, key: (await service.openLink(link, domain)).value ?? '' };
  };
  const [ada, ben, carla] = [
    await service.signIn(shop, 'ada@example.com'),
    await service.signIn(shop, 'ben@example.com'),
    await service.signIn(shop, 'carla@example.com'),
  ];
  const leavingKey = (await open(leaving)).key;
  const { link: unopened } = await hands.issueKey(shop);
  return { ada, ben, carla, revokedKey: await open(shop), leavingKey, unopened };
}

type Living = { readonly before: Before; readonly check: CheckThat };

export async function liveSince(
  { hands, shop, leaving }: Scene,
  service: Service,
  { before, check }: Living,
): Promise<Since> {
  const { ben, carla, revokedKey, unopened } = before;
  let ada = before.ada;
  for (let times = 0; times < 2; times++) ada = (await service.refresh(shop, ada)).value ?? ada;
  await service.signOut(shop, ben);
  await hands.endSignIns(shop, carla.customerId);
  const younger = await service.signIn(shop, 'dan@example.com');
  const openedKey = (await service.openLink(unopened, shop)).value ?? '';
  await hands.revokeKey(shop, revokedKey.id);
  const { keyId: lostKey } = await hands.issueKey(shop);
  await hands.uninstall(leaving);
  await hands.purge(leaving);
  await hands.breakOff(shop);
  const codes = [await service.refresh(shop, ben), await service.askWithKey(revokedKey.key)].map(
    ({ code }) => code,
  );
  check('what was ended is refused before the restore', !codes.includes('ok'));
  return { ada, younger, openedKey, lostKey };
}
