/** One file for the core of clients/typescript: a file costs more than most of its tests. */
import './adapters.suite.ts';
import './request/calls.suite.ts';
import './documents.suite.ts';
import './languages.suite.ts';
import './messages.suite.ts';
import './options.suite.ts';
import './request/retries.suite.ts';
import './request/request.suite.ts';
import './request/request-mechanisms.suite.ts';
import './session-mechanisms.suite.ts';
import './session.suite.ts';
import './sign-in.suite.ts';
import './views.suite.ts';
