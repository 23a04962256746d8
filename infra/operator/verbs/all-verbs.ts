/** All verbs, in the order in which help lists them. */
import type { Verb } from '../verb.ts';
import { firstContact } from './first-contact.ts';
import { keyIssue } from './key-issue.ts';
import { keyList } from './key-list.ts';
import { keyRevoke } from './key-revoke.ts';
import { keyRotate } from './key-rotate.ts';
import { restoreComplete } from './restore-complete.ts';
import { sessionList } from './session-list.ts';
import { sessionRevoke } from './session-revoke.ts';
import { storeAcceptSignIn } from './store-accept-sign-in.ts';
import { storeCheck } from './store-check.ts';
import { storeInstall } from './store-install.ts';
import { storeList, storeShow } from './store-list.ts';
import { storePurge } from './store-purge.ts';
import { storeResync } from './store-resync.ts';
import { storeUninstall } from './store-uninstall.ts';
import { storeUpdate } from './store-update.ts';
import { timelineOfKey } from './timeline-of-key.ts';
import { timelineShow } from './timeline-show.ts';
import { tokenKeysRotate, tokenKeysShow } from './token-keys-verbs.ts';

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
