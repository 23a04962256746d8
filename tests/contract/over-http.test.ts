/** Runs all HTTP tests without faults in one file: starting a stack takes longer than most of the tests. */
// First: what others leave in the table is no part of its journey.
import './secrets.suite.ts';
import './sign-in.suite.ts';
import './graphql.suite.ts';
import './keys-and-sign-ins.suite.ts';
import './change-events.suite.ts';
import './graphql-audits.suite.ts';
import './hostile-values.suite.ts';
import '../faults/parallel.suite.ts';
import './platform-documents.suite.ts';
import './busy-store.suite.ts';
import './retry-times.suite.ts';
// Last: it ends sign-ins, and takes a store away.
import '../operator/operator-journey.suite.ts';
