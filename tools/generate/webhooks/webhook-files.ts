/** docs/webhooks.schema.json, and the tables of types and facts in docs/webhooks.md. */
import {
  eventTypeEnumName,
  WEBHOOK_EVENT_TYPES,
  webhookTypeOfFacts,
} from '../../../lib/timeline/event-type.ts';
import { FACT_KINDS, isReportedWithoutValues, toFactJson } from '../../../lib/timeline/facts.ts';
import type { GeneratedFile } from '../../generated-file.ts';
import { createJsonSchemas, meaningOfWebhookType } from './payload-schemas.ts';

const PAGE_FILE = 'docs/webhooks.md';
const SCHEMA_FILE = 'docs/webhooks.schema.json';
const BEGIN_MARKER =
  '<!-- types: written by `npm run generate` from payload-schemas.ts and lib/timeline/facts.ts -->';
const END_MARKER = '<!-- end of types -->';

const FACTS_INTRODUCTION =
  'A _fact_ is a field of a subscription, or of one of its orders, whose changes are reported.';

/** The meaning of each fact. */
const MEANING_BY_FACT_FIELD: Readonly<Record<(typeof FACT_KINDS)[number]['field'], string>> = {
  status: 'Whether the subscription is active, paused or ended.',
  'currentPause.resumesAt': 'When the pause ends automatically; null if it has no end.',
  'currentPause.reason': 'The reason for the pause.',
  billingPolicy: 'How often the customer pays.',
  deliveryPolicy: 'How often the customer gets a delivery.',
  nextBillingDate: "The platform's date of the next payment; orders have their own dates.",
  deliveryPrice: 'The delivery price of a payment.',
  deliveryMethod: 'Address and method of delivery.',
  customerPaymentMethod: 'The payment method.',
  'customerPaymentMethod.instrument': 'The card behind the payment method.',
  note: 'The note.',
  customAttributes: 'The custom attributes.',
  'lines.*.quantity': "A line's quantity.",
  'lines.*.variantId': "A line's variant.",
  'lines.*.sellingPlanId': "A line's selling plan.",
  'lines.*.currentPrice': 'The price of one item of a line.',
  'discounts.*': "A discount's title or code; null if it was removed.",
  billingCycles: 'All orders have changed: `ordersChanged` is true.',
  'billingCycles.*.skipped': 'Whether an order is skipped; false at first.',
  'billingCycles.*.billingAttemptExpectedDate': "An order's date.",
  'billingCycles.*.editedContract': 'When the content of one order was last edited.',
};

type FactField = keyof typeof MEANING_BY_FACT_FIELD;

/** @throws Error that names the missing line: `npm run generate` checks no types of TypeScript. */
function meaningOfFact(field: FactField): string {
  const meaning: string | undefined = MEANING_BY_FACT_FIELD[field];
  if (meaning !== undefined) return meaning;
  throw new Error(
    `MEANING_BY_FACT_FIELD in tools/generate/webhooks/webhook-files.ts needs a line for ${field}.`,
  );
}

/** Returns each fact with the type that reports it, and an example value. */
function formatFactLines(): string[] {
  const factRows = FACT_KINDS.map(({ field, example, group }) => {
    const exampleField = field.replace('*', '7');
    const webhookTypes =
      group === 'status'
        ? '`subscription.paused` and the other types for `status`'
        : group === 'skip'
          ? '`order.skipped`, `order.unskipped`'
          : `\`${webhookTypeOfFacts([{ field: exampleField, before: null, after: example }])}\``;
    const exampleText = isReportedWithoutValues(exampleField)
      ? 'none'
      : `\`${JSON.stringify(toFactJson(exampleField, example, 'platform'))}\``;
    return `| \`${field}\` | ${webhookTypes} | ${exampleText} | ${meaningOfFact(field)} |`;
  });
  return ['| field | reported by | example value | meaning |', '|---|---|---|---|', ...factRows];
}

function generateSchemaFile(): GeneratedFile {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The body of a webhook: one of these, distinguished by its type. New fields may be added.',
    oneOf: WEBHOOK_EVENT_TYPES.map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: createJsonSchemas(WEBHOOK_EVENT_TYPES),
  };
  return { file: SCHEMA_FILE, text: `${JSON.stringify(schema, null, 2)}\n` };
}

type GeneratedPageBlock = {
  readonly file: string;
  readonly begin: string;
  readonly end: string;
  readonly lines: readonly string[];
};

/** Returns both files; `writeBlock` writes a block of a page. */
export function generateWebhookFiles(
  writeBlock: (block: GeneratedPageBlock) => GeneratedFile,
): GeneratedFile[] {
  const eventRows = WEBHOOK_EVENT_TYPES.map(
    (type) => `| \`${type}\` | \`${eventTypeEnumName(type)}\` | ${meaningOfWebhookType(type)} |`,
  );
  const tableLines = ['| type | in GraphQL | when |', '|---|---|---|', ...eventRows];
  const blockLines = [...tableLines, '', '### Facts', '', FACTS_INTRODUCTION, '', ...formatFactLines()];
  return [
    generateSchemaFile(),
    writeBlock({ file: PAGE_FILE, begin: BEGIN_MARKER, end: END_MARKER, lines: blockLines }),
  ];
}
