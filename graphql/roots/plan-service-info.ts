/** `serviceInfo`: what is kept here of the store, and what this service speaks. The platform is not asked. */
import { type StoreRecord, timeZoneOf } from '../../lib/storage/stores.ts';
import { type RootContext, type RootDraft, type RootPlace, rootOf } from '../compile/root-draft.ts';
import { localSelectionOf } from '../compile/selection/build-shape.ts';

/** Messages of the timeline and of errors are English alone. */
const LANGUAGES = ['EN'];

/** Plans the root. */
export function planServiceInfo(context: RootContext, { key, fields, access }: RootPlace): RootDraft {
  return {
    texts: [],
    root: {
      ...rootOf(context, key, fields),
      access,
      run: [],
      upstream: new Map(),
      nullsAll: new Set(),
      read: () => undefined,
      selection: localSelectionOf(context, fields, 'ServiceInfo'),
      special: { kind: 'made here', make: ({ store }) => serviceInfo(store) },
    },
  };
}

function serviceInfo(store: StoreRecord) {
  const { displayName, storefrontUrl } = store;
  return { storeTimeZone: timeZoneOf(store), storeName: displayName, storefrontUrl, languages: LANGUAGES };
}
