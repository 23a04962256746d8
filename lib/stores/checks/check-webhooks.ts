/** Checks how the platform's webhooks of a store are registered: by the API or in the app's TOML file, but not both. */
import { ServiceError } from '../../errors/service-error.ts';
import { requestDeadlineAtMs } from '../../platform/admin-api/admin-client.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import {
  COMPLIANCE_TOPICS,
  requiredScopeOfTopic,
  TOPICS_TO_REGISTER,
  topicEnumName,
} from '../../webhooks/in/webhook-registration.ts';
import { listWebhookRegistrations, type WebhookRegistration } from '../webhooks/webhook-registrations.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import type { StoreFinding } from './store-finding.ts';

const WEBHOOKS_FINDING_NAME = 'Webhooks';
const COMPLIANCE_FINDING_NAME = 'Compliance webhooks';
const REGISTER_BY_API_FIX = 'Run store update --webhooks api.';
const REGISTER_BY_TOML_FIX =
  'or add them to the app’s TOML (store webhooks --toml) and run store update --webhooks toml';

/**
 * Returns the findings. Empty without a client secret: no webhook is accepted then, which the finding about that secret
 * reports.
 */
export async function checkWebhooks(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  const { webhooksVersionId, webhookWay: registrationMethod, status } = store;
  if (webhooksVersionId === undefined || status !== 'installed') return [];
  const registerText = `Run store update --webhooks api, ${REGISTER_BY_TOML_FIX}.`;
  if (registrationMethod === undefined)
    return [
      { name: WEBHOOKS_FINDING_NAME, state: 'missing', found: 'none is registered', fix: registerText },
    ];
  try {
    const allRegistrations = await listWebhookRegistrations((request) =>
      deps.sendAdmin({
        ...request,
        store,
        costKey: request.document,
        deadlineAtMs: requestDeadlineAtMs(deps.now()),
      }),
    );
    const hasOwnUri = ({ uri }: WebhookRegistration) => uri === registrationMethod.uri;
    const registrationFindings =
      registrationMethod.by === 'api'
        ? [findingAboutApiRegistrations(allRegistrations.filter(hasOwnUri)), findingAboutManualCompliance()]
        : findingsAboutTomlRegistrations(allRegistrations.filter(hasOwnUri));
    return [
      ...registrationFindings,
      ...findingsAboutOtherRegistrations(allRegistrations.filter((each) => !hasOwnUri(each))),
    ];
  } catch (error) {
    // The finding about the token reports this already.
    if (error instanceof ServiceError && error.code === 'STORE_DISCONNECTED') return [];
    return [
      { name: WEBHOOKS_FINDING_NAME, state: 'unknown', found: errorTextOfFinding(error), fix: 'Try again.' },
    ];
  }
}

function findingAboutApiRegistrations(registrations: readonly WebhookRegistration[]): StoreFinding {
  const registeredTopics = new Set(
    registrations.filter(({ isComplete: isWhole }) => isWhole).map(({ topic }) => topic),
  );
  const missingTopics = TOPICS_TO_REGISTER.filter((topic) => !registeredTopics.has(topicEnumName(topic)));
  if (missingTopics.length === 0)
    return {
      name: WEBHOOKS_FINDING_NAME,
      state: 'ok',
      found: `${TOPICS_TO_REGISTER.length} topics, by the API`,
    };
  const scopes = new Set(missingTopics.map(requiredScopeOfTopic).filter((scope) => scope !== undefined));
  const neededScopesText = scopes.size === 0 ? '' : ` (they need ${[...scopes].join(', ')})`;
  const foundText = `not registered: ${missingTopics.join(', ')}${neededScopesText}`;
  return { name: WEBHOOKS_FINDING_NAME, state: 'missing', found: foundText, fix: REGISTER_BY_API_FIX };
}

/**
 * Returns the finding for an app that registers webhooks by the API. It gets no compliance webhooks, so operators
 * handle such requests by hand.
 */
function findingAboutManualCompliance(): StoreFinding {
  const foundText = `none: ${COMPLIANCE_TOPICS.join(', ')} exist only in an app's TOML`;
  const fix = 'Handle the platform’s e-mails by hand, or add these topics there (store webhooks --toml).';
  return { name: COMPLIANCE_FINDING_NAME, state: 'optional', found: foundText, fix };
}

function findingsAboutTomlRegistrations(registrations: readonly WebhookRegistration[]): StoreFinding[] {
  const foundText = "in the app's TOML, which the service cannot read: the first webhook confirms it";
  if (registrations.length === 0) return [{ name: WEBHOOKS_FINDING_NAME, state: 'unseen', found: foundText }];
  const duplicateText = `${registrations.length} topics are also registered by the API: every webhook comes twice`;
  return [
    {
      name: WEBHOOKS_FINDING_NAME,
      state: 'missing',
      found: duplicateText,
      fix: 'Run store update --webhooks toml.',
    },
  ];
}

function findingsAboutOtherRegistrations(otherRegistrations: readonly WebhookRegistration[]): StoreFinding[] {
  if (otherRegistrations.length === 0) return [];
  const hosts = [
    ...new Set(otherRegistrations.map(({ uri }) => (URL.canParse(uri) ? new URL(uri).host || uri : uri))),
  ];
  const foundText = `${otherRegistrations.length} of the same app go to other addresses: ${hosts.join(', ')}`;
  const fix = 'If they are not needed, delete them at the platform (webhookSubscriptionDelete).';
  return [{ name: 'Webhooks elsewhere', state: 'optional', found: foundText, fix }];
}
