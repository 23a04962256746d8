/** `serviceInfo`: what is kept here of the store, and what this service speaks. The platform is not asked. */
import { type StoreRecord, timeZoneOf } from '../../lib/storage/stores.ts';
import { serviceSelectionOf } from '../compile/selection/build-answer-shape.ts';
import { type RootContext, type RootPlace, rootOf, type WrittenRoot } from '../compile/write-root.ts';

/** Messages of the timeline and of errors are English alone. */
const LANGUAGES = ['EN'];

/** Plans the root. */
export function planServiceInfo(context: RootContext, { key, fields, access }: RootPlace): WrittenRoot {
  return {
    texts: [],
    root: {
      ...rootOf(context, key, fields),
      access,
      run: [],
      upstream: new Map(),
      nullsAll: new Set(),
      read: () => undefined,
      selection: serviceSelectionOf(context, fields, 'ServiceInfo'),
      special: { kind: 'made here', make: ({ store }) => serviceInfo(store) },
    },
  };
}

function serviceInfo(store: StoreRecord) {
  const { displayName, storefrontUrl } = store;
  return { storeTimeZone: timeZoneOf(store), storeName: displayName, storefrontUrl, languages: LANGUAGES };
}
