/** Runs all tests of synthesised templates in one file: loading CDK and synthesising take longer than the tests. */
import './alarms.suite.ts';
import './deploy.suite.ts';
import './documents.suite.ts';
import './edge.suite.ts';
import './log-queries.suite.ts';
import './nag.suite.ts';
import './metric-periods.suite.ts';
import './rights.suite.ts';
import './stack.suite.ts';
import './unchangeable.suite.ts';
import './valid.suite.ts';
