/**
 * The scheduled work finishes changes that broke off between their commit and what follows it, each action in its way.
 */
import type { SettleDeps } from '../../timeline/settle/settle-open-intents.ts';
import { finishOrderDate } from '../cycles/move-order.ts';
import { finishIntervalChange } from './finish-interval-change.ts';
import { INTERVAL_ACTION } from './interval-intent.ts';

export const finishers: SettleDeps['finishers'] = {
  [INTERVAL_ACTION]: finishIntervalChange,
  subscription_resumed: finishOrderDate,
  subscription_next_billing_date_updated: finishOrderDate,
};
