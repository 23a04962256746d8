/** What endpoints are managed with, over the request's own table and clock. */
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { createWakeMarks } from '../../../lib/storage/wakes/wake-marks.ts';
import type { ManageDeps } from '../../../lib/webhooks/manage/change-endpoints.ts';
import type { TestDeps } from '../../../lib/webhooks/manage/test-endpoint.ts';
import type { RunContext } from '../../run/run-context.ts';

export async function webhookDeps({ loadWebhooks, table, now }: RunContext): Promise<ManageDeps & TestDeps> {
  if (loadWebhooks === undefined) throw new Error('this function manages no endpoints');
  const parts = await loadWebhooks();
  const { wake } = createWakeMarks({ table, now, newId: parts.newId });
  return { ...parts, table, now, wake: (shopId: ShopId) => wake('webhook-deliveries', shopId) };
}
