/** All verbs, in the order in which help lists them. */
import type { CommandDefinition } from '../command.ts';
import { firstContact } from '../commands/first-contact.ts';
import { keyIssue } from '../commands/keys/key-issue.ts';
import { keyList } from '../commands/keys/key-list.ts';
import { keyRevoke } from '../commands/keys/key-revoke.ts';
import { keyRotate } from '../commands/keys/key-rotate.ts';
import { timelineOfKey } from '../commands/keys/timeline-of-key.ts';
import { tokenKeysRotate, tokenKeysShow } from '../commands/keys/token-keys-commands.ts';
import { customerErase } from '../commands/privacy/customer-erase.ts';
import { requestsDone, requestsExport, requestsList, requestsOpen } from '../commands/privacy/requests.ts';
import { restoreComplete } from '../commands/restore-complete.ts';
import { sessionList } from '../commands/session-list.ts';
import { sessionRevoke } from '../commands/session-revoke.ts';
import { storeAcceptSignIn } from '../commands/stores/store-accept-sign-in.ts';
import { storeCheck } from '../commands/stores/store-check.ts';
import { storeInstall } from '../commands/stores/store-install.ts';
import { storeList, storeShow } from '../commands/stores/store-list.ts';
import { storePurge } from '../commands/stores/store-purge.ts';
import { storeResync } from '../commands/stores/store-resync.ts';
import { storeUninstall } from '../commands/stores/store-uninstall.ts';
import { storeUpdate } from '../commands/stores/store-update.ts';
import { storeWebhooks } from '../commands/stores/store-webhooks.ts';
import { timelineShow } from '../commands/timeline-show.ts';
import { webhookCommands } from '../commands/webhooks/webhook-commands.ts';

export const commandGroups: Readonly<Record<string, string>> = {
  store: 'Stores that the service is installed on',
  key: "Admin keys for merchants' servers",
  session: "Customers' sign-ins",
  customer: "A store's customers, and their erasure",
  requests: 'Privacy requests, which are due within 30 days',
  webhook: "Webhook endpoints of merchants' servers",
  timeline: 'Changes of contracts, and who made them',
  'token-keys': "The keys that sign customers' tokens",
};

export const commandDefinitions: readonly CommandDefinition[] = [
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
  ...webhookCommands,
  timelineShow,
  timelineOfKey,
  tokenKeysShow,
  tokenKeysRotate,
  restoreComplete,
  firstContact,
];
