import type { ShopDomain } from '../../../lib/domain/shop-domain.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import {
  MAX_UPCOMING_DAYS,
  SEND_NOW_SETTINGS,
  type SendNowSetting,
  type StoreRecord,
} from '../../../lib/storage/stores.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import { changeWebSignIn } from '../../../lib/stores/lifecycle/change-web-sign-in.ts';
import {
  checkNewCredentials,
  type NewCredentials,
} from '../../../lib/stores/lifecycle/check-new-credentials.ts';
import { type StoreFacts, updateStore } from '../../../lib/stores/lifecycle/update-store.ts';
import {
  type CommandDefinition,
  type Options,
  type Run,
  requiredArgument,
  textOption,
} from '../../command.ts';
import { findStore } from '../../find-store.ts';
import { dryConsent, grantOptions, obtainGrant, refuseConsentOptions } from '../../obtain-grant.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Outcome } from '../../outcome.ts';
import { type Credentials, readCredentials } from '../../read-credentials.ts';
import { findingLines } from '../../show-findings.ts';
import { factLines } from '../../show-table.ts';
import { readVisibleFacts, visibleFactOptions } from './read-visible-facts.ts';
import { storeFacts } from './store-facts.ts';
import { makeToken } from './storefront-token.ts';
import { readWebSignInChange, webSignInOptions } from './web-sign-in-options.ts';
import {
  changeWebhooks,
  listRequestedChanges,
  readWebhookOptions,
  webhookOptions,
} from './webhook-options.ts';

export const storeUpdate: CommandDefinition = {
  group: 'store',
  usage: 'update <store>',
  summary: 'Change the settings of an installed store. Customers stay signed in.',
  options: {
    '--credentials <file>': 'a new grant or the app, a new client id, or both; - reads standard input',
    ...grantOptions,
    ...webhookOptions,
    ...webSignInOptions,
    ...visibleFactOptions(''),
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

async function runStoreUpdate(run: Run): Promise<Outcome> {
  const { operator, options } = run;
  const store = await findStore(operator, requiredArgument(run, 0));
  // Check the status before a merchant has to consent.
  if (store.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  const given = await readGivenCredentials(run);
  const clientId = given?.clientId === store.clientId ? undefined : given?.clientId;
  const facts = readStoreFacts(options, clientId);
  const webChange = readWebSignInChange(run);
  const webhookOptions = await readWebhookOptions(run, (given?.app ?? given?.grant)?.clientSecret);
  const dry = given && dryConsent(run, store.domain, given);
  if (dry !== undefined) return dry;
  const credentials = given && (await readNewCredentials(run, store.domain, given));
  if (credentials !== undefined) {
    operator.progress('Asking the platform with the new credentials');
    await checkNewCredentials({ ...operator, ...operator.target }, store, credentials);
  }
  const webSignIn = webChange && (await changeWebSignIn(operator, store, webChange));
  const wantsToken = options.storefrontToken === true;
  const ofStore = [
    ...Object.keys(facts),
    ...(webSignIn ? ['webSignIn'] : []),
    ...(credentials?.grant ? ['grant'] : []),
  ];
  const otherChanges = [...(wantsToken ? ['storefrontToken'] : []), ...listRequestedChanges(webhookOptions)];
  const changed = [...ofStore, ...otherChanges];
  return run.change(`Would change ${changed.join(', ')} of ${store.domain}.`, async () => {
    const { shopId } = store;
    const after =
      ofStore.length === 0 && otherChanges.length > 0
        ? store
        : await updateStore(operator, { shopId, facts, webSignIn, grant: credentials?.grant });
    operator.logger.info('store.updated', { shopId, changed });
    const hasNewGrant = credentials?.grant !== undefined;
    const missing = wantsToken || hasNewGrant ? await makeToken(operator, after) : [];
    const webhooks = await changeWebhooks(run, after, webhookOptions);
    const next = credentials === undefined ? '' : ` Next: store check ${store.domain}`;
    return toOutcome(after, {
      message: `Changed: ${changed.join(', ')}.${next}`,
      missing: [...missing, ...webhooks],
    });
  });
}

type UpdateResult = { readonly message: string; readonly missing: readonly StoreFinding[] };

function toOutcome(store: StoreRecord, { message, missing }: UpdateResult): Outcome {
  const facts = storeFacts(store);
  const findings = missing.length > 0 ? ['', 'Not available yet:', ...missing.flatMap(findingLines)] : [];
  return {
    json: { ...facts, missing },
    lines: [message, '', ...factLines(facts), ...findings],
  };
}

async function readGivenCredentials({ options, terminal }: Run): Promise<Credentials | undefined> {
  refuseConsentOptions(options);
  const source = textOption(options, 'credentials');
  if (source !== undefined) return readCredentials(source, terminal);
  if (options.clientCredentials !== true && options.oauth !== true) return undefined;
  throw new OperatorError('Add --credentials FILE with the app.', 2);
}

async function readNewCredentials(
  run: Run,
  domain: ShopDomain,
  credentials: Credentials,
): Promise<NewCredentials> {
  return { clientId: credentials.clientId, grant: await obtainGrant(run, { domain, credentials }) };
}

function readStoreFacts(options: Options, clientId: string | undefined): Partial<StoreFacts> {
  const { displayName, storefrontUrl, portalPageId: named } = readVisibleFacts(options);
  const upcomingDays = readUpcomingDays(options);
  const sendNow = readSendNow(options);
  if (options.portalPage === false && named !== undefined)
    throw new OperatorError('Use --portal-page-id or --no-portal-page, not both.', 2);
  const portalPageId = options.portalPage === false ? null : named;
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

function readSendNow(options: Options): SendNowSetting | undefined {
  const text = textOption(options, 'sendNow');
  if (text === undefined) return undefined;
  const setting = SEND_NOW_SETTINGS.find((one) => one === text.toUpperCase());
  if (setting !== undefined) return setting;
  throw new OperatorError(`--send-now must be ${SEND_NOW_SETTINGS.join(' or ')}.`, 2);
}

function readUpcomingDays(options: Options): number | undefined {
  const text = textOption(options, 'upcomingDays');
  if (text === undefined) return undefined;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_UPCOMING_DAYS) return days;
  throw new OperatorError(`--upcoming-days must be a whole number from 1 to ${MAX_UPCOMING_DAYS}.`, 2);
}
