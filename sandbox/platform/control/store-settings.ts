/** Settings of a store for tests, where the real platform's behaviour is unknown or the merchant decides. */
import type { StoreState } from '../state/state.ts';
import { createDefaultBehaviour, UNPUBLISHED_BEHAVIOURS } from '../state/unpublished-behaviour.ts';
import { InvalidControlInput } from './control-input.ts';
import { parseDeliveryRates } from './delivery-rates-input.ts';

type ApplySetting = (store: StoreState, value: unknown) => void;

const APPLY_SETTING_BY_NAME: Readonly<Record<string, ApplySetting>> = {
  /** The `sub` of id_tokens by customer id; the other customers have their id. */
  subjects(store, value) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || !Object.values(value).every((sub) => typeof sub === 'string')) {
      throw new InvalidControlInput('"subjects" is an object: customer id → text.');
    }
    store.subjects = { ...value };
  },
  /** A development store has only test payments. */
  plan(store, value) {
    const { isDevelopment, name } = Object(value) as Record<string, unknown>;
    if (typeof isDevelopment !== 'boolean' || typeof name !== 'string')
      throw new InvalidControlInput('"plan" is { "isDevelopment": true or false, "name": a text }.');
    store.plan = { partnerDevelopment: isDevelopment, publicDisplayName: name };
  },
  /** The Admin API's bucket, which is larger for more expensive plans. */
  throttle(store, value) {
    const { maximumAvailable, restoreRate } = Object(value) as Record<string, unknown>;
    if (!isPositiveInteger(maximumAvailable) || !isPositiveInteger(restoreRate))
      throw new InvalidControlInput(
        '"throttle" is { "maximumAvailable": points, "restoreRate": points a second }.',
      );
    store.throttle = { maximumAvailable, restoreRate };
  },
  /** The seconds that a charge takes; its attempt is pending until then. */
  chargeDelaySeconds(store, value) {
    store.chargeDelaySeconds = parseSeconds('chargeDelaySeconds', value);
  },
  /** The seconds in which a customer can confirm a payment; null for no end. */
  confirmSeconds(store, value) {
    store.confirmSeconds = value === null ? null : parseSeconds('confirmSeconds', value);
  },
  /** The declined payments in a row after which a payment method is revoked; null for never. */
  failuresUntilRevoked(store, value) {
    if (value !== null && !isPositiveInteger(value))
      throw new InvalidControlInput('"failuresUntilRevoked" is a whole number, not below 1, or null.');
    store.failuresUntilRevoked = value;
  },
  /** The seconds that a bulk job takes. */
  jobSeconds(store, value) {
    store.jobSeconds = parseSeconds('jobSeconds', value);
  },
  /** The seconds after which a bulk job is lost; null for never. */
  jobLifetimeSeconds(store, value) {
    store.jobLifetimeSeconds = value === null ? null : parseSeconds('jobLifetimeSeconds', value);
  },
  /** Delivery prices by goods, weight and region (see `DeliveryRate`); null for those of the seed. */
  deliveryRates(store, value) {
    store.deliveryRates = value === null ? null : parseDeliveryRates(value);
  },
  ...Object.fromEntries(
    Object.entries(UNPUBLISHED_BEHAVIOURS).map(([name, allowedValues]) => [
      name,
      createBehaviourSetting(name, allowedValues),
    ]),
  ),
};

function parseSeconds(name: string, value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 0) return Number(value);
  throw new InvalidControlInput(`"${name}" is a whole number of seconds, not below 0.`);
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}

function createBehaviourSetting(name: string, allowedValues: readonly string[]): ApplySetting {
  return (store, value) => {
    if (!allowedValues.includes(String(value)))
      throw new InvalidControlInput(`"${name}" is one of: ${allowedValues.join(', ')}.`);
    store.unpublished = { ...createDefaultBehaviour(), ...store.unpublished, [name]: value };
  };
}

export const settingNames = Object.keys(APPLY_SETTING_BY_NAME);

/** @throws InvalidControlInput when a value is invalid */
export function applyStoreSettings(store: StoreState, settings: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(settings)) APPLY_SETTING_BY_NAME[name]?.(store, value);
}
