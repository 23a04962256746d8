/** Settings of a store for tests, where the real platform's behaviour is unknown or the merchant decides. */
import type { StoreState } from '../state/state.ts';
import { firstWays, unpublishedWays } from '../state/unpublished.ts';
import { BadControlInput } from './control-input.ts';
import { readDeliveryRates } from './delivery-rates-input.ts';

type ApplySetting = (store: StoreState, value: unknown) => void;

const settings: Readonly<Record<string, ApplySetting>> = {
  /** The `sub` of id_tokens by customer id; the other customers have their id. */
  subjects(store, value) {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isMap || !Object.values(value).every((sub) => typeof sub === 'string')) {
      throw new BadControlInput('"subjects" is an object: customer id → text.');
    }
    store.subjects = { ...value };
  },
  /** A development store has only test payments. */
  plan(store, value) {
    const { isDevelopment, name } = Object(value) as Record<string, unknown>;
    if (typeof isDevelopment !== 'boolean' || typeof name !== 'string')
      throw new BadControlInput('"plan" is { "isDevelopment": true or false, "name": a text }.');
    store.plan = { partnerDevelopment: isDevelopment, publicDisplayName: name };
  },
  /** The Admin API's bucket, which is larger for more expensive plans. */
  throttle(store, value) {
    const { maximumAvailable, restoreRate } = Object(value) as Record<string, unknown>;
    if (!isPoints(maximumAvailable) || !isPoints(restoreRate))
      throw new BadControlInput(
        '"throttle" is { "maximumAvailable": points, "restoreRate": points a second }.',
      );
    store.throttle = { maximumAvailable, restoreRate };
  },
  /** The seconds that a charge takes; its attempt is pending until then. */
  chargeDelaySeconds(store, value) {
    if (!Number.isInteger(value) || Number(value) < 0)
      throw new BadControlInput('"chargeDelaySeconds" is a whole number of seconds, not below 0.');
    store.chargeDelaySeconds = Number(value);
  },
  /** Delivery prices by goods, weight and region (see `DeliveryRate`); null for those of the seed. */
  deliveryRates(store, value) {
    store.deliveryRates = value === null ? null : readDeliveryRates(value);
  },
  ...Object.fromEntries(
    Object.entries(unpublishedWays).map(([name, ways]) => [name, wayOfDoing(name, ways)]),
  ),
};

function isPoints(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}

function wayOfDoing(name: string, ways: readonly string[]): ApplySetting {
  return (store, value) => {
    if (!ways.includes(String(value))) throw new BadControlInput(`"${name}" is one of: ${ways.join(', ')}.`);
    store.unpublished = { ...firstWays(), ...store.unpublished, [name]: value };
  };
}

export const settingNames = Object.keys(settings);

/** @throws BadControlInput when a value is invalid */
export function changeSettings(store: StoreState, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) settings[name]?.(store, value);
}
