/** What the scheduled work does for a change that broke off between its commit and what follows it, by action. */
import type { SettleDeps } from '../../timeline/settle/settle-open-intents.ts';
import { finishOrderDate } from '../cycles/move-order.ts';
import { finishIntervalChange } from './finish-interval-change.ts';
import { INTERVAL_ACTION } from './interval-intent.ts';

export const finishers: SettleDeps['finishers'] = {
  [INTERVAL_ACTION]: finishIntervalChange,
  subscription_resumed: finishOrderDate,
  subscription_next_billing_date_updated: finishOrderDate,
};
