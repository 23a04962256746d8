/** All verbs, in the order in which help lists them. */
import type { Verb } from '../verb.ts';
import { firstContact } from '../verbs/first-contact.ts';
import { keyIssue } from '../verbs/keys/key-issue.ts';
import { keyList } from '../verbs/keys/key-list.ts';
import { keyRevoke } from '../verbs/keys/key-revoke.ts';
import { keyRotate } from '../verbs/keys/key-rotate.ts';
import { timelineOfKey } from '../verbs/keys/timeline-of-key.ts';
import { tokenKeysRotate, tokenKeysShow } from '../verbs/keys/token-keys-verbs.ts';
import { customerErase } from '../verbs/privacy/customer-erase.ts';
import { requestsDone, requestsExport, requestsList, requestsOpen } from '../verbs/privacy/requests.ts';
import { restoreComplete } from '../verbs/restore-complete.ts';
import { sessionList } from '../verbs/session-list.ts';
import { sessionRevoke } from '../verbs/session-revoke.ts';
import { storeAcceptSignIn } from '../verbs/stores/store-accept-sign-in.ts';
import { storeCheck } from '../verbs/stores/store-check.ts';
import { storeInstall } from '../verbs/stores/store-install.ts';
import { storeList, storeShow } from '../verbs/stores/store-list.ts';
import { storePurge } from '../verbs/stores/store-purge.ts';
import { storeResync } from '../verbs/stores/store-resync.ts';
import { storeUninstall } from '../verbs/stores/store-uninstall.ts';
import { storeUpdate } from '../verbs/stores/store-update.ts';
import { storeWebhooks } from '../verbs/stores/store-webhooks.ts';
import { timelineShow } from '../verbs/timeline-show.ts';
import { webhookVerbs } from '../verbs/webhooks/webhook-verbs.ts';

export const nouns: Readonly<Record<string, string>> = {
  store: 'Stores that the service is installed on',
  key: "Admin keys for merchants' servers",
  session: "Customers' sign-ins",
  customer: "A store's customers, who may ask to be forgotten",
  requests: 'What the law gives 30 days for',
  webhook: "Endpoints of merchants' servers, which are told what happens",
  timeline: 'What was done to contracts, and by whom',
  'token-keys': "The ring of keys that customers' tokens are made with",
};

export const verbs: readonly Verb[] = [
  storeInstall,
  storeUpdate,
  storeList,
  storeShow,
  storeCheck,
  storeWebhooks,
  storeAcceptSignIn,
  storeUninstall,
  storePurge,
  storeResync,
  keyIssue,
  keyList,
  keyRotate,
  keyRevoke,
  sessionList,
  sessionRevoke,
  customerErase,
  requestsList,
  requestsOpen,
  requestsExport,
  requestsDone,
  ...webhookVerbs,
  timelineShow,
  timelineOfKey,
  tokenKeysShow,
  tokenKeysRotate,
  restoreComplete,
  firstContact,
];
