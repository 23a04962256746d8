import {
  COMPLIANCE_TOPICS,
  PLATFORM_WEBHOOKS_PATH,
  TOPICS_TO_REGISTER,
} from '../../../lib/webhooks/in/webhook-registration.ts';
import { type CommandDefinition, type CommandRun, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import { formatFacts } from '../../show-table.ts';

export const storeWebhooksCommand: CommandDefinition = {
  group: 'store',
  usage: 'webhooks <store>',
  summary: "Show how a store's webhooks are registered; with --toml, print the block for the app's TOML.",
  options: { '--toml': "print the block for the app's shopify.app.toml" },
  examples: [
    'store webhooks harbor-coffee.myshopify.com --env dev',
    'store webhooks harbor-coffee.myshopify.com --env prod --toml',
  ],
  isReadOnly: true,
  async run(run) {
    const store = await requireStore(run.operator, requireArgument(run, 0));
    const uri = formatWebhooksUri(run);
    if (run.options.toml === true) {
      const toml = writeWebhooksToml(uri, run.operator.platformApiVersion);
      return { json: { toml }, lines: toml.split('\n') };
    }
    const webhookFacts = {
      domain: store.domain,
      address: uri,
      clientSecret: store.webhooksVersionId === undefined ? 'none: webhooks are refused' : 'given',
      comeBy: store.webhookWay?.by ?? 'nothing is registered',
    };
    return { json: webhookFacts, lines: formatFacts(webhookFacts) };
  },
};

/**
 * Returns the service's address for webhooks.
 * @throws OperatorError when the service's address is unknown
 */
export function formatWebhooksUri({ operator }: CommandRun): string {
  const { baseUrl } = operator.target;
  if (baseUrl !== undefined) return `${baseUrl}${PLATFORM_WEBHOOKS_PATH}`;
  throw new OperatorError("Add --base-url with the service's address, which receives the webhooks.", 2);
}

function writeWebhooksToml(uri: string, apiVersion: string): string {
  const formatTopics = (topics: readonly string[]) => topics.map((topic) => `  "${topic}",`).join('\n');
  return `[webhooks]
api_version = "${apiVersion}"

[[webhooks.subscriptions]]
uri = "${uri}"
topics = [
${formatTopics(TOPICS_TO_REGISTER)}
]
compliance_topics = [
${formatTopics(COMPLIANCE_TOPICS)}
]`;
}
