/** All verbs, in the order in which help lists them. */
import type { Verb } from '../verb.ts';
import { firstContact } from './first-contact.ts';
import { keyIssue } from './keys/key-issue.ts';
import { keyList } from './keys/key-list.ts';
import { keyRevoke } from './keys/key-revoke.ts';
import { keyRotate } from './keys/key-rotate.ts';
import { timelineOfKey } from './keys/timeline-of-key.ts';
import { tokenKeysRotate, tokenKeysShow } from './keys/token-keys-verbs.ts';
import { restoreComplete } from './restore-complete.ts';
import { sessionList } from './session-list.ts';
import { sessionRevoke } from './session-revoke.ts';
import { storeAcceptSignIn } from './stores/store-accept-sign-in.ts';
import { storeCheck } from './stores/store-check.ts';
import { storeInstall } from './stores/store-install.ts';
import { storeList, storeShow } from './stores/store-list.ts';
import { storePurge } from './stores/store-purge.ts';
import { storeResync } from './stores/store-resync.ts';
import { storeUninstall } from './stores/store-uninstall.ts';
import { storeUpdate } from './stores/store-update.ts';
import { timelineShow } from './timeline-show.ts';

export const nouns: Readonly<Record<string, string>> = {
  store: 'Stores that the service is installed on',
  key: "Admin keys for merchants' servers",
  session: "Customers' sign-ins",
  timeline: 'What was done to contracts, and by whom',
  'token-keys': "The ring of keys that customers' tokens are made with",
};

export const verbs: readonly Verb[] = [
  storeInstall,
  storeUpdate,
  storeList,
  storeShow,
  storeCheck,
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
  timelineShow,
  timelineOfKey,
  tokenKeysShow,
  tokenKeysRotate,
  restoreComplete,
  firstContact,
];
