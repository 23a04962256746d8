import type { ShopDomain } from '../../../lib/domain/shop-domain.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import {
  MAX_UPCOMING_ORDER_NOTICE_DAYS,
  SEND_NOW_SETTINGS,
  type SendNowSetting,
  type StoreRecord,
} from '../../../lib/storage/stores.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import {
  checkNewCredentials,
  type NewStoreCredentials,
} from '../../../lib/stores/lifecycle/check-new-credentials.ts';
import { prepareWebSignInChange } from '../../../lib/stores/lifecycle/prepare-web-sign-in-change.ts';
import { type UpdatableStoreProperties, updateStore } from '../../../lib/stores/lifecycle/update-store.ts';
import {
  type CommandDefinition,
  type CommandOptions,
  type CommandRun,
  findTextOption,
  requireArgument,
} from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import {
  endDryRunBeforeConsent,
  GRANT_OPTIONS,
  obtainGrant,
  rejectConsentOptions,
} from '../../obtain-grant.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { type OperatorCredentials, readCredentials } from '../../read-credentials.ts';
import { formatFinding } from '../../show-findings.ts';
import { formatFacts } from '../../show-table.ts';
import { createVisibleFactOptions, parseVisibleFacts } from './parse-visible-facts.ts';
import { toStoreFacts } from './store-facts.ts';
import { createTokenIfMissing } from './storefront-token.ts';
import { parseWebSignInChange, WEB_SIGN_IN_OPTIONS } from './web-sign-in-options.ts';
import {
  changeWebhooks,
  listRequestedSettings,
  parseWebhookOptions,
  WEBHOOK_OPTIONS,
} from './webhook-options.ts';

export const storeUpdateCommand: CommandDefinition = {
  group: 'store',
  usage: 'update <store>',
  summary: 'Change the settings of an installed store. Customers stay signed in.',
  options: {
    '--credentials <file>': 'a new grant or the app, a new client id, or both; - reads standard input',
    ...GRANT_OPTIONS,
    ...WEBHOOK_OPTIONS,
    ...WEB_SIGN_IN_OPTIONS,
    ...createVisibleFactOptions(''),
    '--no-portal-page': 'remove the portal page',
    '--upcoming-days <days>': 'send order.upcoming this many days before an order, 1 to 14 (initially 3)',
    '--send-now <OFF|MOVE>':
      'let customers have their next order sent now: MOVE makes it due in five minutes, so that your next run charges it (initially OFF, which limits no dates)',
    '--trust-sub':
      "use the sub of id_tokens as the customer's id, and do not ask the platform at each sign-in",
    '--no-trust-sub': 'ask the platform for the customer at each sign-in (the initial setting)',
    '--storefront-token': 'create the storefront token for apps now, if there is none that works',
  },
  examples: [
    'store update harbor-coffee.myshopify.com --env prod --credentials new-grant.json',
    'store update harbor-coffee.myshopify.com --env prod --credentials app.json --oauth',
    'store update harbor-coffee.myshopify.com --env prod --client-secret - < client-secret.txt',
    'store update 81234567001 --env dev --name "Harbor Coffee"',
    'store update 81234567001 --env prod --add-redirect-uri https://shop.example.com/account --web-client-id 5f1c',
  ],
  run: runStoreUpdate,
};

async function runStoreUpdate(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options } = run;
  const store = await requireStore(operator, requireArgument(run, 0));
  // Check the status before a merchant has to consent.
  if (store.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  const newCredentials = await readOptionalCredentials(run);
  const clientId = newCredentials?.clientId === store.clientId ? undefined : newCredentials?.clientId;
  const newFacts = parseStoreFacts(options, clientId);
  const webChange = parseWebSignInChange(run);
  const webhookOptions = await parseWebhookOptions(
    run,
    (newCredentials?.app ?? newCredentials?.grant)?.clientSecret,
  );
  const dryRunOutcome = newCredentials && endDryRunBeforeConsent(run, store.domain, newCredentials);
  if (dryRunOutcome !== undefined) return dryRunOutcome;
  const credentials = newCredentials && (await obtainNewCredentials(run, store.domain, newCredentials));
  if (credentials !== undefined) {
    operator.progress('Asking the platform with the new credentials');
    await checkNewCredentials({ ...operator, ...operator.target }, store, credentials);
  }
  const webSignInAfter = webChange && (await prepareWebSignInChange(operator, store, webChange));
  const wantsToken = options.storefrontToken === true;
  const changedStoreSettings = [
    ...Object.keys(newFacts),
    ...(webSignInAfter ? ['webSignIn'] : []),
    ...(credentials?.grant ? ['grant'] : []),
  ];
  const otherChanges = [...(wantsToken ? ['storefrontToken'] : []), ...listRequestedSettings(webhookOptions)];
  const changedSettings = [...changedStoreSettings, ...otherChanges];
  return run.change(`Would change ${changedSettings.join(', ')} of ${store.domain}.`, async () => {
    const { shopId } = store;
    const storeAfter =
      changedStoreSettings.length === 0 && otherChanges.length > 0
        ? store
        : await updateStore(operator, {
            shopId,
            properties: newFacts,
            webSignIn: webSignInAfter,
            grant: credentials?.grant,
          });
    operator.logger.info('store.updated', { shopId, changed: changedSettings });
    const hasNewGrant = credentials?.grant !== undefined;
    const missingTokenFindings =
      wantsToken || hasNewGrant ? await createTokenIfMissing(operator, storeAfter) : [];
    const webhooks = await changeWebhooks(run, storeAfter, webhookOptions);
    const nextStepText = credentials === undefined ? '' : ` Next: store check ${store.domain}`;
    return toUpdateOutcome(storeAfter, {
      message: `Changed: ${changedSettings.join(', ')}.${nextStepText}`,
      missing: [...missingTokenFindings, ...webhooks],
    });
  });
}

