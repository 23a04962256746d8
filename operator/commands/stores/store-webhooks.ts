import {
  complianceTopics,
  topicsToRegister,
  WEBHOOKS_PATH,
} from '../../../lib/webhooks/in/read-changed-object.ts';
import { type CommandDefinition, type Run, requiredArgument } from '../../command.ts';
import { findStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import { factLines } from '../../show-table.ts';

export const storeWebhooks: CommandDefinition = {
  group: 'store',
  usage: 'webhooks <store>',
  summary: "Show how a store's webhooks are registered; with --toml, print the block for the app's TOML.",
  options: { '--toml': "print the block for the app's shopify.app.toml" },
  examples: [
    'store webhooks harbor-coffee.myshopify.com --env dev',
    'store webhooks harbor-coffee.myshopify.com --env prod --toml',
  ],
  isReading: true,
  async run(run) {
    const store = await findStore(run.operator, requiredArgument(run, 0));
    const uri = webhooksUri(run);
    if (run.options.toml === true) {
      const toml = writeWebhooksToml(uri, run.operator.platformApiVersion);
      return { json: { toml }, lines: toml.split('\n') };
    }
    const facts = {
      domain: store.domain,
      address: uri,
      clientSecret: store.webhooksVersionId === undefined ? 'none: webhooks are refused' : 'given',
      comeBy: store.webhookWay?.by ?? 'nothing is registered',
    };
    return { json: facts, lines: factLines(facts) };
  },
};

/**
 * Returns the service's address for webhooks.
 * @throws OperatorError when the service's address is unknown
 */
export function webhooksUri({ operator }: Run): string {
  const { baseUrl } = operator.target;
  if (baseUrl !== undefined) return `${baseUrl}${WEBHOOKS_PATH}`;
  throw new OperatorError("Add --base-url with the service's address, which receives the webhooks.", 2);
}

function writeWebhooksToml(uri: string, apiVersion: string): string {
  const list = (topics: readonly string[]) => topics.map((topic) => `  "${topic}",`).join('\n');
  return `[webhooks]
api_version = "${apiVersion}"

[[webhooks.subscriptions]]
uri = "${uri}"
topics = [
${list(topicsToRegister)}
]
compliance_topics = [
${list(complianceTopics)}
]`;
}
