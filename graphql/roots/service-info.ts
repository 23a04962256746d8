/**
 * `serviceInfoRoot` returns the stored facts of the store, and the versions of this service, without a request to the
 * platform.
 */
import { LANGUAGES } from '../../lib/messages/languages.ts';
import { type StoreRecord, sendNowSettingOf, timeZoneOf } from '../../lib/storage/stores.ts';
import { compileServiceSelection } from '../compile/selection/build-response-shape.ts';
import { buildUnsentRoot } from '../compile/write-root.ts';
import type { RootHandler } from '../plan/root-handler.ts';
import { startWithArguments } from '../run/start-root.ts';
import {
  buildServiceValueResponse,
  type SelectedServiceValue,
  type ServiceValueResult,
} from './build-service-value-response.ts';

export const serviceInfoRoot: RootHandler<SelectedServiceValue, ServiceValueResult> = {
  compile: (context, { key, fields, access }) => ({
    texts: [],
    root: {
      ...buildUnsentRoot(context, key, fields),
      access,
      special: { selection: compileServiceSelection(context, fields, 'ServiceInfo') },
    },
  }),
  start(context, root, variables) {
    const serviceInfo: ServiceValueResult = { value: buildServiceInfo(context.store), errors: [] };
    return startWithArguments(context, root, {
      variables,
      knownOutcome: { kind: 'found', found: serviceInfo },
    });
  },
  respond: buildServiceValueResponse,
};

function buildServiceInfo(store: StoreRecord) {
  const { displayName, storefrontUrl } = store;
  return {
    ...{ storeTimeZone: timeZoneOf(store), storeName: displayName, storefrontUrl },
    ...{ languages: LANGUAGES, sendNow: sendNowSettingOf(store) },
  };
}
