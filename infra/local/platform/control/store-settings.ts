/** What a test chooses of a store where the real platform's way is not known, or is the merchant's. */
import type { StoreState } from '../state/state.ts';
import { BadControlInput } from './control-input.ts';

type Setting = (store: StoreState, value: unknown) => void;

const settings: Readonly<Record<string, Setting>> = {
  /** By customer id, what id_tokens name as `sub`; the others are named by their id. */
  subjects(store, value) {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isMap || !Object.values(value).every((sub) => typeof sub === 'string')) {
      throw new BadControlInput('"subjects" is an object: customer id → text.');
    }
    store.subjects = { ...value };
  },
  /** Whether `nodes(ids:)` costs for each id, or once. */
  nodesCost(store, value) {
    if (value !== 'each' && value !== 'once') throw new BadControlInput('"nodesCost" is each or once.');
    store.nodesCost = value;
  },
};

export const settingNames = Object.keys(settings);

/** Throws BadControlInput. */
export function changeSettings(store: StoreState, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) settings[name]?.(store, value);
}
