/** The statements that the firewall's rules are composed of (AWS WAF, "Rule statements"). */
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { PLATFORM_WEBHOOKS_PATH } from '../../../lib/webhooks/in/webhook-registration.ts';
import {
  JSON_METHODS,
  JSON_TYPE,
  MAX_BODY_BYTES,
  MAX_WEBHOOK_BYTES,
  PAGE_METHODS,
  type RateRule,
  UNCOUNTED_METHOD,
} from '../../definition/edge-rules.ts';

type FirewallStatement = CfnWebACL.StatementProperty;

/** Decodes the path once, as API Gateway does before it matches a route. */
const DECODE_URL_TRANSFORMATION = [{ priority: 0, type: 'URL_DECODE' }];
const NO_TRANSFORMATION = [{ priority: 0, type: 'NONE' }];

/** Counts the requests of each address to the rule's paths. */
export function matchRateAbove({
  paths,
  countsOtherPaths = false,
  requestKind,
  maxRequests,
  windowSeconds,
}: RateRule): FirewallStatement {
  const pathStatement = matchAny(paths.map(matchPath));
  const methodStatement =
    requestKind === 'pages'
      ? matchAnyMethod(PAGE_METHODS)
      : matchNot(matchAnyMethod([UNCOUNTED_METHOD, ...PAGE_METHODS]));
  return {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit: maxRequests,
      evaluationWindowSec: windowSeconds,
      scopeDownStatement: matchAll([
        methodStatement,
        countsOtherPaths ? matchNot(pathStatement) : pathStatement,
      ]),
    },
  };
}

/** Matches a call whose content type is not JSON. The firewall refuses it before any rule counts it. */
export function matchNotJson(): FirewallStatement {
  const isJson = {
    regexMatchStatement: {
      fieldToMatch: { singleHeader: { Name: 'content-type' } },
      regexString: JSON_TYPE,
      textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
    },
  };
  return matchAll([matchAnyMethod(JSON_METHODS), matchNot(isJson)]);
}

/**
 * Matches a body whose Content-Length is missing or above the limit. The firewall reads the first 16 KB of a body, so
 * it detects a body but not its size.
 */
export function matchTooLargeBody(): FirewallStatement {
  const hasBody = {
    sizeConstraintStatement: {
      fieldToMatch: { body: { oversizeHandling: 'MATCH' } },
      comparisonOperator: 'GT',
      size: 0,
      textTransformations: NO_TRANSFORMATION,
    },
  };
  const isWebhook = matchAll([matchPath(PLATFORM_WEBHOOKS_PATH), matchContentLengthUpTo(MAX_WEBHOOK_BYTES)]);
  return matchAll([hasBody, matchNot(matchAny([matchContentLengthUpTo(MAX_BODY_BYTES), isWebhook]))]);
}

function matchContentLengthUpTo(bytes: number): FirewallStatement {
  return {
    regexMatchStatement: {
      fieldToMatch: { singleHeader: { Name: 'content-length' } },
      regexString: writePatternUpTo(bytes),
      textTransformations: NO_TRANSFORMATION,
    },
  };
}

/**
 * Returns a regular expression for the whole numbers up to `limit`, which has at least two digits: numbers with fewer
 * digits, and numbers that are smaller at the first digit that differs.
 * @internal A test checks it with the numbers around each power of ten.
 */
export function writePatternUpTo(limit: number): string {
  const limitText = `${limit}`;
  const smallerNumberPatterns = [...limitText].flatMap((digit, digitIndex) => {
    // A number with as many digits as the limit does not start with zero.
    const minDigit = digitIndex === 0 ? 1 : 0;
    if (Number(digit) <= minDigit) return [];
    return [
      `${limitText.slice(0, digitIndex)}[${minDigit}-${Number(digit) - 1}][0-9]{${limitText.length - digitIndex - 1}}`,
    ];
  });
  return `^0*(${[`[0-9]{1,${limitText.length - 1}}`, ...smallerNumberPatterns, limitText].join('|')})$`;
}

/** Returns AWS's managed rule group of this name. Its matches are labelled here and refused by a later rule. */
export function useManagedRuleGroup(name: string): FirewallStatement {
  return { managedRuleGroupStatement: { vendorName: 'AWS', name } };
}

/** Matches requests that a managed rule group has labelled. */
export function matchLabels(...keys: readonly string[]): FirewallStatement {
  return matchAny(
    keys.map((key) => ({ labelMatchStatement: { scope: key.endsWith(':') ? 'NAMESPACE' : 'LABEL', key } })),
  );
}

function matchPath(path: string): FirewallStatement {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: path.endsWith('/') ? 'STARTS_WITH' : 'EXACTLY',
      searchString: path,
      textTransformations: DECODE_URL_TRANSFORMATION,
    },
  };
}

function matchAnyMethod(methods: readonly string[]): FirewallStatement {
  return matchAny(methods.map(matchMethod));
}

function matchMethod(method: string): FirewallStatement {
  return {
    byteMatchStatement: {
      fieldToMatch: { method: {} },
      positionalConstraint: 'EXACTLY',
      searchString: method,
      textTransformations: NO_TRANSFORMATION,
    },
  };
}

function matchAll(statements: FirewallStatement[]): FirewallStatement {
  return { andStatement: { statements } };
}

/** WAF's OR statement needs at least two statements. */
function matchAny(statements: FirewallStatement[]): FirewallStatement {
  const [firstStatement, ...otherStatements] = statements;
  return otherStatements.length === 0 && firstStatement !== undefined
    ? firstStatement
    : { orStatement: { statements } };
}

function matchNot(statement: FirewallStatement): FirewallStatement {
  return { notStatement: { statement } };
}
