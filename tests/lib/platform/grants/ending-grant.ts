import type { FunctionName } from '../../../../infra/definition/function-definitions.ts';
import type { PlatformGrant } from '../../../../lib/platform/grants/platform-grant.ts';
import type { PostForm } from '../../../../lib/platform/grants/post-form.ts';
import { createRenewGrant } from '../../../../lib/platform/grants/renew-grant.ts';
import { createStoreGrantReader } from '../../../../lib/platform/grants/store-grants.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { changeVersionedSecret } from '../../../../lib/storage/versioned-secret.ts';
import { tableOf } from '../../../rights/guarded-table.ts';
import type { World } from '../../stores/world/world.ts';

const MINUTE_MS = 60_000;

type EndingGrant = {
  readonly minutes: number;
  readonly postForm: PostForm;
  /** The grant's renewal; by default a refresh token. */
  readonly renewal?: Partial<PlatformGrant>;
};

/** Creates a store whose grant expires in `minutes`, and containers that renew it with `postForm`. */
export async function openEndingGrant(
  world: World,
  { minutes, postForm, renewal = { refreshToken: 'refresh-1' } }: EndingGrant,
) {
  const { shopId } = await world.installed();
  const parts = world.container();
  const give = (accessToken: string, lifetimeMinutes: number) =>
    changeVersionedSecret<PlatformGrant>(parts, {
      shopId,
      secret: 'platform',
      change: () => ({
        accessToken,
        scopes: [],
        expiresAt: new Date(world.now() + lifetimeMinutes * MINUTE_MS).toISOString(),
        clientId: 'client',
        clientSecret: 'secret',
        ...renewal,
      }),
    });
  await give('access-1', minutes);
  /** `as`: with the rights of that function. */
  const open = (as?: FunctionName) => {
    const own = world.container();
    const deps = { ...own, table: as === undefined ? own.table : tableOf(as, own.table) };
    const renewGrant = createRenewGrant({ ...deps, postForm, platformOrigin: 'https://{shop}' });
    return createStoreGrantReader({ ...deps, renewGrant });
  };
  const reread = async () => (await parts.stores.find(shopId)) as StoreRecord;
  return { open, give, store: await reread(), reread };
}
