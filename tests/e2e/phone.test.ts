/** One file for all that is done on the phone page: a stack and a browser cost more than most of the tests. */
import './phone-journey.suite.ts';
import './phone-subscription.suite.ts';
import './phone-trouble.suite.ts';
