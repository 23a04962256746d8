/** Runs all tests of synthesised templates in one file: loading CDK and synthesising take longer than the tests. */
import './watch/alarms.suite.ts';
import './deploy.suite.ts';
import './documents.suite.ts';
import './edge/edge.suite.ts';
import './watch/log-queries.suite.ts';
import './nag.suite.ts';
import './watch/metric-periods.suite.ts';
import './constructs/rights.suite.ts';
import './constructs/stack.suite.ts';
import './unchangeable.suite.ts';
import './valid.suite.ts';
