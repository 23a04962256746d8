/** One file for all that is done on the phone page and in GraphiQL: a stack and a browser cost more than most of the tests. */
import './graphiql.suite.ts';
import './phone-journey.suite.ts';
import './phone-languages.suite.ts';
import './phone-subscription.suite.ts';
import './phone-sign-in.suite.ts';
import './phone-trouble.suite.ts';
