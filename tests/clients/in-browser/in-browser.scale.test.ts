/** One file for all that runs the clients in a browser: a stack and a browser cost more than most of the tests. */
import '../quickstarts/quickstarts.suite.ts';
import '../react/hooks.suite.ts';
// Last: it leaves orders skipped and the subscription paused.
import '../react/sequences.suite.ts';
