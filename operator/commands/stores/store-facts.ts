import {
  currentGrantRefusal,
  type StoreRecord,
  sendNowSettingOf,
  upcomingOrderNoticeDays,
} from '../../../lib/storage/stores.ts';

/** Returns a store's facts for the terminal (`formatFacts`) and for --json, without secrets. */
export function toStoreFacts(store: StoreRecord) {
  return {
    domain: store.domain,
    shopId: store.shopId,
    name: store.displayName,
    status: store.status,
    installedAtMs: store.installedAtMs,
    storefrontUrl: store.storefrontUrl,
    portalPageId: store.portalPageId,
    clientId: store.clientId,
    webClientId: store.webSignIn?.clientId,
    redirectUris: store.webSignIn?.redirectUris.join(' ') || undefined,
    timeZone: store.timeZone,
    upcomingDays: upcomingOrderNoticeDays(store),
    sendNow: sendNowSettingOf(store),
    issuer: store.signIn.issuer,
    trustsSub: store.trustsSubject === true ? 'yes' : 'no',
    // Keys from before the store was installed again are refused.
    claimedKeys: Object.values(store.keyClaims).filter((atMs) => atMs >= store.installedAtMs).length,
    restoredAtMs: store.restoredAtMs,
    grantRefused: currentGrantRefusal(store)?.reason,
  };
}