type UpdateResult = { readonly message: string; readonly missing: readonly StoreFinding[] };

function toUpdateOutcome(store: StoreRecord, { message, missing }: UpdateResult): CommandOutcome {
  const storeFacts = toStoreFacts(store);
  const findingLines =
    missing.length > 0 ? ['', 'Not available yet:', ...missing.flatMap(formatFinding)] : [];
  return {
    json: { ...storeFacts, missing },
    lines: [message, '', ...formatFacts(storeFacts), ...findingLines],
  };
}

async function readOptionalCredentials({
  options,
  terminal,
}: CommandRun): Promise<OperatorCredentials | undefined> {
  rejectConsentOptions(options);
  const credentialsSource = findTextOption(options, 'credentials');
  if (credentialsSource !== undefined) return readCredentials(credentialsSource, terminal);
  if (options.clientCredentials !== true && options.oauth !== true) return undefined;
  throw new OperatorError('Add --credentials FILE with the app.', 2);
}

async function obtainNewCredentials(
  run: CommandRun,
  domain: ShopDomain,
  credentials: OperatorCredentials,
): Promise<NewStoreCredentials> {
  return { clientId: credentials.clientId, grant: await obtainGrant(run, { domain, credentials }) };
}

function parseStoreFacts(
  options: CommandOptions,
  clientId: string | undefined,
): Partial<UpdatableStoreProperties> {
  const { displayName, storefrontUrl, portalPageId: portalPage } = parseVisibleFacts(options);
  const upcomingDays = parseUpcomingDays(options);
  const sendNow = parseSendNow(options);
  if (options.portalPage === false && portalPage !== undefined)
    throw new OperatorError('Use --portal-page-id or --no-portal-page, not both.', 2);
  const portalPageId = options.portalPage === false ? null : portalPage;
  return {
    ...(displayName !== undefined && { displayName }),
    ...(storefrontUrl !== undefined && { storefrontUrl }),
    ...(portalPageId !== undefined && { portalPageId }),
    ...(clientId !== undefined && { clientId }),
    ...(upcomingDays !== undefined && { upcomingDays }),
    ...(sendNow !== undefined && { sendNow }),
    ...(typeof options.trustSub === 'boolean' && { trustsSubject: options.trustSub }),
  };
}

function parseSendNow(options: CommandOptions): SendNowSetting | undefined {
  const text = findTextOption(options, 'sendNow');
  if (text === undefined) return undefined;
  const setting = SEND_NOW_SETTINGS.find((one) => one === text.toUpperCase());
  if (setting !== undefined) return setting;
  throw new OperatorError(`--send-now must be ${SEND_NOW_SETTINGS.join(' or ')}.`, 2);
}

function parseUpcomingDays(options: CommandOptions): number | undefined {
  const upcomingDaysText = findTextOption(options, 'upcomingDays');
  if (upcomingDaysText === undefined) return undefined;
  const upcomingDays = Number(upcomingDaysText);
  if (Number.isInteger(upcomingDays) && upcomingDays >= 1 && upcomingDays <= MAX_UPCOMING_ORDER_NOTICE_DAYS)
    return upcomingDays;
  throw new OperatorError(
    `--upcoming-days must be a whole number from 1 to ${MAX_UPCOMING_ORDER_NOTICE_DAYS}.`,
    2,
  );
}
