import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import type { BillingSettings } from '../../../lib/billing/records/settings-record.ts';
import {
  decideBillingStatus,
  settingsOfInstallation,
} from '../../../lib/billing/settings/decide-billing-status.ts';
import { readNextRunAtMs } from '../../../lib/billing/settings/read-next-run.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import type { CommandRun } from '../../command.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatFacts, formatTime } from '../../show-table.ts';

/** Shows the settings of a store, and whether it is billed now. */
export async function toSettingsFacts(
  { operator }: CommandRun,
  store: StoreRecord,
  storedSettings: BillingSettings,
): Promise<CommandOutcome> {
  const nowMs = operator.now();
  const stopOfAllStores = await createBillingSettings(operator).readStop();
  const billingStatus = decideBillingStatus(storedSettings, { store, nowMs, stopOfAllStores });
  const currentSettings = settingsOfInstallation(storedSettings, store);
  const { enabled, startsOn, hour, declined, outOfStock, askForNewMethod } = currentSettings;
  const isBillingOn = billingStatus === 'ON' || billingStatus === 'STARTING';
  const nextRunAtMs = isBillingOn
    ? await readNextRunAtMs({ runs: createBillingRuns(operator), now: operator.now }, storedSettings, store)
    : undefined;
  const formatSchedule = ({ retryAfterDays, finalAction }: typeof declined) =>
    `${retryAfterDays.join(', ') || 'no'} days, then ${finalAction}`;
  return {
    json: {
      shopId: store.shopId,
      domain: store.domain,
      status: billingStatus,
      nextRunAtMs,
      settings: currentSettings,
    },
    lines: formatFacts({
      ...{
        store: store.domain,
        status: billingStatus,
        enabled: enabled ? 'yes' : 'no',
        'starts on': startsOn,
        hour,
      },
      'next run': formatTime(nextRunAtMs),
      declined: formatSchedule(declined),
      'out of stock': formatSchedule(outOfStock),
      'asks for new method': askForNewMethod ? 'yes' : 'no',
      'stopped by store': formatTime(currentSettings.stoppedByStoreAtMs),
      'stopped by operator': formatTime(currentSettings.stoppedByOperatorAtMs),
      'all stores stopped': formatTime(stopOfAllStores?.atMs),
      restored: formatTime(store.restoredAtMs),
    }),
  };
}
