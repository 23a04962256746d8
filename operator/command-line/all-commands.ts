/** All commands, in the order in which help lists them. */
import type { CommandDefinition } from '../command.ts';
import { billingCommands } from '../commands/billing/billing-commands.ts';
import { firstContactCommand } from '../commands/first-contact.ts';
import { keyIssueCommand } from '../commands/keys/key-issue.ts';
import { keyListCommand } from '../commands/keys/key-list.ts';
import { keyRevokeCommand } from '../commands/keys/key-revoke.ts';
import { keyRotateCommand } from '../commands/keys/key-rotate.ts';
import { timelineOfKeyCommand } from '../commands/keys/timeline-of-key.ts';
import { tokenKeysRotateCommand, tokenKeysShowCommand } from '../commands/keys/token-keys-commands.ts';
import { customerEraseCommand } from '../commands/privacy/customer-erase.ts';
import {
  complianceRequestsListCommand,
  dataRequestDoneCommand,
  dataRequestExportCommand,
  dataRequestOpenCommand,
} from '../commands/privacy/requests.ts';
import { restoreCompleteCommand } from '../commands/restore-complete.ts';
import { sessionListCommand } from '../commands/session-list.ts';
import { sessionRevokeCommand } from '../commands/session-revoke.ts';
import { storeAcceptSignInCommand } from '../commands/stores/store-accept-sign-in.ts';
import { storeCheckCommand } from '../commands/stores/store-check.ts';
import { storeInstallCommand } from '../commands/stores/store-install.ts';
import { storeListCommand, storeShowCommand } from '../commands/stores/store-list.ts';
import { storePurgeCommand } from '../commands/stores/store-purge.ts';
import { storeResyncCommand } from '../commands/stores/store-resync.ts';
import { storeUninstallCommand } from '../commands/stores/store-uninstall.ts';
import { storeUpdateCommand } from '../commands/stores/store-update.ts';
import { storeWebhooksCommand } from '../commands/stores/store-webhooks.ts';
import { timelineShowCommand } from '../commands/timeline-show.ts';
import { webhookCommands } from '../commands/webhooks/webhook-commands.ts';

export const commandGroups: Readonly<Record<string, string>> = {
  store: 'Stores that the service is installed on',
  key: "Admin keys for merchants' servers",
  session: "Customers' sign-ins",
  customer: "A store's customers, and their erasure",
  requests: 'Privacy requests, which are due within 30 days',
  billing: 'The orders that the service charges',
  webhook: "Webhook endpoints of merchants' servers",
  timeline: 'Changes of contracts, and who made them',
  'token-keys': "The keys that sign customers' tokens",
};

export const commandDefinitions: readonly CommandDefinition[] = [
  storeInstallCommand,
  storeUpdateCommand,
  storeListCommand,
  storeShowCommand,
  storeCheckCommand,
  storeWebhooksCommand,
  storeAcceptSignInCommand,
  storeUninstallCommand,
  storePurgeCommand,
  storeResyncCommand,
  keyIssueCommand,
  keyListCommand,
  keyRotateCommand,
  keyRevokeCommand,
  sessionListCommand,
  sessionRevokeCommand,
  customerEraseCommand,
  complianceRequestsListCommand,
  dataRequestOpenCommand,
  dataRequestExportCommand,
  dataRequestDoneCommand,
  ...webhookCommands,
  ...billingCommands,
  timelineShowCommand,
  timelineOfKeyCommand,
  tokenKeysShowCommand,
  tokenKeysRotateCommand,
  restoreCompleteCommand,
  firstContactCommand,
];
