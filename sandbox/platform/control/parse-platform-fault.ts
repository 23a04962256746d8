/** Parses a fault and checks every field: a misspelt field would make a test pass without its fault. */
import { schema } from '../admin/endpoint/schema.ts';
import { InvalidControlInput, parseControlFields } from './control-input.ts';
import { type PlatformFault, SIGN_IN_OPERATIONS } from './platform-fault-plan.ts';

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

/** @throws InvalidControlInput with a sentence that names the mistake */
export function parsePlatformFault(body: string, shops: readonly string[]): PlatformFault {
  const faultFields = parseControlFields(body, KNOWN_FAULT_FIELDS);
  const { target, operation, count = 1, shop } = faultFields;
  if (target !== 'sign-in' && target !== 'admin')
    throw new InvalidControlInput('"target" is "sign-in" or "admin".');
  if (operation !== undefined) checkOperation(target, operation);
  if (shop !== undefined && !shops.includes(String(shop))) {
    throw new InvalidControlInput(`"shop" is one of: ${shops.join(', ')}.`);
  }
  checkInteger('count', count, [1, 1_000_000]);
  for (const name of ['throttle', 'outdate', 'refuseMutation']) {
    if (faultFields[name] !== undefined && target !== 'admin') {
      throw new InvalidControlInput(`"${name}" is for the target "admin".`);
    }
  }
  checkEffects(faultFields);
  return { ...faultFields, count } as PlatformFault;
}

function checkOperation(target: 'sign-in' | 'admin', operation: unknown): void {
  const operations: readonly unknown[] = SIGN_IN_OPERATIONS;
  if (typeof operation !== 'string' || (target === 'sign-in' && !operations.includes(operation))) {
    throw new InvalidControlInput(
      `"operation" is one of ${SIGN_IN_OPERATIONS.join(', ')} for "sign-in", a root field or an operation's name for "admin".`,
    );
  }
  if (target === 'admin') checkRootField(operation);
}

/** Root fields that the service sends as other fields: a fault for them would never apply. */
const ACTUAL_ROOT_FIELD: Readonly<Record<string, string>> = {
  subscriptionBillingCycleCharge: 'subscriptionBillingAttemptCreate',
  subscriptionBillingCycleSkip: 'subscriptionBillingCycleScheduleEdit',
};

/** Rejects an unknown root field. Names of operations start with a capital letter. */
function checkRootField(name: string): void {
  const sentRootField = ACTUAL_ROOT_FIELD[name];
  if (sentRootField !== undefined)
    throw new InvalidControlInput(`The service sends "${sentRootField}" for "${name}": name that.`);
  const roots = [schema.getQueryType(), schema.getMutationType()];
  if (/^[A-Z]/.test(name) || name === 'access_token' || roots.some((type) => type?.getFields()[name])) return;
  throw new InvalidControlInput(
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
    throw new InvalidControlInput('"headers" is an object.');
  }
  if (cut !== undefined && cut !== 'before' && cut !== 'after') {
    throw new InvalidControlInput('"cut" is "before" or "after".');
  }
  for (const [name, value] of Object.entries({ consume, throttle, outdate })) {
    if (value !== undefined && typeof value !== 'boolean') {
      throw new InvalidControlInput(`"${name}" is true or false.`);
    }
  }
  const faultEffects = [status, delayMs, body, cut, throttle, outdate, refuseMutation];
  if (faultEffects.every((effect) => effect === undefined)) {
    throw new InvalidControlInput(
      'Give at least one of "status", "delayMs", "body", "cut", "throttle", "outdate", "refuseMutation".',
    );
  }
}

function checkInteger(name: string, value: unknown, [minimum, maximum]: [number, number]): void {
  if (!Number.isInteger(value) || Number(value) < minimum || Number(value) > maximum) {
    throw new InvalidControlInput(`"${name}" is a whole number from ${minimum} to ${maximum}.`);
  }
}
