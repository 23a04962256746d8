/** Parses a fault and checks every field: a misspelt field would make a test pass without its fault. */
import { schema } from '../admin/endpoint/schema.ts';
import { BadControlInput, fieldsOf } from './control-input.ts';
import { type Fault, signInOperations } from './faults.ts';

const KNOWN_FAULT_FIELDS = [
  'target',
  'operation',
  'shop',
  'count',
  'status',
  'delayMs',
  'body',
  'headers',
  'cut',
  'consume',
  'throttle',
  'outdate',
  'refuseMutation',
];

/** @throws BadControlInput with a sentence that names the mistake */
export function readFault(body: string, shops: readonly string[]): Fault {
  const fields = fieldsOf(body, KNOWN_FAULT_FIELDS);
  const { target, operation, count = 1, shop } = fields;
  if (target !== 'sign-in' && target !== 'admin')
    throw new BadControlInput('"target" is "sign-in" or "admin".');
  if (operation !== undefined) checkOperation(target, operation);
  if (shop !== undefined && !shops.includes(String(shop))) {
    throw new BadControlInput(`"shop" is one of: ${shops.join(', ')}.`);
  }
  checkInteger('count', count, [1, 1_000_000]);
  for (const name of ['throttle', 'outdate', 'refuseMutation']) {
    if (fields[name] !== undefined && target !== 'admin') {
      throw new BadControlInput(`"${name}" is for the target "admin".`);
    }
  }
  checkEffects(fields);
  return { ...fields, count } as Fault;
}

function checkOperation(target: 'sign-in' | 'admin', operation: unknown): void {
  const operations: readonly unknown[] = signInOperations;
  if (typeof operation !== 'string' || (target === 'sign-in' && !operations.includes(operation))) {
    throw new BadControlInput(
      `"operation" is one of ${signInOperations.join(', ')} for "sign-in", a root field or an operation's name for "admin".`,
    );
  }
  if (target === 'admin') checkRootField(operation);
}

/** Root fields that the service sends as other fields: a fault for them would never apply. */
const SENT_AS: Readonly<Record<string, string>> = {
  subscriptionBillingCycleCharge: 'subscriptionBillingAttemptCreate',
  subscriptionBillingCycleSkip: 'subscriptionBillingCycleScheduleEdit',
};

/** Rejects an unknown root field. Names of operations start with a capital letter. */
function checkRootField(name: string): void {
  const sent = SENT_AS[name];
  if (sent !== undefined) throw new BadControlInput(`The service sends "${sent}" for "${name}": name that.`);
  const roots = [schema.getQueryType(), schema.getMutationType()];
  if (/^[A-Z]/.test(name) || name === 'access_token' || roots.some((type) => type?.getFields()[name])) return;
  throw new BadControlInput(
    `"operation": "${name}" is no root field of the platform's Admin API. \`control requests\` lists what the service sent.`,
  );
}

function checkEffects({
  status,
  delayMs,
  body,
  headers,
  cut,
  consume,
  throttle,
  outdate,
  refuseMutation,
}: Record<string, unknown>): void {
  if (status !== undefined) checkInteger('status', status, [200, 599]);
  if (refuseMutation !== undefined) checkInteger('refuseMutation', refuseMutation, [1, 1000]);
  if (delayMs !== undefined) checkInteger('delayMs', delayMs, [0, 600_000]);
  if (headers !== undefined && (typeof headers !== 'object' || headers === null)) {
    throw new BadControlInput('"headers" is an object.');
  }
  if (cut !== undefined && cut !== 'before' && cut !== 'after') {
    throw new BadControlInput('"cut" is "before" or "after".');
  }
  for (const [name, value] of Object.entries({ consume, throttle, outdate })) {
    if (value !== undefined && typeof value !== 'boolean') {
      throw new BadControlInput(`"${name}" is true or false.`);
    }
  }
  const effects = [status, delayMs, body, cut, throttle, outdate, refuseMutation];
  if (effects.every((effect) => effect === undefined)) {
    throw new BadControlInput(
      'Give at least one of "status", "delayMs", "body", "cut", "throttle", "outdate", "refuseMutation".',
    );
  }
}

function checkInteger(name: string, value: unknown, [minimum, maximum]: [number, number]): void {
  if (!Number.isInteger(value) || Number(value) < minimum || Number(value) > maximum) {
    throw new BadControlInput(`"${name}" is a whole number from ${minimum} to ${maximum}.`);
  }
}
